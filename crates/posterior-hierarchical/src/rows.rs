//! What each row sees of the latent values: a sparse matrix by rows.

use std::sync::Arc;

use posterior_math::linalg::DMatrix;
use posterior_math::sparse::SparseMatrix;

use crate::Error;

/// A sum of a few numbers with factors: (place, factor).
pub(crate) type Combination = Vec<(usize, f64)>;

/// Stands for no factor.
const ITSELF: u32 = u32::MAX;

/// A matrix of which each row is a few entries. Those of copies are multiplied by hyperparameters.
#[derive(Debug, Clone)]
pub(crate) struct Rows {
    starts: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
    /// Which factor multiplies each entry; empty if there is none.
    factors: Vec<u32>,
    width: usize,
}

/// A matrix with the factor, by its place, that multiplies it.
pub(crate) type Seen<'a> = (&'a SparseMatrix, Option<usize>);

/// An entry of a copy.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CopiedEntry {
    pub(crate) row: usize,
    pub(crate) place: usize,
    /// Which of the entries of its row it is.
    pub(crate) at: usize,
    /// What the factor multiplies.
    pub(crate) value: f64,
    pub(crate) factor: usize,
}

impl Rows {
    /// Blocks beside each other, with the same rows; those of one block have the same columns.
    ///
    /// # Errors
    /// A row that sees the same latent value by itself and as a copy.
    pub(crate) fn beside<'a>(
        rows: usize,
        blocks: impl IntoIterator<Item = Vec<Seen<'a>>>,
    ) -> Result<Self, Error> {
        let blocks: Vec<Vec<Seen<'_>>> = blocks.into_iter().collect();
        let kept = |visit: &mut dyn FnMut(usize, usize, f64, Option<usize>)| {
            let mut width = 0;
            for block in &blocks {
                for (matrix, factor) in block {
                    for (row, column, value) in matrix.triplets().filter(|entry| entry.2 != 0.0) {
                        visit(row, width + column, value, *factor);
                    }
                }
                width += block.first().map_or(0, |(matrix, _)| matrix.columns());
            }
            width
        };
        let (mut starts, mut copied) = (vec![0; rows + 1], false);
        let width = kept(&mut |row, _, _, factor| {
            starts[row + 1] += 1;
            copied |= factor.is_some();
        });
        for row in 0..rows {
            starts[row + 1] += starts[row];
        }
        let (mut next, count) = (starts.clone(), starts[rows]);
        let (mut columns, mut values) = (vec![0; count], vec![0.0; count]);
        let mut factors = vec![ITSELF; if copied { count } else { 0 }];
        kept(&mut |row, column, value, factor| {
            let at = next[row];
            (columns[at], values[at]) = (column as u32, value);
            if let Some(factor) = factor {
                factors[at] = factor as u32;
            }
            next[row] += 1;
        });
        let mut own = Self { starts, columns, values, factors, width };
        if copied {
            (0..rows).try_for_each(|row| own.sort(row))?;
        }
        Ok(own)
    }

    /// Puts the entries of a row in the order of their columns.
    fn sort(&mut self, row: usize) -> Result<(), Error> {
        let range = self.starts[row]..self.starts[row + 1];
        let mut entries: Vec<(u32, f64, u32)> =
            range.clone().map(|at| (self.columns[at], self.values[at], self.factors[at])).collect();
        entries.sort_by_key(|entry| entry.0);
        if entries.array_windows().any(|[a, b]| a.0 == b.0) {
            return Err(Error::SeenTwice { row });
        }
        for (at, entry) in range.zip(entries) {
            (self.columns[at], self.values[at], self.factors[at]) = entry;
        }
        Ok(())
    }

    /// Whether there are copies.
    pub(crate) const fn has_copies(&self) -> bool {
        !self.factors.is_empty()
    }

    /// The rows with copies multiplied by these factors.
    pub(crate) fn times_factors(self: &Arc<Self>, factors: &[f64]) -> Arc<Self> {
        if self.factors.is_empty() {
            return Arc::clone(self);
        }
        let scaled = self.values.iter().zip(&self.factors);
        let scaled =
            scaled.map(|(value, &at)| if at == ITSELF { *value } else { value * factors[at as usize] });
        Arc::new(Self { values: scaled.collect(), ..Self::clone(self) })
    }

    /// The entries of copies.
    pub(crate) fn copied(&self) -> impl Iterator<Item = CopiedEntry> + '_ {
        let rows = if self.factors.is_empty() { 0..0 } else { 0..self.count() };
        rows.flat_map(move |row| {
            let entries = (self.starts[row]..self.starts[row + 1]).filter(|&at| self.factors[at] != ITSELF);
            entries.map(move |at| CopiedEntry {
                row,
                place: self.columns[at] as usize,
                at: at - self.starts[row],
                value: self.values[at],
                factor: self.factors[at] as usize,
            })
        })
    }

    pub(crate) const fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The number of columns.
    pub(crate) const fn width(&self) -> usize {
        self.width
    }

    /// The entries of a row as (column, value), columns ascending.
    pub(crate) fn row(&self, row: usize) -> impl Iterator<Item = (usize, f64)> + Clone + '_ {
        self.columns(row).iter().zip(self.values(row)).map(|(&column, &value)| (column as usize, value))
    }

    /// The columns of the entries of a row, ascending.
    pub(crate) fn columns(&self, row: usize) -> &[u32] {
        &self.columns[self.starts[row]..self.starts[row + 1]]
    }

    /// The values of the entries of a row.
    pub(crate) fn values(&self, row: usize) -> &[f64] {
        &self.values[self.starts[row]..self.starts[row + 1]]
    }

    /// For each column the rows that see it, and which of their entries does.
    pub(crate) fn transposed(&self) -> Vec<Vec<(u32, u32)>> {
        let mut seen = vec![Vec::new(); self.width];
        for row in 0..self.count() {
            for (at, &column) in self.columns(row).iter().enumerate() {
                seen[column as usize].push((row as u32, at as u32));
            }
        }
        seen
    }

    /// A x.
    pub(crate) fn times(&self, x: &[f64]) -> Vec<f64> {
        let row = |&[begin, end]: &[usize; 2]| {
            let own = self.columns[begin..end].iter().zip(&self.values[begin..end]);
            own.map(|(&column, value)| value * x[column as usize]).sum()
        };
        self.starts.array_windows().map(row).collect()
    }

    /// A X.
    pub(crate) fn times_matrix(&self, x: &DMatrix<f64>) -> DMatrix<f64> {
        // A model may have no latent value, and its columns no entry.
        let columns: Vec<Vec<f64>> = (0..x.ncols()).map(|k| self.times(x.column(k).as_slice())).collect();
        DMatrix::from_vec(self.count(), x.ncols(), columns.concat())
    }

    /// Aᵀ v.
    pub(crate) fn transpose_times(&self, v: &[f64]) -> Vec<f64> {
        let mut product = vec![0.0; self.width];
        for (row, factor) in v.iter().enumerate().filter(|(_, factor)| **factor != 0.0) {
            for (column, value) in self.row(row) {
                product[column] += factor * value;
            }
        }
        product
    }
}
