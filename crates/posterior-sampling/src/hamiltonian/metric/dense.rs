//! A lower triangle as the factor of a dense metric.

#[cfg(feature = "serde")]
use posterior_math::check::{self, DimensionError};
use posterior_math::linalg::{Cholesky, DMatrix, MatrixError, dot};

use super::super::loops;

/// The lower triangle L of a factorisation S = L Lᵀ: its columns from the diagonal down, one after another.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in super::super) struct Triangle {
    dim: usize,
    columns: Vec<f64>,
}

impl Triangle {
    pub(super) fn new(covariance: &DMatrix<f64>) -> Result<Self, MatrixError> {
        let factor = Cholesky::new(covariance)?.into_factor();
        let dim = factor.nrows();
        let columns =
            (0..dim).flat_map(|j| factor.column(j).rows_range(j..).iter().copied().collect::<Vec<_>>());
        Ok(Self { dim, columns: columns.collect() })
    }

    pub(super) const fn dim(&self) -> usize {
        self.dim
    }

    /// to := L w.
    pub(super) fn multiply(&self, w: &[f64], to: &mut [f64]) {
        to.fill(0.0);
        let mut rest = &self.columns[..];
        for (j, &w) in w.iter().enumerate() {
            let (column, after) = rest.split_at(self.dim - j);
            loops::add_to(&mut to[j..], w, column);
            rest = after;
        }
    }

    /// to := Lᵀ g.
    pub(super) fn multiply_transpose(&self, g: &[f64], to: &mut [f64]) {
        let mut rest = &self.columns[..];
        for (j, to) in to.iter_mut().enumerate() {
            let (column, after) = rest.split_at(self.dim - j);
            *to = dot(column, &g[j..]);
            rest = after;
        }
    }

    /// p := L⁻ᵀ p.
    pub(super) fn solve_transpose(&self, p: &mut [f64]) {
        let mut end = self.columns.len();
        for j in (0..self.dim).rev() {
            let column = &self.columns[end - (self.dim - j)..end];
            p[j] = (p[j] - dot(&column[1..], &p[j + 1..])) / column[0];
            end -= self.dim - j;
        }
    }
}

#[cfg(feature = "serde")]
impl Triangle {
    /// Whether what was read is the lower triangle of a factor.
    pub(super) fn check(&self) -> Result<(), crate::Error> {
        let (expected, found) =
            (self.dim.checked_add(1).and_then(|more| self.dim.checked_mul(more)), self.columns.len());
        if expected.map(|twice| twice / 2) != Some(found) {
            let expected = expected.map_or(usize::MAX, |twice| twice / 2);
            return Err(DimensionError::new("numbers of a triangle", expected, found).into());
        }
        let mut rest = &self.columns[..];
        for j in 0..self.dim {
            let (column, after) = rest.split_at(self.dim - j);
            check::positive("Metric", "diagonal of the factor", column[0]).map_err(|why| why.at(j))?;
            for &entry in column {
                check::finite("Metric", "factor", entry)?;
            }
            rest = after;
        }
        Ok(())
    }
}
