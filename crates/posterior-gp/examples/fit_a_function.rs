//! A smooth function from noisy values: parameters from the evidence, a saved kernel, and predictions.
//!
//! `cargo run -p posterior-gp --features serde --example fit_a_function`
#![expect(clippy::panic_in_result_fn, reason = "the example checks what it reads back")]

use posterior_gp::hyperparameters::{HyperparameterOptions, Regression, fit};
use posterior_gp::math::iteration::Silent;
use posterior_gp::math::linalg::DMatrix;
use posterior_gp::{GaussianProcess, Kernel, Noise};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let x = DMatrix::from_fn(40, 1, |i, _| 0.25 * i as f64);
    let y: Vec<f64> = x.iter().map(|x| 3.0 * x.sin() + 0.1 * (17.0 * x).cos()).collect();

    let prior = GaussianProcess::new(1.0 * Kernel::rbf(1.0)?);
    let problem = Regression::new(prior, Noise::variance(0.1)?, &x, &y)?;
    let options = HyperparameterOptions { restarts: 2, ..HyperparameterOptions::default() };
    let fitted = fit(&problem, &options, &mut Silent)?;
    println!("{}", fitted.report);

    // A posterior is its prior, its noise and its data: save the kernel and the noise beside the data.
    let noise = fitted.model.noise().learned().ok_or("the noise is one number")?;
    let saved = serde_json::to_string(&(fitted.model.prior().kernel(), noise))?;
    let (kernel, noise): (Kernel, f64) = serde_json::from_str(&saved)?;
    println!("saved as {saved}");

    let posterior = GaussianProcess::new(kernel).condition(&x, &y, &Noise::variance(noise)?)?;
    assert_eq!(posterior.ln_evidence(), fitted.model.ln_evidence());
    let new = DMatrix::from_column_slice(2, 1, &[5.1, 12.0]);
    let response = posterior.latent(&new)?.plus_noise(noise);
    for (x, (mean, sd)) in new.iter().zip(response.mean.iter().zip(&response.sd())) {
        println!("at {x}: {mean:.3}, sd {sd:.3}");
    }
    Ok(())
}
