//! `posterior model explain`.

use serde_json::Value;

use super::SCHOOLS;
use crate::program::Place;

fn schools() -> Place {
    let place = Place::new();
    place.write("schools.stan", SCHOOLS);
    place.write("schools.json", r#"{"J": 3, "y": [28, 8, -3], "sigma": [15, 10, 16]}"#);
    place
}

fn json(place: &Place, args: &[&str]) -> Value {
    let text = place.succeed(&[&["model", "explain"], args, &["--format", "json"]].concat()).stdout;
    serde_json::from_str(&text).unwrap()
}

#[test]
fn each_parameter_is_explained_with_its_lines() {
    let place = schools();
    let text = place.succeed(&["model", "explain", "schools.stan", "--data", "schools.json"]).stdout;
    for line in [
        "schools.stan: 3 parameters of 5 unconstrained coordinates",
        "mu: real (1 coordinate)\n  prior         NONE",
        "theta: vector[J] (3, 3 coordinates)\n  prior         line 12: theta ~ normal(mu, tau);",
        "  stands in     line 13: y ~ normal(theta, sigma);",
        "  given others  Gaussian\n  centred       its prior is scaled by tau",
        "  given others  not Gaussian because of line 12",
        "Gaussian together, given the others: mu, theta",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    let output = json(&place, &["schools.stan", "--data", "schools.json"]);
    assert_eq!(output["size"]["coordinates"], 5);
    let theta = &output["parameters"][2];
    assert_eq!((&theta["sizes"][0], &theta["coordinates"]), (&Value::from(3), &Value::from(3)));
    assert_eq!(theta["given_others"]["distribution"], "gaussian");
    assert_eq!((&theta["centred_by"][0], &theta["prior"]), (&Value::from("tau"), &Value::from("stated")));
    let prior = theta["priors"][0].as_u64().unwrap() as usize;
    assert_eq!(output["terms"][prior]["line"], 12);
    assert_eq!(output["gaussian_together"][0], serde_json::json!(["mu", "theta"]));
}

#[test]
fn a_program_is_explained_without_data_and_with_a_table() {
    let place = schools();
    let text = place.succeed(&["model", "explain", "schools.stan"]).stdout;
    assert!(text.contains("sizes are known with --data") && !text.contains("coordinate"), "{text}");
    let output = json(&place, &["schools.stan"]);
    assert!(output.get("size").is_none() && output["parameters"][0].get("coordinates").is_none());
    let refused = place.run(&["model", "explain", "schools.stan", "--delimiter", ";"]);
    assert!(refused.code == Some(2) && refused.stderr.contains("--delimiter"), "{refused:?}");
    place.write("schools.csv", "y;sigma\n28;15\n8;10\n");
    let given = ["--data", "schools.csv", "--set", "J=2", "--delimiter", ";"];
    let output = json(&place, &[&["schools.stan"], &given[..]].concat());
    assert_eq!(output["size"]["coordinates"], 4);
    let missing = place.run(&["model", "explain", "schools.stan", "--data", "schools.csv"]);
    assert!(missing.code == Some(1) && missing.stderr.contains("--set NAME=VALUE"), "{missing:?}");
}

#[test]
fn pairs_mixtures_and_old_syntax_are_named() {
    let place = Place::new();
    place.write(
        "mixed.stan",
        "data {
  int N;
  int n[N];
  vector[N] y;
}
parameters {
  real<lower=0, upper=1> p;
  real<lower=0> rate;
  real<lower=0> s;
}
model {
  rate ~ gamma(2, 3);
  n ~ poisson(rate);
  log(s) ~ normal(0, 1);
  for (i in 1:N)
    target += log_mix(p, normal_lpdf(y[i] | 0, s), normal_lpdf(y[i] | 1, s));
}
",
    );
    let text = place.succeed(&["model", "explain", "mixed.stan"]).stdout;
    for line in [
        "  given others  gamma: the prior is conjugate",
        "  prior         none stated; a term below may hold it",
        "  changed in    line 14: log(s) ~ normal(0, 1);",
        "sums over what is discrete and not observed: log_mix (line 16)",
        "  --> mixed.stan:3:",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    let output = json(&place, &["mixed.stan"]);
    assert_eq!(output["parameters"][1]["given_others"]["family"], "gamma");
    assert_eq!((&output["mixtures"][0]["line"], &output["findings"][0]["line"]), (&16.into(), &3.into()));
}
