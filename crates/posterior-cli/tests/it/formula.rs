//! `regress fit --formula`: known coefficients, the same terms for new rows, and wrong formulas.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use serde_json::Value;

use crate::program::Place;

fn json(place: &Place, arguments: &[&str]) -> Value {
    let all: Vec<&str> = [arguments, &["--format", "json", "--quiet"]].concat();
    serde_json::from_str(&place.succeed(&all).stdout).unwrap()
}

/// Rows of which no two are alike; `y` is a function of the others and of noise that nothing explains.
fn table(rows: std::ops::Range<u32>) -> String {
    let row = |i: u32| {
        let (x, z) = (f64::from(i * 7 % 24) / 4.0, f64::from(i * 5 % 17) + 1.0);
        let site = ["hill", "lake", "shore"][(i * 11 % 13 % 3) as usize];
        let noise = f64::from(i * i * 13 % 29) / 29.0 - 0.5;
        let y = 1.0 + 0.4 * x - z.ln() + if site == "lake" { x } else { 0.0 } + noise;
        let (n, count) = (1 + i % 4, i * 3 % 7);
        format!("row {i},{y},{x},{z},{site},{n},{count},{}\n", if y > 1.5 { "yes" } else { "no" })
    };
    format!("id,y,x,z,site,n,count,big\n{}", rows.map(row).collect::<String>())
}

fn place() -> Place {
    let place = Place::new();
    place.write("rows.csv", table(0..40));
    place.write("new.csv", table(40..47));
    place
}

fn coefficients(answer: &Value) -> Vec<(&str, f64)> {
    let all = answer["coefficients"].as_array().unwrap();
    all.iter().map(|own| (own["name"].as_str().unwrap(), own["mean"].as_f64().unwrap())).collect()
}

/// As least squares has them: by `numpy.linalg.lstsq` for the same columns, with a prior that is all but
/// flat.
#[test]
fn coefficients_are_those_of_least_squares() {
    let place = place();
    let fit = |formula: &str, more: &[&str]| {
        let fit = ["regress", "fit", "rows.csv", "--prior-sd", "1e5", "--formula", formula];
        json(&place, &[&fit[..], more].concat())
    };
    for (formula, more, expected) in LEAST_SQUARES {
        let answer = fit(formula, more);
        let found = coefficients(&answer);
        assert_eq!(found.len(), expected.len(), "{formula}: {found:?}");
        for ((name, value), (own_name, own)) in found.into_iter().zip(*expected) {
            assert_eq!(name, *own_name, "{formula}");
            assert!((value - own).abs() < 1e-6 * own.abs().max(1.0), "{formula}: {name} {value} {own}");
        }
    }
}

type Case = (&'static str, &'static [&'static str], &'static [(&'static str, f64)]);

const LEAST_SQUARES: &[Case] = &[
    (
        "y ~ x*site",
        &[],
        &[
            ("intercept", 0.162981251807),
            ("x", -0.0305350836736),
            ("sitelake", -0.733446179836),
            ("siteshore", -0.937755818829),
            ("x:sitelake", 1.26939410794),
            ("x:siteshore", 0.401799298645),
        ],
    ),
    (
        "y ~ 0 + site + x",
        &["--weights", "n"],
        &[
            ("sitehill", -1.0422719522),
            ("sitelake", 2.10685146207),
            ("siteshore", -0.977901729448),
            ("x", 0.433812476856),
        ],
    ),
    (
        "log(y + 5) ~ poly(z, 2) + offset(x/10)",
        &[],
        &[("intercept", 1.47890625638), ("poly(z, 2)1", -0.654091875702), ("poly(z, 2)2", 0.284799159532)],
    ),
    (
        "y ~ I(x^2) + x - 1",
        &["--weights", "n", "--offset", "z"],
        &[("I(x^2)", 0.74865922948), ("x", -5.75250162746)],
    ),
];

#[test]
fn a_saved_formula_gives_new_rows_the_same_terms() {
    let place = place();
    let formulas: [(&str, &[&str]); 8] = [
        ("y ~ site*poly(x, 2) + log(z)", &[]),
        ("y ~ . - count - big - n", &["--prior-sd", "1"]),
        ("log(y + 5) ~ bs(x, df = 4) + scale(z) + offset(n/10)", &[]),
        ("y ~ 0 + site + x", &["--weights", "n"]),
        ("big ~ ns(x, df = 3) + factor(n)", &["--family", "bernoulli"]),
        ("big ~ x - 1", &["--family", "bernoulli", "--engine", "laplace", "--offset", "z", "--weights", "n"]),
        ("count ~ site + s(x, k = 4) + offset(log(n))", &["--family", "poisson"]),
        ("site ~ x + z", &["--family", "softmax"]),
    ];
    for (formula, more) in formulas {
        let fit =
            ["regress", "fit", "rows.csv", "--formula", formula, "--predict", "new.csv", "--out", "fit"];
        let fitted = json(&place, &[&fit[..], more].concat());
        let later = json(&place, &["regress", "predict", "fit", "new.csv"]);
        assert_eq!(fitted["predictions"], later["predictions"], "{formula}");
        assert_eq!(fitted["scores"], later["scores"], "{formula}");
        assert!(fitted["scores"]["rows"] == 7, "{formula}: {}", fitted["scores"]);
        let own = formula.split(" ~").next().unwrap();
        assert_eq!(later["y"], own, "{formula}");
    }
    // Names of rows are no terms of `.`, and the note says so.
    let answer = json(&place, &["regress", "fit", "rows.csv", "--formula", "y ~ . - count - big"]);
    assert!(answer["warnings"].to_string().contains("as they name rows: id"), "{}", answer["warnings"]);
}

/// An offset of counts: twice the exposure is twice the rate, and the coefficients stay.
#[test]
fn offsets_are_added_to_the_predictor() {
    let place = place();
    let fit = |more: &[&str]| {
        let fit = ["regress", "fit", "rows.csv", "--family", "poisson", "--engine", "laplace"];
        json(&place, &[&fit[..], more].concat())
    };
    let by_formula = fit(&["--formula", "count ~ x + offset(z)"]);
    let by_column = fit(&["--y", "count", "--x", "x", "--offset", "z"]);
    assert_eq!(by_formula["predictions"], by_column["predictions"]);
    assert_ne!(by_formula["predictions"], fit(&["--formula", "count ~ x"])["predictions"]);
    // Of numbers: a line through the outcome less the offset.
    let line = |formula: &str| json(&place, &["regress", "fit", "rows.csv", "--formula", formula]);
    let (with, without) = (line("y ~ x + offset(z)"), line("I(y - z) ~ x"));
    assert_eq!(with["coefficients"], without["coefficients"]);
    for row in 0..40 {
        let mean = |answer: &Value| answer["predictions"][row]["mean"].as_f64().unwrap();
        let z = f64::from(u32::try_from(row).unwrap() * 5 % 17) + 1.0;
        assert!((mean(&with) - mean(&without) - z).abs() < 1e-9);
    }
}

#[test]
fn wrong_formulas_are_refused_with_their_place() {
    let place = place();
    place.write("hole.csv", "y,x\n1,2\n2,\n3,4\n5,1\n");
    place.write("zero.csv", "y,x\n1,2\n2,0\n3,4\n5,1\n");
    place.write("unknown.csv", "x,z,site\n1,1,moor\n");
    for (data, formula, expected) in [
        ("rows.csv", "y ~ x +", "column 8: expected a column"),
        ("rows.csv", "y ~ pily(x, 2)", "column 5: there is no function \"pily\""),
        ("rows.csv", "y ~ xx", "column 5: there is no column \"xx\""),
        ("rows.csv", "~ x", "it has no outcome"),
        ("rows.csv", "y ~ log(site)", "the column \"site\" holds labels"),
        ("zero.csv", "y ~ log(x)", "line 3: log(x) is -inf"),
        ("zero.csv", "log(x) ~ y", "line 3: log(x) is -inf"),
        ("rows.csv", "site ~ x", "column site"),
    ] {
        let ran = place.run(&["regress", "fit", data, "--formula", formula]);
        assert!(ran.code != Some(0) && ran.stderr.contains(expected), "{formula}: {}", ran.stderr);
    }
    for (option, value) in [("--x", "x"), ("--y", "y"), ("--features", "poly:2"), ("--categorical", "n")] {
        let ran = place.run(&["regress", "fit", "rows.csv", "--formula", "y ~ x", option, value]);
        assert!(ran.stderr.contains("cannot be used with"), "{option}: {}", ran.stderr);
    }
    place.succeed(&["regress", "fit", "rows.csv", "--formula", "y ~ x*site + z", "--out", "fit"]);
    let ran = place.run(&["regress", "predict", "fit", "unknown.csv"]);
    assert!(ran.stderr.contains("line 2: site is \"moor\""), "{}", ran.stderr);
    for (formula, family) in [("site ~ x - 1", "softmax"), ("y ~ x - 1", "mlp"), ("y ~ x + offset(z)", "mlp")]
    {
        let ran = place.run(&["regress", "fit", "rows.csv", "--formula", formula, "--family", family]);
        assert!(ran.code != Some(0), "{formula} {family}");
    }
}
