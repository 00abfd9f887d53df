//! Likelihoods that are not Gaussian: their new outcomes by formulas, from the file, and their scores.

use posterior::math::special::normal_cdf;
use serde_json::Value;

use super::{json, place};

const NUMBERS: &str = "x,y,n,class\n0,1.2,3,a\n1,2.5,1,a\n2,1.9,7,b\n3,4.0,4,b\n4,3.1,9,a\n5,5.2,12,b\n";

fn float(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

/// Means and variances of new outcomes, averaged over the function, which is normal.
#[test]
fn new_outcomes_have_the_moments_of_formulas() {
    let place = place("data.csv", NUMBERS);
    let fit = |y: &str, likelihood: &str, params: &str| {
        let data = ["data.csv", "--x", "x", "--y", y, "--kernel", "0.3*rbf(2)", "--grid", "0.5:6:4"];
        let all =
            [&data[..], &["--likelihood", likelihood, "--likelihood-params", params, "--out", likelihood]];
        let output = json(&place, &all.concat());
        assert_eq!(output["likelihood"], likelihood);
        let from_file = ["gp", "predict", likelihood, "--grid", "0.5:6:4", "--format", "json"];
        let later: Value = serde_json::from_str(&place.succeed(&from_file).stdout).unwrap();
        assert_eq!(later["predictions"], output["predictions"], "{likelihood}");
        output["predictions"].as_array().unwrap().clone()
    };
    // The mean and the mean square of e^f.
    let exponential = |own: &Value| {
        let (mean, variance) = (float(&own["mean"]), float(&own["variance"]));
        ((mean + 0.5 * variance).exp(), (2.0 * mean + 2.0 * variance).exp())
    };
    let check = |own: &Value, mean: f64, variance: f64| {
        let new = &own["new_outcome"];
        assert!((float(&new["mean"]) / mean - 1.0).abs() < 1e-3, "{own} {mean}");
        assert!((float(&new["sd"]).powi(2) / variance - 1.0).abs() < 5e-3, "{own} {variance}");
        let ends = &own["interval"];
        assert!(float(&ends[0]) < mean && float(&ends[1]) > mean, "{own}");
    };
    for own in &fit("n", "negative-binomial", "size=2") {
        let (mean, square) = exponential(own);
        check(own, mean, mean + 1.5 * square - mean * mean);
        assert_eq!(float(&own["interval"][1]).fract(), 0.0);
    }
    for own in &fit("y", "gamma", "shape=5") {
        let (mean, square) = exponential(own);
        check(own, mean, 1.2 * square - mean * mean);
    }
    for own in &fit("y", "log-gaussian", "variance=0.25") {
        let (mean, square) = exponential(own);
        check(own, mean, square - mean * mean + 0.25);
    }
    for own in &fit("y", "student-t", "degrees=5,scale=0.5") {
        check(own, float(&own["mean"]), float(&own["variance"]) + 0.25 * 5.0 / 3.0);
    }
}

#[test]
fn probit_is_the_normal_distribution_function() {
    let place = place("data.csv", NUMBERS);
    let all = ["data.csv", "--x", "x", "--y", "class", "--kernel", "2*rbf(2)", "--likelihood", "probit"];
    let output = json(&place, &[&all[..], &["--grid", "0:5:3", "--out", "fit"]].concat());
    for own in output["predictions"].as_array().unwrap() {
        let expected = normal_cdf(float(&own["mean"]) / (1.0 + float(&own["variance"])).sqrt());
        assert!((float(&own["probability"]) - expected).abs() < 1e-12, "{own}");
    }
    let table = std::fs::read_to_string(place.path("fit/predictions.csv")).unwrap();
    assert!(table.starts_with("row,x,predicted,p_a,p_b,p_b_q025,p_b_q975\n"), "{table}");
}

/// One number of twenty far off: Gaussian noise gives way to it, noise with outliers does not.
#[test]
fn an_outlier_is_left_alone() {
    let row =
        |i: u32| format!("{i},{}\n", if i == 10 { 60.0 } else { f64::from(i) + 0.1 * f64::from(i * 7 % 5) });
    let place = place("line.csv", &format!("x,y\n{}", (0..20).map(row).collect::<String>()));
    place.write("new.csv", "x,y\n10,10.2\n11,11\n");
    let fit = |likelihood: &str| {
        let all = ["line.csv", "--kernel", "100*rbf(10)", "--optimize", "--likelihood", likelihood];
        json(&place, &[&all[..], &["--restarts", "1", "--predict", "new.csv"]].concat())
    };
    let (gaussian, student) = (fit("gaussian"), fit("student-t"));
    let miss = |own: &Value| (float(&own["predictions"][0]["mean"]) - 10.2).abs();
    assert!(
        miss(&student) < 1.0 && miss(&student) < miss(&gaussian),
        "{} {}",
        miss(&student),
        miss(&gaussian)
    );
    assert!(float(&student["scores"]["ln_score"]) > float(&gaussian["scores"]["ln_score"]));
    assert_eq!(student["parameters_taken_as_known"], false);
}

#[test]
fn wrong_parameters_and_outcomes_are_reported() {
    let place = place("data.csv", "x,y\n0,1\n1,-2\n2,3\n");
    for (arguments, code, says) in [
        (&["--likelihood", "gamma"][..], 1, "line 3, column y: expected a positive number"),
        (&["--likelihood", "gaussian", "--likelihood-params", "size=1"], 2, "--likelihood-params"),
        (
            &["--likelihood", "student-t", "--likelihood-params", "size=1"],
            2,
            "expected degrees=NUMBER or scale=NUMBER",
        ),
        (&["--likelihood", "student-t", "--likelihood-params", "scale=-1"], 2, "expected degrees=NUMBER"),
        (&["--likelihood", "student-t", "--approximation", "ep"], 2, "--approximation"),
    ] {
        let all = [&["gp", "fit", "data.csv", "--kernel", "1*rbf(1)"], arguments].concat();
        let ended = place.run(&all);
        assert!(ended.code == Some(code) && ended.stderr.contains(says), "{arguments:?}: {}", ended.stderr);
    }
}
