//! Compressed columns: where each column begins, its rows in order, and their values.

use crate::linalg::MatrixError;

/// The largest number of rows, columns or entries: indices are 32 bits wide, and the last one is a mark.
const MOST: usize = u32::MAX as usize - 1;

/// The stored entries of a matrix, column by column.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Compressed {
    pub(super) row_count: usize,
    /// Where each column begins, and the end of the last one.
    pub(super) starts: Vec<usize>,
    /// Ascending within a column.
    pub(super) rows: Vec<u32>,
    pub(super) values: Vec<f64>,
}

impl Compressed {
    /// Sorts by buckets, twice, and adds what has one place.
    pub(super) fn from_triplets(
        rows: usize,
        columns: usize,
        triplets: &[(usize, usize, f64)],
    ) -> Result<Self, MatrixError> {
        check_count(triplets.len())?;
        for &(i, j, _) in triplets {
            for (index, size) in [(i, rows), (j, columns)] {
                if index >= size {
                    return Err(MatrixError::OutOfRange { index, size });
                }
            }
        }
        let by_row = bucket_order(triplets.iter().map(|entry| entry.0), rows, triplets.len());
        let by_column = bucket_order(by_row.iter().map(|&k| triplets[k as usize].1), columns, triplets.len());
        let mut sorted = Self { row_count: rows, starts: vec![0], rows: Vec::new(), values: Vec::new() };
        for &k in &by_column {
            let (i, j, value) = triplets[by_row[k as usize] as usize];
            while sorted.starts.len() <= j {
                sorted.starts.push(sorted.rows.len());
            }
            let begun = sorted.rows.len() > sorted.starts[j];
            match sorted.values.last_mut() {
                Some(last) if begun && sorted.rows.last() == Some(&(i as u32)) => *last += value,
                _ => {
                    sorted.rows.push(i as u32);
                    sorted.values.push(value);
                }
            }
        }
        sorted.starts.resize(columns + 1, sorted.rows.len());
        if sorted.values.iter().all(|value| value.is_finite()) {
            Ok(sorted)
        } else {
            Err(MatrixError::NotFinite)
        }
    }

    /// Rows as columns: in two passes over the entries.
    pub(super) fn transpose(&self) -> Self {
        let mut starts = vec![0_usize; self.row_count + 1];
        for &row in &self.rows {
            starts[row as usize + 1] += 1;
        }
        for row in 0..self.row_count {
            starts[row + 1] += starts[row];
        }
        let mut next = starts.clone();
        let (mut rows, mut values) = (vec![0; self.rows.len()], vec![0.0; self.rows.len()]);
        for (i, j, value) in self.triplets() {
            rows[next[i]] = j as u32;
            values[next[i]] = value;
            next[i] += 1;
        }
        Self { row_count: self.columns(), starts, rows, values }
    }

    pub(super) const fn columns(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn column(&self, j: usize) -> (&[u32], &[f64]) {
        let range = self.starts[j]..self.starts[j + 1];
        (&self.rows[range.clone()], &self.values[range])
    }

    pub(super) fn entry(&self, i: usize, j: usize) -> f64 {
        let (rows, values) = self.column(j);
        rows.binary_search(&(i as u32)).map_or(0.0, |at| values[at])
    }

    pub(super) fn triplets(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        (0..self.columns()).flat_map(move |j| {
            let (rows, values) = self.column(j);
            rows.iter().zip(values).map(move |(&i, &value)| (i as usize, j, value))
        })
    }
}

/// Whether so many rows, columns or entries can be numbered.
pub(super) const fn check_count(count: usize) -> Result<(), MatrixError> {
    if count <= MOST { Ok(()) } else { Err(MatrixError::OutOfRange { index: count, size: MOST }) }
}

/// The order that sorts keys below `buckets`, and leaves equal ones as they are.
fn bucket_order(keys: impl Iterator<Item = usize> + Clone, buckets: usize, count: usize) -> Vec<u32> {
    let mut next = vec![0_usize; buckets + 1];
    for key in keys.clone() {
        next[key + 1] += 1;
    }
    for bucket in 0..buckets {
        next[bucket + 1] += next[bucket];
    }
    let mut order = vec![0; count];
    for (index, key) in keys.enumerate() {
        order[next[key]] = index as u32;
        next[key] += 1;
    }
    order
}
