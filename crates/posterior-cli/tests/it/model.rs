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

#[test]
fn draws_have_the_names_of_the_program_and_files_of_cmdstan() {
    let place = Place::new();
    place.write(
        "schools.stan",
        SCHOOLS.replace("theta ~ normal(mu, tau)", "theta ~ normal(mu, tau); tau ~ normal(0, 5)"),
    );
    place.write("schools.json", r#"{"J": 2, "y": [8, 10], "sigma": [3, 4]}"#);
    let run =
        ["model", "sample", "schools.stan", "--data", "schools.json", "--num-chains", "2", "--thin", "2"];
    let options =
        ["--num-samples", "400", "--num-warmup", "300", "--adapt-delta", "0.95", "--max-depth", "8"];
    let arguments: Vec<&str> =
        run.iter().chain(&options).copied().chain(["--format", "json", "--out", "draws"]).collect();
    let json = place.succeed(&arguments).stdout;
    let output: Value = serde_json::from_str(&json).unwrap();
    let names: Vec<&str> =
        output["parameters"].as_array().unwrap().iter().map(|own| own["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["mu", "tau", "theta[1]", "theta[2]"]);
    assert!(output["draws"] == 200 && output["chains"] == 2, "{output}");
    let again = place.succeed(&["mcmc", "diagnose", "draws/chain_1.csv", "draws/chain_2.csv"]).stdout;
    assert!(again.contains("theta[1]"), "{again}");
    let many = place.run(&[&run[..], &["--num-samples", "4000000000"]].concat());
    assert!(many.code == Some(1) && many.stderr.contains("schools.stan: the draws take about"), "{many:?}");
    let wrong = place.run(&[&run[..], &["--adapt-delta", "1.5"]].concat());
    assert!(wrong.code == Some(2) && wrong.stderr.contains("--adapt-delta"), "{wrong:?}");
}

#[test]
fn data_that_do_not_fit_are_refused_with_their_line() {
    let place = Place::new();
    place.write("schools.stan", SCHOOLS);
    place.write("schools.json", r#"{"J": 2, "y": [8, 10], "sigma": [3]}"#);
    let refused = place.run(&["model", "sample", "schools.stan", "--data", "schools.json"]);
    assert_eq!(refused.code, Some(1));
    place.write("broken.json", r#"{"J": 2, "y": ["#);
    let broken = place.run(&["model", "sample", "schools.stan", "--data", "broken.json"]);
    assert!(broken.stderr.contains("broken.json: expected one object of JSON"), "{}", broken.stderr);
    assert!(refused.stderr.contains("line 4") && refused.stderr.contains("sizes [1]"), "{}", refused.stderr);
}
