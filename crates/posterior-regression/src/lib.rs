//! Bayesian regression: linear and generalised linear models, learned features, small neural networks.
//!
//! ```
//! use posterior_regression::math::linalg::DMatrix;
//! use posterior_regression::linear::{LinearData, NoisePrior, WeightPrior, unknown_noise};
//!
//! let design = DMatrix::from_fn(4, 2, |i, j| if j == 0 { 1.0 } else { i as f64 });
//! let data = LinearData::new(&design, &[1.0, 2.9, 5.2, 6.8])?;
//! let posterior = unknown_noise(&data, &WeightPrior::flat(2), NoisePrior::flat_ln())?;
//! assert!((posterior.mean()[1] - 1.97).abs() < 1e-12);
//! let [_, slope] = &posterior.coefficients()?[..] else { unreachable!() };
//! assert!(slope.q05 > 1.5 && slope.q95 < 2.5);
//! # Ok::<(), posterior_regression::Error>(())
//! ```
//!
//! | you have | look at |
//! |---|---|
//! | columns, of which to make powers, waves, splines, levels | [`features`] |
//! | a formula, `y ~ a*b + poly(x, 3)`, and a table | [`formula`] |
//! | a number with normal noise | [`linear`]: noise known or not, several outputs, batch after batch |
//! | an unknown strength of the prior, or many features of which few matter | [`evidence`] |
//! | many columns of which few matter, and how sure that is | [`horseshoe`] |
//! | features with parameters of their own | [`learned_features`] |
//! | classes, counts, times, grades | [`glm`] |
//! | classes, and many columns of which few are not zero: words of texts | [`sparse_softmax`] |
//! | an approximation to check | [`comparison`], [`polya_gamma`], [`variational_logistic`] |
//! | an unknown nonlinear function | [`network`] |
//! | a truth table | [`truth_table`] |
//!
//! All of them report a table of [`coefficients`].
//!
//! A likelihood without a maximum is an error: separated classes and collinear columns are named, unless a
//! proper prior decides.
//!
//! # Features
//! | feature | by default | gives |
//! |---|---|---|
//! | `faer` | no | large matrices by the kernels of faer: faster, and a minute more to compile |
//! | `rayon` | no | blocks of rows, and restarts, on several threads |
//! | `serde` | no | models as JSON and the like |

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod coefficients;
pub mod comparison;
mod error;
pub mod evidence;
pub mod features;
pub mod formula;
pub mod glm;
pub mod horseshoe;
pub mod learned_features;
pub mod linear;
pub mod network;
pub mod polya_gamma;
pub mod propagation;
pub mod sparse_softmax;
mod student_mixture;
pub mod truth_table;
pub mod variational_logistic;

// Crates whose types stand in the signatures of this one: whoever adds it needs no other.
#[doc(no_inline)]
pub use {
    posterior_dist as dist, posterior_gaussian as gaussian, posterior_inference as inference,
    posterior_math as math, posterior_sampling as sampling,
};

pub use error::Error;
