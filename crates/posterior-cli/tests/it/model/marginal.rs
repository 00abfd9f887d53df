//! `posterior model sample --marginalize`: what is integrated out, and that the posterior stays the same.

use serde_json::Value;

use super::json;
use crate::program::Place;

const SCHOOLS: &str = "\
data { int<lower=0> J; vector[J] y; vector<lower=0>[J] sigma; }
parameters { real mu; real<lower=0> tau; vector[J] theta; }
model { mu ~ normal(0, 5); tau ~ cauchy(0, 5); theta ~ normal(mu, tau); y ~ normal(theta, sigma); }
generated quantities { real best = max(theta); }
";

const EIGHT: &str =
    r#"{"J": 8, "y": [28, 8, -3, 7, -1, 1, 18, 12], "sigma": [15, 10, 16, 11, 9, 11, 10, 18]}"#;

fn schools() -> Place {
    let place = Place::new();
    place.write("schools.stan", SCHOOLS);
    place.write("schools.json", EIGHT);
    place
}

fn parameter<'a>(output: &'a Value, name: &str) -> &'a Value {
    output["parameters"].as_array().unwrap().iter().find(|own| own["name"] == name).unwrap()
}

/// The largest distance of means of two runs, in their standard errors.
fn farthest(one: &Value, other: &Value) -> f64 {
    let all = one["parameters"].as_array().unwrap().iter();
    let distances = all.map(|own| {
        let others = parameter(other, own["name"].as_str().unwrap());
        let number = |of: &Value, name: &str| of[name].as_f64().unwrap();
        (number(own, "mean") - number(others, "mean")).abs()
            / number(own, "mcse").hypot(number(others, "mcse"))
    });
    distances.fold(0.0, f64::max)
}

#[test]
fn effects_that_are_integrated_out_are_drawn_back() {
    let place = schools();
    let run = ["model", "sample", "schools.stan", "--data", "schools.json"];
    let with = |more: &[&str]| json(&place, &[&run[..], more].concat());
    let plain = with(&["--adapt-delta", "0.99", "--num-samples", "8000"]);
    let exact = with(&["--marginalize", "auto", "--evidence", "--out", "out"]);
    let what = &exact["marginalized"];
    assert_eq!(what["parameters"], serde_json::json!(["theta"]));
    assert!(
        what["coordinates"] == 8 && what["method"] == "exact" && what["gradients_per_density"] == 4,
        "{what}"
    );
    assert!(farthest(&exact, &plain) < 4.0, "{}", farthest(&exact, &plain));
    assert!(exact["warnings"].as_array().unwrap().is_empty(), "{exact}");
    // Each draw has its quantities, and the evidence is that of the program: of its 10 coordinates by a
    // bridge.
    let whole = with(&["--adapt-delta", "0.99", "--evidence"]);
    let of = |output: &Value, name: &str| output["evidence"][name].as_f64().unwrap();
    let error = of(&exact, "standard_error").hypot(of(&whole, "standard_error"));
    assert!((of(&exact, "ln_evidence") - of(&whole, "ln_evidence")).abs() < 4.0 * error, "{exact} {whole}");
    let file = std::fs::read_to_string(place.path("out/chain_1.csv")).unwrap();
    let header = file.lines().find(|line| !line.starts_with('#')).unwrap();
    assert!(header.ends_with("mu,tau,theta.1,theta.2,theta.3,theta.4,theta.5,theta.6,theta.7,theta.8,best"));
    let text = place.succeed(&[&run[..], &["--marginalize", "auto", "--save-warmup"]].concat()).stdout;
    let line = "integrated out exactly, and drawn given the rest: theta (8 coordinates); 4 gradients for each density";
    assert!(text.contains(line), "{text}");
}

#[test]
fn counts_are_integrated_by_laplace_and_judged() {
    let place = Place::new();
    place.write(
        "counts.stan",
        "data { int J; array[J] int y; } parameters { real mu; real<lower=0> tau; vector[J] x; }
         model { mu ~ normal(0, 2); tau ~ normal(0, 1); x ~ normal(0, tau); y ~ poisson_log(mu + x); }",
    );
    place.write("counts.json", r#"{"J": 10, "y": [3, 12, 0, 7, 5, 22, 1, 9, 4, 6]}"#);
    let run = ["model", "sample", "counts.stan", "--data", "counts.json"];
    let with = |more: &[&str]| json(&place, &[&run[..], more].concat());
    let (plain, laplace) = (with(&["--adapt-delta", "0.95"]), with(&["--marginalize", "laplace"]));
    let what = &laplace["marginalized"];
    assert!(what["method"] == "laplace" && what["reliable"] == true, "{what}");
    let moved = what["means_move_by"].as_f64().unwrap();
    assert!(moved < 0.1, "{what}");
    // An approximation may be off by more than the draws are: by what the weights say.
    for name in ["mu", "tau"] {
        let number = |of: &Value, what: &str| parameter(of, name)[what].as_f64().unwrap();
        let error = number(&plain, "mcse").hypot(number(&laplace, "mcse"));
        let far = (number(&plain, "mean") - number(&laplace, "mean")).abs();
        assert!(far < 4.0 * error + 2.0 * moved * number(&plain, "sd"), "{name} {far}");
    }
    let text = place.succeed(&[&run[..], &["--marginalize", "laplace"]].concat()).stdout;
    assert!(text.contains("by Laplace's method") && text.contains("the approximation can be used"), "{text}");
}

#[test]
fn what_cannot_be_integrated_out_is_said() {
    let place = Place::new();
    place.write("cauchy.stan", "parameters { vector[2] x; } model { x ~ cauchy(0, 1); }");
    let auto = place.succeed(&["model", "sample", "cauchy.stan", "--marginalize", "auto"]);
    assert!(
        auto.stderr.contains("note: nothing is integrated out: no parameter is normal"),
        "{}",
        auto.stderr
    );
    let laplace = place.run(&["model", "sample", "cauchy.stan", "--marginalize", "laplace"]);
    assert!(
        laplace.code == Some(1) && laplace.stderr.contains("no parameter has a normal prior"),
        "{laplace:?}"
    );
    // Coefficients that all observations share: each takes gradients of its own.
    place.write(
        "line.stan",
        "data { int N; vector[N] x; vector[N] y; } parameters { vector[2] b; real<lower=0> s; }
         model { b ~ normal(0, 1); s ~ normal(0, 1); y ~ normal(b[1] + b[2] * x, s); }",
    );
    place.write("line.json", r#"{"N": 4, "x": [1, 2, 3, 4], "y": [1.1, 2.3, 2.8, 4.2]}"#);
    let run = ["model", "sample", "line.stan", "--data", "line.json", "--marginalize", "auto"];
    let line = place.succeed(&run);
    assert!(line.stderr.contains("which is slower than to sample them"), "{}", line.stderr);
    // All of it is normal.
    place.write("normal.stan", "parameters { vector[3] x; } model { x ~ normal(0, 1); }");
    let normal = place.succeed(&["model", "sample", "normal.stan", "--marginalize", "auto"]);
    assert!(normal.stderr.contains("`posterior model laplace` draws"), "{}", normal.stderr);
}
