//! Draws from a density that is a formula: NUTS on four chains, a summary with warnings, and saved draws.
//!
//! `cargo run --release -p posterior-sampling --features serde --example draws_of_a_formula`
#![expect(clippy::panic_in_result_fn, reason = "the example checks what it reads back")]

use posterior_sampling::dist::target::{Differentiated, Formula};
use posterior_sampling::hamiltonian::Nuts;
use posterior_sampling::math::autodiff::Real;
use posterior_sampling::{Draws, Run, Start};

/// Deaths among five animals at each of four doses (Racine and others, 1986), and wide normal priors.
struct Bioassay;

impl Formula for Bioassay {
    fn dim(&self) -> usize {
        2 // intercept and slope
    }

    fn ln_density<R: Real>(&self, x: &[R]) -> R {
        let prior = (x[0] * x[0] + x[1] * x[1]) * (-0.5 / 100.0);
        [(-0.86, 0.0), (-0.30, 1.0), (-0.05, 3.0), (0.73, 5.0)].iter().fold(prior, |sum, &(dose, deaths)| {
            let logit = x[0] + x[1] * dose;
            sum + logit * deaths - logit.ln_1p_exp() * 5.0
        })
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let run = Run { seed: 1, ..Run::default() };
    let sampled = run.sample(&Differentiated(Bioassay), &Nuts::default(), &Start::default())?;
    let draws = sampled.draws.map(["intercept", "slope", "LD50"], |x, out| {
        out.copy_from_slice(&[x[0], x[1], -x[0] / x[1]]);
    })?;
    println!("{}", draws.summary());

    // Read back to the same bits; `write_csv` and `arviz` are for other programs.
    let read: Draws = serde_json::from_str(&serde_json::to_string(&draws)?)?;
    assert_eq!(read, draws);
    Ok(())
}
