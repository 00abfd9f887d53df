//! Linear algebra: the matrix and vector types of every public function of the workspace.

pub use nalgebra::{DMatrix, DVector};
