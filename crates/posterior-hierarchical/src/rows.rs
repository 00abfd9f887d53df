//! What each row sees of the latent values: a sparse matrix by rows.

use std::sync::Arc;

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
        let mut entries: Vec<Vec<(u32, f64, u32)>> = vec![Vec::new(); rows];
        let (mut width, mut copied) = (0, false);
        for block in blocks {
            for (matrix, factor) in &block {
                copied |= factor.is_some();
                let factor = factor.map_or(ITSELF, |factor| factor as u32);
                for (row, column, value) in matrix.triplets().filter(|entry| entry.2 != 0.0) {
                    entries[row].push(((width + column) as u32, value, factor));
                }
            }
            width += block.first().map_or(0, |(matrix, _)| matrix.columns());
        }
        let (mut columns, mut values, mut factors, mut starts) =
            (Vec::new(), Vec::new(), Vec::new(), vec![0]);
        for (row, mut own) in entries.into_iter().enumerate() {
            if copied {
                own.sort_by_key(|entry| entry.0);
                if own.array_windows().any(|[a, b]| a.0 == b.0) {
                    return Err(Error::SeenTwice { row });
                }
                factors.extend(own.iter().map(|entry| entry.2));
            }
            columns.extend(own.iter().map(|entry| entry.0));
            values.extend(own.iter().map(|entry| entry.1));
            starts.push(columns.len());
        }
        Ok(Self { starts, columns, values, factors, width })
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
        let range = self.starts[row]..self.starts[row + 1];
        self.columns[range.clone()]
            .iter()
            .zip(&self.values[range])
            .map(|(&column, &value)| (column as usize, value))
    }

    /// Pairs (i, j, product) of the entries of a row, i ≥ j.
    pub(crate) fn pairs(&self, row: usize) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        let entries = self.row(row);
        entries
            .clone()
            .enumerate()
            .flat_map(move |(k, (i, x))| entries.clone().take(k + 1).map(move |(j, y)| (i, j, x * y)))
    }

    /// A x.
    pub(crate) fn times(&self, x: &[f64]) -> Vec<f64> {
        (0..self.count()).map(|row| self.row(row).map(|(column, value)| value * x[column]).sum()).collect()
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
