//! A Gaussian process with a million observations: seconds of evidence, gradient and predictions, on equal
//! and on random steps.
//!
//! `cargo run --release -p posterior-gp --example million_observations -- 1000000`

use std::time::Instant;

use posterior_gp::dist::rand::RngExt;
use posterior_gp::dist::stream::stream;
use posterior_gp::kalman::{CovarianceForm, FilterOptions, SteadyState};
use posterior_gp::markov::{MarkovOptions, MarkovProcessPosterior};
use posterior_gp::math::linalg::DMatrix;
use posterior_gp::{GaussianProcess, Kernel, Noise};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n: usize = std::env::args().nth(1).map_or(Ok(1_000_000), |n| n.parse())?;
    let mut rng = stream(1, &[]);
    let equal = DMatrix::from_fn(n, 1, |i, _| i as f64 * 1e-3);
    let mut time = 0.0;
    let random = DMatrix::from_fn(n, 1, |_, _| {
        time += 2e-3 * rng.random::<f64>();
        time
    });
    let prior = GaussianProcess::new(2.0 * Kernel::matern32(1.5)?);
    let noise = Noise::variance(0.1)?;
    let joseph = FilterOptions { form: CovarianceForm::Joseph, ..FilterOptions::default() };
    for (steps, inputs) in [("equal", &equal), ("random", &random)] {
        let outputs: Vec<f64> = inputs.iter().map(|t| t.sin() + 0.3 * (rng.random::<f64>() - 0.5)).collect();
        let filters = [
            ("square root", FilterOptions::default()),
            ("Joseph", joseph),
            ("Joseph, every step", FilterOptions { steady_state: SteadyState::Ignore, ..joseph }),
        ];
        for (name, filter) in filters {
            let options = MarkovOptions { filter, ..MarkovOptions::default() };
            let start = Instant::now();
            let posterior = MarkovProcessPosterior::new(&prior, (inputs, &outputs), &noise, &options)?;
            let evidence = posterior.ln_evidence();
            println!("{steps} steps, {name}: ln p = {evidence:.3} in {:.3} s", start.elapsed().as_secs_f64());
        }
        let posterior =
            MarkovProcessPosterior::new(&prior, (inputs, &outputs), &noise, &MarkovOptions::default())?;
        let start = Instant::now();
        let gradient = posterior.gradient()?;
        println!("{steps} steps: gradient {gradient:.3?} in {:.3} s", start.elapsed().as_secs_f64());
        let start = Instant::now();
        let prediction = posterior.latent(&DMatrix::from_fn(1000, 1, |i, _| i as f64))?;
        println!(
            "{steps} steps: mean at 500 is {:.4}, in {:.3} s",
            prediction.mean[500],
            start.elapsed().as_secs_f64()
        );
    }
    Ok(())
}
