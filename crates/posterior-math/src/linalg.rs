//! Linear algebra: the matrix and vector types of every public function of the workspace, and what inference asks of them.

mod cholesky;
mod engine;
mod error;
mod product;
mod triangular;
mod vector;

pub use cholesky::Cholesky;
pub use error::MatrixError;
pub use nalgebra::{DMatrix, DVector};
pub use triangular::{
    solve_lower_in_place, solve_lower_transpose_in_place, solve_upper_in_place,
    solve_upper_transpose_in_place,
};
