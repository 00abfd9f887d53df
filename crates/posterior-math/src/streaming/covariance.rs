//! Mean vector and covariance matrix in one pass.

use super::mean_variance::is_rounding;
use super::running_mean::RunningMean;
use crate::linalg::{DMatrix, DVector};

/// Weight, mean and sum of products of deviations of vectors.
///
/// As [`MeanVariance`](super::MeanVariance), for vectors of one length. A point costs O(d²).
///
/// ```
/// use posterior_math::streaming::StreamingCovariance;
///
/// let mut statistic = StreamingCovariance::new(2);
/// for point in [[0.0, 0.0], [2.0, 4.0]] {
///     statistic.push(&point);
/// }
/// assert_eq!(statistic.mean().as_slice(), [1.0, 2.0]);
/// assert_eq!(statistic.covariance().as_slice(), [1.0, 2.0, 2.0, 4.0]);
/// ```
#[derive(Debug, Clone)]
pub struct StreamingCovariance {
    weight: f64,
    mean: Vec<RunningMean>,
    /// Column after column; the lower triangle is the one that is kept.
    products: Vec<f64>,
    /// Scratch.
    delta: Vec<f64>,
}

impl PartialEq for StreamingCovariance {
    fn eq(&self, other: &Self) -> bool {
        self.weight == other.weight && self.mean == other.mean && self.products == other.products
    }
}

impl StreamingCovariance {
    /// The statistic of no vectors of length `dimension`.
    pub fn new(dimension: usize) -> Self {
        Self {
            weight: 0.0,
            mean: vec![RunningMean::default(); dimension],
            products: vec![0.0; dimension * dimension],
            delta: vec![0.0; dimension],
        }
    }

    /// The statistic of vectors with this weight, mean and scatter (of which the lower triangle is read),
    /// counted elsewhere. A weight of 0 is that of no vectors.
    ///
    /// # Panics
    /// If the sizes differ.
    #[track_caller]
    pub fn from_moments(weight: f64, mean: &[f64], scatter: &DMatrix<f64>) -> Self {
        let d = mean.len();
        assert_eq!(scatter.shape(), (d, d), "a scatter of another size");
        let empty = Self::new(d);
        if weight == 0.0 {
            return empty;
        }
        let mean = mean.iter().map(|&mean| RunningMean::at(mean)).collect();
        let entry = |place: usize| if place % d >= place / d { scatter[place] } else { 0.0 };
        Self { weight, mean, products: (0..d * d).map(entry).collect(), ..empty }
    }

    /// The length of the vectors.
    pub const fn dimension(&self) -> usize {
        self.mean.len()
    }

    /// Adds a vector.
    ///
    /// # Panics
    /// If its length is not the dimension.
    #[track_caller]
    pub fn push(&mut self, point: &[f64]) {
        self.push_weighted(point, 1.0);
    }

    /// Adds a vector that counts `weight` times.
    ///
    /// # Panics
    /// If its length is not the dimension.
    #[track_caller]
    pub fn push_weighted(&mut self, point: &[f64], weight: f64) {
        assert_eq!(point.len(), self.dimension(), "a vector of another length");
        if weight == 0.0 {
            return;
        }
        for ((delta, mean), &x) in self.delta.iter_mut().zip(&self.mean).zip(point) {
            *delta = mean.distance_to(RunningMean::at(x));
        }
        self.join(weight);
        if self.weight == weight {
            // The first point is the mean, to the last digit.
            for (mean, &x) in self.mean.iter_mut().zip(point) {
                *mean = RunningMean::at(x);
            }
        }
    }

    /// Removes a vector that was added before with at least this weight; without any weight left, all is zero
    /// again.
    ///
    /// # Panics
    /// If its length is not the dimension.
    #[track_caller]
    pub fn remove_weighted(&mut self, point: &[f64], weight: f64) {
        assert_eq!(point.len(), self.dimension(), "a vector of another length");
        if weight == 0.0 {
            return;
        }
        if is_rounding(self.weight - weight, self.weight) {
            *self = Self::new(self.dimension());
            return;
        }
        for ((delta, mean), &x) in self.delta.iter_mut().zip(&self.mean).zip(point) {
            *delta = mean.distance_to(RunningMean::at(x));
        }
        self.join(-weight);
    }

    /// Adds all vectors of another statistic.
    ///
    /// # Panics
    /// If its dimension is another.
    #[track_caller]
    pub fn merge(&mut self, other: &Self) {
        assert_eq!(other.dimension(), self.dimension(), "a statistic of another dimension");
        if other.weight == 0.0 {
            return;
        }
        if self.weight == 0.0 {
            self.clone_from(other);
            return;
        }
        for ((delta, mean), &theirs) in self.delta.iter_mut().zip(&self.mean).zip(&other.mean) {
            *delta = mean.distance_to(theirs);
        }
        for (product, theirs) in self.products.iter_mut().zip(&other.products) {
            *product += theirs;
        }
        self.join(other.weight);
    }

    /// Multiplies the weights of all vectors by `factor` ≥ 0: the mean and the covariance stay.
    pub fn scale(&mut self, factor: f64) {
        if factor == 0.0 {
            *self = Self::new(self.dimension());
            return;
        }
        self.weight *= factor;
        for product in &mut self.products {
            *product *= factor;
        }
    }

    /// The sum of the weights; without weights, the number of vectors.
    pub const fn weight(&self) -> f64 {
        self.weight
    }

    /// The mean; NaN of no vectors.
    pub fn mean(&self) -> DVector<f64> {
        let undefined = self.weight == 0.0;
        let mean = self.mean.iter().map(|mean| if undefined { f64::NAN } else { mean.value() });
        DVector::from_iterator(self.dimension(), mean)
    }

    /// Σ wᵢ (xᵢ - mean)(xᵢ - mean)ᵀ, the scatter matrix.
    pub fn scatter(&self) -> DMatrix<f64> {
        let d = self.dimension();
        DMatrix::from_fn(d, d, |i, j| self.products[i.min(j) * d + i.max(j)])
    }

    /// The scatter over the weight: the maximum-likelihood covariance; NaN of no vectors.
    pub fn covariance(&self) -> DMatrix<f64> {
        self.scatter() / self.weight
    }

    /// The scatter over the weight less 1: without bias where weights count occurrences; NaN up to a weight
    /// of 1.
    pub fn sample_covariance(&self) -> DMatrix<f64> {
        let degrees = if self.weight > 1.0 { self.weight - 1.0 } else { f64::NAN };
        self.scatter() / degrees
    }

    /// Moves to the mean of all, when `weight` (negative to remove) joins at the distance `delta`.
    fn join(&mut self, weight: f64) {
        let total = self.weight + weight;
        let proportion = weight / total;
        let factor = self.weight * proportion;
        let d = self.delta.len();
        for j in 0..d {
            let scaled = factor * self.delta[j];
            let column = &mut self.products[j * d + j..(j + 1) * d];
            for (product, delta) in column.iter_mut().zip(&self.delta[j..]) {
                *product += scaled * delta;
            }
        }
        for (mean, delta) in self.mean.iter_mut().zip(&self.delta) {
            mean.shift(proportion * delta);
        }
        self.weight = total;
    }
}
