//! What each row sees of the latent values: a sparse matrix by rows.

use posterior_math::sparse::SparseMatrix;

/// A sum of a few numbers with factors: (place, factor).
pub(crate) type Combination = Vec<(usize, f64)>;

/// A matrix of which each row is a few entries.
#[derive(Debug, Clone)]
pub(crate) struct Rows {
    starts: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
    width: usize,
}

impl Rows {
    /// Blocks beside each other, with the same rows.
    pub(crate) fn beside<'a>(rows: usize, blocks: impl IntoIterator<Item = &'a SparseMatrix>) -> Self {
        let mut entries: Vec<Vec<(u32, f64)>> = vec![Vec::new(); rows];
        let mut width = 0;
        for block in blocks {
            for (row, column, value) in block.triplets().filter(|entry| entry.2 != 0.0) {
                entries[row].push(((width + column) as u32, value));
            }
            width += block.columns();
        }
        let mut own = Self { starts: vec![0], columns: Vec::new(), values: Vec::new(), width };
        for row in entries {
            own.columns.extend(row.iter().map(|entry| entry.0));
            own.values.extend(row.iter().map(|entry| entry.1));
            own.starts.push(own.columns.len());
        }
        own
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
