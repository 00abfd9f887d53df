//! What every implementation of a core trait must obey, types of users included.
//!
//! Each function takes a value, and points to try it at, and panics with the identity that fails. Call them
//! in `tests/it`, never in unit tests: there, the traits are those of another copy of the crate.

mod conjugate;
mod continuous;
mod counted;
mod density;
#[cfg(feature = "linalg")]
mod expectation;
mod exponential_family;
mod parameters;
mod univariate;

pub use conjugate::conjugate;
pub use continuous::{Continuous, continuous, line, mean_and_variance};
pub use counted::{Counted, counted, counted_draws, counted_masses, parameter_gradient};
pub use density::{finite_support, kl_divergence, sampler};
#[cfg(feature = "linalg")]
pub use expectation::expectation_is_the_average;
pub use exponential_family::{bregman, exponential_family, stats};
pub use parameters::{parameter_names_agree, written_names_agree};
pub use univariate::{masses, univariate};

use posterior_math::ParamError;

use crate::accuracy::conditioned_error;

/// Fails unless the two numbers agree to `tolerance`, relative to their size or to one, whichever is larger.
#[track_caller]
fn assert_agree(identity: &str, left: f64, right: f64, tolerance: f64) {
    let error = conditioned_error(left, right, 1.0);
    assert!(error <= tolerance, "{identity}: {left:e} and {right:e} differ by {error:.2e} > {tolerance:.0e}");
}

/// What a family or a prior should accept.
#[track_caller]
#[expect(clippy::panic, reason = "a family that refuses its points fails the check")]
fn accepted<T>(outcome: Result<T, ParamError>) -> T {
    outcome.unwrap_or_else(|error| panic!("refused: {error}"))
}
