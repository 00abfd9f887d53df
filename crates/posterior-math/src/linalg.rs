//! Linear algebra: the matrix and vector types of every public function of the workspace, and what inference
//! asks of them.
//!
//! | for | take |
//! |---|---|
//! | solutions, determinants, distances with a covariance | [`Cholesky`] |
//! | a symmetric matrix that is not positive definite | [`Ldlt`] |
//! | Y A⁻¹ | [`divide_right`], [`Cholesky::divide_right`] |
//! | a covariance that may be singular | [`PivotedCholesky`], [`SymmetricEigen`] |
//! | diagonal plus low rank; a low-rank change | [`LowRank`]; [`Woodbury`] |
//! | a covariance over a grid; over equal steps | [`Kronecker`]; [`Toeplitz`] |
//! | conditioning, inverses by blocks | [`schur_complement`], [`block_inverse`] |
//! | stochastic differential equations | [`exponential`], [`discretize`], [`lyapunov`] |
//! | filters in square-root form | [`triangularize`] |
//! | products | [`multiply`] and its siblings; [`dot`] of slices |
//!
//! A matrix that cannot be taken is refused with a [`MatrixError`] by the constructor; right-hand sides of
//! the wrong size panic, as documented. Vectors and matrices are those of nalgebra. Large matrices are worked
//! on by blocks, in place: by the kernels of faer with the feature `faer`, and by products of the crate
//! `matrixmultiply` without it.

mod cholesky;
mod discretize;
mod division;
mod eigenvalues;
#[cfg(feature = "faer")]
mod engine;
mod error;
mod exponential;
mod kronecker;
mod ldlt;
mod low_rank;
mod lu;
mod lyapunov;
mod pivoted_cholesky;
#[cfg(not(feature = "faer"))]
mod portable;
mod product;
mod symmetric_eigen;
mod toeplitz;
mod triangular;
mod triangularize;
mod view;
mod woodbury;
#[cfg(feature = "serde")]
pub mod written;

use crate::vector;
#[cfg(not(feature = "faer"))]
use portable as engine;

pub(crate) use engine::invert_lower;
pub(crate) use product::multiply_views;

pub use cholesky::Cholesky;
pub use discretize::{Discretization, discretize};
pub use division::divide_right;
pub use eigenvalues::{Eigenvalue, eigenvalues};
pub use error::MatrixError;
pub use exponential::exponential;
pub use kronecker::Kronecker;
pub use ldlt::Ldlt;
pub use low_rank::LowRank;
pub use lyapunov::lyapunov;
pub use nalgebra::{DMatrix, DVector};
pub use pivoted_cholesky::PivotedCholesky;
pub use product::{
    congruence, gram_of_columns, gram_of_rows, multiply, multiply_transpose, symmetrize, transpose_multiply,
};
pub use symmetric_eigen::SymmetricEigen;
pub use toeplitz::Toeplitz;
pub use triangular::{
    solve_lower_in_place, solve_lower_transpose_in_place, solve_upper_in_place,
    solve_upper_transpose_in_place,
};
pub use triangularize::triangularize;
pub use vector::dot;
pub(crate) use view::View;
pub use woodbury::{InverseBlocks, Woodbury, block_inverse, schur_complement};
