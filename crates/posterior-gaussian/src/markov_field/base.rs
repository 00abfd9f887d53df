//! A sparse precision that may be singular, with what makes its distribution proper.

use std::sync::Arc;

use posterior_math::check::ParamError;
use posterior_math::linalg::{DMatrix, DVector, MatrixError};
use posterior_math::sparse::{Ordering, SparseCholesky, SparseSymbolic, SparseSymmetric};

use super::NAME;

/// How far Q N may be from 0, as a part of the diagonal of Q times the size of N.
const NULL_TOLERANCE: f64 = 1e-8;

/// A precision Q with the null space N, and B x = 0, which decides along N.
///
/// Some rows, as many as N has columns, are pinned to 0, so that the others have a factor. What is drawn or
/// solved with them is moved along N until B x = 0.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Base {
    pub(super) precision: SparseSymmetric,
    factor: SparseCholesky,
    /// The rows that are not pinned; all if there is no null space.
    kept: Vec<usize>,
    /// A row for each coordinate.
    null: DMatrix<f64>,
    /// B, a column for each coordinate.
    pub(super) identify: DMatrix<f64>,
    /// (B N)⁻¹.
    inner: DMatrix<f64>,
    /// ln |Q|, of the eigenvalues that are not zero.
    pub(super) ln_pseudo_determinant: f64,
    /// The logarithm of the density at the mean without powers of 2π.
    pub(super) ln_peak: f64,
}

impl Base {
    /// A positive definite precision.
    pub(super) fn proper(precision: SparseSymmetric, ordering: &Ordering) -> Result<Self, ParamError> {
        let n = precision.size();
        Self::new(precision, DMatrix::zeros(n, 0), DMatrix::zeros(0, n), ordering)
    }

    /// A precision that was analysed before, positive definite.
    pub(super) fn with_symbolic(
        precision: SparseSymmetric,
        symbolic: &Arc<SparseSymbolic>,
    ) -> Result<Self, ParamError> {
        let n = precision.size();
        let factor = SparseCholesky::with_symbolic(symbolic, &precision).map_err(refused)?;
        let ln_pseudo_determinant = factor.ln_determinant();
        Ok(Self {
            precision,
            factor,
            kept: (0..n).collect(),
            null: DMatrix::zeros(n, 0),
            identify: DMatrix::zeros(0, n),
            inner: DMatrix::zeros(0, 0),
            ln_pseudo_determinant,
            ln_peak: 0.5 * ln_pseudo_determinant,
        })
    }

    pub(super) fn new(
        precision: SparseSymmetric,
        null: DMatrix<f64>,
        identify: DMatrix<f64>,
        ordering: &Ordering,
    ) -> Result<Self, ParamError> {
        let (n, k) = (precision.size(), null.ncols());
        check_null_space(&precision, &null)?;
        let (pinned, ln_pinned) = pinned_rows(&null)?;
        let mut is_kept = vec![true; n];
        for &row in &pinned {
            is_kept[row] = false;
        }
        let kept: Vec<usize> = (0..n).filter(|&row| is_kept[row]).collect();
        let ordering = restricted(ordering, &kept, &is_kept);
        let part = if k == 0 { precision.clone() } else { precision.principal(&kept) };
        let factor = SparseCholesky::new(&part, &ordering).map_err(|error| match error {
            MatrixError::NotPositiveDefinite { pivot, value } => {
                refused(MatrixError::NotPositiveDefinite { pivot: kept[pivot], value })
            }
            other => refused(other),
        })?;
        let ln_factor = factor.ln_determinant();
        let (mut ln_pseudo_determinant, mut ln_peak, mut inner) =
            (ln_factor, 0.5 * ln_factor, DMatrix::zeros(0, 0));
        if k > 0 {
            let requirement = "rows that decide along the whole null space of the precision";
            let undecided = || ParamError::new(NAME, "constraint", f64::NAN, requirement);
            let product = &identify * &null;
            let ln_product = product.determinant().abs().ln();
            inner = product.try_inverse().ok_or_else(undecided)?;
            ln_pseudo_determinant += null.tr_mul(&null).determinant().ln() - 2.0 * ln_pinned;
            let rows = (&identify * identify.transpose()).determinant().ln();
            ln_peak += ln_product - ln_pinned - 0.5 * rows;
            if !ln_peak.is_finite() {
                return Err(undecided());
            }
        }
        Ok(Self { precision, factor, kept, null, identify, inner, ln_pseudo_determinant, ln_peak })
    }

    pub(super) fn dimension(&self) -> usize {
        self.precision.size()
    }

    /// The dimension less that of the null space.
    pub(super) fn rank(&self) -> usize {
        self.kept.len()
    }

    pub(super) const fn symbolic(&self) -> &Arc<SparseSymbolic> {
        self.factor.symbolic()
    }

    /// x := white noise, as many numbers as the rank, to a draw with mean zero.
    pub(super) fn draw(&self, mut noise: Vec<f64>) -> Vec<f64> {
        self.factor.half_solve_transpose_slice_in_place(&mut noise);
        let mut x = self.spread(&noise);
        self.move_along_null(&mut x);
        x
    }

    /// The covariance times v.
    pub(super) fn apply(&self, v: &[f64]) -> Vec<f64> {
        let mut v = v.to_vec();
        if self.null.ncols() > 0 {
            // The transpose of the move: v - Bᵀ (B N)⁻ᵀ Nᵀ v.
            let along = self.inner.tr_mul(&self.null.tr_mul(&DVector::from_column_slice(&v)));
            let change = self.identify.tr_mul(&along);
            v.iter_mut().zip(change.iter()).for_each(|(v, change)| *v -= change);
        }
        let mut part: Vec<f64> = self.kept.iter().map(|&row| v[row]).collect();
        self.factor.solve_slice_in_place(&mut part);
        let mut x = self.spread(&part);
        self.move_along_null(&mut x);
        x
    }

    /// The diagonal of the covariance.
    pub(super) fn variances(&self) -> Vec<f64> {
        let mut variances = self.spread(&self.factor.selected_inverse().diagonal());
        if self.null.ncols() > 0 {
            // With T = N (B N)⁻¹ and G the pinned covariance: G - T (B G) - (B G)ᵀ Tᵀ + T (B G Bᵀ) Tᵀ.
            let solved = self.pinned_solve(&self.identify.transpose());
            let along = &self.null * &self.inner;
            let middle = &self.identify * &solved;
            let far = &along * middle;
            for (i, variance) in variances.iter_mut().enumerate() {
                let cross: f64 = along.row(i).dot(&solved.row(i));
                *variance += far.row(i).dot(&along.row(i)) - 2.0 * cross;
            }
        }
        variances
    }

    /// Whether rows that are known, given by their products with N, decide along the whole null space.
    pub(super) fn decided_by(&self, product_with_null: &DMatrix<f64>) -> Result<(), ParamError> {
        let requirement = "enough to decide along the null space of the precision";
        let refused = ParamError::new(NAME, "what is known", product_with_null.nrows() as f64, requirement);
        if self.null.ncols() == 0 {
            return Ok(());
        }
        if product_with_null.nrows() < self.null.ncols() {
            return Err(refused);
        }
        pinned_rows(product_with_null).map(drop).map_err(|_| refused)
    }

    /// N.
    pub(super) const fn null(&self) -> &DMatrix<f64> {
        &self.null
    }

    fn pinned_solve(&self, columns: &DMatrix<f64>) -> DMatrix<f64> {
        let part = DMatrix::from_fn(self.kept.len(), columns.ncols(), |i, j| columns[(self.kept[i], j)]);
        let solved = self.factor.solve(&part);
        let mut spread = DMatrix::zeros(self.dimension(), columns.ncols());
        for (i, &row) in self.kept.iter().enumerate() {
            spread.row_mut(row).copy_from(&solved.row(i));
        }
        spread
    }

    fn spread(&self, part: &[f64]) -> Vec<f64> {
        let mut x = vec![0.0; self.dimension()];
        for (&row, &value) in self.kept.iter().zip(part) {
            x[row] = value;
        }
        x
    }

    fn move_along_null(&self, x: &mut [f64]) {
        if self.null.ncols() > 0 {
            let along = &self.inner * (&self.identify * DVector::from_column_slice(x));
            let change = &self.null * along;
            x.iter_mut().zip(change.iter()).for_each(|(x, change)| *x -= change);
        }
    }
}

/// The refusal of a precision, with the coordinate whose pivot was bad.
pub(super) fn refused(error: MatrixError) -> ParamError {
    let refused = error.of_parameter(NAME, "precision");
    match error {
        MatrixError::NotPositiveDefinite { pivot, .. } => refused.at(pivot),
        _ => refused,
    }
}

/// Q N = 0 up to rounding.
fn check_null_space(precision: &SparseSymmetric, null: &DMatrix<f64>) -> Result<(), ParamError> {
    let largest = precision.diagonal().into_iter().fold(0.0, f64::max);
    for column in null.column_iter() {
        let limit = NULL_TOLERANCE * largest * column.amax();
        let product = precision.multiply_slice(column.as_slice());
        if let Some(at) = product.iter().position(|entry| !(entry.abs() <= limit)) {
            let requirement = "zero, as the precision times its null space is";
            return Err(
                ParamError::new(NAME, "precision times the null space", product[at], requirement).at(at)
            );
        }
    }
    Ok(())
}

/// As many rows of N as it has columns, so that they are a regular matrix, with the logarithm of its
/// determinant's size: by elimination with row pivoting.
fn pinned_rows(null: &DMatrix<f64>) -> Result<(Vec<usize>, f64), ParamError> {
    let mut left = null.clone();
    let (mut rows, mut ln_determinant) = (Vec::new(), 0.0);
    for j in 0..null.ncols() {
        let row = left.column(j).iamax();
        let pivot = left[(row, j)];
        if !(pivot.abs() > 1e-12 * null.column(j).amax()) {
            return Err(ParamError::new(
                NAME,
                "null space",
                pivot,
                "of independent columns (the value is a pivot)",
            ));
        }
        rows.push(row);
        ln_determinant += pivot.abs().ln();
        for other in j + 1..null.ncols() {
            let factor = left[(row, other)] / pivot;
            for i in 0..null.nrows() {
                let change = factor * left[(i, j)];
                left[(i, other)] -= change;
            }
        }
        // What was pinned is zero in all columns to come, to the last bit.
        left.row_mut(row).columns_mut(j + 1, null.ncols() - j - 1).fill(0.0);
    }
    Ok((rows, ln_determinant))
}

/// An order of all rows as an order of those that are kept.
fn restricted(ordering: &Ordering, kept: &[usize], is_kept: &[bool]) -> Ordering {
    match ordering {
        Ordering::Dissection(points) if points.len() == is_kept.len() => {
            Ordering::Dissection(kept.iter().map(|&row| points[row].clone()).collect())
        }
        Ordering::Given(order) if kept.len() < is_kept.len() => {
            let place = |row: usize| kept.binary_search(&row).ok();
            Ordering::Given(order.iter().filter_map(|&row| place(row)).collect())
        }
        other => other.clone(),
    }
}
