//! The numbers of a factor A = L S Lᵀ with signs S, panel by panel: elimination and solutions.

#![expect(clippy::inline_always, reason = "only what is inlined is compiled for the vectors of the machine")]

use std::sync::Arc;

use pulp::{Arch, Simd, WithSimd};

use super::kernel;
use super::symbolic::SparseSymbolic;
use super::symmetric::SparseSymmetric;
use super::tree::NONE;
use crate::linalg::MatrixError;
use crate::streaming::NeumaierSum;
use crate::vector::subtract_multiple;

/// L in panels, and the signs of the pivots unless all are positive by demand.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Panels {
    pub(super) symbolic: Arc<SparseSymbolic>,
    pub(super) values: Vec<f64>,
    pub(super) signs: Option<Vec<f64>>,
}

impl Drop for Panels {
    fn drop(&mut self) {
        self.symbolic.spare.keep(std::mem::take(&mut self.values));
    }
}

impl Panels {
    /// Left-looking elimination: each panel takes what the panels before leave to it, and is factored.
    ///
    /// T. A. Davis, W. W. Hager, Dynamic supernodes in sparse Cholesky update/downdate and triangular solves,
    /// ACM TOMS 35 (2009), section 3.
    pub(super) fn factor(
        symbolic: Arc<SparseSymbolic>,
        matrix: &SparseSymmetric,
        signed: bool,
    ) -> Result<Self, MatrixError> {
        let mut values = symbolic.spare.zeros(symbolic.held_values());
        symbolic.scatter(matrix, &mut values)?;
        let signs = signed.then(|| vec![1.0; symbolic.size()]);
        let mut own = Self { symbolic, values, signs };
        own.eliminate()?;
        Ok(own)
    }

    fn eliminate(&mut self) -> Result<(), MatrixError> {
        let symbolic = Arc::clone(&self.symbolic);
        let panels = symbolic.panels();
        // The panels that change each panel next, and where their rows for it begin.
        let (mut head, mut next) = (vec![NONE; panels], vec![NONE; panels]);
        let mut from = vec![0_usize; panels];
        let mut place = vec![0_u32; symbolic.size()];
        let (mut row, mut change) = (Vec::new(), Vec::new());
        for panel in 0..panels {
            let columns = symbolic.panel_columns(panel);
            let rows = symbolic.panel_rows(panel);
            for (local, &row) in rows.iter().enumerate() {
                place[row as usize] = local as u32;
            }
            let (before, own) = self.values.split_at_mut(symbolic.value_starts[panel]);
            let own = &mut own[..rows.len() * columns.len()];
            let mut donor = head[panel];
            while donor != NONE {
                let d = donor as usize;
                let following = next[d];
                let donor_rows = symbolic.panel_rows(d);
                let begin = from[d];
                let width = donor_rows[begin..].partition_point(|&row| (row as usize) < columns.end);
                let signs = self.signs.as_ref().map(|signs| &signs[symbolic.panel_columns(d)]);
                let donor_values = &before[symbolic.panel_values(d)];
                kernel::update(donor_values, (donor_rows.len(), begin, width), signs, &mut row, &mut change);
                add_lower(own, rows.len(), columns.start, &donor_rows[begin..], &place, &change);
                from[d] = begin + width;
                if let Some(&row) = donor_rows.get(from[d]) {
                    let heir = symbolic.panel_of[row as usize] as usize;
                    next[d] = std::mem::replace(&mut head[heir], donor);
                }
                donor = following;
            }
            let signs = self.signs.as_mut().map(|signs| &mut signs[columns.clone()]);
            if let Err(local) = kernel::factor(own, rows.len(), signs) {
                let value = own[local * rows.len() + local];
                let pivot = symbolic.order[columns.start + local] as usize;
                return Err(MatrixError::NotPositiveDefinite { pivot, value });
            }
            from[panel] = columns.len();
            if let Some(&row) = rows.get(columns.len()) {
                let heir = symbolic.panel_of[row as usize] as usize;
                next[panel] = std::mem::replace(&mut head[heir], panel as u32);
            }
        }
        Ok(())
    }

    pub(super) fn size(&self) -> usize {
        self.symbolic.size()
    }

    /// The diagonal of L, in the order of elimination.
    pub(super) fn pivots(&self) -> impl Iterator<Item = f64> + '_ {
        (0..self.symbolic.panels()).flat_map(move |panel| {
            let rows = self.symbolic.panel_rows(panel).len();
            let values = &self.values[self.symbolic.panel_values(panel)];
            (0..self.symbolic.panel_columns(panel).len()).map(move |j| values[j * rows + j])
        })
    }

    /// Σ ln of the squared pivots, which is ln |det A|.
    pub(super) fn ln_determinant(&self) -> f64 {
        2.0 * self.pivots().map(f64::ln).collect::<NeumaierSum>().value()
    }

    /// b in the order of elimination, each of its columns.
    pub(super) fn permuted(&self, b: &[f64]) -> Vec<f64> {
        let n = self.size();
        let column = |column: &[f64]| -> Vec<f64> {
            self.symbolic.order.iter().map(|&old| column[old as usize]).collect()
        };
        b.chunks_exact(n.max(1)).flat_map(column).collect()
    }

    /// The reverse of [`Self::permuted`].
    pub(super) fn restored(&self, x: &[f64], b: &mut [f64]) {
        let n = self.size().max(1);
        for (x, b) in x.chunks_exact(n).zip(b.chunks_exact_mut(n)) {
            for (&old, x) in self.symbolic.order.iter().zip(x) {
                b[old as usize] = *x;
            }
        }
    }

    /// x := L⁻¹ x for each column of x, in the order of elimination.
    pub(super) fn solve_lower(&self, x: &mut [f64]) {
        let mut part = Vec::new();
        for panel in 0..self.symbolic.panels() {
            let rows = self.symbolic.panel_rows(panel);
            let values = &self.values[self.symbolic.panel_values(panel)];
            for x in x.chunks_exact_mut(self.size()) {
                part.clear();
                part.extend(rows.iter().map(|&row| x[row as usize]));
                kernel::solve_lower(values, rows.len(), &mut part);
                for (&row, part) in rows.iter().zip(&part) {
                    x[row as usize] = *part;
                }
            }
        }
    }

    /// x := L⁻ᵀ x for each column of x, in the order of elimination.
    pub(super) fn solve_lower_transpose(&self, x: &mut [f64]) {
        let mut part = Vec::new();
        for panel in (0..self.symbolic.panels()).rev() {
            let rows = self.symbolic.panel_rows(panel);
            let columns = self.symbolic.panel_columns(panel);
            let values = &self.values[self.symbolic.panel_values(panel)];
            for x in x.chunks_exact_mut(self.size()) {
                part.clear();
                part.extend(rows.iter().map(|&row| x[row as usize]));
                kernel::solve_lower_transpose(values, rows.len(), &mut part);
                x[columns.clone()].copy_from_slice(&part[..columns.len()]);
            }
        }
    }

    /// b := A⁻¹ b for each column of b.
    pub(super) fn solve_in_place(&self, b: &mut [f64]) {
        if self.size() == 0 {
            return;
        }
        if b.len() >= MANY * self.size() {
            b.chunks_mut(BESIDE * self.size()).for_each(|b| self.solve_beside(b, true));
            return;
        }
        let mut x = self.permuted(b);
        self.solve_lower(&mut x);
        if let Some(signs) = &self.signs {
            for x in x.chunks_exact_mut(self.size()) {
                x.iter_mut().zip(signs).for_each(|(x, sign)| *x *= sign);
            }
        }
        self.solve_lower_transpose(&mut x);
        self.restored(&x, b);
    }
}

impl Panels {
    /// b := L⁻¹ P b for each column of b, in the order of elimination.
    pub(super) fn half_solve_in_place(&self, b: &mut [f64]) {
        if self.size() > 0 && b.len() >= MANY * self.size() {
            b.chunks_mut(BESIDE * self.size()).for_each(|b| self.solve_beside(b, false));
            return;
        }
        let mut x = self.permuted(b);
        self.solve_lower(&mut x);
        b.copy_from_slice(&x);
    }
}

/// From so many columns on they are solved side by side, and so many at most at once: what fits into a cache.
const MANY: usize = 4;
const BESIDE: usize = 64;

impl Panels {
    /// b := A⁻¹ b for several columns, or L⁻¹ P b, row by row: each entry of L meets all columns at once.
    fn solve_beside(&self, b: &mut [f64], whole: bool) {
        let n = self.size();
        let mut x = vec![0.0; b.len()];
        let width = b.len() / n;
        for (&old, x) in self.symbolic.order.iter().zip(x.chunks_exact_mut(width)) {
            x.iter_mut().enumerate().for_each(|(column, x)| *x = b[column * n + old as usize]);
        }
        Arch::new().dispatch(Beside { panels: self, x: &mut x, width, whole });
        for (new, x) in x.chunks_exact(width).enumerate() {
            let place = if whole { self.symbolic.order[new] as usize } else { new };
            x.iter().enumerate().for_each(|(column, x)| b[column * n + place] = *x);
        }
    }
}

/// The solution of rows of `width` numbers each, in the order of elimination; whole, or by L alone.
struct Beside<'a> {
    panels: &'a Panels,
    x: &'a mut [f64],
    width: usize,
    whole: bool,
}

impl WithSimd for Beside<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { panels, x, width, whole } = self;
        let symbolic = &panels.symbolic;
        for panel in 0..symbolic.panels() {
            let (first, rows) = (symbolic.panel_columns(panel).start, symbolic.panel_rows(panel));
            let values = &panels.values[symbolic.panel_values(panel)];
            for (j, column) in values.chunks_exact(rows.len()).enumerate() {
                let (before, after) = x.split_at_mut((first + j + 1) * width);
                let own = &mut before[(first + j) * width..];
                let pivot = column[j].recip();
                scale(own, pivot);
                for (&row, &entry) in rows[j + 1..].iter().zip(&column[j + 1..]) {
                    let at = (row as usize - first - j - 1) * width;
                    subtract_multiple(&mut after[at..at + width], entry, own);
                }
            }
        }
        if !whole {
            return;
        }
        if let Some(signs) = &panels.signs {
            for (x, sign) in x.chunks_exact_mut(width).zip(signs) {
                scale(x, *sign);
            }
        }
        for panel in (0..symbolic.panels()).rev() {
            let (first, rows) = (symbolic.panel_columns(panel).start, symbolic.panel_rows(panel));
            let values = &panels.values[symbolic.panel_values(panel)];
            for (j, column) in values.chunks_exact(rows.len()).enumerate().rev() {
                let (before, after) = x.split_at_mut((first + j + 1) * width);
                let own = &mut before[(first + j) * width..];
                for (&row, &entry) in rows[j + 1..].iter().zip(&column[j + 1..]) {
                    let at = (row as usize - first - j - 1) * width;
                    subtract_multiple(own, entry, &after[at..at + width]);
                }
                let pivot = column[j].recip();
                scale(own, pivot);
            }
        }
    }
}

#[inline(always)]
fn scale(x: &mut [f64], factor: f64) {
    for x in x {
        *x *= factor;
    }
}

/// Adds the lower trapezoid of a change to the panel: its first columns are among those of the panel, which
/// begin at `first`, and its rows among the panel's.
fn add_lower(own: &mut [f64], height: usize, first: usize, rows: &[u32], place: &[u32], change: &[f64]) {
    for (j, change) in change.chunks_exact(rows.len()).enumerate() {
        let local = rows[j] as usize - first;
        let own = &mut own[local * height..(local + 1) * height];
        for (&row, change) in rows[j..].iter().zip(&change[j..]) {
            own[place[row as usize] as usize] += change;
        }
    }
}
