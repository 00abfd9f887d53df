//! `posterior regress fit` beyond the fit: priors that leave few columns, effects, checks and robust errors.

use std::fmt::Write as _;

use serde_json::Value;

use crate::program::Place;

fn json(place: &Place, arguments: &[&str]) -> Value {
    let all: Vec<&str> = [&["regress", "fit"], arguments, &["--format", "json", "--quiet"]].concat();
    serde_json::from_str(&place.succeed(&all).stdout).unwrap()
}

fn float(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value}"))
}

fn close(value: &Value, expected: f64, tolerance: f64) {
    let value = float(value);
    assert!((value - expected).abs() < tolerance, "{value} {expected}");
}

/// The rows of the tests of the library: eight columns of which the third and the sixth have an effect; a
/// count, a class and a cluster beside the number.
fn place() -> Place {
    place_of(30)
}

fn place_of(rows: i32) -> Place {
    let place = Place::new();
    let mut text = String::from("a,b,c,d,e,f,g,h,y,count,kind,cluster,w\n");
    for i in 0..rows {
        let x: Vec<f64> = (0..8)
            .map(|j| (0.37 * f64::from(i * i * (j + 2))).sin() + 0.4 * (0.9 * f64::from(i)).sin())
            .collect();
        let y = 1.0 + 2.0 * x[2] - x[5] + 0.7 * (5.1 * f64::from(i)).cos();
        let count = (3.0 * x[1] + 2.0 * f64::from(i).cos()).abs().floor();
        let kind = if y > 1.0 { "yes" } else { "no" };
        for own in x {
            write!(text, "{own},").unwrap();
        }
        writeln!(text, "{y},{count},{kind},c{},{}", i % 6, 1 + i % 3).unwrap();
    }
    place.write("rows.csv", text);
    place
}

const ALL: &str = "a,b,c,d,e,f,g,h";

fn named<'a>(all: &'a Value, name: &str) -> &'a Value {
    let all = all.as_array().unwrap();
    all.iter().find(|own| own["name"] == name).unwrap_or_else(|| panic!("no {name} in {all:?}"))
}

/// The estimates of scikit-learn's `ElasticNet` for columns in standard units, back in those of the table.
#[test]
fn a_lasso_of_a_given_penalty_is_that_of_another_program() {
    let place = place();
    let fit = ["rows.csv", "--x", ALL, "--y", "y", "--prior", "lasso", "--penalty", "0.1", "--out", "out"];
    let answer = json(&place, &fit);
    assert_eq!((&answer["prior"], &answer["penalty"]["chosen_by"]), (&"lasso".into(), &"given".into()));
    for (name, expected) in LASSO {
        close(&named(&answer["coefficients"], name)["mean"], *expected, 1e-8);
        assert!(named(&answer["coefficients"], name)["q025"].is_null());
    }
    // A number is predicted with the spread of rows that were held out, and the model says the same later.
    let interval = &answer["predictions"][0]["interval"];
    let width = float(&interval[1]) - float(&interval[0]);
    close(&answer["noise_sd"], width / (2.0 * 1.959963984540054), 1e-9);
    assert!(answer["predictions"][0]["mean_interval"].is_null());
    let later = place.succeed(&["regress", "predict", "out", "rows.csv", "--format", "json", "--quiet"]);
    let later: Value = serde_json::from_str(&later.stdout).unwrap();
    assert_eq!(answer["predictions"][7]["mean"], later["predictions"][7]["mean"]);
    assert_eq!(later["intervals"]["mean_interval"], Value::Null);
    let text = std::fs::read_to_string(place.path("out/coefficients.csv")).unwrap();
    assert!(text.contains("\na,0,,,\n") || text.contains("\na,-0,,,\n"), "{text}");
}

const LASSO: &[(&str, f64)] = &[
    ("intercept", 1.061688888472874),
    ("a", 0.0),
    ("b", 0.0),
    ("c", 1.841804753938142),
    ("d", 0.0),
    ("e", 0.0),
    ("f", -0.8098274261802163),
    ("g", -0.11652768392885025),
    ("h", 0.0),
];

/// Folds choose the columns that have an effect; the sparser choice has no more columns, and the page shows
/// the paths.
#[test]
fn a_penalty_by_folds_leaves_the_columns_that_matter() {
    let place = place();
    let fit = |more: &[&str]| {
        json(&place, &[&["rows.csv", "--x", ALL, "--y", "y", "--prior", "lasso"], more].concat())
    };
    let (best, sparse) = (fit(&["--out", "out"]), fit(&["--penalty", "one-se"]));
    let left = |own: &Value| float(&own["penalty"]["nonzero"]);
    assert!(left(&sparse) <= left(&best) && left(&sparse) >= 2.0, "{}", sparse["penalty"]);
    assert!(float(&sparse["penalty"]["value"]) >= float(&best["penalty"]["value"]));
    for own in [&best, &sparse] {
        assert!(float(&named(&own["coefficients"], "c")["mean"]) > 1.0);
        assert!(float(&named(&own["coefficients"], "f")["mean"]) < -0.2);
    }
    let path = best["penalty"]["path"].as_array().unwrap();
    assert!(path[0]["nonzero"] == 0 && path.len() > 20, "{}", path.len());
    let least = path.iter().map(|own| float(&own["held_out_deviance"])).fold(f64::INFINITY, f64::min);
    close(&best["noise_sd"], least.sqrt(), 1e-9);
    let page = std::fs::read_to_string(place.path("out/report.html")).unwrap();
    assert!(page.contains("Coefficients by penalty") && page.contains("Penalties and held-out rows"));
    let lines = std::fs::read_to_string(place.path("out/path.csv")).unwrap();
    assert!(lines.starts_with("penalty,nonzero,deviance,held_out_deviance,held_out_error,"), "{lines}");
    // Two classes and counts have paths, too.
    for (family, y) in [("bernoulli", "kind"), ("poisson", "count"), ("gamma", "w")] {
        let answer =
            json(&place, &["rows.csv", "--x", ALL, "--y", y, "--family", family, "--prior", "elastic-net"]);
        assert!(answer["penalty"]["mixing"] == 0.5 && answer["engine"] == "coordinate-descent", "{answer}");
        let lasso = ["--family", family, "--prior", "lasso"];
        place.succeed(&[&["regress", "fit", "rows.csv", "--x", ALL, "--y", y], &lasso[..]].concat());
    }
}

#[test]
fn relevance_and_the_horseshoe_find_two_columns() {
    let place = place();
    let fit =
        |more: &[&str]| json(&place, &[&["rows.csv", "--x", ALL, "--y", "y", "--out", "out"], more].concat());
    for (prior, engine) in [("ard", "evidence"), ("horseshoe", "gibbs")] {
        let answer = fit(&["--prior", prior]);
        assert_eq!((&answer["prior"], &answer["engine"]), (&prior.into(), &engine.into()));
        let third = named(&answer["coefficients"], "c");
        assert!(float(&third["q05"]) > 1.2 && float(&third["q95"]) < 2.6, "{third}");
        let sixth = named(&answer["coefficients"], "f");
        assert!(float(&sixth["q95"]) < 0.0, "{sixth}");
        let first = named(&answer["coefficients"], "a");
        assert!(float(&first["q05"]) <= 0.0 && float(&first["q95"]) >= 0.0, "{first}");
        let later = place.succeed(&["regress", "predict", "out", "rows.csv", "--format", "json", "--quiet"]);
        let later: Value = serde_json::from_str(&later.stdout).unwrap();
        assert_eq!(answer["predictions"][3]["mean"], later["predictions"][3]["mean"], "{prior}");
        assert_eq!(answer["predictions"][3]["q975"], later["predictions"][3]["q975"], "{prior}");
    }
    let answer = json(
        &place,
        &["rows.csv", "--x", ALL, "--y", "kind", "--family", "bernoulli", "--prior", "horseshoe"],
    );
    assert_eq!((&answer["engine"], &answer["prior"]), (&"gibbs".into(), &"horseshoe".into()));
    let third = named(&answer["coefficients"], "c");
    assert!(float(&third["q95"]) > 1.0 && float(&third["mean"]) > 0.5, "{third}");
    for (more, says) in [
        (&["--y", "count", "--family", "poisson", "--prior", "ard"][..], "for the family gaussian"),
        (&["--y", "kind", "--family", "bernoulli", "--link", "probit", "--prior", "horseshoe"], "link logit"),
        (&["--y", "y", "--prior", "ard", "--prior-sd", "1"], "--prior-sd"),
        (&["--y", "y", "--prior", "elastic-net", "--mixing", "0"], "--mixing"),
        (&["--y", "y", "--prior", "lasso", "--penalty", "-1"], "--penalty"),
        (&["--y", "y", "--prior", "lasso", "--effects"], "--effects"),
    ] {
        let ran = place.run(&[&["regress", "fit", "rows.csv", "--x", "a,b"], more].concat());
        assert!(ran.code == Some(2) && ran.stderr.contains(says), "{more:?} {ran:?}");
    }
}

/// Slopes under a prior that is all but flat: those of `get_margeff` of statsmodels 0.15.0, but for the
/// difference of a mean and a maximum; a number's slope of a linear regression is its coefficient.
#[test]
fn average_effects_are_those_of_another_program() {
    let place = place();
    let fit = |y: &str, family: &str, more: &[&str]| {
        let fit = ["rows.csv", "--x", "a,b,c", "--y", y, "--family", family, "--effects"];
        json(&place, &[&fit[..], more].concat())
    };
    let answer = fit("y", "gaussian", &["--prior-sd", "1e4"]);
    for name in ["a", "b", "c"] {
        let (effect, own) = (named(&answer["effects"], name), named(&answer["coefficients"], name));
        let sd = float(&own["sd"]);
        close(&effect["mean"], float(&own["mean"]), 0.05 * sd);
        close(&effect["sd"], sd, 0.05 * sd);
    }
    // A mean and a maximum differ by less than a tenth of the error for 300 rows.
    let many = place_of(300);
    for (y, family, expected) in EFFECTS {
        let fit = ["rows.csv", "--x", "a,b,c", "--y", y, "--family", family, "--effects"];
        let answer = json(&many, &[&fit[..], &["--prior-sd", "50", "--engine", "laplace"]].concat());
        for (name, mean, sd) in *expected {
            let effect = named(&answer["effects"], name);
            close(&effect["mean"], *mean, 0.1 * sd);
            close(&effect["sd"], *sd, 0.1 * sd);
        }
    }
    // Labels have contrasts with the first one, in formulas too; numbers as levels have no slope.
    let answer =
        json(&place, &["rows.csv", "--formula", "y ~ cluster*c + factor(w) + log(3 + a)", "--effects"]);
    let names: Vec<&str> =
        answer["effects"].as_array().unwrap().iter().map(|own| own["name"].as_str().unwrap()).collect();
    let contrasts = (1..6).map(|own| format!("cluster: c{own} less c0"));
    let expected: Vec<String> = contrasts
        .chain(["c".to_owned(), "w: 2 less 1".to_owned(), "w: 3 less 1".to_owned(), "a".to_owned()])
        .collect();
    assert_eq!(names, expected);
}

type Effects = (&'static str, &'static str, &'static [(&'static str, f64, f64)]);

const EFFECTS: &[Effects] = &[
    (
        "kind",
        "bernoulli",
        &[("a", -0.0297746, 0.0233621), ("b", -0.0198228, 0.0229065), ("c", 0.3533101, 0.0087675)],
    ),
    (
        "count",
        "poisson",
        &[("a", 0.0079858, 0.1031416), ("b", -0.1351914, 0.1015677), ("c", -0.0289388, 0.096478)],
    ),
];

/// Counts that vary as the model says, and counts with too many zeros.
#[test]
fn checks_see_what_a_model_does_not_make() {
    let place = Place::new();
    // Quantiles of a Poisson distribution of mean 4 in a mixed order, and the same with zeros instead.
    let counts = [0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 7, 7, 8, 9];
    let row = |(i, count): (usize, &i32)| {
        format!("{},{count},{}\n", i * 11 % 7, if i % 3 == 0 { 0 } else { 2 * count })
    };
    let rows: String = counts.iter().chain(&counts).enumerate().map(row).collect();
    place.write("counts.csv", format!("x,good,bad\n{rows}"));
    let p = |y: &str, name: &str| {
        let answer = json(
            &place,
            &["counts.csv", "--x", "x", "--y", y, "--family", "poisson", "--checks", "--out", "out"],
        );
        assert_eq!(answer["checks"]["replications"], 1000);
        let own = named(&answer["checks"]["statistics"], name);
        let (low, high) = (float(&own["q025"]), float(&own["q975"]));
        assert!(low <= float(&own["mean"]) && float(&own["mean"]) <= high, "{own}");
        float(&own["p_two_sided"])
    };
    for name in ["mean", "sd", "min", "max", "proportion of zeros"] {
        assert!(p("good", name) > 0.05, "{name}");
    }
    assert!(p("bad", "proportion of zeros") < 0.01 && p("bad", "sd") < 0.01 && p("bad", "mean") > 0.3);
    let page = std::fs::read_to_string(place.path("out/report.html")).unwrap();
    assert!(page.contains("Posterior predictive checks") && page.contains("Outcomes made anew"));
    assert!(place.path("out/checks.svg").exists());
    // Numbers have no zeros, and two classes have a proportion.
    let answer = json(&Place::new(), &["--checks"]);
    assert_eq!(answer["checks"]["statistics"].as_array().unwrap().len(), 4);
}

/// Errors of statsmodels 0.15.0 for the columns a, b, c.
#[test]
fn robust_errors_stand_beside_those_of_the_model() {
    let place = place();
    let fit = |more: &[&str]| {
        let fit = ["rows.csv", "--x", "a,b,c", "--y", "y"];
        json(&place, &[&fit[..], more].concat())["errors"].clone()
    };
    let cases: [(&str, [f64; 4]); 3] = [
        ("hc0", [0.17898102595582013, 0.358065462566129, 0.20432882133310196, 0.27382726153679826]),
        ("hc3", [0.2083997089931977, 0.4410541271737039, 0.24368086419151877, 0.3329073019784467]),
        (
            "cluster:cluster",
            [0.06923293604613723, 0.25680602992654455, 0.20204081023632195, 0.23888169745997556],
        ),
    ];
    let estimates = [1.0965899318291104, 0.03645127913824846, -0.43105980592516535, 2.129154967326731];
    for (kind, expected) in cases {
        let errors = fit(&["--errors", kind]);
        for (place, own) in errors["coefficients"].as_array().unwrap().iter().enumerate() {
            close(&own["estimate"], estimates[place], 1e-8);
            close(&own["robust_standard_error"], expected[place], 1e-8);
        }
        assert_eq!(errors["clusters"], if kind.starts_with("cluster") { 6.into() } else { Value::Null });
    }
    let text =
        place.succeed(&["regress", "fit", "rows.csv", "--x", "a,b", "--y", "y", "--errors", "hc1"]).stdout;
    assert!(text.contains("Robust errors (hc1)") && text.contains("error of the model"), "{text}");
    let wide = place.run(&["regress", "fit", "rows.csv", "--formula", "y ~ a", "--errors", "hc9"]);
    assert_eq!(wide.code, Some(2));
    let wide = place.run(&["regress", "fit", "rows.csv", "--formula", "y ~ poly(a, 29)", "--errors", "hc3"]);
    assert!(wide.code == Some(1) && wide.stderr.contains("--errors: "), "{wide:?}");
}

/// R² counts rows by their weights: a row with weight 2 is two rows.
#[test]
fn explained_variance_counts_weights() {
    let place = Place::new();
    let row = |i: i32| (f64::from(i * 7 % 10) / 3.0, i * 3 % 7 + if i % 10 > 6 { 4 } else { 0 }, 1 + i % 3);
    let mut weighted = String::from("x,n,w\n");
    let mut repeated = String::from("x,n\n");
    for i in 0..25 {
        let (x, n, w) = row(i);
        writeln!(weighted, "{x},{n},{w}").unwrap();
        for _ in 0..w {
            writeln!(repeated, "{x},{n}").unwrap();
        }
    }
    place.write("weighted.csv", weighted);
    place.write("repeated.csv", repeated);
    let fit = |file: &str, more: &[&str]| {
        let fit =
            [file, "--x", "x", "--y", "n", "--family", "poisson", "--engine", "laplace", "--prior-sd", "1e3"];
        json(&place, &[&fit[..], more].concat())["r2"].clone()
    };
    let (a, b) = (fit("weighted.csv", &["--weights", "w"]), fit("repeated.csv", &[]));
    let plain = fit("weighted.csv", &[]);
    // The unit of a column differs a little: its deviation is that of other numbers of rows.
    close(&a["mean"], float(&b["mean"]), 0.004);
    assert!((float(&plain["mean"]) - float(&b["mean"])).abs() > 0.01, "{plain} {b}");
    // Draws of a Gaussian posterior are those of the seed.
    let seeds = ["1", "2"].map(|seed| fit("weighted.csv", &["--seed", seed]));
    assert!(seeds[0] != seeds[1] && (float(&seeds[0]["mean"]) - float(&seeds[1]["mean"])).abs() < 0.01);
}

/// What an offset explains, no column does: with the same columns R² of the rest stays.
#[test]
fn explained_variance_leaves_offsets_out() {
    let place = Place::new();
    let row = |i: i32| {
        let (x, o) = (f64::from(i * 7 % 10), 10.0 * f64::from(i * 3 % 11));
        let rest = 0.5 * x + f64::from(i * i * 5 % 13) / 4.0;
        format!("{x},{o},{},{rest}\n", o + rest)
    };
    place.write("rows.csv", format!("x,o,y,rest\n{}", (0..40).map(row).collect::<String>()));
    let fit = |y: &str, more: &[&str]| {
        json(&place, &[&["rows.csv", "--x", "x", "--y", y], more].concat())["r2"].clone()
    };
    let (with, rest) = (fit("y", &["--offset", "o"]), fit("rest", &[]));
    close(&with["mean"], float(&rest["mean"]), 1e-9);
}

/// Advice is of the options that the run has.
#[test]
fn hints_under_a_formula_speak_of_the_formula() {
    let place = Place::new();
    let mut text = String::from("day,x,some name,y\n");
    for i in 0..12 {
        let x = if i == 3 { "oops".to_owned() } else { i.to_string() };
        writeln!(text, "2024-01-{:02},{x},,{}", i + 1, i * 5 % 7).unwrap();
    }
    place.write("rows.csv", text);
    for (formula, says) in
        [("y ~ x", "- `x`"), ("y ~ day", "- `day`"), ("y ~ `some name`", "out of the formula")]
    {
        let ran = place.run(&["regress", "fit", "rows.csv", "--formula", formula]);
        assert!(ran.code == Some(1) && ran.stderr.contains(says), "{ran:?}");
        assert!(!ran.stderr.contains("--x") && !ran.stderr.contains("--categorical"), "{ran:?}");
    }
    // A name with a gap in it is left out of all by the same words.
    let without = json(&place, &["rows.csv", "--formula", "y ~ . - day - x - `some name` + 1"]);
    assert_eq!(without["coefficients"].as_array().unwrap().len(), 1);
    // An outcome of classes in an order is no infinite number.
    let mut text = String::from("x,grade\n");
    for i in 0..12 {
        writeln!(text, "{i},{}", if i == 5 { "inf".to_owned() } else { (i / 4).to_string() }).unwrap();
    }
    place.write("grades.csv", text);
    let ran = place.run(&["regress", "fit", "grades.csv", "--y", "grade", "--family", "ordinal"]);
    assert!(ran.code == Some(1) && ran.stderr.contains("line 7, column grade"), "{ran:?}");
}

/// The functions of `--features` in a formula: the same columns, so the same fit.
#[test]
fn every_basis_has_a_name_in_formulas() {
    let place = place();
    for (formula, features) in [
        ("chebyshev(a, 3)", "chebyshev:3"),
        ("fourier(a, 2)", "fourier:2"),
        ("fourier(a, 2, period = 3)", "fourier:2:3"),
        ("step(a, 3)", "step:3"),
        ("step(a, knots = c(-0.2, 0.4))", "step:[-0.2, 0.4]"),
        ("relu(a, 3)", "relu:3"),
        ("sigmoid(a, 3)", "sigmoid:3"),
        ("sigmoid(a, 3, width = 0.5)", "sigmoid:3:0.5"),
        ("rbf(a, 4)", "rbf:4"),
        ("haar(a, 2)", "haar:2"),
        ("poly(a, 2, raw = TRUE)", "poly:2"),
        ("scale(a)", "standard"),
    ] {
        let by_formula = json(&place, &["rows.csv", "--formula", &format!("y ~ {formula}")]);
        let by_features = json(&place, &["rows.csv", "--x", "a", "--y", "y", "--features", features]);
        let (a, b) = (&by_formula["predictions"][4]["mean"], &by_features["predictions"][4]["mean"]);
        close(a, float(b), 1e-9);
        assert_eq!(
            by_formula["coefficients"].as_array().unwrap().len(),
            by_features["coefficients"].as_array().unwrap().len(),
            "{formula}"
        );
    }
}
