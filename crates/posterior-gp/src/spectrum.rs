//! Kernels by their spectra: eigenfunctions, random features, and the space of functions that a kernel spans.
//!
//! - **Mercer**: on a measure, a kernel is a sum of eigenvalues times products of orthonormal eigenfunctions.
//!   [`Nystrom`] computes them on a sample; [`GaussianMeasure`] has the closed form for the kernel of radial
//!   basis functions.
//! - **Bochner**: a stationary kernel is the Fourier transform of a distribution of frequencies.
//!   [`RandomFeatures`] draws from it.
//! - **The reproducing-kernel space**: the functions Σ aᵢ k(xᵢ, ·) with the inner product aᵀ K b.
//!   [`Representer`] is such a function; the posterior mean is the one that [`kernel_ridge`] finds, and the
//!   posterior variance is what a function of norm one may hide from the data ([`worst_case_squared_error`]).
//!
//! The sample paths of a process are not in the space of its kernel: E |f|² over n places is n, without limit
//! ([`Representer::interpolate`], and its test).
//!
//! ```
//! use posterior_gp::{Kernel, spectrum::Nystrom};
//! use posterior_math::linalg::DMatrix;
//!
//! let sample = DMatrix::from_fn(200, 1, |i, _| i as f64 / 100.0);
//! let nystrom = Nystrom::new(&Kernel::rbf(1.0)?, &sample)?;
//! // Six functions are enough on two length scales.
//! assert!(nystrom.eigenvalues()[6] < 1e-6);
//! # Ok::<(), posterior_gp::Error>(())
//! ```

mod gaussian_measure;
mod nystrom;
mod random_features;
mod representer;

pub use crate::kernel::SpectralDistribution;
pub use gaussian_measure::GaussianMeasure;
pub use nystrom::Nystrom;
pub use random_features::RandomFeatures;
pub use representer::{Representer, kernel_ridge, worst_case_squared_error};
