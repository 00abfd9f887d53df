//! The coordinates to compute in: near 0, and of size about 1.

use posterior_math::linalg::DMatrix;

use crate::error::Error;
use crate::observations::Observations;

/// What takes missing values.
pub(super) const MISSING: &str = "; k-means takes no missing values, a Gaussian mixture does";

/// Far from all that counts.
const FAR: f64 = 1e140;

/// y = s x - s o with a power of two s, so that the only rounding is that of the difference: neither a large
/// common offset nor a large or small unit costs a digit.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Frame {
    pub(super) scale: f64,
    pub(super) origin: Vec<f64>,
}

impl Frame {
    /// The frame with this origin in which no number of size up to `largest` is beyond 2.
    pub(super) fn new(origin: Vec<f64>, largest: f64) -> Self {
        Self { scale: scale_of(largest), origin }
    }

    /// About the means of the columns, rounded to the power of two below the column's spread: what is exact
    /// on a grid stays so.
    pub(super) fn about_mean(values: &DMatrix<f64>) -> Self {
        let scale = scale_of(largest(values.iter()));
        let origin = |column: &[f64]| {
            let mean = column.iter().map(|x| x * scale).sum::<f64>() / column.len() as f64;
            let spread = column.iter().fold(0.0, |spread: f64, x| spread.max((x * scale - mean).abs()));
            let grid = 1.0 / scale_of(spread);
            // Of equal numbers, the mean may not be theirs.
            let rounded =
                if spread <= 1e-15 * mean.abs() { column[0] * scale } else { (mean / grid).round() * grid };
            rounded / scale
        };
        Self { scale, origin: values.as_slice().chunks_exact(values.nrows()).map(origin).collect() }
    }

    pub(super) fn inside(&self, x: f64, column: usize) -> f64 {
        x * self.scale - self.origin[column] * self.scale
    }

    /// Squared distances in the units of the data: ∞ or 0 where they are beyond the range of f64.
    pub(super) fn squares_outside(&self, square: f64) -> f64 {
        square / self.scale / self.scale
    }

    /// The rows of a matrix, one after the other.
    pub(super) fn rows_inside(&self, values: &DMatrix<f64>) -> Vec<f64> {
        let (n, d) = values.shape();
        let mut rows = vec![0.0; n * d];
        for (t, column) in values.as_slice().chunks_exact(n).enumerate() {
            for (row, &x) in rows.chunks_exact_mut(d).zip(column) {
                row[t] = self.inside(x, t);
            }
        }
        rows
    }
}

/// The largest size of a number.
pub(super) fn largest<'a>(values: impl Iterator<Item = &'a f64>) -> f64 {
    values.fold(0.0, |largest: f64, x| largest.max(x.abs()))
}

/// The power of two that brings `largest` to [1, 2), as far as it is itself within range.
fn scale_of(largest: f64) -> f64 {
    let exponent = (largest.to_bits() >> 52) as i32 - 1023;
    if largest == 0.0 { 1.0 } else { 2_f64.powi(-exponent.clamp(-1000, 1000)) }
}

/// Complete data in a frame, row by row.
#[derive(Debug)]
pub(super) struct Rows {
    pub(super) frame: Frame,
    pub(super) dimension: usize,
    values: Vec<f64>,
    weights: Option<Vec<f64>>,
}

impl Rows {
    /// Data about their mean.
    pub(super) fn about_mean(data: &Observations) -> Result<Self, Error> {
        data.require_complete(MISSING)?;
        let mut rows = Self::within(Frame::about_mean(data.counted().values()), data);
        // Only rows of weight 0 can be so far away: there, their squares have room.
        rows.values.iter_mut().for_each(|x| *x = x.clamp(-FAR, FAR));
        Ok(rows)
    }

    /// Complete data in a given frame.
    pub(super) fn within(frame: Frame, data: &Observations) -> Self {
        let values = frame.rows_inside(data.values());
        Self { frame, dimension: data.dimension(), values, weights: data.weights().map(<[f64]>::to_vec) }
    }

    pub(super) fn len(&self) -> usize {
        self.values.len() / self.dimension
    }

    #[inline]
    pub(super) fn row(&self, i: usize) -> &[f64] {
        &self.values[i * self.dimension..][..self.dimension]
    }

    #[inline]
    pub(super) fn weight(&self, i: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |weights| weights[i])
    }

    /// Some of the rows, each counted once.
    pub(super) fn take(&self, places: &[usize]) -> Self {
        let values = places.iter().flat_map(|&i| self.row(i)).copied().collect();
        Self { frame: self.frame.clone(), dimension: self.dimension, values, weights: None }
    }

    /// Sums of the weights up to each row, where there are weights.
    pub(super) fn cumulated_weights(&self) -> Option<Vec<f64>> {
        let mut sum = 0.0;
        let mut cumulated = self.weights.clone()?;
        for weight in &mut cumulated {
            sum += *weight;
            *weight = sum;
        }
        Some(cumulated)
    }

    /// How many different rows there are of positive weight.
    pub(super) fn distinct(&self) -> usize {
        let mut order: Vec<usize> = (0..self.len()).filter(|&i| self.weight(i) > 0.0).collect();
        let compare = |&i: &usize, &j: &usize| {
            let pairs = self.row(i).iter().zip(self.row(j));
            pairs
                .map(|(a, b)| a.partial_cmp(b))
                .find_map(|o| o.filter(|o| o.is_ne()))
                .unwrap_or(std::cmp::Ordering::Equal)
        };
        order.sort_unstable_by(compare);
        order.dedup_by(|i, j| compare(i, j).is_eq());
        order.len()
    }

    /// That there are fewer different rows than centres.
    pub(super) fn too_few(&self, clusters: usize) -> Error {
        Error::TooFew { what: "the centres of k-means", needed: clusters, found: self.distinct() }
    }
}
