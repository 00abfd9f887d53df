//! Importance sampling: draws from one distribution, weighted until they stand for another.
//!
//! Draws xₛ of a proposal q get the weights wₛ = p(xₛ) / q(xₛ). Their mean is an unbiased estimate of the
//! integral of p, the evidence; weighted means are expectations under p. All is in logarithms, and each
//! answer has a standard error.
//!
//! - [`importance_sampling`] draws and weighs; [`ImportanceWeights`] is for weights that come from elsewhere;
//! - [`pareto_smoothed`] replaces the largest weights by the quantiles of a fitted tail, and says by k̂
//!   whether the weights can be trusted at all: a standard error from weights without variance says nothing;
//! - [`Resampling`] turns weighted draws into draws;
//! - [`leave_one_out`] and [`widely_applicable`] predict how well a model predicts, from its draws;
//!   [`leave_one_out_pit`] says whether its predictions are calibrated, [`pseudo_bma_weights`] how much each
//!   of several models is to count.
//!
//! ```
//! use posterior_dist::target::{FromFn, OnTheLine};
//! use posterior_dist::{Normal, stream::stream};
//! use posterior_sampling::importance::importance_sampling;
//!
//! // exp(-x² / 2), whose integral is √2π, by draws of a wider normal distribution.
//! let target = FromFn::new(1, |x: &[f64]| -0.5 * x[0] * x[0]);
//! let proposal = OnTheLine::new(Normal::mean_sd(0.0, 1.5)?)?;
//! let sample = importance_sampling(&target, &proposal, 10_000, &mut stream(1, &[]))?;
//! let evidence = sample.weights().ln_mean()?;
//! assert!((evidence.ln_value - 0.5 * std::f64::consts::TAU.ln()).abs() < 4.0 * evidence.standard_error);
//! let second = sample.expectation(|x| x[0] * x[0])?;
//! assert!((second.value - 1.0).abs() < 4.0 * second.standard_error);
//! assert!(sample.smoothed(1.0)?.is_reliable());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # References
//! A. Owen, Monte Carlo theory, methods and examples, 2013, chapter 9; A. Vehtari, D. Simpson, A. Gelman, Y.
//! Yao, J. Gabry, Pareto smoothed importance sampling, JMLR 25, 2024.

mod information_criterion;
mod leave_one_out;
mod pareto_smoothing;
mod proposal;
mod pseudo_bma;
mod resampling;
mod sampling;
mod weights;

pub use information_criterion::{Waic, widely_applicable};
pub use leave_one_out::{PsisLeaveOneOut, leave_one_out, leave_one_out_pit};
pub use pareto_smoothing::{SmoothedWeights, pareto_smoothed, reliable_shape};
pub use proposal::NormalizedTarget;
pub use pseudo_bma::pseudo_bma_weights;
pub use resampling::Resampling;
pub(crate) use sampling::ln_density_or_zero;
pub use sampling::{WeightedDraws, importance_sampling};
pub use weights::ImportanceWeights;
