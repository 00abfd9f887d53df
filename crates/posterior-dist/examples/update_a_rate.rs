//! A rate from counts: prior, posterior, a saved posterior, and what to expect of the next count.
//!
//! `cargo run -p posterior-dist --features serde --example update_a_rate`
#![expect(clippy::panic_in_result_fn, reason = "the example checks what it reads back")]

use posterior_dist::{Conjugate, Gamma, Moments, Poisson, Stats, Univariate};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Calls in each of five hours; about two an hour were expected before.
    let calls: [u64; 5] = [3, 1, 4, 2, 5];
    let prior = Gamma::shape_rate(4.0, 2.0)?;
    let posterior = Poisson::posterior(&prior, &Stats::of((), &calls)?)?;
    let (low, high) = (posterior.quantile(0.05), posterior.quantile(0.95));
    println!(
        "calls an hour: {:.3}, with 90 % between {low:.3} and {high:.3}",
        posterior.mean().unwrap_or(f64::NAN)
    );

    // A distribution is saved by the names of its parameters and read back to the same bits.
    let saved = serde_json::to_string(&posterior)?;
    let read: Gamma = serde_json::from_str(&saved)?;
    assert_eq!(read, posterior);
    println!("saved as {saved}");

    let next = Poisson::predictive(&read, &())?;
    println!("more than six calls in the next hour: {:.4}", next.sf(6.0));
    Ok(())
}
