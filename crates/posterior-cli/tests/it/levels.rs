//! One probability for every interval of a run: the names of columns follow it, and the truth is held as
//! often as it says.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;

use posterior::dist::stream::stream;
use rand::RngExt as _;
use serde_json::Value;

use crate::program::Place;

fn json(place: &Place, arguments: &[&str]) -> Value {
    let ran = place.succeed(&[arguments, &["--format", "json", "--quiet"]].concat());
    serde_json::from_str(&ran.stdout).unwrap()
}

/// Rows of x and of 2 x plus normal noise, the first of them to fit.
fn place(seed: u64) -> Place {
    let place = Place::new();
    let mut rng = stream(99, &[seed]);
    let mut row = || {
        let x = rng.random::<f64>();
        let noise: f64 = (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0;
        (x, 2.0 * x + noise)
    };
    for (name, rows) in [("data.csv", 15), ("new.csv", 40)] {
        let mut text = "x,y\n".to_owned();
        for _ in 0..rows {
            let (x, y) = row();
            writeln!(text, "{x},{y}").unwrap();
        }
        place.write(name, text);
    }
    place
}

/// Of numbers of 40 data sets, between 1,600 new ones, which depend on each other within a data set: three
/// standard errors, of proportions in data sets, are under 0.03.
#[test]
fn the_coverage_of_new_outcomes_is_the_level() {
    let levels = [("0.6", "coverage_60"), ("0.9", "coverage_90"), ("0.99", "coverage_99")];
    for (fit, more) in [("regress", &[][..]), ("gp", &["--kernel", "4*linear()", "--noise", "1"])] {
        let mut inside = [0.0; 3];
        for seed in 0..40 {
            let place = place(seed);
            let first = [&[fit, "fit", "data.csv", "--y", "y", "--out", "fit"], more].concat();
            place.succeed(&first);
            for (own, (level, name)) in inside.iter_mut().zip(levels) {
                let output = json(&place, &[fit, "predict", "fit", "new.csv", "--level", level]);
                *own += output["scores"][name].as_f64().unwrap() / 40.0;
                assert!(output["scores"].get("coverage_95").is_none(), "{output}");
            }
        }
        for (own, expected) in inside.iter().zip([0.6, 0.9, 0.99]) {
            assert!((own - expected).abs() < 0.04, "{fit} {inside:?}");
        }
        assert!(inside[2] > 0.975, "{fit} {inside:?}");
    }
}

#[test]
fn names_of_columns_follow_the_level() {
    let place = place(0);
    let header = |file: &str| {
        let text = std::fs::read_to_string(place.path(file)).unwrap();
        text.lines().next().unwrap().to_owned()
    };
    place.succeed(&["regress", "fit", "data.csv", "--out", "fit", "--level", "0.99"]);
    let numbers = "mean,sd,q005,q25,q50,q75,q995,mean_of_function,sd_of_function";
    assert_eq!(header("fit/predictions.csv"), format!("row,y,{numbers}"));
    assert_eq!(header("fit/coefficients.csv"), "name,mean,sd,q005,q995");
    let page = std::fs::read_to_string(place.path("fit/report.html")).unwrap();
    assert!(page.contains("Bands of 99 %") && !page.contains("95 %"));
    place.succeed(&[
        "gp", "fit", "data.csv", "--kernel", "rbf(1)", "--noise", "1", "--out", "gp", "--level", "0.8",
    ]);
    assert!(
        header("gp/predictions.csv").ends_with("mean,sd,q10,q25,q50,q75,q90,mean_of_function,sd_of_function")
    );
    // Of a coefficient, JSON has 5 and 95 % besides.
    let output = json(&place, &["regress", "fit", "data.csv"]);
    let own = &output["coefficients"][1];
    let all = ["q025", "q05", "q95", "q975"].map(|name| own[name].as_f64().unwrap());
    assert!(all.is_sorted() && output["intervals"]["level"] == 0.95, "{own}");
    let own = &output["predictions"][0];
    assert_eq!((&own["interval"][0], &own["interval"][1]), (&own["q025"], &own["q975"]));
    let output = json(&place, &["regress", "fit", "data.csv", "--level", "0.9"]);
    assert_eq!(output["coefficients"][1].as_object().unwrap().len(), 5);
}

/// A season in the logarithm of 60 values: forecasts, files and scores.
#[test]
fn forecasts_have_the_level_too() {
    let place = Place::new();
    let mut text = "t,y\n".to_owned();
    for t in 0..60 {
        let noise = f64::from(t * 37 % 11) / 20.0;
        writeln!(text, "{t},{}", 0.1 * f64::from(t) + f64::from(t % 4) + noise).unwrap();
    }
    place.write("s.csv", text);
    let model = ["s.csv", "--model", "local-level+seasonal:4"];
    let smooth = [&["series", "smooth"], &model[..], &["--forecast", "3", "--out", "fit"]].concat();
    let output = json(&place, &[&smooth[..], &["--level", "0.9"]].concat());
    let of = |output: &Value, name: &str| output["forecast"][0][name].as_f64();
    assert!(of(&output, "observation_q05") < of(&output, "observation_q95"));
    assert!(of(&output, "observation_q025").is_none() && output["level"] == 0.9);
    let later = json(&place, &["series", "forecast", "fit", "--forecast", "3", "--level", "0.99"]);
    assert!(of(&later, "observation_q005") < of(&output, "observation_q05"));
    let header = std::fs::read_to_string(place.path("fit/smoothed.csv")).unwrap();
    assert!(
        header.starts_with(
            "t,y,filtered_mean,filtered_sd,smoothed_mean,smoothed_sd,smoothed_q05,smoothed_q95,"
        )
    );
    let backtest = [&["series", "backtest"], &model[..], &["--folds", "2", "--out", "past"]].concat();
    for (level, coverages) in
        [("0.8", "coverage_50,coverage_80"), ("0.9", "coverage_50,coverage_80,coverage_90")]
    {
        place.succeed(&[&backtest[..], &["--level", level]].concat());
        let scores = std::fs::read_to_string(place.path("past/scores.csv")).unwrap();
        let first = scores.lines().next().unwrap();
        assert!(first.ends_with(&format!("ln_score_error,{coverages}")), "{first}");
    }
    let forecasts = std::fs::read_to_string(place.path("past/forecasts.csv")).unwrap();
    assert!(forecasts.lines().next().unwrap().ends_with("sd,q05,q10,q25,q50,q75,q90,q95,ln_density"));
}

#[test]
fn a_level_is_a_probability_above_one_half() {
    let place = place(0);
    for level in ["95", "0", "1", "0.5", "x"] {
        let ran = place.run(&["regress", "fit", "data.csv", "--level", level]);
        assert!(ran.code == Some(2) && ran.stderr.contains("such as 0.9"), "{ran:?}");
    }
}
