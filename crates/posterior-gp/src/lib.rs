//! Gaussian processes: distributions of functions, and what data say about them.
//!
//! A [`Kernel`] is the covariance of a function at two inputs. Kernels are expressions: they add, multiply,
//! and print as they are read.
//!
//! ```
//! use posterior_gp::Kernel;
//! use posterior_gp::math::linalg::DMatrix;
//!
//! let kernel = 2.0 * Kernel::rbf(0.5)? + Kernel::rbf(10.0)?;
//! assert_eq!(kernel.to_string(), "2*rbf(0.5) + rbf(10)");
//! let x = DMatrix::from_column_slice(3, 1, &[0.0, 0.5, 1.0]);
//! assert_eq!(kernel.gram(&x)[(0, 0)], 3.0);
//! # Ok::<(), posterior_gp::math::ParamError>(())
//! ```
//!
//! Inputs are matrices with one row for each observation.
//!
//! | you have | look at |
//! |---|---|
//! | assumptions on a function: smooth, periodic, a trend | [`kernel`]: expressions, and kernels of your own |
//! | noisy values of it | [`regression`]: posterior, evidence, leave-one-out, the terms of a sum |
//! | unknown parameters | [`hyperparameters`]: the evidence with its gradient, searches, standard errors |
//! | classes, counts, positive numbers | [`classification`], [`likelihood`] |
//! | many data | [`solver`] chooses: [`markov`], [`sparse`], [`grid`], [`iterative`] |
//! | many classes or counts | [`variational`] |
//! | several outputs at once | [`multi_output`] |
//! | a kernel to examine | [`spectrum`], [`support_vectors`] |
//!
//! Jitter is never added in silence: the posterior reports how much was needed, and why.
//!
//! # Features
//! | feature | by default | gives |
//! |---|---|---|
//! | `faer` | no | large matrices by the kernels of faer: faster, and a minute more to compile |
//! | `rayon` | no | tiles of kernels and restarts on several threads; with `faer`, large matrices too |
//! | `serde` | no | kernels and models as JSON and the like |

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod classification;
mod error;
pub mod grid;
pub mod hyperparameters;
pub mod iterative;
pub mod kernel;
pub mod likelihood;
pub mod markov;
pub mod mean;
pub mod multi_output;
pub mod noise;
mod observed;
pub mod regression;
pub mod solver;
pub mod sparse;
pub mod spectrum;
pub mod support_vectors;
pub mod variational;

// Crates whose types stand in the signatures of this one: whoever adds it needs no other.
#[doc(no_inline)]
pub use {
    posterior_dist as dist, posterior_gaussian as gaussian, posterior_kalman as kalman,
    posterior_math as math,
};

pub use error::Error;
pub use kernel::Kernel;
pub use mean::Mean;
pub use noise::Noise;
pub use regression::{GaussianProcess, GaussianProcessPosterior};
