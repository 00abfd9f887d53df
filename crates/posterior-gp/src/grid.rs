//! Inputs on grids: exact posteriors of many points, by the structure of the Gram matrix.
//!
//! - [`GridPosterior`]: a product of kernels, one for each axis, on all combinations of the axes' points. The
//!   Gram matrix is a Kronecker product; with N points in all, n₁, n₂, … on the axes, the cost is nᵢ³ for
//!   each axis and N (n₁ + n₂ + …) for the rest.
//! - [`EqualStepsPosterior`]: a stationary kernel on equal steps of one input. The Gram matrix is a Toeplitz
//!   matrix: n² operations and n numbers of memory. It needs no Markov kernel; where there is one,
//!   [`markov`](crate::markov) is faster.
//!
//! ```
//! use posterior_gp::Kernel;
//! use posterior_gp::grid::GridPosterior;
//! use posterior_math::linalg::{DMatrix, DVector};
//!
//! let axis = DMatrix::from_fn(40, 1, |i, _| i as f64 / 10.0);
//! let kernels = [Kernel::rbf(1.0)?, Kernel::rbf(0.5)?];
//! // The last axis runs fastest.
//! let outputs = DVector::from_fn(1600, |i, _| axis[i / 40].sin() * axis[i % 40].cos());
//! let posterior = GridPosterior::new(&kernels, &[axis.clone(), axis], &outputs, 1e-4)?;
//! let place = DMatrix::from_row_slice(1, 2, &[1.23, 2.34]);
//! assert!((posterior.latent(&place)?.mean[0] - 1.23_f64.sin() * 2.34_f64.cos()).abs() < 1e-3);
//! # Ok::<(), posterior_gp::Error>(())
//! ```
//!
//! # References
//! Y. Saatçi, Scalable inference for structured Gaussian process models, PhD thesis, Cambridge 2011,
//! chapter 5.

mod equal_steps;
mod product_grid;

pub use equal_steps::{EqualStepsGradient, EqualStepsPosterior};
pub use product_grid::{GridGradient, GridPosterior};
