//! Entries of an inverse, without the inverse.

use std::sync::Arc;

use nalgebra::DMatrix;

use super::panels::Panels;
use super::symbolic::SparseSymbolic;
use super::symmetric::SparseSymmetric;
use crate::linalg::{MatrixError, View, invert_lower, multiply_views};
use crate::streaming::NeumaierSum;

/// The entries of A⁻¹ where the factor of A has entries: on the diagonal, where A has entries, and in the
/// fill.
///
/// Takahashi's recursion, from the last panel to the first, each by products of dense blocks.
///
/// # References
/// K. Takahashi, J. Fagan, M.-S. Chin, Formation of a sparse bus impedance matrix, 8th PICA Conference
/// (1973); A. M. Erisman, W. F. Tinney, On computing certain elements of the inverse of a sparse matrix,
/// Commun. ACM 18 (1975); H. Rue, L. Held, Gaussian Markov Random Fields (2005), section 2.4.
#[derive(Debug, Clone, PartialEq)]
pub struct SelectedInverse {
    symbolic: Arc<SparseSymbolic>,
    values: Vec<f64>,
}

impl Drop for SelectedInverse {
    fn drop(&mut self) {
        self.symbolic.spare.keep(std::mem::take(&mut self.values));
    }
}

impl SelectedInverse {
    pub(super) fn of(panels: &Panels) -> Self {
        let symbolic = Arc::clone(&panels.symbolic);
        let mut own = Self { values: symbolic.spare.zeros(panels.values.len()), symbolic };
        let mut work = Work::default();
        for panel in (0..own.symbolic.panels()).rev() {
            own.solve_panel(panels, panel, &mut work);
        }
        own
    }

    /// The diagonal of A⁻¹: variances, if A is a precision.
    pub fn diagonal(&self) -> Vec<f64> {
        self.symbolic
            .place
            .iter()
            .map(|&new| self.symbolic.position(new, new).map_or(f64::NAN, |at| self.values[at]))
            .collect()
    }

    /// The entry of A⁻¹ in row i and column j; none where the factor has none.
    ///
    /// # Panics
    /// Unless both indices are below the number of rows.
    #[track_caller]
    pub fn entry(&self, i: usize, j: usize) -> Option<f64> {
        let (a, b) = (self.symbolic.place[i], self.symbolic.place[j]);
        self.symbolic.position(a.max(b), a.min(b)).map(|at| self.values[at])
    }

    /// The entries of A⁻¹ where A itself has stored entries, in the order of
    /// [`SparseSymmetric::triplets`].
    pub fn stored_entries(&self) -> Vec<f64> {
        self.symbolic.targets().iter().map(|&target| self.values[target]).collect()
    }

    /// tr(A⁻¹ B) for a B with entries only where A, or its factor, has some: the derivative of ln det A along
    /// B.
    ///
    /// # Errors
    /// Another size, or an entry where the factor has none.
    pub fn trace_of_product(&self, b: &SparseSymmetric) -> Result<f64, MatrixError> {
        if b.size() != self.symbolic.size() {
            return Err(MatrixError::Mismatch { expected: self.symbolic.size(), found: b.size() });
        }
        let mut sum = NeumaierSum::new();
        for (i, j, value) in b.triplets().filter(|entry| entry.2 != 0.0) {
            let entry = self.entry(i, j).ok_or(MatrixError::OtherPattern)?;
            sum.push(if i == j { 1.0 } else { 2.0 } * entry * value);
        }
        Ok(sum.value())
    }

    /// With the panel's triangle K and rows R below: Z_RK = -Z_RR Y and Z_KK = K⁻ᵀ S K⁻¹ - Yᵀ Z_RK for Y = R
    /// K⁻¹.
    fn solve_panel(&mut self, panels: &Panels, panel: usize, work: &mut Work) {
        let symbolic = Arc::clone(&self.symbolic);
        let rows = symbolic.panel_rows(panel);
        let columns = symbolic.panel_columns(panel);
        let (height, width) = (rows.len(), columns.len());
        let factor = &panels.values[symbolic.panel_values(panel)];
        let below = height - width;
        let triangle =
            DMatrix::from_fn(width, width, |i, j| if i >= j { factor[j * height + i] } else { 0.0 });
        let inverse = invert_lower(&triangle);
        let mut scaled = inverse.clone();
        if let Some(signs) = &panels.signs {
            for (mut row, sign) in scaled.row_iter_mut().zip(&signs[columns]) {
                row *= *sign;
            }
        }
        work.corner.resize(width * width, 0.0);
        let transposed = View::panel(inverse.as_slice(), width, 0, width).transposed();
        multiply_views(
            &mut work.corner,
            width,
            1.0,
            transposed,
            View::panel(scaled.as_slice(), width, 0, width),
        );
        if below > 0 {
            self.gather(&symbolic, &rows[width..], work);
            work.left.resize(below * width, 0.0);
            work.side.resize(below * width, 0.0);
            work.change.resize(width * width, 0.0);
            let under = View::panel(factor, height, width, below);
            multiply_views(
                &mut work.left,
                below,
                1.0,
                under,
                View::panel(inverse.as_slice(), width, 0, width),
            );
            let left = View::panel(&work.left, below, 0, below);
            multiply_views(
                &mut work.side,
                below,
                -1.0,
                View::panel(&work.square[..below * below], below, 0, below),
                left,
            );
            let side = View::panel(&work.side, below, 0, below);
            multiply_views(&mut work.change, width, -1.0, left.transposed(), side);
            work.corner.iter_mut().zip(&work.change).for_each(|(entry, change)| *entry += change);
        }
        let own = &mut self.values[symbolic.panel_values(panel)];
        for (j, column) in own.chunks_exact_mut(height).enumerate() {
            column[..width].copy_from_slice(&work.corner[j * width..(j + 1) * width]);
            column[width..].copy_from_slice(&work.side[j * below..(j + 1) * below]);
        }
    }

    /// The square of A⁻¹ in these rows and columns, from the panels that are solved.
    fn gather(&self, symbolic: &SparseSymbolic, rows: &[u32], work: &mut Work) {
        let n = rows.len();
        if work.square.len() < n * n {
            work.square.resize(n * n, 0.0);
        }
        let mut begin = 0;
        while begin < n {
            let panel = symbolic.panel_of[rows[begin] as usize] as usize;
            let columns = symbolic.panel_columns(panel);
            let end = begin + rows[begin..].partition_point(|&row| (row as usize) < columns.end);
            let panel_rows = symbolic.panel_rows(panel);
            let values = &self.values[symbolic.panel_values(panel)];
            work.places.clear();
            let mut at = 0;
            for &row in &rows[begin..] {
                while panel_rows[at] < row {
                    at += 1;
                }
                work.places.push(at as u32);
            }
            for (j, &row) in rows.iter().enumerate().take(end).skip(begin) {
                let local = row as usize - columns.start;
                let column = &values[local * panel_rows.len()..(local + 1) * panel_rows.len()];
                let target = &mut work.square[j * n + j..(j + 1) * n];
                for (target, &place) in target.iter_mut().zip(&work.places[j - begin..]) {
                    *target = column[place as usize];
                }
            }
            begin = end;
        }
        mirror(&mut work.square, n);
    }
}

/// Copies the lower triangle of a square to the upper one, tile by tile.
fn mirror(square: &mut [f64], n: usize) {
    const TILE: usize = 32;
    for left in (0..n).step_by(TILE) {
        for top in (left..n).step_by(TILE) {
            for j in left..n.min(left + TILE) {
                for i in top.max(j + 1)..n.min(top + TILE) {
                    square[i * n + j] = square[j * n + i];
                }
            }
        }
    }
}

/// Memory that all panels share.
#[derive(Default)]
struct Work {
    square: Vec<f64>,
    left: Vec<f64>,
    side: Vec<f64>,
    corner: Vec<f64>,
    change: Vec<f64>,
    places: Vec<u32>,
}
