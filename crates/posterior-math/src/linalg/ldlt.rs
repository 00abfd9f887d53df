//! L D Lᵀ of a symmetric matrix that need not be positive definite, with interchanges.

use nalgebra::{DMatrix, DVector};

use super::error::MatrixError;
use super::vector::{add_multiple, dot, subtract_multiple};

/// A regular symmetric matrix P A Pᵀ = L D Lᵀ, with a unit lower triangle L and blocks of one or two rows on
/// the diagonal of D.
///
/// Of A only the lower triangle is read. What may be indefinite: saddle points, Hessians, precisions that are
/// quotients.
///
/// # Numerics
/// Backward stable by the interchanges of Bunch and Kaufman.
///
/// # Cost
/// n³/3 operations for the factor by a plain loop, 2 n² for each right-hand side.
///
/// # References
/// J. R. Bunch, L. Kaufman, Some stable methods for calculating inertia and solving symmetric linear systems,
/// Math. Comp. 31 (1977); G. H. Golub, C. F. Van Loan, Matrix Computations, 4th ed., section 4.4.
///
/// ```
/// use posterior_math::linalg::{DMatrix, DVector, Ldlt};
///
/// let exchange = DMatrix::from_row_slice(2, 2, &[0.0, 2.0, 2.0, 0.0]);
/// let factor = Ldlt::new(&exchange)?;
/// assert_eq!(factor.solve_vector(&DVector::from_vec(vec![2.0, 6.0])).as_slice(), [3.0, 1.0]);
/// assert_eq!(factor.ln_determinant(), (4.0_f64.ln(), -1.0));
/// assert_eq!(factor.negative_eigenvalues(), 1);
/// # Ok::<(), posterior_math::linalg::MatrixError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Ldlt {
    /// L below the diagonal.
    factor: DMatrix<f64>,
    diagonal: Vec<f64>,
    /// Below the diagonal of D: not zero in the first row of a block of two.
    beside: Vec<f64>,
    /// Old index of each new one.
    order: Vec<usize>,
}

impl Ldlt {
    /// The factor of a matrix, of which only the lower triangle is read.
    ///
    /// # Errors
    /// Not square, singular to working precision in an exact zero, or an entry that is not finite, there or
    /// on the way.
    pub fn new(matrix: &DMatrix<f64>) -> Result<Self, MatrixError> {
        let (rows, columns) = matrix.shape();
        if rows != columns {
            return Err(MatrixError::NotSquare { rows, columns });
        }
        let mut own = Self {
            factor: matrix.clone(),
            diagonal: vec![0.0; rows],
            beside: vec![0.0; rows],
            order: (0..rows).collect(),
        };
        let mut k = 0;
        while k < rows {
            let (pivot, width) = own.pivot(k)?;
            own.exchange(k + width - 1, pivot);
            if width == 1 {
                own.eliminate(k);
            } else {
                own.eliminate_two(k);
            }
            k += width;
        }
        if own.diagonal.iter().chain(own.factor.lower_triangle().iter()).all(|entry| entry.is_finite()) {
            Ok(own)
        } else {
            Err(MatrixError::NotFinite)
        }
    }

    /// The number of rows.
    pub fn size(&self) -> usize {
        self.order.len()
    }

    /// How many eigenvalues are negative.
    pub fn negative_eigenvalues(&self) -> usize {
        let at = |k: usize| {
            if self.beside[k] == 0.0 {
                let second = k > 0 && self.beside[k - 1] != 0.0;
                usize::from(!second && self.diagonal[k] < 0.0)
            } else {
                // A block of two has one of each sign, by the choice of pivots.
                1
            }
        };
        (0..self.size()).map(at).sum()
    }

    /// ln |det A|, and the sign of det A: 1 or -1.
    pub fn ln_determinant(&self) -> (f64, f64) {
        let mut ln = 0.0;
        let mut k = 0;
        while k < self.size() {
            let (e, d) = (self.beside[k], self.diagonal[k]);
            if e == 0.0 {
                ln += d.abs().ln();
                k += 1;
            } else {
                // d d' - e², without squares that leave the range.
                ln += 2.0 * e.abs().ln() + (1.0 - (d / e) * (self.diagonal[k + 1] / e)).abs().ln();
                k += 2;
            }
        }
        (ln, if self.negative_eigenvalues().is_multiple_of(2) { 1.0 } else { -1.0 })
    }

    /// b := A⁻¹ b.
    ///
    /// # Panics
    /// Unless b is as long as A has rows.
    #[track_caller]
    pub fn solve_slice_in_place(&self, b: &mut [f64]) {
        let n = self.size();
        assert_eq!(b.len(), n, "length of the right-hand side");
        let mut x: Vec<f64> = self.order.iter().map(|&old| b[old]).collect();
        for k in 0..n {
            let begin = self.below(k);
            let (head, tail) = x.split_at_mut(begin);
            subtract_multiple(tail, head[k], &self.factor.as_slice()[k * n + begin..(k + 1) * n]);
        }
        let mut k = 0;
        while k < n {
            let (e, d) = (self.beside[k], self.diagonal[k]);
            if e == 0.0 {
                x[k] /= d;
                k += 1;
            } else {
                let (first, second) = (d / e, self.diagonal[k + 1] / e);
                let (u, v) = (x[k] / e, x[k + 1] / e);
                let inverse = 1.0 / (first * second - 1.0);
                x[k] = inverse * (second * u - v);
                x[k + 1] = inverse * (first * v - u);
                k += 2;
            }
        }
        for k in (0..n).rev() {
            let begin = self.below(k);
            x[k] -= dot(&self.factor.as_slice()[k * n + begin..(k + 1) * n], &x[begin..]);
        }
        for (&old, x) in self.order.iter().zip(x) {
            b[old] = x;
        }
    }

    /// A⁻¹ b.
    ///
    /// # Panics
    /// Unless b is as long as A has rows.
    #[track_caller]
    pub fn solve_vector(&self, b: &DVector<f64>) -> DVector<f64> {
        let mut x = b.clone();
        self.solve_slice_in_place(x.as_mut_slice());
        x
    }

    /// A⁻¹ B.
    ///
    /// # Panics
    /// Unless B has as many rows as A.
    #[track_caller]
    pub fn solve(&self, b: &DMatrix<f64>) -> DMatrix<f64> {
        assert_eq!(b.nrows(), self.size(), "rows of the right-hand side");
        let mut x = b.clone();
        x.as_mut_slice()
            .chunks_exact_mut(self.size().max(1))
            .for_each(|column| self.solve_slice_in_place(column));
        x
    }

    /// The first row of column k that is below its block.
    fn below(&self, k: usize) -> usize {
        if self.beside[k] == 0.0 { k + 1 } else { k + 2 }
    }

    /// An entry of the symmetric rest.
    fn entry(&self, i: usize, j: usize) -> f64 {
        self.factor[(i.max(j), i.min(j))]
    }

    /// Which row comes next, and whether alone or with row k.
    fn pivot(&self, k: usize) -> Result<(usize, usize), MatrixError> {
        /// (1 + √17) / 8, with which the entries grow least.
        const ALPHA: f64 = 0.6403882032022076;
        let n = self.size();
        let own = self.entry(k, k).abs();
        let (largest, row) = (k + 1..n)
            .map(|i| (self.entry(i, k).abs(), i))
            .fold((0.0, k), |best, next| if next.0 > best.0 { next } else { best });
        if !(own.is_finite() && largest.is_finite()) {
            return Err(MatrixError::NotFinite);
        }
        if own == 0.0 && largest == 0.0 {
            return Err(MatrixError::Singular);
        }
        if own >= ALPHA * largest {
            return Ok((k, 1));
        }
        let rowmost = (k..n).filter(|&j| j != row).map(|j| self.entry(row, j).abs()).fold(0.0, f64::max);
        if own * (rowmost / largest) >= ALPHA * largest {
            Ok((k, 1))
        } else if self.entry(row, row).abs() >= ALPHA * rowmost {
            Ok((row, 1))
        } else {
            Ok((row, 2))
        }
    }

    /// Exchanges two rows and columns, p ≤ q.
    fn exchange(&mut self, p: usize, q: usize) {
        if p == q {
            return;
        }
        let n = self.size();
        self.order.swap(p, q);
        let a = &mut self.factor;
        a.swap((p, p), (q, q));
        for j in 0..p {
            a.swap((p, j), (q, j));
        }
        for i in p + 1..q {
            a.swap((i, p), (q, i));
        }
        for i in q + 1..n {
            a.swap((i, p), (i, q));
        }
    }

    fn eliminate(&mut self, k: usize) {
        let n = self.size();
        let (left, right) = self.factor.as_mut_slice().split_at_mut((k + 1) * n);
        let column = &mut left[k * n..];
        let pivot = column[k];
        self.diagonal[k] = pivot;
        for (j, other) in right.chunks_exact_mut(n).enumerate() {
            let j = k + 1 + j;
            subtract_multiple(&mut other[j..], column[j] / pivot, &column[j..]);
        }
        column[k + 1..].iter_mut().for_each(|entry| *entry /= pivot);
    }

    fn eliminate_two(&mut self, k: usize) {
        let n = self.size();
        let (left, right) = self.factor.as_mut_slice().split_at_mut((k + 2) * n);
        let (first, second) = left[k * n..].split_at_mut(n);
        let (d, e, f) = (first[k], first[k + 1], second[k + 1]);
        (self.diagonal[k], self.diagonal[k + 1], self.beside[k]) = (d, f, e);
        let inverse = 1.0 / ((d / e) * (f / e) - 1.0);
        let solved = |a: f64, b: f64| (inverse * ((f / e) * a - b) / e, inverse * ((d / e) * b - a) / e);
        for (j, other) in right.chunks_exact_mut(n).enumerate() {
            let j = k + 2 + j;
            let (a, b) = solved(first[j], second[j]);
            add_multiple(&mut other[j..], -a, &first[j..]);
            subtract_multiple(&mut other[j..], b, &second[j..]);
        }
        for j in k + 2..n {
            (first[j], second[j]) = solved(first[j], second[j]);
        }
    }
}
