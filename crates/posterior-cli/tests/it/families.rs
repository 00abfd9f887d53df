//! Families and links of `regress fit`: known coefficients and deviances, predictions from a file.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use serde_json::Value;

use crate::program::Place;

/// Eighty rows that NumPy drew: `count` negative binomial of size 2 with an exposure, `cost` gamma of shape
/// 3, `yes` by a complementary log-log, `grade` in three levels.
const ROWS: &str = include_str!("families/rows.csv");

fn json(arguments: &[&str]) -> Value {
    let place = Place::new();
    place.write("rows.csv", ROWS);
    let all = [&["regress", "fit", "rows.csv"], arguments, &["--format", "json", "--quiet"]].concat();
    serde_json::from_str(&place.succeed(&all).stdout).unwrap()
}

fn close(value: &Value, expected: f64, tolerance: f64, what: &str) {
    let value = value.as_f64().unwrap();
    assert!((value - expected).abs() < tolerance * expected.abs().max(1.0), "{what}: {value} {expected}");
}

/// A fit with a prior that is all but flat, at its most probable coefficients: those of statsmodels 0.14
/// (`GLM`, `NegativeBinomial`, `OrderedModel`) with its deviances, and the dispersion or the size.
#[test]
fn coefficients_and_deviances_are_those_of_statsmodels() {
    type Case<'a> = (&'a [&'a str], &'a [f64], [f64; 2], &'a str, f64);
    let cases: [Case<'_>; 8] = [
        (
            &["yes ~ x + g", "--family", "bernoulli", "--link", "probit"],
            &[-0.1836219881, 0.7094334861, 0.02344360302],
            [91.10539994, 107.6818667],
            "",
            0.0,
        ),
        (
            &["yes ~ x + g", "--family", "bernoulli", "--link", "cloglog"],
            &[-0.654924904, 0.8576721852, 0.02374060389],
            [91.19445667, 107.6818667],
            "",
            0.0,
        ),
        (
            &["yes ~ x + g", "--family", "bernoulli", "--weights", "w"],
            &[-0.542864854, 1.021658359, 0.08720927747],
            [185.6576251, 213.3798401],
            "",
            0.0,
        ),
        (
            &["cost ~ x + g", "--family", "gamma"],
            &[1.054333219, 0.5121064878, 0.2212922345],
            [25.85135541, 44.18328809],
            "dispersion",
            0.32675503,
        ),
        (
            &["count ~ x + g + offset(ln_e)", "--family", "negative-binomial"],
            &[0.6867389112, 0.5054368675, -0.4494299598],
            [87.27144245, 108.5991063],
            "size",
            1.89979616,
        ),
        (
            &["count ~ x + g", "--family", "poisson", "--offset", "ln_e"],
            &[0.6494369087, 0.4701544358, -0.4155768979],
            [185.8742426, 232.7579077],
            "",
            0.0,
        ),
        (
            &["grade ~ x + g", "--family", "ordinal"],
            &[-1.4993509, 1.30066742, 0.8471476, 0.14386824],
            [147.88476979, 0.0],
            "",
            0.0,
        ),
        (
            &["grade ~ x + g", "--family", "ordinal", "--link", "probit"],
            &[-0.89005382, 0.80470648, 0.53194139, 0.11955328],
            [146.88339341, 0.0],
            "",
            0.0,
        ),
    ];
    for (options, coefficients, [deviance, null], name, value) in cases {
        let what = options.join(" ");
        let answer = json(&[&["--prior-sd", "1e3", "--engine", "laplace", "--formula"], options].concat());
        let all = answer["coefficients"].as_array().unwrap();
        assert_eq!(all.len(), coefficients.len(), "{what}");
        // Draws of an ordinal regression have means of their own.
        let tolerance = if what.contains("ordinal") { 0.02 } else { 2e-3 };
        for (own, expected) in all.iter().zip(coefficients) {
            close(&own["mean"], *expected, tolerance, &what);
        }
        close(&answer["deviance"], deviance, 1e-3, &what);
        if null > 0.0 {
            close(&answer["null_deviance"], null, 1e-6, &what);
        }
        if !name.is_empty() {
            close(&answer[name], value, 2e-3, &what);
        }
    }
    // The sum of squares of least squares, and its R²; the mean of the posterior is near.
    let line = json(&["--formula", "cost ~ x + g", "--prior-sd", "1e4"]);
    close(&line["deviance"], 304.256, 1e-5, "line");
    close(&line["null_deviance"], 505.29575, 1e-8, "line");
    close(&line["r2"]["mean"], 0.3979, 0.03, "line");
}

/// Each family predicts from its file what it predicted at the fit, with scores and intervals in order.
#[test]
fn families_are_saved_and_predict_new_rows() {
    let place = Place::new();
    let mut lines = ROWS.lines();
    let header = lines.next().unwrap();
    let rows: Vec<&str> = lines.collect();
    place.write("old.csv", format!("{header}\n{}\n", rows[..60].join("\n")));
    place.write("new.csv", format!("{header}\n{}\n", rows[60..].join("\n")));
    let fits: [&[&str]; 9] = [
        &["yes ~ x", "--family", "bernoulli", "--link", "probit"],
        &["yes ~ x", "--family", "bernoulli", "--link", "cloglog", "--engine", "laplace"],
        &["count ~ x + g", "--family", "negative-binomial", "--offset", "ln_e"],
        &["count ~ x + g", "--family", "negative-binomial", "--engine", "laplace"],
        &["cost ~ x + g", "--family", "gamma"],
        &["cost ~ x + g", "--family", "gamma", "--engine", "laplace", "--weights", "w"],
        &["cost ~ x", "--family", "gamma", "--engine", "nuts"],
        &["grade ~ x + g", "--family", "ordinal"],
        &["yes ~ x + g", "--family", "ordinal", "--link", "probit"],
    ];
    for options in fits {
        let run = |arguments: &[&str]| -> Value {
            let all = [arguments, &["--format", "json", "--quiet"]].concat();
            serde_json::from_str(&place.succeed(&all).stdout).unwrap()
        };
        let fit = ["regress", "fit", "old.csv", "--predict", "new.csv", "--out", "fit", "--formula"];
        let fitted = run(&[&fit[..], options].concat());
        let later = run(&["regress", "predict", "fit", "new.csv"]);
        for name in ["predictions", "scores", "intervals", "family"] {
            assert_eq!(fitted[name], later[name], "{options:?}");
        }
        assert_eq!(fitted["scores"]["rows"], 20, "{options:?}");
        assert!(fitted["scores"]["ln_score"].as_f64().unwrap() < 0.0, "{options:?}");
        for own in fitted["predictions"].as_array().unwrap() {
            let ends = |name: &str| [0, 1].map(|end| own[name][end].as_f64());
            for [low, high] in [ends("interval"), ends("mean_interval")] {
                assert!(low <= high && low.is_none_or(|low| low >= 0.0), "{options:?}: {own}");
            }
            if let Some(all) = own["probabilities"].as_array() {
                let sum: f64 = all.iter().map(|p| p.as_f64().unwrap()).sum();
                assert!((sum - 1.0).abs() < 1e-9, "{own}");
            }
        }
        if !options.contains(&"ordinal") {
            let r2 = &fitted["r2"];
            let [low, mean, high] = ["q05", "mean", "q95"].map(|name| r2[name].as_f64().unwrap());
            assert!(0.0 <= low && low < mean && mean < high && high < 1.0, "{r2}");
        }
    }
}

#[test]
fn what_a_family_does_not_have_is_refused() {
    let place = Place::new();
    place.write("rows.csv", ROWS);
    place.write("zero.csv", "x,cost\n1,2\n2,0\n3,1\n4,2\n");
    for (arguments, expected) in [
        (&["rows.csv", "--y", "cost", "--family", "gamma", "--link", "probit"][..], "gamma has log"),
        (&["rows.csv", "--y", "yes", "--family", "bernoulli", "--link", "log"], "bernoulli has logit"),
        (
            &["rows.csv", "--y", "grade", "--family", "ordinal", "--link", "cloglog"],
            "ordinal has logit or probit",
        ),
        (&["rows.csv", "--y", "grade", "--family", "ordinal", "--engine", "nuts"], "laplace"),
        (&["rows.csv", "--y", "cost", "--link", "log"], "--link"),
        (&["zero.csv", "--y", "cost", "--family", "gamma"], "line 3"),
        (&["rows.csv", "--y", "cost", "--family", "negative-binomial"], "line 2"),
        (&["rows.csv", "--y", "cost", "--x", "x", "--weights", "x"], "a weight that is not negative"),
        (&["rows.csv", "--y", "cost", "--x", "x", "--weights", "nothing"], "nothing"),
        (&["rows.csv", "--y", "grade", "--x", "x", "--family", "mlp", "--weights", "w"], "--weights"),
        (&["rows.csv", "--y", "grade", "--family", "ordinal", "--offset", "w"], "--offset"),
    ] {
        let ran = place.run(&[&["regress", "fit"], arguments].concat());
        assert!(ran.code != Some(0) && ran.stderr.contains(expected), "{arguments:?}: {}", ran.stderr);
    }
    // Counts that vary less than Poisson's have no size.
    place.write("even.csv", "x,n\n1,3\n2,3\n3,3\n4,3\n5,3\n6,4\n");
    let fit = ["regress", "fit", "even.csv", "--y", "n", "--family", "negative-binomial"];
    assert!(place.succeed(&fit).stdout.contains("vary no more than Poisson counts"));
}

/// A row of weight 2 is two rows, for classes with an order and without.
#[test]
fn weights_of_classes_are_numbers_of_rows() {
    let place = Place::new();
    let mut lines = ROWS.lines();
    let header = lines.next().unwrap();
    let weight = header.split(',').position(|name| name == "w").unwrap();
    let count = |line: &str| line.split(',').nth(weight).unwrap().parse::<f64>().unwrap().round() as usize;
    let mut repeated = vec![header.to_owned()];
    let mut weighted = vec![format!("{header},n")];
    for line in lines {
        weighted.push(format!("{line},{}", count(line)));
        repeated.extend(std::iter::repeat_n(line.to_owned(), count(line)));
    }
    place.write("weighted.csv", weighted.join("\n"));
    place.write("repeated.csv", repeated.join("\n"));
    for family in ["ordinal", "softmax"] {
        let fit = |file: &str, more: &[&str]| -> Value {
            let start =
                ["regress", "fit", file, "--y", "grade", "--x", "x", "--family", family, "--prior-sd", "100"];
            let rest = ["--engine", "laplace", "--format", "json", "--quiet"];
            serde_json::from_str(&place.succeed(&[&start[..], &rest, more].concat()).stdout).unwrap()
        };
        let (ours, theirs, plain) =
            (fit("weighted.csv", &["--weights", "n"]), fit("repeated.csv", &[]), fit("weighted.csv", &[]));
        let mean =
            |fit: &Value| fit["coefficients"].as_array().unwrap().last().unwrap()["mean"].as_f64().unwrap();
        let difference = (mean(&ours) - mean(&theirs)).abs();
        // Draws, and the unit of the column, differ a little.
        assert!(
            difference < 0.05 && difference < (mean(&ours) - mean(&plain)).abs(),
            "{family}: {ours} {theirs}"
        );
    }
}

/// The order is that of a known scale, or the one that is given; the coefficient turns with it.
#[test]
fn classes_have_an_order() {
    let place = Place::new();
    let row = |i: u32| {
        let x = f64::from(i * 7 % 30);
        let level = (x / 10.0 + f64::from(i * i % 5) / 4.0 - 0.5).clamp(0.0, 2.9) as usize;
        format!("{x},{},{}\n", ["low", "medium", "high"][level], ["calm", "breeze", "gale"][level])
    };
    place.write("levels.csv", format!("x,level,wind\n{}", (0..60).map(row).collect::<String>()));
    let fit = |y: &str, more: &[&str]| -> Value {
        let fit =
            ["regress", "fit", "levels.csv", "--x", "x", "--y", y, "--family", "ordinal", "--format", "json"];
        serde_json::from_str(&place.succeed(&[&fit[..], more].concat()).stdout).unwrap()
    };
    let slope = |answer: &Value| answer["coefficients"][2]["mean"].as_f64().unwrap();
    let known = fit("level", &[]);
    assert_eq!(known["classes"], serde_json::json!(["low", "medium", "high"]));
    let given = fit("wind", &["--levels", "calm,breeze,gale"]);
    assert_eq!(given["classes"], serde_json::json!(["calm", "breeze", "gale"]));
    assert_eq!(slope(&given), slope(&known));
    let turned = fit("wind", &["--levels", "gale,breeze,calm"]);
    assert!(
        slope(&known) > 0.1 && (slope(&turned) + slope(&known)).abs() < 0.02,
        "{} {}",
        slope(&known),
        slope(&turned)
    );
    for (levels, expected) in [
        ("calm,gale", "line 4, column wind: expected one of calm, gale"),
        ("calm,breeze,gale,storm", "no row has \"storm\""),
    ] {
        let fit = [
            "regress",
            "fit",
            "levels.csv",
            "--y",
            "wind",
            "--x",
            "x",
            "--family",
            "ordinal",
            "--levels",
            levels,
        ];
        let ran = place.run(&fit);
        assert!(ran.code != Some(0) && ran.stderr.contains(expected), "{levels}: {}", ran.stderr);
    }
}
