//! `posterior model calibrate`: programs that are what they simulate, and others.

use super::json;
use crate::program::Place;

/// A mean and a standard deviation, and what their ranks are called. `noise` is the scale of the data that
/// are simulated, where the model has `sigma`.
fn program(noise: &str, quantities: &str) -> String {
    format!(
        "data {{\n  int N;\n}}\ntransformed data {{\n  real mu_sim = normal_rng(1, 2);\n  real sigma_sim = exponential_rng(1);\n  \
         vector[N] y;\n  for (n in 1:N) y[n] = normal_rng(mu_sim, {noise});\n}}\nparameters {{\n  real mu;\n  \
         real<lower=0> sigma;\n}}\nmodel {{\n  mu ~ normal(1, 2);\n  sigma ~ exponential(1);\n  y ~ normal(mu, sigma);\n}}\n\
         generated quantities {{\n  {quantities}\n}}\n"
    )
}

const BELOW: &str = "array[2] int lt_sim = {mu < mu_sim, sigma < sigma_sim};";
const RUN: [&str; 10] = [
    "--set",
    "N=8",
    "--simulations",
    "100",
    "--num-draws",
    "19",
    "--num-samples",
    "200",
    "--num-warmup",
    "200",
];

fn calibrate(place: &Place, text: &str, more: &[&str]) -> serde_json::Value {
    place.write("program.stan", text);
    json(place, &[&["model", "calibrate", "program.stan"], &RUN[..], more].concat())
}

#[test]
fn a_right_program_has_uniform_ranks_and_a_wrong_one_has_not() {
    let place = Place::new();
    let right = calibrate(&place, &program("sigma_sim", BELOW), &["--out", "out"]);
    assert!(right["calibrated"] == true && right["simulations"] == 100 && right["draws"] == 19, "{right}");
    assert_eq!(right["quantities"][1]["name"], "lt_sim[2]");
    let table = std::fs::read_to_string(place.path("out/ranks.csv")).unwrap();
    assert!(table.starts_with("simulation,lt_sim[1],lt_sim[2]\n") && table.lines().count() == 101, "{table}");
    let page = std::fs::read_to_string(place.path("out/report.html")).unwrap();
    assert!(page.contains("Nothing speaks against") && page.contains("Histogram of lt_sim[2]"), "{page}");
    // The other convention is the same ranks.
    let above = "array[2] int<lower=0, upper=1> ranks_ = {mu > mu_sim, sigma > sigma_sim};";
    let other = calibrate(&place, &program("sigma_sim", above), &[]);
    assert_eq!(right["quantities"][0]["ranks"], other["quantities"][0]["ranks"]);
    // Data that are three times as noisy as simulated: sigma is too high, and so are its draws.
    let wrong = calibrate(&place, &program("3 * sigma_sim", BELOW), &[]);
    assert!(wrong["calibrated"] == false, "{wrong}");
    assert!(wrong["quantities"][1]["mean_rank"].as_f64().unwrap() < 0.2, "{wrong}");
    let text = place.succeed(&[&["model", "calibrate", "program.stan"], &RUN[..]].concat()).stdout;
    assert!(text.contains("warning: the ranks are not uniform"), "{text}");
}

#[test]
fn what_cannot_be_ranked_is_refused() {
    let place = Place::new();
    let refused = |quantities: &str, message: &str| {
        place.write("program.stan", program("sigma_sim", quantities));
        let ran = place.run(&[&["model", "calibrate", "program.stan"], &RUN[..]].concat());
        assert!(ran.code == Some(1) && ran.stderr.contains(message), "{ran:?}");
    };
    refused("real other = mu;", "generates neither `lt_sim` nor `ranks_`");
    refused("array[1] real lt_sim = {mu};", "lt_sim[1] is ");
    place.write("program.stan", program("sigma_sim", BELOW));
    let short = ["model", "calibrate", "program.stan", "--set", "N=8", "--num-samples", "2"];
    let ran = place.run(&short);
    assert!(
        ran.code == Some(2) && ran.stderr.contains("--num-samples 2: fewer than --num-draws 99"),
        "{ran:?}"
    );
}

#[test]
fn a_posterior_that_chains_do_not_get_through_is_counted() {
    let place = Place::new();
    // Two places far from each other: a chain stays at one of them, or seldom goes over, and that is seen.
    let text = "transformed data {
  real at_sim = (bernoulli_rng(0.5) ? 4.5 : -4.5) + normal_rng(0, 1);
}
parameters {
  real at;
}
model {
  target += log_mix(0.5, normal_lpdf(at | -4.5, 1), normal_lpdf(at | 4.5, 1));
}
generated quantities {
  array[1] int lt_sim = {at < at_sim};
}
";
    place.write("two.stan", text);
    let run = ["--simulations", "20", "--num-draws", "19", "--num-samples", "19", "--num-warmup", "100"];
    let given = [&["model", "calibrate", "two.stan"], &run[..]].concat();
    let output = json(&place, &[&given[..], &["--out", "out"]].concat());
    assert!(output["simulations"] == 20 && output["quantities"][0]["ranks"].as_array().unwrap().len() == 20);
    assert!(output["dependent"].as_u64().unwrap() >= 1, "{output}");
    let text = place.succeed(&given).stdout;
    assert!(text.contains("the draws stayed dependent in chains 32 times as long"), "{text}");
    let page = std::fs::read_to_string(place.path("out/report.html")).unwrap();
    assert!(page.contains("the draws stayed dependent"), "{page}");
}
