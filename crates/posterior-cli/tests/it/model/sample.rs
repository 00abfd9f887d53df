//! `posterior model sample` and `variational`: chains that go on, metrics, the page, the closest Gaussian.

use serde_json::Value;

use super::json;
use crate::program::{Place, read};

/// A mean with a normal prior: all is Gaussian, with the posterior N(3, 1/5) and a known evidence.
const MEAN: &str = "\
data { int N; vector[N] y; }
parameters { real mu; }
model { mu ~ normal(0, 1); y ~ normal(mu, 1); }
";
const FOUR: &str = r#"{"N": 4, "y": [2.75, 4.75, 3.25, 4.25]}"#;

/// Two coordinates with a correlation of 0.999.
const RIDGE: &str = "\
parameters { vector[2] x; }
model { x ~ multi_normal(rep_vector(0, 2), [[1, 0.999], [0.999, 1]]); }
generated quantities { array[3] real y_rep = normal_rng({0, 0, 0}, 1); }
";

fn number(output: &Value, path: &str) -> f64 {
    output.pointer(path).and_then(Value::as_f64).unwrap()
}

#[test]
fn chains_go_on_from_their_checkpoint() {
    let place = Place::new();
    place.write("ridge.stan", RIDGE);
    let run = ["model", "sample", "ridge.stan", "--save-warmup", "--metric", "low-rank"];
    let saving = ["--checkpoint", "chains.ckpt", "--checkpoint-every", "0"];
    place.succeed(&[&run[..], &saving, &["--out", "whole"]].concat());
    place.succeed(&[&run[..], &["--out", "parts", "--resume", "chains.ckpt"]].concat());
    for chain in 1..=4 {
        let name = format!("chain_{chain}.csv");
        assert_eq!(read(place.path("parts").join(&name)), read(place.path("whole").join(&name)), "{name}");
    }
    let refused = |more: &[&str], why: &str| {
        let ran = place.run(&[&run[..], &["--resume", "chains.ckpt"], more].concat());
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.stderr.contains(why), "{ran:?}");
    };
    refused(&["--seed", "7"], "made with other options: seed 0, now 7");
    refused(&["--max-depth", "5"], "max_depth 10, now 5");
    place.write("ridge.stan", RIDGE.replace("0.999", "0.99"));
    refused(&[], "of another program, or of other data");
    place.write("chains.ckpt", "nothing of the kind");
    refused(&[], "chains.ckpt: not a checkpoint");
    // A program is never written over.
    let over = place.run(&["model", "sample", "ridge.stan", "--checkpoint", "ridge.stan"]);
    assert!(over.code == Some(1) && over.stderr.contains("ridge.stan: is read by this run"), "{over:?}");
}

/// Chains that are interrupted say how to go on, and do so to the same draws.
#[test]
#[cfg(unix)]
fn interrupted_chains_go_on_to_the_same_draws() {
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    let place = Place::new();
    place.write("ridge.stan", RIDGE);
    let run = ["model", "sample", "ridge.stan", "--metric", "unit", "--num-samples", "40000", "--quiet"];
    let saving = [&run[..], &["--checkpoint", "chains.ckpt", "--out", "parts"]].concat();
    let mut command = place.command(&[&saving[..], &["--checkpoint-every", "0"]].concat());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let begun = Instant::now();
    while !place.path("chains.ckpt").exists() && begun.elapsed() < Duration::from_mins(1) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let signal = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(signal.success());
    let ended = child.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(!ended.status.success(), "the run was over before it was interrupted");
    assert!(errors.contains("of each chain; the same command with --resume chains.ckpt"), "{errors}");
    assert!(!place.path("parts/chain_1.csv").exists());
    place.succeed(&[&saving[..], &["--resume", "chains.ckpt"]].concat());
    place.succeed(&[&run[..], &["--out", "whole"]].concat());
    assert_eq!(read(place.path("parts/chain_4.csv")), read(place.path("whole/chain_4.csv")));
}

/// On a ridge a metric with covariances takes short paths.
#[test]
fn a_metric_with_covariances_knows_a_ridge() {
    let place = Place::new();
    place.write("ridge.stan", RIDGE);
    let steps = |metric: &str| {
        let output = json(&place, &["model", "sample", "ridge.stan", "--metric", metric]);
        number(&output, "/sampler/steps/0")
    };
    let (diagonal, dense, low_rank, unit) =
        (steps("diag"), steps("dense"), steps("low-rank"), steps("unit_e"));
    assert!(3.0 * dense < diagonal && 3.0 * low_rank < diagonal, "{diagonal}, {dense}, {low_rank}");
    assert!(unit > 3.0 * dense, "{unit}");
}

#[test]
fn the_page_shows_pairs_replicated_data_and_what_was_left_out() {
    let place = Place::new();
    let quantities = "generated quantities {
      array[N] real y_rep = normal_rng(rep_vector(mu, N), 1);
      vector[N] log_lik;
      for (n in 1:N) log_lik[n] = normal_lpdf(y[n] | mu, 1);
    }";
    place.write(
        "mean.stan",
        format!(
            "{}{quantities}",
            MEAN.replace("real mu;", "real mu; real other;").replace("mu ~", "other ~ normal(0, 1); mu ~")
        ),
    );
    place.write("mean.json", FOUR);
    place.succeed(&["model", "sample", "mean.stan", "--data", "mean.json", "--out", "out"]);
    let page = String::from_utf8(read(place.path("out/report.html"))).unwrap();
    for heading in ["Against each other", "Replicated data", "Leave-one-out cross-validation"] {
        assert!(page.contains(heading), "{heading}");
    }
    assert!(page.contains("No trajectory diverged."));
    // ArviZ gets what was observed, too.
    for name in ["draws.json", "draws.nc"] {
        place.succeed(&["mcmc", "convert", "out/chain_1.csv", "--data", "mean.json", "--to", name]);
    }
    let groups: Value = serde_json::from_slice(&read(place.path("draws.json"))).unwrap();
    assert_eq!(groups["observed_data"], serde_json::json!({"y": [2.75, 4.75, 3.25, 4.25]}));
    assert!(
        groups["posterior_predictive"]["y_rep"].is_array() && groups["log_likelihood"]["log_lik"].is_array()
    );
    assert!(groups["posterior"]["mu"].is_array());
    // The folder is still one of chains alone.
    place.succeed(&["model", "compare", "out", "out"]);
    // Data that none of the draws replicate have no group, and tables have none at all.
    place.write("other.json", r#"{"z": [1, 2]}"#);
    let convert = ["mcmc", "convert", "out/chain_1.csv", "--to"];
    let none = place.run(&[&convert[..], &["x.json", "--data", "other.json"]].concat());
    assert!(none.code == Some(1) && none.stderr.contains("other.json: no list NAME"), "{none:?}");
    let table = place.run(&[&convert[..], &["x.csv", "--data", "mean.json"]].concat());
    assert!(table.code == Some(2) && table.stderr.contains("a table has none"), "{table:?}");
}

/// Replicated data that are the observed ones and a half: the mean is always exceeded, the standard deviation
/// is the same in all draws.
#[test]
fn figures_of_replicated_data_are_those_of_their_draws() {
    let place = Place::new();
    place.write("mean.stan", format!("{MEAN}generated quantities {{ vector[N] y_rep = y + 0.5; }}"));
    place.write("mean.json", FOUR);
    place.succeed(&["model", "sample", "mean.stan", "--data", "mean.json", "--out", "out"]);
    let page = String::from_utf8(read(place.path("out/report.html"))).unwrap();
    let section = &page[page.find("Replicated data").unwrap()..];
    let cells: Vec<&str> =
        section.split("<td").skip(1).map(|cell| cell.split(['>', '<']).nth(1).unwrap().trim()).collect();
    let row = |what: &str| {
        let at = cells.iter().position(|cell| *cell == what).unwrap();
        cells[at + 1..at + 6].to_vec()
    };
    let own = ["3.750", "4.250", "4.250", "4.250", "1.000 ± 0.000"];
    assert_eq!(row("mean"), own);
    assert_eq!(row("sd")[..4], ["0.9129"; 4]);
    assert_eq!(row("least")[..4], ["2.750", "3.250", "3.250", "3.250"]);
    assert_eq!(row("largest")[..4], ["4.750", "5.250", "5.250", "5.250"]);
}

/// A Gaussian posterior is found whole, and the bound is ln of the evidence.
#[test]
fn the_closest_gaussian_of_a_gaussian_is_itself() {
    let place = Place::new();
    place.write("mean.stan", MEAN);
    place.write("mean.json", FOUR);
    let run = ["model", "variational", "mean.stan", "--data", "mean.json"];
    for algorithm in ["meanfield", "fullrank"] {
        let output =
            json(&place, &[&run[..], &["--algorithm", algorithm, "--output-samples", "4000"]].concat());
        let [mean, sd, error] =
            ["mean", "sd", "mcse"].map(|name| number(&output, &format!("/parameters/0/{name}")));
        assert!((mean - 3.0).abs() < 4.0 * error, "{output}");
        assert!((sd - 0.2_f64.sqrt()).abs() < 0.03, "{output}");
        // y ~ N(0, I + 11ᵀ): |I + 11ᵀ| = 5, and yᵀ (I + 11ᵀ)⁻¹ y = Σ y² - (Σ y)² / 5.
        let y = [2.75_f64, 4.75, 3.25, 4.25];
        let (sum, squares): (f64, f64) = (y.iter().sum(), y.iter().map(|y| y * y).sum());
        let exact = -2.0 * std::f64::consts::TAU.ln() - 0.5 * 5_f64.ln() - 0.5 * (squares - sum * sum / 5.0);
        let (bound, error) = (number(&output, "/elbo"), number(&output, "/elbo_se"));
        assert!(bound < exact + 4.0 * error && bound > exact - 0.01 - 4.0 * error, "{exact}: {output}");
        assert!(output["reliable"] == true && output["stop"] == "Converged", "{output}");
    }
    let stopped = place.succeed(&[&run[..], &["--iter", "5", "--out", "out"]].concat());
    assert!(stopped.stderr.contains("stopped after 5 steps"), "{stopped:?}");
    assert!(place.path("out/variational.csv").exists());
}
