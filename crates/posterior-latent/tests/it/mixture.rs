//! Mixtures of any family by EM: golden traces, properties, brute force, and what happens to components
//! that die.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod coins;
mod documents;
mod misuse;
mod properties;

use std::borrow::Borrow;

use posterior_dist::{ExponentialFamily, Mixture};
use posterior_inference::em::EmOptions;
use posterior_latent::Error;
use posterior_latent::mixture::{FittedMixture, MaximizationStep, MixtureProblem};
use posterior_math::iteration::{Fitted, Silent};

type Fit<F> = Result<Fitted<FittedMixture<Mixture<F>>>, Error>;

/// So many steps from `start`.
fn steps<F, X, E>(problem: &MixtureProblem<'_, F, X, E>, start: Mixture<F>, count: usize) -> Fit<F>
where
    F: ExponentialFamily,
    X: Borrow<F::Point>,
    E: MaximizationStep<F>,
{
    let options = EmOptions { tolerance: -1.0, max_iterations: count, ..EmOptions::default() };
    problem.fit(start, &options, &mut Silent)
}
