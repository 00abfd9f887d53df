//! Blocks of a Gram matrix that are computed together.

use std::ops::Range;

use posterior_math::linalg::DMatrix;

/// Some inputs: each coordinate of all of them is a slice.
#[derive(Debug, Clone, Copy)]
pub struct InputTile<'a> {
    coordinates: &'a [f64],
    /// From one coordinate of a point to the next.
    stride: usize,
    start: usize,
    len: usize,
    dimension: usize,
}

impl<'a> InputTile<'a> {
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
        Self {
            coordinates: inputs.as_slice(),
            stride: inputs.nrows(),
            start: range.start,
            len: range.len(),
            dimension: inputs.ncols(),
        }
    }

    /// Points by their coordinates: the first coordinate of all, then the second one, and so on.
    ///
    /// # Panics
    /// Unless there are as many numbers as all points have coordinates.
    #[track_caller]
    pub fn from_coordinates(coordinates: &'a [f64], len: usize, dimension: usize) -> Self {
        assert_eq!(coordinates.len(), len * dimension, "{len} points with {dimension} coordinates");
        Self { coordinates, stride: len, start: 0, len, dimension }
    }

    /// All rows of `inputs`.
    pub fn all(inputs: &'a DMatrix<f64>) -> Self {
        Self::new(inputs, 0..inputs.nrows())
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
    pub const fn dimension(&self) -> usize {
        self.dimension
    }

    /// One coordinate of all.
    pub fn coordinate(&self, coordinate: usize) -> &'a [f64] {
        &self.coordinates[coordinate * self.stride + self.start..][..self.len]
    }

    /// All coordinates of one.
    pub fn point(&self, index: usize) -> Vec<f64> {
        (0..self.dimension).map(|coordinate| self.coordinate(coordinate)[index]).collect()
    }

    /// Calls `visit` with the index and the coordinates of each.
    pub fn for_each(&self, mut visit: impl FnMut(usize, &[f64])) {
        let mut point = vec![0.0; self.dimension];
        for index in 0..self.len {
            for (coordinate, value) in point.iter_mut().enumerate() {
                *value = self.coordinates[coordinate * self.stride + self.start + index];
            }
            visit(index, &point);
        }
    }

    /// All points, one after the other.
    fn by_point(&self) -> Vec<f64> {
        let mut points = Vec::with_capacity(self.len * self.dimension);
        self.for_each(|_, point| points.extend_from_slice(point));
        points
    }
}

/// The pairs of some inputs with some others: a block of a Gram matrix.
#[derive(Debug, Clone, Copy)]
pub struct Tile<'a> {
    /// What the rows of the block stand for.
    pub rows: InputTile<'a>,
    /// What its columns stand for.
    pub columns: InputTile<'a>,
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

    /// Calls `visit` with the index of each pair and its two points, column by column.
    pub fn for_each_pair(&self, mut visit: impl FnMut(usize, &[f64], &[f64])) {
        let (rows, dimension) = (self.rows.by_point(), self.rows.dimension());
        let point = |index: usize| &rows[index * dimension..][..dimension];
        self.columns.for_each(|column, y| {
            for row in 0..self.rows.len() {
                visit(column * self.rows.len() + row, point(row), y);
            }
        });
    }
}
