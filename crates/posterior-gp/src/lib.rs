//! Gaussian processes: distributions of functions, and what data say about them.
//!
//! A [`Kernel`] says how alike a function is at two places. It is an expression: kernels add, multiply, and
//! print as they are read.
//!
//! ```
//! use posterior_gp::Kernel;
//! use posterior_math::linalg::DMatrix;
//!
//! let kernel = 2.0 * Kernel::rbf(0.5)? + Kernel::rbf(10.0)?;
//! assert_eq!(kernel.to_string(), "2*rbf(0.5) + rbf(10)");
//! let x = DMatrix::from_column_slice(3, 1, &[0.0, 0.5, 1.0]);
//! assert_eq!(kernel.gram(&x)[(0, 0)], 3.0);
//! # Ok::<(), posterior_math::ParamError>(())
//! ```
//!
//! Inputs are matrices with one row for each place.
//!
//! | you have | look at |
//! |---|---|
//! | an idea of how a function behaves | [`kernel`]: expressions, and how to add one of your own |
//! | its values with noise | [`regression`]: posterior, evidence, leave-one-out, the terms of a sum |
//! | parameters that are not known | [`hyperparameters`]: the evidence with its gradient, searches, standard errors |
//! | classes, counts, positive numbers | [`classification`], [`likelihood`] |
//! | many data | [`solver`] chooses: [`markov`], [`sparse`], [`grid`], [`iterative`] |
//! | several outputs at once | [`multi_output`] |
//! | a question about the kernel itself | [`spectrum`], [`support_vectors`] |
//!
//! *Refuses:* jitter that nobody hears of. What had to be added to a covariance is in the posterior, with its
//! cause.
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

// Crates whose types stand in the signatures of this one: whoever adds it needs no other.
#[doc(no_inline)]
pub use {posterior_dist as dist, posterior_kalman as kalman, posterior_math as math};

pub use error::Error;
pub use kernel::Kernel;
pub use mean::Mean;
pub use noise::Noise;
pub use regression::{GaussianProcess, Posterior};
