//! Logistic regression by Gibbs sampling with variables of Pólya-Gamma distributions.
//!
//! A binomial likelihood is a Gaussian one with a precision of its own for each row, ω ~ PG(n, 0): given the
//! precisions the coefficients are normal, given the coefficients each precision is [`PolyaGamma`] with tilt
//! η. [`LogisticGibbs`] draws the two in turn; it is exact, has nothing to tune, and needs no gradient.
//!
//! ```
//! use posterior_math::linalg::DMatrix;
//! use posterior_regression::glm::{CoefficientPrior, Family, Glm, GlmData};
//! use posterior_regression::polya_gamma::LogisticGibbs;
//! use posterior_sampling::gibbs::Gibbs;
//! use posterior_sampling::{Untuned, Run, Start};
//!
//! let design = DMatrix::from_fn(5, 2, |i, j| if j == 0 { 1.0 } else { i as f64 - 2.0 });
//! let successes = [0.0, 0.0, 1.0, 0.0, 1.0];
//! let data = GlmData::new(&design, &successes)?;
//! let model = Glm::new(Family::Logit, data)?.with_prior(CoefficientPrior::isotropic(2, 1.0)?)?;
//! let sampler = LogisticGibbs::new(&model)?;
//! let start = Start::At(vec![0.0, 0.0]);
//! let sampled = Run { warm_up: 100, ..Run::default() }.sample(&sampler, &Untuned(Gibbs::systematic()), &start)?;
//! let slopes = sampled.draws.parameter(1).concat();
//! let mean = slopes.iter().sum::<f64>() / slopes.len() as f64;
//! assert!((mean - 0.71).abs() < 0.1);
//! # Ok::<(), posterior_regression::Error>(())
//! ```
//!
//! # References
//! N. Polson, J. Scott, J. Windle, Bayesian inference for logistic models using Pólya-Gamma latent variables,
//! JASA 108, 2013.

mod density;
mod distribution;
mod draw;
mod gibbs;

pub use distribution::PolyaGamma;
pub use gibbs::LogisticGibbs;
