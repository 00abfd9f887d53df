//! A matrix with a known factor, changed by a low rank: Z + U W Vᵀ.

use nalgebra::{DMatrix, DVector};

use super::cholesky::Cholesky;
use super::error::MatrixError;
use super::lu::Lu;
use super::product::{gram_of_columns, multiply, multiply_transpose};

/// A = Z + U W Vᵀ, solved through the factor of Z; W may be singular.
///
/// A⁻¹ = Z⁻¹ - Z⁻¹ U (I + W Vᵀ Z⁻¹ U)⁻¹ W Vᵀ Z⁻¹ and det A = det Z det(I + W Vᵀ Z⁻¹ U). With W = I and one
/// column this is the formula of Sherman and Morrison. For a diagonal Z and a symmetric change take
/// [`super::LowRank`], which is more accurate.
///
/// # Numerics
/// Loses as many digits as Z and the small matrix have together: a change that nearly cancels Z leaves few.
///
/// # Cost
/// For k columns, 2 n² k + n k² operations to prepare, 2 n² + 4 n k for a solution.
///
/// ```
/// use posterior_math::linalg::{Cholesky, DMatrix, DVector, Woodbury};
///
/// let z = Cholesky::identity(2);
/// let (u, v) = (DMatrix::from_column_slice(2, 1, &[1.0, 0.0]), DMatrix::from_column_slice(2, 1, &[0.0, 1.0]));
/// let a = Woodbury::new(z, u, &DMatrix::identity(1, 1), &v)?; // [[1, 1], [0, 1]]
/// assert_eq!(a.solve_vector(&DVector::from_vec(vec![3.0, 2.0])).as_slice(), [1.0, 2.0]);
/// # Ok::<(), posterior_math::linalg::MatrixError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Woodbury {
    base: Cholesky,
    /// Z⁻¹ U.
    solved: DMatrix<f64>,
    /// W Vᵀ.
    right: DMatrix<f64>,
    /// I + W Vᵀ Z⁻¹ U.
    capacitance: Lu,
}

impl Woodbury {
    /// Z + U W Vᵀ.
    ///
    /// # Errors
    /// Sizes that do not agree, entries that are not finite, or a singular result.
    pub fn new(
        base: Cholesky,
        mut u: DMatrix<f64>,
        w: &DMatrix<f64>,
        v: &DMatrix<f64>,
    ) -> Result<Self, MatrixError> {
        agree(base.size(), u.nrows())?;
        agree(base.size(), v.nrows())?;
        agree(u.ncols(), w.nrows())?;
        agree(w.ncols(), v.ncols())?;
        base.solve_in_place(&mut u);
        let right = multiply_transpose(w, v);
        let mut capacitance = multiply(&right, &u);
        for i in 0..capacitance.nrows() {
            capacitance[(i, i)] += 1.0;
        }
        if !capacitance.iter().chain(right.iter()).chain(u.iter()).all(|entry| entry.is_finite()) {
            return Err(MatrixError::NotFinite);
        }
        let capacitance = Lu::new(capacitance).ok_or(MatrixError::Singular)?;
        Ok(Self { base, solved: u, right, capacitance })
    }

    /// The number of rows of A.
    pub fn size(&self) -> usize {
        self.base.size()
    }

    /// ln |det A|, and the sign of det A: 1 or -1.
    pub fn ln_determinant(&self) -> (f64, f64) {
        let (ln_determinant, sign) = self.capacitance.ln_determinant();
        (self.base.ln_determinant() + ln_determinant, sign)
    }

    /// A⁻¹ b.
    ///
    /// # Panics
    /// Unless b is as long as A has rows.
    #[track_caller]
    pub fn solve_vector(&self, b: &DVector<f64>) -> DVector<f64> {
        let mut x = self.base.solve_vector(b);
        let mut inner = &self.right * &x;
        self.capacitance.solve_slice_in_place(inner.as_mut_slice());
        x -= &self.solved * inner;
        x
    }

    /// A⁻¹ B.
    ///
    /// # Panics
    /// Unless B has as many rows as A.
    #[track_caller]
    pub fn solve(&self, b: &DMatrix<f64>) -> DMatrix<f64> {
        let mut x = self.base.solve(b);
        let mut inner = multiply(&self.right, &x);
        self.capacitance.solve_in_place(&mut inner);
        x -= multiply(&self.solved, &inner);
        x
    }
}

/// The Schur complement S - Rᵀ P⁻¹ R: the covariance of what is left after conditioning on what has
/// covariance P, with R the covariance between the two, a row for each row of P.
///
/// As S - Vᵀ V with V = L⁻¹ R, symmetric to the last bit if S is.
///
/// # Panics
/// Unless R has as many rows as P, and S as many rows and columns as R has columns.
#[track_caller]
pub fn schur_complement(p: &Cholesky, r: &DMatrix<f64>, s: &DMatrix<f64>) -> DMatrix<f64> {
    let whitened = p.half_solve(r);
    s - gram_of_columns(&whitened)
}

/// The four blocks of an inverse, by rows.
#[derive(Debug, Clone, PartialEq)]
pub struct InverseBlocks {
    /// As many rows and columns as P.
    pub top_left: DMatrix<f64>,
    /// As many rows as P and columns as S.
    pub top_right: DMatrix<f64>,
    /// As many rows as S and columns as P.
    pub bottom_left: DMatrix<f64>,
    /// The inverse of the Schur complement S - R P⁻¹ Q.
    pub bottom_right: DMatrix<f64>,
}

/// The blocks of the inverse of the matrix [[P, Q], [R, S]], where P and its Schur complement are regular.
///
/// # Errors
/// Sizes that do not agree, entries that are not finite, or a singular P or Schur complement.
///
/// ```
/// use posterior_math::linalg::{DMatrix, block_inverse};
///
/// let one = |x| DMatrix::from_element(1, 1, x);
/// let inverse = block_inverse(&one(1.0), &one(2.0), &one(3.0), &one(4.0))?;
/// assert_eq!(inverse.top_left[(0, 0)], -2.0);
/// assert_eq!(inverse.bottom_right[(0, 0)], -0.5);
/// # Ok::<(), posterior_math::linalg::MatrixError>(())
/// ```
pub fn block_inverse(
    p: &DMatrix<f64>,
    q: &DMatrix<f64>,
    r: &DMatrix<f64>,
    s: &DMatrix<f64>,
) -> Result<InverseBlocks, MatrixError> {
    agree(p.nrows(), p.ncols())?;
    agree(s.nrows(), s.ncols())?;
    agree(p.nrows(), q.nrows())?;
    agree(p.ncols(), r.ncols())?;
    agree(s.nrows(), r.nrows())?;
    agree(s.ncols(), q.ncols())?;
    if ![p, q, r, s].iter().all(|block| block.iter().all(|entry| entry.is_finite())) {
        return Err(MatrixError::NotFinite);
    }
    let p_inverse = Lu::new(p.clone()).ok_or(MatrixError::Singular)?.inverse();
    let p_inverse_q = multiply(&p_inverse, q);
    let complement = s - multiply(r, &p_inverse_q);
    let bottom_right = Lu::new(complement).ok_or(MatrixError::Singular)?.inverse();
    let r_p_inverse = multiply(r, &p_inverse);
    let bottom_left = -multiply(&bottom_right, &r_p_inverse);
    let top_left = p_inverse - multiply(&p_inverse_q, &bottom_left);
    let top_right = -multiply(&p_inverse_q, &bottom_right);
    Ok(InverseBlocks { top_left, top_right, bottom_left, bottom_right })
}

/// Two sizes are one.
pub(super) const fn agree(expected: usize, found: usize) -> Result<(), MatrixError> {
    if expected == found { Ok(()) } else { Err(MatrixError::Mismatch { expected, found }) }
}
