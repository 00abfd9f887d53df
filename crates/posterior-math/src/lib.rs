//! Special functions, log-space arithmetic and parameter checks for probability in f64.
//!
//! | module | for |
//! |---|---|
//! | [`special`] | Γ, ψ, B, factorials, incomplete gamma and beta, erf, Φ and their inverses, Bessel I and K, Owen's T |
//! | [`log_space`] | sums, differences and normalised weights of numbers held by their logarithm; logistic and logit |
//! | [`autodiff`] | derivatives of functions written as code, and through Cholesky factors |
//! | [`bijection`] | maps from free coordinates to constrained points, with ln \|J\| and gradients |
//! | [`optimize`] | minima, roots and linear systems by iteration |
//! | [`quadrature`] | integrals in one variable, expectations under a normal distribution |
//! | [`elementwise`] | exponentials, sines and squared differences of whole slices |
//! | [`integrate`] | Hamiltonian and ordinary differential equations |
//! | [`streaming`] | means, variances, covariances and sums of data in one pass |
//! | [`iteration`] | what iterative fits share: observers, reports, why a fit stopped |
//! | [`linalg`] | Cholesky and its relatives, eigenvalues, exponentials; the matrix and vector types of the workspace |
//! | [`sparse`] | sparse symmetric matrices: Cholesky and L D Lᵀ factors, selected entries of inverses |
//! | [`vector`] | the dot product of slices |
//! | [`memory`] | limits of memory, sizes as text |
//! | [`check`] | checks of parameters, and the one error of every constructor |
//!
//! ```
//! use posterior_math::log_space::ln_sum_exp;
//! use posterior_math::special::ln_beta;
//!
//! // Six heads in ten tosses. Fair coin, or any bias with equal probability?
//! let ln_fair = 10.0 * 0.5_f64.ln();
//! let ln_biased = ln_beta(7.0, 5.0); // ∫ t⁶ (1 - t)⁴ dt
//! assert!((ln_biased - -7.745002803515839).abs() < 1e-14);
//!
//! let ln_total = ln_sum_exp(&[ln_fair, ln_biased]);
//! assert!(((ln_biased - ln_total).exp() - 1024.0 / 3334.0).abs() < 1e-14);
//! ```
//!
//! # Accuracy
//! What holds the numbers, all of it in `tests/it`; documented errors are the largest ones seen there or at
//! random points against mpmath, rounded up:
//!
//! - [`special`], [`log_space`]: tables of 30 digits (`posterior-testkit/tables`). Without a table of their
//!   own, but against numbers of mpmath, identities or those with one: the logarithms and the derivatives of
//!   the incomplete gamma and beta functions, polygamma beyond the second order, the bivariate normal
//!   distribution, the inverse of the Bessel ratio, ln B of many numbers and x ln y.
//! - [`linalg`]: tables of 30 digits for Cholesky's factor, its solutions, determinants and updates;
//!   identities and dense twins for the other functions.
//! - [`quadrature`], [`integrate`], [`optimize`]: closed forms and the test functions of the literature.
//! - [`bijection`], [`autodiff`]: central differences, and that inverse and map undo each other.
//! - [`streaming`]: two passes, and that splitting and merging change nothing.
//!
//! All functions of numbers, and the algorithms with hostile closures and entries, run on numbers of any
//! bits.
//!
//! # Features
//! | feature | by default | gives |
//! |---|---|---|
//! | `linalg` | yes | matrices, those of nalgebra: [`linalg`], [`sparse`], and what takes or returns them in the other modules |
//! | `simd` | with `linalg` | [`elementwise`] by the vectors of the machine |
//! | `faer` | no | large matrices by the kernels of faer: faster, and a minute more to compile |
//! | `rayon` | no | with `faer`: large matrices on several threads |
//! | `serde` | no | with `linalg`: matrices as JSON and the like, for the models that hold some |
//!
//! Without any of them this is numbers and slices: special functions, log space, derivatives, integrals and
//! minima.
//!
//! # Limits
//! - f64 is the only number type.
//! - Panics and error values in functions of numbers: a pole is an infinity, what is undefined is NaN.
//! - Probability: distributions begin in `posterior-dist`.

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod autodiff;
pub mod bijection;
pub mod check;
#[cfg(feature = "simd")]
pub mod elementwise;
pub mod integrate;
pub mod iteration;
#[cfg(feature = "linalg")]
pub mod linalg;
pub mod log_space;
pub mod memory;
pub mod optimize;
pub mod quadrature;
#[cfg(feature = "linalg")]
pub mod sparse;
pub mod special;
pub mod streaming;
pub mod vector;

// Crates whose types stand in the signatures of this one: whoever adds it needs no other.
#[cfg(feature = "linalg")]
#[doc(no_inline)]
pub use nalgebra;

pub use check::{DimensionError, ParamError};
