//! Gaussian processes: laws of functions, and what data say about them.
//!
//! A [`Kernel`] says how alike a function is at two places. It is an expression: kernels add, multiply, and print as they are
//! read.
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

pub use error::Error;
pub use kernel::Kernel;
pub use mean::Mean;
pub use noise::Noise;
pub use regression::{GaussianProcess, Posterior};
