//! Draws from a density that is a formula: NUTS on four chains, a summary with warnings, and saved draws.
//!
//! `cargo run --release -p posterior-sampling --features serde --example draws_of_a_formula`
#![expect(clippy::panic_in_result_fn, reason = "the example checks what it reads back")]

use posterior_sampling::dist::formula::{binomial_logit, normal};
use posterior_sampling::dist::target::{Joint, JointModel, JointTarget};
use posterior_sampling::hamiltonian::Nuts;
use posterior_sampling::math::autodiff::Real;
use posterior_sampling::{Draws, Run, Start};

/// Deaths among five animals at each of four doses (Racine and others, 1986), and wide normal priors.
struct Bioassay;

impl JointModel for Bioassay {
    fn write<R: Real>(&self, joint: &mut Joint<'_, R>) {
        let (intercept, slope) = (joint.real("intercept"), joint.real("slope"));
        joint.add(normal(intercept, 0.0, 10.0));
        joint.add(normal(slope, 0.0, 10.0));
        for (dose, deaths) in [(-0.86, 0), (-0.30, 1), (-0.05, 3), (0.73, 5)] {
            joint.add(binomial_logit(deaths, 5, intercept + slope * dose));
        }
        joint.derive("LD50", -intercept / slope);
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let run = Run { seed: 1, ..Run::default() };
    let posterior = JointTarget::new(Bioassay)?;
    let sampled = run.sample(&posterior, &Nuts::default(), &Start::default())?;
    let draws = sampled.draws.of_model(&posterior)?;
    println!("{}", draws.summary());

    // Read back to the same bits; `write_csv` and `arviz` are for other programs.
    let read: Draws = serde_json::from_str(&serde_json::to_string(&draws)?)?;
    assert_eq!(read, draws);
    Ok(())
}
