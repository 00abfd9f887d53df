//! Linear constraints on a field.

use posterior_math::check::ParamError;
use posterior_math::linalg::{Cholesky, DMatrix, DVector};
use posterior_math::special::LN_TAU;

use super::NAME;
use super::base::Base;

/// A x = e, with what corrects a draw: x - C Aᵀ (A C Aᵀ)⁻¹ (A x - e) for the covariance C.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Constraint {
    pub(super) rows: DMatrix<f64>,
    pub(super) values: DVector<f64>,
    /// C Aᵀ.
    cross: DMatrix<f64>,
    /// Of A C Aᵀ.
    factor: Cholesky,
    /// What it adds to the logarithm of the density at every point that fulfils it.
    pub(super) ln_density: f64,
}

impl Constraint {
    pub(super) fn new(
        base: &Base,
        mean: &[f64],
        rows: DMatrix<f64>,
        values: DVector<f64>,
    ) -> Result<Self, ParamError> {
        let columns: Vec<DVector<f64>> =
            rows.row_iter().map(|row| DVector::from(base.apply(row.transpose().as_slice()))).collect();
        let cross = if columns.is_empty() {
            DMatrix::zeros(base.dimension(), 0)
        } else {
            DMatrix::from_columns(&columns)
        };
        let dependent = |error: posterior_math::linalg::MatrixError| {
            error.of_parameter(NAME, "covariance of the constraint")
        };
        let factor = Cholesky::decompose(&rows * &cross).map_err(dependent)?;
        let off = &values - &rows * DVector::from_column_slice(mean);
        // Of the rows as they act where the base lives.
        let mut own = rows.clone();
        if base.identify.nrows() > 0 {
            let outer = Cholesky::decompose(&base.identify * base.identify.transpose()).map_err(dependent)?;
            let coefficients = outer.solve(&(&base.identify * rows.transpose()));
            own -= coefficients.tr_mul(&base.identify);
        }
        let gram = Cholesky::decompose(&own * own.transpose()).map_err(dependent)?;
        let ln_density = 0.5
            * (values.len() as f64 * LN_TAU + factor.ln_determinant() + factor.quadratic_form(&off)
                - gram.ln_determinant());
        Ok(Self { rows, values, cross, factor, ln_density })
    }

    /// Moves x, and once more for what rounding left.
    pub(super) fn correct(&self, x: &mut [f64], values: &DVector<f64>) {
        for _ in 0..2 {
            let off = &self.rows * DVector::from_column_slice(x) - values;
            let change = &self.cross * self.factor.solve_vector(&off);
            x.iter_mut().zip(change.iter()).for_each(|(x, change)| *x -= change);
        }
    }

    /// What the constraint takes from each variance.
    pub(super) fn explained(&self) -> Vec<f64> {
        let white = self.factor.half_solve(&self.cross.transpose());
        white.column_iter().map(|column| column.norm_squared()).collect()
    }
}

/// Whether all |A x - e| are rounding, beside the sizes of their terms.
pub(super) fn is_fulfilled(rows: &DMatrix<f64>, values: &DVector<f64>, x: &[f64]) -> bool {
    rows.row_iter().zip(values.iter()).all(|(row, value)| {
        let (sum, size) = row
            .iter()
            .zip(x)
            .fold((-value, value.abs()), |(sum, size), (a, x)| (sum + a * x, size + (a * x).abs()));
        sum.abs() <= super::FULFILLED * size
    })
}
