//! Fits of distributions to data: maximum likelihood and the largest posterior density, with standard errors
//! and intervals; of values that are weighted, censored or truncated too.
//!
//! | item | is |
//! |---|---|
//! | [`Sample`], [`Observation`] | what was seen |
//! | [`fit`], [`FitOptions`] | the fit, and what is known of parameters before |
//! | [`FittedDistribution`], [`ParameterFit`] | the distribution, with the errors of its parameters |
//! | [`FAMILIES`], [`EstimableFamily`], [`FamilyFit`] | the same by the name of a distribution |
//! | [`Estimable`], [`FirstGuess`] | what a distribution of your own has to say |
//! | [`FitError`] | what stops a fit |
//!
//! Distributions of exponential families whose data are all known have closed forms or faster ways:
//! [`ExponentialFamily`](crate::ExponentialFamily). The likelihoods of uniform, Laplace and triangular
//! distributions have edges: by name they are estimated from known values by their order statistics, with
//! intervals of their own. The ends of a triangular distribution have to be given, and where the support of a
//! generalised extreme value or Pareto distribution ends next to the data, with a shape of -½ or less, there
//! is an error instead of intervals that would not hold.

mod edged;
mod error;
mod estimable;
mod estimate;
mod family;
mod family_fit;
mod objective;
mod options;
mod sample;

pub use error::FitError;
pub use estimable::{Estimable, FirstGuess};
pub use estimate::{FittedDistribution, ParameterFit, fit};
pub use family::{EstimableFamily, FAMILIES};
pub use family_fit::FamilyFit;
pub use options::FitOptions;
pub use sample::{Observation, Outline, Sample};
