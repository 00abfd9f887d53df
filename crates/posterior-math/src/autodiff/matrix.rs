//! Matrices of numbers on a tape: products, factors, solutions and determinants, each as one operation.

use std::fmt;

use super::real::Real;
use super::tape::Var;
use super::{cholesky_adjoint, ln_determinant_adjoint, solve_adjoint};
use crate::linalg::{Cholesky, DMatrix};

/// A matrix whose entries are on a [`Tape`](super::Tape), or constants.
///
/// A product, a factor or a solution takes a place on the tape for each of its entries and one adjoint for
/// all of them, where the sums of its entries would take n³ places. What has no factor is NaN, and so is the
/// gradient.
///
/// ```
/// use posterior_math::autodiff::{Real, VarMatrix, gradient};
/// use posterior_math::linalg::DMatrix;
///
/// // ln det of [[e^x, 1], [1, 2]] is ln(2 e^x - 1).
/// let mut slope = [0.0];
/// let value = gradient(
///     |x| VarMatrix::from_fn(2, 2, |i, j| if (i, j) == (0, 0) { x[0].exp() } else { Real::constant((i + j).max(1) as f64) }).ln_determinant(),
///     &[0.5],
///     &mut slope,
/// );
/// let e = 0.5_f64.exp();
/// assert!((value - (2.0 * e - 1.0).ln()).abs() < 1e-15 && (slope[0] - 2.0 * e / (2.0 * e - 1.0)).abs() < 1e-14);
/// ```
#[derive(Clone)]
pub struct VarMatrix<'t> {
    rows: usize,
    columns: usize,
    /// Column after column.
    entries: Vec<Var<'t>>,
}

impl fmt::Debug for VarMatrix<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("VarMatrix").field(&self.values()).finish()
    }
}

impl<'t> VarMatrix<'t> {
    /// The matrix with the entry `entry(i, j)` in row i and column j.
    pub fn from_fn(rows: usize, columns: usize, mut entry: impl FnMut(usize, usize) -> Var<'t>) -> Self {
        let places = (0..columns).flat_map(|j| (0..rows).map(move |i| (i, j)));
        Self { rows, columns, entries: places.map(|(i, j)| entry(i, j)).collect() }
    }

    /// A matrix that depends on nothing.
    pub fn constant(matrix: &DMatrix<f64>) -> Self {
        Self::from_fn(matrix.nrows(), matrix.ncols(), |i, j| Real::constant(matrix[(i, j)]))
    }

    /// The numbers of rows and of columns.
    pub const fn shape(&self) -> (usize, usize) {
        (self.rows, self.columns)
    }

    /// The entry in row `row` and column `column`.
    ///
    /// # Panics
    /// If there is no such entry.
    #[track_caller]
    pub fn at(&self, row: usize, column: usize) -> Var<'t> {
        assert!(row < self.rows && column < self.columns, "no entry ({row}, {column})");
        self.entries[column * self.rows + row]
    }

    /// The matrix without its derivatives.
    pub fn values(&self) -> DMatrix<f64> {
        DMatrix::from_iterator(self.rows, self.columns, self.entries.iter().map(|entry| entry.inner()))
    }

    /// The transposed matrix.
    #[must_use]
    pub fn transpose(&self) -> Self {
        Self::from_fn(self.columns, self.rows, |i, j| self.at(j, i))
    }

    /// A B: Ā = C̄ Bᵀ, B̄ = Aᵀ C̄.
    ///
    /// # Panics
    /// If this matrix has not as many columns as `other` has rows.
    #[track_caller]
    #[must_use]
    pub fn product(&self, other: &Self) -> Self {
        assert_eq!(self.columns, other.rows, "columns of the left matrix and rows of the right one");
        let (left, right) = (self.values(), other.values());
        let value = &left * &right;
        let arguments = [self.entries.as_slice(), &other.entries].concat();
        Self::of(&arguments, &value, move |results, arguments| {
            let (of_left, of_right) = arguments.split_at_mut(left.len());
            of_left.copy_from_slice((results * right.transpose()).as_slice());
            of_right.copy_from_slice(left.tr_mul(results).as_slice());
        })
    }

    /// The lower Cholesky factor of this symmetric positive definite matrix; NaN if it is not positive
    /// definite.
    ///
    /// Derivatives are those along symmetric changes, as a symmetric matrix has: each of two equal entries
    /// gets half.
    ///
    /// # Panics
    /// If the matrix is not square.
    #[track_caller]
    #[must_use]
    pub fn cholesky(&self) -> Self {
        let factor = self.factor();
        let kept = factor.clone();
        Self::of(&self.entries, &kept, move |results, arguments| {
            arguments.copy_from_slice(cholesky_adjoint(&factor, results).as_slice());
        })
    }

    /// A⁻¹ B, for this symmetric positive definite A; NaN if it is not positive definite. Derivatives as of
    /// [`cholesky`](Self::cholesky).
    ///
    /// # Panics
    /// If the matrix is not square, or B has another number of rows.
    #[track_caller]
    #[must_use]
    pub fn solve(&self, right: &Self) -> Self {
        assert_eq!(self.rows, right.rows, "rows of both matrices");
        let factor = self.factor();
        let solution = solved(&factor, right.values());
        let arguments = [self.entries.as_slice(), &right.entries].concat();
        let kept = solution.clone();
        Self::of(&arguments, &kept, move |results, arguments| {
            let (of_matrix, of_right) = arguments.split_at_mut(factor.len());
            for (j, column) in of_right.chunks_exact_mut(factor.nrows().max(1)).enumerate() {
                let (x, adjoint) = (solution.column(j).into_owned(), results.column(j).into_owned());
                let (own, matrix) = solve_adjoint(&factor, &x, &adjoint);
                column.copy_from_slice(own.as_slice());
                of_matrix.iter_mut().zip(&matrix).for_each(|(sum, own)| *sum += own);
            }
        })
    }

    /// ln det A of this symmetric positive definite matrix; NaN if it is not positive definite. Derivatives
    /// as of [`cholesky`](Self::cholesky).
    ///
    /// # Panics
    /// If the matrix is not square.
    #[track_caller]
    #[must_use]
    pub fn ln_determinant(&self) -> Var<'t> {
        let factor = self.factor();
        let value = 2.0 * factor.diagonal().iter().map(|pivot| pivot.ln()).sum::<f64>();
        Var::custom(&self.entries, &[value], move |results, arguments| {
            arguments.copy_from_slice(ln_determinant_adjoint(&factor, results[0]).as_slice());
        })[0]
    }

    /// The factor of the values.
    #[track_caller]
    fn factor(&self) -> DMatrix<f64> {
        assert_eq!(self.rows, self.columns, "a square matrix");
        Cholesky::decompose(self.values()).map_or_else(
            |_| DMatrix::from_element(self.rows, self.rows, f64::NAN),
            |root| root.factor().clone(),
        )
    }

    /// What an operation of matrices has made of these numbers.
    fn of(
        arguments: &[Var<'t>],
        value: &DMatrix<f64>,
        adjoint: impl Fn(&DMatrix<f64>, &mut [f64]) + Send + Sync + 'static,
    ) -> Self {
        let (rows, columns) = value.shape();
        let entries = Var::custom(arguments, value.as_slice(), move |results, arguments| {
            adjoint(&DMatrix::from_column_slice(rows, columns, results), arguments);
        });
        Self { rows, columns, entries }
    }
}

/// (L Lᵀ)⁻¹ B; NaN if L is.
fn solved(factor: &DMatrix<f64>, mut b: DMatrix<f64>) -> DMatrix<f64> {
    if !factor.solve_lower_triangular_mut(&mut b) || !factor.tr_solve_lower_triangular_mut(&mut b) {
        b.fill(f64::NAN);
    }
    b
}
