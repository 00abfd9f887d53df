//! `posterior model`: programs in Stan's language are checked and printed.

use serde_json::Value;

use crate::program::Place;

const SCHOOLS: &str = "\
data {
  int<lower=0> J;
  array[J] real y;
  vector<lower=0>[J] sigma;
}
parameters {
  real mu;
  real<lower=0> tau;
  vector[J] theta;
}
model {
  theta ~ normal(mu, tau);
  y ~ normal(theta, sigma);
}
";

#[test]
fn a_program_is_summed_up() {
    let place = Place::new();
    place.write("schools.stan", SCHOOLS);
    let text = place.succeed(&["model", "check", "schools.stan"]).stdout;
    assert!(text.contains("parameters:") && text.contains("tau"), "{text}");
    let json = place.succeed(&["model", "check", "schools.stan", "--format", "json"]).stdout;
    let output: Value = serde_json::from_str(&json).unwrap();
    assert!(output["ok"] == true && output["findings"].as_array().unwrap().is_empty(), "{output}");
}

#[test]
fn every_error_has_its_place_and_what_is_near() {
    let place = Place::new();
    place.write(
        "wrong.stan",
        SCHOOLS.replace("y ~ normal(", "y ~ norml(").replace("real mu;", "real mu = 1;"),
    );
    let ran = place.run(&["model", "check", "wrong.stan"]);
    assert!(ran.code == Some(1) && ran.stdout.is_empty(), "{ran:?}");
    assert!(ran.stderr.starts_with("error: ") && ran.stderr.contains("wrong.stan:"), "{}", ran.stderr);
    place.write("near.stan", SCHOOLS.replace("y ~ normal(", "y ~ norml("));
    let ran = place.run(&["model", "check", "near.stan", "--format", "json"]);
    let output: Value = serde_json::from_str(&ran.stdout).unwrap();
    let own = &output["findings"][0];
    assert!(output["ok"] == false && own["line"] == 13 && own["severity"] == "error", "{output}");
    assert!(own["help"].to_string().contains("normal"), "{output}");
}

#[test]
fn old_syntax_is_written_as_today() {
    let place = Place::new();
    let old = "data {\n  int N;\n  real y[N]; # values\n}\nparameters {\n  real m;\n}\nmodel {\n  y ~ normal(m, 1);\n}\n";
    place.write("old.stan", old);
    assert!(place.run(&["model", "check", "old.stan", "--current"]).code == Some(1));
    let printed = place.succeed(&["model", "fmt", "old.stan"]).stdout;
    assert!(printed.contains("array[N] real y;") && printed.contains("values"), "{printed}");
    place.succeed(&["model", "fmt", "old.stan", "--write"]);
    assert_eq!(std::fs::read_to_string(place.path("old.stan")).unwrap(), printed);
    place.succeed(&["model", "check", "old.stan", "--current"]);
    assert_eq!(place.succeed(&["model", "fmt", "old.stan"]).stdout, printed);
}
