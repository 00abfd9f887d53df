//! Lists of attributes, one for each position.

/// Rows of a sparse matrix, of which most entries are 1.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Rows {
    /// Where each row ends.
    ends: Vec<u32>,
    columns: Vec<u32>,
    /// Empty as long as all are 1.
    values: Vec<f64>,
}

impl Rows {
    /// Adds an entry to the row that is begun. `false` if there is no room for it.
    pub(super) fn push(&mut self, column: usize, value: f64) -> bool {
        let (Ok(column), true) = (u32::try_from(column), self.columns.len() < u32::MAX as usize) else {
            return false;
        };
        if value != 1.0 && self.values.is_empty() {
            self.values.resize(self.columns.len(), 1.0);
        }
        if value != 1.0 || !self.values.is_empty() {
            self.values.push(value);
        }
        self.columns.push(column);
        true
    }

    /// Ends rows until there are `rows`.
    pub(super) fn end(&mut self, rows: usize) {
        self.ends.resize(rows, self.columns.len() as u32);
    }

    /// The number of entries.
    pub(super) const fn len(&self) -> usize {
        self.columns.len()
    }

    /// Whether there is no entry.
    pub(super) const fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// The columns of row t, and its values: no values if all are 1. Rows that were never begun are empty.
    pub(super) fn row(&self, t: usize) -> (&[u32], &[f64]) {
        let Some(&end) = self.ends.get(t) else { return (&[], &[]) };
        let range = if t == 0 { 0 } else { self.ends[t - 1] as usize }..end as usize;
        (&self.columns[range.clone()], self.values.get(range).unwrap_or(&[]))
    }

    /// The entries of row t.
    pub(super) fn entries(&self, t: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let (columns, values) = self.row(t);
        columns
            .iter()
            .enumerate()
            .map(|(i, &column)| (column as usize, values.get(i).copied().unwrap_or(1.0)))
    }
}
