//! `posterior model write`: the program is accepted, and its draws are of the model that `regress fit` fits.

use std::fmt::Write as _;

use serde_json::Value;

use super::json;
use crate::program::Place;

/// A number between -1 and 1 that looks random.
fn noise(i: usize, j: usize) -> f64 {
    ((17 * i + 5 * j + 3) as f64 * 0.7).sin()
}

/// Pupils of nine schools, with outcomes of several kinds.
fn place() -> Place {
    let place = Place::new();
    let mut text = "score,hours,school,passed,absences,wage,share\n".to_owned();
    for i in 0..90 {
        let (hours, school) = (noise(i, 1) + 2.0, i % 9);
        let eta = 0.3 + 0.5 * hours + 0.6 * noise(school, 9) + 0.4 * noise(i, 2);
        let passed = if eta + noise(i, 3) > 1.3 { "yes" } else { "no" };
        let share = 1.0 / (1.0 + (-eta).exp());
        let absences = (2.0 * eta + 2.0 * noise(i, 4)).max(0.0).floor();
        writeln!(text, "{eta:.5},{hours:.5},s{school},{passed},{absences},{:.5},{share:.5}", eta.exp())
            .unwrap();
    }
    place.write("pupils.csv", text);
    place
}

/// Writes a program and its data to files.
fn write(place: &Place, formula: &str, more: &[&str]) -> String {
    let given = ["model", "write", "pupils.csv", "--formula", formula, "--data-out", "written.json"];
    let text = place.succeed(&[&given[..], more].concat()).stdout;
    place.write("written.stan", &text);
    text
}

fn sampled(place: &Place) -> Value {
    let run = ["model", "sample", "written.stan", "--data", "written.json", "--num-samples", "500"];
    json(place, &[&run[..], &["--num-warmup", "500", "--adapt-delta", "0.9"]].concat())
}

fn number(of: &Value, name: &str, field: &str) -> f64 {
    let all = of.as_array().unwrap();
    let own = all.iter().find(|own| own["name"] == name).unwrap_or_else(|| panic!("no {name}: {of}"));
    own[field].as_f64().unwrap_or_else(|| panic!("{own}"))
}

#[test]
fn draws_are_of_the_model_that_regress_fits() {
    let place = place();
    let formula = "score ~ hours + (1 | school)";
    let text = write(&place, formula, &[]);
    assert!(text.starts_with("// score ~ hours + (1 | school), family gaussian\n"), "{text}");
    let own = sampled(&place);
    let run = ["regress", "fit", "pupils.csv", "--formula", formula, "--prior-sd", "2.5"];
    let fit = json(&place, &run);
    for (drawn, name) in [("beta[1]", "intercept"), ("beta[2]", "hours")] {
        let (mean, sd) =
            (number(&fit["coefficients"], name, "mean"), number(&fit["coefficients"], name, "sd"));
        let error = number(&own["parameters"], drawn, "mcse");
        let off = number(&own["parameters"], drawn, "mean") - mean;
        assert!(off.abs() < 4.0 * error + 0.02 * sd, "{name}: {off} off, of {sd}");
        assert!((number(&own["parameters"], drawn, "sd") / sd - 1.0).abs() < 0.15, "{name}");
    }
    let components = &fit["hierarchical"]["components"];
    for (drawn, name) in [("sigma", "sd"), ("sd_school", "sd(school)")] {
        let (mean, sd) = (number(components, name, "mean"), number(components, name, "sd"));
        let error = number(&own["parameters"], drawn, "mcse");
        let off = number(&own["parameters"], drawn, "mean") - mean;
        assert!(off.abs() < 4.0 * error + 0.1 * sd, "{name}: {off} off, of {sd}");
    }
}

#[test]
fn programs_of_all_families_are_accepted_and_drawn_of() {
    let place = place();
    let families = [
        ("passed ~ hours + (1 | school)", "bernoulli", "y ~ bernoulli_logit(eta);"),
        ("absences ~ s(hours, k = 5) + (1 | school)", "poisson", "y ~ poisson_log(eta);"),
        ("absences ~ hours", "negative-binomial", "y ~ neg_binomial_2_log(eta, phi);"),
        ("wage ~ hours * school", "gamma", "y ~ gamma(shape, shape * exp(-eta));"),
        ("score ~ smooth(hours, k = 6)", "student", "y ~ student_t(nu, eta, sigma);"),
        ("wage ~ (1 + hours | school)", "log-normal", "y ~ lognormal(eta, sigma);"),
        ("share ~ hours + (hours || school)", "beta", "y ~ beta_proportion(inv_logit(eta), phi);"),
    ];
    for (formula, family, statement) in families {
        let text = write(&place, formula, &["--family", family]);
        assert!(text.contains(statement), "{family}: {text}");
        place.succeed(&["model", "check", "written.stan", "--current"]);
        let run = ["model", "sample", "written.stan", "--data", "written.json", "--num-chains", "1"];
        let own = json(&place, &[&run[..], &["--num-samples", "60", "--num-warmup", "150"]].concat());
        assert!(number(&own["parameters"], "beta[1]", "sd") > 0.0, "{family}: {own}");
        assert!(number(&own["parameters"], "log_lik[90]", "mean") < 10.0, "{family}");
    }
    let probit = write(&place, "passed ~ hours", &["--family", "bernoulli", "--link", "probit"]);
    assert!(probit.contains("y ~ bernoulli(Phi(eta));") && probit.contains("link probit"), "{probit}");
}

#[test]
fn priors_are_those_that_are_given() {
    let place = place();
    let formula = "score ~ hours + (1 + hours | school)";
    let own = ["--prior", "sd(school: hours) ~ half-normal(0.5)", "--prior", "hours ~ normal(1, 2)"];
    let more = ["--prior", "intercept ~ normal(0, 9)", "--prior-sd", "flat"];
    let text = write(&place, formula, &[&own[..], &more].concat());
    for line in [
        "beta[1] ~ normal(0, 9); // (Intercept)",
        "beta[2] ~ normal(1, 2); // hours",
        "sd_school[2] ~ normal(0, 0.5); // sd(school: hours)",
        "L_school ~ lkj_corr_cholesky(1); // the correlations",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    let flat = write(&place, formula, &["--prior-sd", "flat"]);
    assert!(flat.contains("// beta[2] is flat: hours"), "{flat}");
    let given = ["model", "write", "pupils.csv", "--formula", formula, "--format", "json"];
    let output: Value = serde_json::from_str(&place.succeed(&given).stdout).unwrap();
    assert!(output["data"]["N"] == 90 && output["program"].as_str().unwrap().contains("data {"), "{output}");
    let explained = place.succeed(&["model", "explain", "written.stan", "--data", "written.json"]).stdout;
    assert!(explained.contains("Gaussian together, given the others: beta, z_school"), "{explained}");
}

#[test]
fn what_is_not_written_is_named() {
    let place = place();
    let refused = |formula: &str, more: &[&str], code: i32, message: &str| {
        let given = ["model", "write", "pupils.csv", "--formula", formula];
        let ran = place.run(&[&given[..], more].concat());
        assert!(ran.code == Some(code) && ran.stderr.contains(message), "{formula}: {ran:?}");
    };
    refused("score ~ ar1(absences)", &[], 1, "the effect \"ar1(absences)\" is not written");
    refused("score ~ te(hours, absences)", &[], 1, "the effect \"te(hours, absences)\" is not written");
    refused("score ~ measured(hours, sd = 0.2)", &[], 1, "the term \"measured(hours)\" is not written");
    refused("score ~ hours", &["--family", "weibull"], 2, "programs are written of gaussian");
    refused(
        "score ~ hours",
        &["--prior", "x ~ normal(0, 1)"],
        1,
        "coefficients are \"(Intercept)\", \"hours\"",
    );
    refused(
        "score ~ hours",
        &["--prior", "hours normal"],
        2,
        "--prior \"hours normal\": expected NAME ~ PRIOR",
    );
    refused("score ~ hours", &["--prior-sd", "-1"], 2, "expected a positive number, or flat");
    refused("score ~ hour", &[], 1, "hour");
    refused("score ~ hours", &["--neighbours", "pupils.csv"], 2, "the formula has no car(area)");
}
