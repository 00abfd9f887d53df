//! `posterior dist`: text, JSON fields, exit codes.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::program::Place;

fn json(arguments: &[&str]) -> Value {
    let ran = Place::new().succeed(&[&["dist", "show"], arguments, &["--format", "json"]].concat());
    serde_json::from_str(&ran.stdout).unwrap()
}

/// Runs what must fail with exit code 1, one line of error, and perhaps a hint.
#[track_caller]
fn refused(arguments: &[&str], message: &str) {
    let ran = Place::new().run(&[&["dist", "show"], arguments].concat());
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!(ran.stdout, "");
    let lines: Vec<&str> = ran.stderr.lines().collect();
    assert_eq!(lines[0], format!("error: {message}"), "{ran:?}");
    assert!(lines.len() == 1 || (lines.len() == 2 && lines[1].starts_with("hint: ")), "{ran:?}");
}

#[test]
fn distributions_in_text() {
    let place = Place::new();
    let show = |arguments: &[&str]| place.succeed(&[&["dist", "show"], arguments].concat()).stdout;
    assert_snapshot!("dist gamma", show(&["gamma(2, 3)", "--at", "0.5,1", "--quantile", "0.05,0.95"]));
    assert_snapshot!("dist coin", show(&["beta(1, 1)", "--observe", "1,1,0,1"]));
    assert_snapshot!("dist dirichlet", show(&["dirichlet([1, 2, 3])", "--at", "[0.2, 0.3, 0.5]"]));
    assert_snapshot!("dist list", place.succeed(&["dist", "list"]).stdout);
}

#[test]
fn numbers_in_json() {
    let result = json(&["gamma(2, 3)", "--at=-1,0.5", "--quantile", "0.5,1", "--sample", "3", "--seed", "4"]);
    assert_eq!(result["distribution"], "gamma(2, 3)");
    assert_eq!(result["parameters"], json!({"shape": 2.0, "rate": 3.0}));
    assert_eq!(result["mean"], 2.0 / 3.0);
    assert_eq!(result["support"], json!([0.0, "inf"]));
    assert_eq!(result["ln_pdf"][0], "-inf");
    assert!((result["cdf"][1].as_f64().unwrap() - 0.4421745996289252).abs() < 1e-14);
    assert!((result["sf"][1].as_f64().unwrap() - 0.5578254003710748).abs() < 1e-14);
    assert_eq!(result["quantile"][0], result["median"]);
    assert_eq!(result["quantile"][1], "inf");
    assert_eq!(result["sample"].as_array().unwrap().len(), 3);
    assert_eq!(result["seed"], 4);
    assert!(result["seconds"].as_f64().is_some() && result["entropy"].as_f64().is_some());
    let again = json(&["gamma(2, 3)", "--sample", "3", "--seed", "4", "--threads", "2"]);
    assert_eq!(again["sample"], result["sample"]);
    let undefined = json(&["cauchy(0, 1)"]);
    assert_eq!(undefined["mean"], Value::Null);
}

#[test]
fn priors_are_updated() {
    let coin = json(&["beta(1, 1)", "--observe", "1,1,1,1,1,1,0,0,0,0"]);
    assert_eq!(coin["posterior"]["distribution"], "beta(7, 5)");
    assert_eq!(coin["posterior"]["mean"], 7.0 / 12.0);
    assert_eq!(coin["predictive"]["name"], "bernoulli");
    assert!((coin["ln_evidence"].as_f64().unwrap() + 7.745002803515839).abs() < 1e-13);
    let mean = json(&["normal(0, 2)", "--observe", "3", "--likelihood", "normal(sd = 1)"]);
    assert!((mean["posterior"]["mean"].as_f64().unwrap() - 2.4).abs() < 1e-15);
    let words = json(&["dirichlet([1, 2, 3])", "--observe", "0,2,0"]);
    assert_eq!(words["posterior"]["parameters"], json!({"concentration": [3.0, 2.0, 4.0]}));
    let vectors =
        json(&["normal_inverse_wishart([0, 0], 1, [[1, 0], [0, 1]], 3)", "--observe", "[1, 0.5], [0.2, -1]"]);
    assert_eq!(vectors["posterior"]["parameters"]["kappa"], 3.0);
    assert_eq!(vectors["predictive"]["name"], "multivariate_t");
}

#[test]
fn what_is_wrong_is_reported_with_its_place() {
    refused(&["gama(2, 3)"], "distribution \"gama(2, 3)\": column 1: there is no distribution \"gama\"");
    refused(&["gamma(2, [3])"], "distribution \"gamma(2, [3])\": column 10: expected a number, found a list");
    refused(
        &["gamma(2, -3)"],
        "distribution \"gamma(2, -3)\": column 10: Gamma: rate = -3 must be positive and finite",
    );
    refused(&["gamma(2, 3)", "--at", "1,x"], "--at \"1,x\": column 3: expected a number");
    refused(
        &["gamma(2, 3)", "--at", "1,,2"],
        "--at \"1,,2\": column 3: expected a number, a list or a distribution, found ','",
    );
    refused(&["gamma(2, 3)", "--quantile", "2"], "--quantile \"2\": 2 is no probability: expected 0 to 1");
    refused(
        &["dirichlet([1, 2])", "--at", "[0.5, 0.2, 0.3]"],
        "--at \"[0.5, 0.2, 0.3]\": column 1: expected 2 numbers, found 3",
    );
    refused(
        &["cauchy(0, 1)", "--observe", "1"],
        "distribution \"cauchy(0, 1)\": column 1: cauchy is no conjugate prior",
    );
    refused(&["beta(1, 1)", "--observe", "0,2"], "--observe \"0,2\": column 3: 2 is no point of bernoulli");
    refused(
        &["gamma(1, 1)", "--observe", "1", "--likelihood", "gamma(shape = -1)"],
        "--likelihood \"gamma(shape = -1)\": column 15: expected a positive number, found -1",
    );
}

#[test]
fn wrong_usage_is_two() {
    let place = Place::new();
    for arguments in [
        &["dist"][..],
        &["dist", "show"],
        &["dist", "show", "gamma(2, 3)", "--likelihood", "poisson"],
        &["dist", "show", "gamma(2, 3)", "--sample", "0"],
        &["dist", "show", "gamma(2, 3)", "--no-such-option"],
    ] {
        assert_eq!(place.run(arguments).code, Some(2), "{arguments:?}");
    }
}
