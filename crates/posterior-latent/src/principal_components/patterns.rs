//! Rows by what of them is observed.

use std::collections::BTreeMap;

use posterior_math::linalg::DMatrix;

/// Rows of which the same coordinates are observed.
#[derive(Debug, Clone)]
pub(super) struct Pattern {
    /// The rows, ascending.
    pub(super) rows: Vec<usize>,
    /// The coordinates that are observed, ascending.
    pub(super) columns: Vec<usize>,
    /// What is observed: rows by coordinates.
    pub(super) values: DMatrix<f64>,
}

/// The patterns of a matrix with NaN for what is missing, in a fixed order.
pub(super) fn patterns(values: &DMatrix<f64>) -> Vec<Pattern> {
    let mut rows_of: BTreeMap<Vec<bool>, Vec<usize>> = BTreeMap::new();
    for (i, row) in values.row_iter().enumerate() {
        rows_of.entry(row.iter().map(|x| x.is_nan()).collect()).or_default().push(i);
    }
    rows_of
        .into_iter()
        .map(|(missing, rows)| {
            let columns: Vec<usize> = (0..missing.len()).filter(|&t| !missing[t]).collect();
            let values = DMatrix::from_fn(rows.len(), columns.len(), |i, t| values[(rows[i], columns[t])]);
            Pattern { rows, columns, values }
        })
        .collect()
}
