//! Blocks of a Gram matrix that are computed together.

use std::ops::Range;

use posterior_math::linalg::DMatrix;

/// Some inputs that follow each other: rows of a matrix.
#[derive(Debug, Clone, Copy)]
pub struct Points<'a> {
    inputs: &'a DMatrix<f64>,
    start: usize,
    len: usize,
}

impl<'a> Points<'a> {
    /// The rows `range` of `inputs`.
    ///
    /// # Panics
    /// If there are not so many rows.
    #[track_caller]
    pub fn new(inputs: &'a DMatrix<f64>, range: Range<usize>) -> Self {
        assert!(
            range.start <= range.end && range.end <= inputs.nrows(),
            "rows {range:?} of {}",
            inputs.nrows()
        );
        Self { inputs, start: range.start, len: range.len() }
    }

    /// How many.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of coordinates of each.
    pub fn dimension(&self) -> usize {
        self.inputs.ncols()
    }

    /// One coordinate of all.
    pub fn coordinate(&self, coordinate: usize) -> &'a [f64] {
        let rows = self.inputs.nrows();
        &self.inputs.as_slice()[coordinate * rows + self.start..][..self.len]
    }

    /// All coordinates of one.
    pub fn point(&self, index: usize) -> Vec<f64> {
        self.inputs.row(self.start + index).iter().copied().collect()
    }
}

/// The pairs of some inputs with some others: a block of a Gram matrix.
#[derive(Debug, Clone, Copy)]
pub struct Tile<'a> {
    /// What the rows of the block stand for.
    pub rows: Points<'a>,
    /// What its columns stand for.
    pub columns: Points<'a>,
}

impl Tile<'_> {
    /// How many pairs.
    pub const fn len(&self) -> usize {
        self.rows.len() * self.columns.len()
    }

    /// Whether there is no pair.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
