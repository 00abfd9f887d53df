//! Changes of a factor in n² operations: A ± v vᵀ, and a row more or less.

#![expect(clippy::inline_always, reason = "only what is inlined is compiled for the vectors of the machine")]

use nalgebra::{DMatrix, DVector};
use pulp::{Arch, Simd, WithSimd};

use super::Cholesky;
use crate::linalg::dot;
use crate::linalg::error::MatrixError;
use crate::linalg::triangular::lower_vector;

/// From this many rows the rotations get the widest vectors of the machine.
const VECTORS_FROM: usize = 8;

impl Cholesky {
    /// A := A + v vᵀ, by Givens rotations. On an error the factor is as before.
    ///
    /// # Errors
    /// v has not as many coordinates as A has rows, or the square of one is not finite.
    pub fn rank_one_update(&mut self, v: &DVector<f64>) -> Result<(), MatrixError> {
        self.check_vector(v)?;
        let mut w = v.clone();
        rotate_in(&mut self.factor, w.as_mut_slice(), 0);
        Ok(())
    }

    /// A := A - v vᵀ, by the rotations of LINPACK (`dchdd`). On an error the factor is as before.
    ///
    /// # Numerics
    /// The error grows like 1 / (1 - vᵀ A⁻¹ v): what is left may be much smaller than what was taken from.
    ///
    /// # Errors
    /// v has not as many coordinates as A has rows, or one is not finite; or A - v vᵀ is not positive
    /// definite: the value is then 1 - vᵀ A⁻¹ v, and the pivot the last one.
    ///
    /// # References
    /// G. W. Stewart, The effects of rounding error on an algorithm for downdating a Cholesky factorization,
    /// J. Inst. Math. Appl. 23 (1979).
    pub fn rank_one_downdate(&mut self, v: &DVector<f64>) -> Result<(), MatrixError> {
        self.check_vector(v)?;
        let n = self.size();
        let mut p = v.clone();
        lower_vector(&self.factor, p.as_mut_slice());
        let norm = p.norm();
        let value = (1.0 - norm) * (1.0 + norm);
        if !(value > 0.0) {
            return Err(MatrixError::NotPositiveDefinite { pivot: n.saturating_sub(1), value });
        }
        let mut removed = vec![0.0; n];
        let mut left = value.sqrt();
        for (k, column) in self.factor.as_mut_slice().chunks_exact_mut(n.max(1)).enumerate().rev() {
            let next = length(left, p[k]);
            let (cosine, sine) = (left / next, p[k] / next);
            left = next;
            for (entry, removed) in column[k..].iter_mut().zip(&mut removed[k..]) {
                let rotated = cosine * *removed + sine * *entry;
                *entry = cosine * *entry - sine * *removed;
                *removed = rotated;
            }
        }
        Ok(())
    }

    /// One row and column more, at the end: `row` holds the entries left of the diagonal entry `diagonal`. On
    /// an error the factor is as before.
    ///
    /// # Errors
    /// `row` has not as many coordinates as A has rows, or the square of one is not finite; or the new matrix
    /// is not positive definite, with the value of the new pivot.
    pub fn append(&mut self, row: &DVector<f64>, diagonal: f64) -> Result<(), MatrixError> {
        self.check_vector(row)?;
        let n = self.size();
        let mut last = row.clone();
        lower_vector(&self.factor, last.as_mut_slice());
        let value = diagonal - dot(last.as_slice(), last.as_slice());
        if !(value > 0.0 && value < f64::INFINITY) {
            return Err(MatrixError::NotPositiveDefinite { pivot: n, value });
        }
        let mut factor = DMatrix::zeros(n + 1, n + 1);
        factor.view_mut((0, 0), (n, n)).copy_from(&self.factor);
        factor.view_mut((n, 0), (1, n)).copy_from(&last.transpose());
        factor[(n, n)] = value.sqrt();
        self.factor = factor;
        Ok(())
    }

    /// Without row and column `index`: the rows below take in the column that lost its diagonal.
    ///
    /// # Panics
    /// Unless `index` is below the number of rows.
    #[track_caller]
    pub fn remove(&mut self, index: usize) {
        let n = self.size();
        assert!(index < n, "there are {n} rows, and none has index {index}");
        let mut lost =
            self.factor.view((index + 1, index), (n - index - 1, 1)).iter().copied().collect::<Vec<_>>();
        let kept = std::mem::replace(&mut self.factor, DMatrix::zeros(0, 0));
        self.factor = kept.remove_row(index).remove_column(index);
        rotate_in(&mut self.factor, &mut lost, index);
    }

    fn check_vector(&self, v: &DVector<f64>) -> Result<(), MatrixError> {
        if v.len() != self.size() {
            return Err(MatrixError::Mismatch { expected: self.size(), found: v.len() });
        }
        if v.iter().all(|x| (x * x).is_finite()) { Ok(()) } else { Err(MatrixError::NotFinite) }
    }
}

/// L Lᵀ := L Lᵀ + w wᵀ for the block of L that begins at `from`; w is used up.
fn rotate_in(factor: &mut DMatrix<f64>, w: &mut [f64], from: usize) {
    let n = factor.nrows();
    let entries = factor.as_mut_slice();
    if w.len() < VECTORS_FROM {
        rotate_columns(entries, n, w, from);
    } else {
        Arch::new().dispatch(Rotate { factor: entries, n, w, from });
    }
}

/// [`rotate_columns`] for the vectors of the machine: as a closure it would not be inlined.
struct Rotate<'a> {
    factor: &'a mut [f64],
    n: usize,
    w: &'a mut [f64],
    from: usize,
}

impl WithSimd for Rotate<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        rotate_columns(self.factor, self.n, self.w, self.from);
    }
}

#[inline(always)]
fn rotate_columns(factor: &mut [f64], n: usize, w: &mut [f64], from: usize) {
    for k in from..n {
        let column = &mut factor[k * n..][k..n];
        let rest = &mut w[k - from..];
        let length = length(column[0], rest[0]);
        let (cosine, sine) = (column[0] / length, rest[0] / length);
        for (entry, w) in column.iter_mut().zip(rest.iter_mut()) {
            let rotated = cosine * *entry + sine * *w;
            *w = cosine * *w - sine * *entry;
            *entry = rotated;
        }
        column[0] = length;
    }
}

/// √(x² + y²), and slowly only where the squares leave the range.
#[inline(always)]
fn length(x: f64, y: f64) -> f64 {
    let square = x * x + y * y;
    if square > 1e-280 && square < 1e280 { square.sqrt() } else { x.hypot(y) }
}
