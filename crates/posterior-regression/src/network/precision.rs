//! A positive definite precision, factored: of all parameters, of each alone, or of layers by Kronecker
//! products.

use std::ops::Range;

use posterior_math::linalg::{Cholesky, DMatrix, DVector, multiply, multiply_transpose, transpose_multiply};

/// The precision of a Gaussian, and what one asks of its covariance.
#[derive(Debug, Clone)]
pub(super) enum Precision {
    Dense(Cholesky),
    Diagonal(DVector<f64>),
    Kronecker(Vec<Block>),
}

/// (right ⊗ left) diag(values) (right ⊗ left)ᵀ, of the parameters of one layer by columns.
#[derive(Debug, Clone)]
pub(super) struct Block {
    pub(super) range: Range<usize>,
    /// Orthogonal.
    pub(super) left: DMatrix<f64>,
    /// Orthogonal.
    pub(super) right: DMatrix<f64>,
    /// The eigenvalues.
    pub(super) values: DMatrix<f64>,
}

impl Block {
    fn matrix(&self, column: &[f64]) -> DMatrix<f64> {
        DMatrix::from_column_slice(self.left.nrows(), self.right.nrows(), &column[self.range.clone()])
    }

    /// Divides by the roots of the eigenvalues.
    fn scale(&self, matrix: &mut DMatrix<f64>) {
        matrix.zip_apply(&self.values, |entry, value| *entry /= value.sqrt());
    }
}

impl Precision {
    /// The number of parameters.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Dense(factor) => factor.size(),
            Self::Diagonal(diagonal) => diagonal.len(),
            Self::Kronecker(blocks) => blocks.last().map_or(0, |block| block.range.end),
        }
    }

    pub(super) fn ln_determinant(&self) -> f64 {
        let sum_of_ln = |values: &[f64]| values.iter().map(|value| value.ln()).sum::<f64>();
        match self {
            Self::Dense(factor) => factor.ln_determinant(),
            Self::Diagonal(diagonal) => sum_of_ln(diagonal.as_slice()),
            Self::Kronecker(blocks) => blocks.iter().map(|block| sum_of_ln(block.values.as_slice())).sum(),
        }
    }

    /// Replaces each column c by R c, where RᵀR is the covariance: inner products of the results are
    /// covariances.
    pub(super) fn whiten(&self, columns: &mut DMatrix<f64>) {
        match self {
            Self::Dense(factor) => factor.half_solve_in_place(columns),
            Self::Diagonal(diagonal) => {
                for mut column in columns.column_iter_mut() {
                    column.zip_apply(diagonal, |entry, value| *entry /= value.sqrt());
                }
            }
            Self::Kronecker(blocks) => {
                for mut column in columns.column_iter_mut() {
                    for block in blocks {
                        let matrix = block.matrix(column.as_slice());
                        let mut rotated = multiply(&transpose_multiply(&block.left, &matrix), &block.right);
                        block.scale(&mut rotated);
                        column.as_mut_slice()[block.range.clone()].copy_from_slice(rotated.as_slice());
                    }
                }
            }
        }
    }

    /// What has this precision, from white noise.
    pub(super) fn color(&self, noise: DVector<f64>) -> DVector<f64> {
        match self {
            Self::Dense(factor) => factor.half_solve_transpose_vector(&noise),
            Self::Diagonal(diagonal) => noise.zip_map(diagonal, |noise, value| noise / value.sqrt()),
            Self::Kronecker(blocks) => {
                let mut colored = noise;
                for block in blocks {
                    let mut matrix = block.matrix(colored.as_slice());
                    block.scale(&mut matrix);
                    let rotated = multiply_transpose(&multiply(&block.left, &matrix), &block.right);
                    colored.as_mut_slice()[block.range.clone()].copy_from_slice(rotated.as_slice());
                }
                colored
            }
        }
    }

    /// The diagonal of the covariance.
    pub(super) fn variances(&self) -> DVector<f64> {
        match self {
            Self::Dense(factor) => factor.inverse_diagonal(),
            Self::Diagonal(diagonal) => diagonal.map(f64::recip),
            Self::Kronecker(blocks) => {
                let mut variances = DVector::zeros(self.size());
                for block in blocks {
                    let squares = |matrix: &DMatrix<f64>| matrix.map(|entry| entry * entry);
                    let inner = multiply(&squares(&block.left), &block.values.map(f64::recip));
                    let all = multiply_transpose(&inner, &squares(&block.right));
                    variances.rows_range_mut(block.range.clone()).copy_from_slice(all.as_slice());
                }
                variances
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use posterior_math::linalg::{SymmetricEigen, gram_of_columns};

    use super::*;

    /// A positive definite matrix without symmetries.
    fn matrix(size: usize) -> DMatrix<f64> {
        let root = DMatrix::from_fn(size, size, |i, j| ((3 * i + 7 * j + i * j) as f64).sin());
        gram_of_columns(&root) + DMatrix::identity(size, size)
    }

    #[test]
    fn draws_white_columns_and_variances_are_of_one_covariance() {
        let (left, right) = (matrix(3), matrix(4));
        let eigen = |matrix: &DMatrix<f64>| SymmetricEigen::new(matrix).unwrap();
        let values = eigen(&left).values() * eigen(&right).values().transpose();
        let (of_left, of_right) = (eigen(&left).vectors().clone(), eigen(&right).vectors().clone());
        let block = Block { range: 0..12, left: of_left, right: of_right, values };
        let all = right.kronecker(&left);
        let diagonal = matrix(12).diagonal();
        for (precision, expected) in [
            (Precision::Kronecker(vec![block]), all.clone()),
            (Precision::Dense(Cholesky::new(&all).unwrap()), all),
            (Precision::Diagonal(diagonal.clone()), DMatrix::from_diagonal(&diagonal)),
        ] {
            let covariance = Cholesky::new(&expected).unwrap().inverse();
            let mut white = DMatrix::identity(12, 12);
            precision.whiten(&mut white);
            assert!((gram_of_columns(&white) - &covariance).amax() < 1e-13);
            let unit = |at: usize| DVector::from_fn(12, |i, _| if i == at { 1.0 } else { 0.0 });
            let drawn: Vec<_> = (0..12).map(|at| precision.color(unit(at))).collect();
            let root = DMatrix::from_columns(&drawn);
            assert!((&root * root.transpose() - &covariance).amax() < 1e-13);
            assert!((precision.variances() - covariance.diagonal()).amax() < 1e-13);
            assert!(
                (precision.ln_determinant() - Cholesky::new(&expected).unwrap().ln_determinant()).abs()
                    < 1e-12
            );
        }
    }
}
