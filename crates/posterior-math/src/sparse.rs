//! Linear algebra with symmetric matrices of which most entries are zero.
//!
//! | for | take |
//! |---|---|
//! | the matrix | [`SparseSymmetric`]; of any shape [`SparseMatrix`] |
//! | the order of elimination, and where its entries are | [`Ordering`], [`SparseSymbolic`] |
//! | solutions, determinants, draws with a precision, updates | [`SparseCholesky`] |
//! | the same without positive pivots, as far as it goes | [`SparseLdlt`] |
//! | variances and covariances of neighbours | [`SelectedInverse`] |
//!
//! Columns with like entries are held as dense panels, so that nearly all operations are products of dense
//! blocks, by the same kernels as those of [`linalg`](crate::linalg). One thread, unless the features `faer`
//! and `rayon` bring more for large blocks.

mod cholesky;
mod compressed;
mod dissection;
mod graph;
mod kernel;
mod ldlt;
mod minimum_degree;
mod order;
mod panels;
mod rectangular;
mod selected;
mod spare;
mod symbolic;
mod symmetric;
mod tree;
mod update;

pub use cholesky::SparseCholesky;
pub use ldlt::SparseLdlt;
pub use order::Ordering;
pub use rectangular::SparseMatrix;
pub use selected::SelectedInverse;
pub use symbolic::SparseSymbolic;
pub use symmetric::SparseSymmetric;
