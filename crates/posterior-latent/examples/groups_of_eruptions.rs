//! Groups in a table: a mixture of Gaussians from several starts, saved, and used on new rows.
//!
//! `cargo run -p posterior-latent --features serde --example groups_of_eruptions`
#![expect(clippy::panic_in_result_fn, reason = "the example checks what it reads back")]

use posterior_latent::Observations;
use posterior_latent::gaussian_mixture::{GaussianMixture, GaussianMixtureOptions, GaussianMixtureProblem};
use posterior_latent::math::linalg::DMatrix;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Old Faithful: minutes of an eruption and of the pause after it, the first dozen on record.
    let table = [
        [3.6, 79.0],
        [1.8, 54.0],
        [3.333, 74.0],
        [2.283, 62.0],
        [4.533, 85.0],
        [2.883, 55.0],
        [4.7, 88.0],
        [3.6, 85.0],
        [1.95, 51.0],
        [4.35, 85.0],
        [1.833, 54.0],
        [3.917, 84.0],
    ];
    let rows = Observations::new(&DMatrix::from_fn(12, 2, |i, j| table[i][j]))?;
    let problem = GaussianMixtureProblem::new(&rows, GaussianMixtureOptions::default())?;
    let fitted = problem.fit_best(2, 10, 0)?.best.model.mixture;
    println!("weights {:.2?}, means{:.2}", fitted.weights().probabilities(), fitted.means());

    // Read back to the same bits.
    let saved = serde_json::to_string(&fitted)?;
    let read: GaussianMixture = serde_json::from_str(&saved)?;
    assert_eq!(read, fitted);

    // A new row with a gap: what is missing is left out of its density.
    let new = Observations::with_missing(&DMatrix::from_row_slice(2, 2, &[4.0, 80.0, 1.9, f64::NAN]))?;
    println!("probabilities of the groups:{:.4}", read.responsibilities(&new)?);
    Ok(())
}
