//! Gaussian processes.

use super::{json, numbers, read, table};
use crate::program::Place;

/// A process is its prior, its parameters and its data: computed again, it is the same.
#[test]
fn a_process_predicts_from_its_file_what_it_predicted_at_the_fit() {
    let place = Place::new();
    place.write("old.csv", table(0, 40));
    place.write("new.csv", table(40, 6));
    let optimised = ["--optimize", "--restarts", "1"];
    for options in [
        &["--x", "a", "--y", "y", "--kernel", "rbf(1)", "--noise", "0.1"][..],
        &[
            "--x",
            "a,b",
            "--y",
            "y",
            "--kernel",
            "rbf([1, 2])",
            "--mean",
            "linear",
            "--engine",
            "exact",
            "--noise",
            "0.1",
        ],
        &["--x", "a", "--y", "y", "--kernel", "matern32(1)", "--engine", "markov", "--noise", "0.1"],
        &["--x", "a,b", "--y", "y", "--kernel", "rbf(1)", "--engine", "sparse:9", "--noise", "0.1"],
        &["--x", "a", "--y", "two", "--kernel", "rbf(1)", "--likelihood", "bernoulli"],
        &[
            "--x",
            "a",
            "--y",
            "two",
            "--kernel",
            "rbf(1)",
            "--likelihood",
            "bernoulli",
            "--approximation",
            "laplace",
        ],
        &["--x", "a", "--y", "three", "--kernel", "rbf(1)", "--likelihood", "softmax"],
        &["--x", "a", "--y", "n", "--kernel", "rbf(1)", "--likelihood", "poisson"],
    ] {
        for more in [&optimised[..], &["--seed", "3"]] {
            let fit = ["gp", "fit", "old.csv", "--predict", "new.csv", "--out", "fit"];
            let fitted = json(&place, &[&fit[..], options, more].concat());
            let later = json(&place, &["gp", "predict", "fit", "new.csv", "--out", "later"]);
            assert_eq!(fitted["predictions"], later["predictions"], "{options:?}");
            assert_eq!(fitted["scores"], later["scores"], "{options:?}");
            assert_eq!(fitted["method"], later["method"]);
            assert_eq!(read(&place, "fit/predictions.csv"), read(&place, "later/predictions.csv"));
        }
    }
    // The last one was of counts.
    let csv = read(&place, "later/predictions.csv");
    let header = "row,a,n,mean,sd,q025,q25,q50,q75,q975,mean_of_function,sd_of_function";
    assert_eq!(csv.lines().next(), Some(header));
    assert!(numbers(&csv, "q50").iter().all(|count| count.fract() == 0.0));
    let grid = json(&place, &["gp", "predict", "fit", "--grid", "0:1:3"]);
    assert_eq!(grid["rows"], 3);
    assert!(grid["scores"].is_null());
    for (arguments, code, says) in [
        (&["gp", "predict", "fit"][..], 2, "required"),
        (&["gp", "predict", "fit", "new.csv", "--grid", "0:1:3"], 2, "cannot be used with"),
        (&["gp", "predict", "old.csv", "new.csv"], 1, "no model of `posterior gp fit`"),
    ] {
        let ran = place.run(arguments);
        assert!(ran.code == Some(code) && ran.stderr.contains(says), "{ran:?}");
    }
}

/// Scores of a process by hand: normal densities, and quantiles of a normal distribution.
#[test]
fn new_places_of_a_process_are_scored() {
    let place = Place::new();
    place.write("old.csv", table(0, 60));
    place.write("new.csv", table(60, 30));
    let fit = ["gp", "fit", "old.csv", "--x", "a", "--y", "y", "--kernel", "2*rbf(1)", "--noise", "0.2"];
    place.succeed(&[&fit[..], &["--out", "fit"]].concat());
    let answer = json(&place, &["gp", "predict", "fit", "new.csv", "--out", "later"]);
    let csv = read(&place, "later/predictions.csv");
    let [y, mean, sd, q25, q975, of_function] =
        ["y", "mean", "sd", "q25", "q975", "sd_of_function"].map(|name| numbers(&csv, name));
    let mut ln_score = 0.0;
    for i in 0..30 {
        assert!((sd[i].powi(2) - of_function[i].powi(2) - 0.2).abs() < 1e-12);
        assert!((q975[i] - mean[i] - 1.959_963_984_540_054 * sd[i]).abs() < 1e-12);
        assert!((mean[i] - q25[i] - 0.674_489_750_196_081_7 * sd[i]).abs() < 1e-12);
        let z = (y[i] - mean[i]) / sd[i];
        ln_score += (-0.5 * z * z - sd[i].ln() - 0.5 * std::f64::consts::TAU.ln()) / 30.0;
    }
    assert!((answer["scores"]["ln_score"].as_f64().unwrap() - ln_score).abs() < 1e-12, "{answer}");
}
