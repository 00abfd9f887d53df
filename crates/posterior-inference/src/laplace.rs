//! Laplace's method: a Gaussian at the mode.
//!
//! ln p(x) is replaced by its second-order expansion at the mode x̂: q = N(x̂, Λ⁻¹) with the precision Λ =
//! -∇² ln p(x̂), and ln ∫ p ≈ ln p(x̂) + n/2 ln 2π - ½ ln |Λ|. Exact for Gaussians; the relative error of the
//! evidence falls like one over the number of observations.
//!
//! - [`laplace`] is for a [`HessianTarget`](posterior_dist::target::HessianTarget): Newton's method in a
//!   trust region;
//! - [`laplace_by_gradient`] is for a [`GradTarget`](posterior_dist::target::GradTarget): L-BFGS, then second
//!   derivatives by differences of gradients.
//!
//! **The answer depends on the coordinates.** The mode of a probability θ and that of its logit are different
//! points, and so are the Gaussians. Take coordinates in which the density is nearly Gaussian: free ones
//! (logarithms, logits), see [`Unconstrained`](posterior_dist::target::Unconstrained).
//!
//! # Example
//! Six heads and four tails, with a uniform prior; the evidence is 1/2310.
//! ```
//! use posterior_dist::target::{Differentiated, Formula};
//! use posterior_inference::laplace::laplace;
//! use posterior_math::autodiff::Real;
//! use posterior_math::{iteration::Silent, optimize::NewtonOptions};
//!
//! /// ln p(θ, data), and the same of the logit of θ: with ln |dθ / du| = ln θ (1 - θ).
//! struct Probability;
//! struct Logit;
//!
//! impl Formula for Probability {
//!     fn dim(&self) -> usize {
//!         1
//!     }
//!     fn ln_density<R: Real>(&self, x: &[R]) -> R {
//!         x[0].ln() * 6.0 + (-x[0]).ln_1p() * 4.0
//!     }
//! }
//!
//! impl Formula for Logit {
//!     fn dim(&self) -> usize {
//!         1
//!     }
//!     fn ln_density<R: Real>(&self, x: &[R]) -> R {
//!         x[0] * 7.0 - x[0].ln_1p_exp() * 12.0
//!     }
//! }
//!
//! let options = NewtonOptions::default();
//! let probability = laplace(&Differentiated(Probability), &[0.5], &options, &mut Silent)?;
//! assert!((probability.mode[0] - 0.6).abs() < 1e-12);
//! assert!((probability.ln_evidence.exp() * 2310.0 - 1.071).abs() < 1e-3);
//!
//! let logit = laplace(&Differentiated(Logit), &[0.0], &options, &mut Silent)?;
//! assert!((logit.mode[0] - (7.0_f64 / 5.0).ln()).abs() < 1e-12);
//! assert!((logit.ln_evidence.exp() * 2310.0 - 0.979).abs() < 1e-3);
//! # Ok::<(), posterior_inference::laplace::LaplaceError>(())
//! ```
//!
//! # References
//! L. Tierney, J. Kadane, Accurate approximations for posterior moments and marginal densities, JASA
//! 81, 1986.

mod approximation;
mod differences;
mod error;
mod search;

pub use approximation::LaplaceApproximation;
pub use error::LaplaceError;
pub use search::{laplace, laplace_by_gradient};
