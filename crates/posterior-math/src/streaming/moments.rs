//! Mean, variance, skewness and kurtosis in one pass.

use super::running_mean::RunningMean;

/// Weight, mean and the sums of second, third and fourth powers of deviations.
///
/// The same as [`MeanVariance`](super::MeanVariance), with two more moments at about twice the cost and
/// without removal, which would cancel in high powers.
///
/// ```
/// use posterior_math::streaming::StreamingMoments;
///
/// let moments: StreamingMoments = [0.0, 0.0, 0.0, 1.0].into_iter().collect(); // Bernoulli(1/4)
/// assert!((moments.skewness() - 0.5 / (3.0_f64 / 16.0).sqrt()).abs() < 1e-15);
/// assert!((moments.excess_kurtosis() - -2.0 / 3.0).abs() < 1e-15);
/// ```
///
/// # References
/// P. Pébay, Formulas for robust, one-pass parallel computation of covariances and arbitrary-order
/// statistical moments, Sandia report SAND2008-6212.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct StreamingMoments {
    weight: f64,
    mean: RunningMean,
    second: f64,
    third: f64,
    fourth: f64,
}

impl StreamingMoments {
    /// The statistic of no points.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a point.
    pub fn push(&mut self, x: f64) {
        self.push_weighted(x, 1.0);
    }

    /// Adds a point that counts `weight` times.
    pub fn push_weighted(&mut self, x: f64, weight: f64) {
        self.merge(&Self { weight, mean: RunningMean::at(x), second: 0.0, third: 0.0, fourth: 0.0 });
    }

    /// Adds all points of another statistic.
    pub fn merge(&mut self, other: &Self) {
        if other.weight == 0.0 {
            return;
        }
        if self.weight == 0.0 {
            *self = *other;
            return;
        }
        let weight = self.weight + other.weight;
        let delta = self.mean.distance_to(other.mean);
        let (p, q) = (self.weight / weight, other.weight / weight);
        let base = delta * delta * self.weight * q;
        let squares = p * p * other.second + q * q * self.second;
        self.fourth += other.fourth
            + base * delta * delta * (p * p - p * q + q * q)
            + 6.0 * delta * delta * squares
            + 4.0 * delta * (p * other.third - q * self.third);
        self.third +=
            other.third + base * delta * (p - q) + 3.0 * delta * (p * other.second - q * self.second);
        self.second += other.second + base;
        self.mean.shift(delta * q);
        self.weight = weight;
    }

    /// The sum of the weights; without weights, the number of points.
    pub const fn weight(&self) -> f64 {
        self.weight
    }

    /// The mean; NaN of no points.
    pub fn mean(&self) -> f64 {
        if self.weight == 0.0 { f64::NAN } else { self.mean.value() }
    }

    /// The maximum-likelihood variance; NaN of no points.
    pub fn variance(&self) -> f64 {
        self.second / self.weight
    }

    /// The third standardised moment of the points; NaN if they don't vary.
    pub fn skewness(&self) -> f64 {
        self.weight.sqrt() * self.third / self.second.powf(1.5)
    }

    /// The fourth standardised moment of the points less 3; NaN if they don't vary.
    pub fn excess_kurtosis(&self) -> f64 {
        self.weight * self.fourth / (self.second * self.second) - 3.0
    }
}

impl Extend<f64> for StreamingMoments {
    fn extend<I: IntoIterator<Item = f64>>(&mut self, points: I) {
        for x in points {
            self.push(x);
        }
    }
}

impl FromIterator<f64> for StreamingMoments {
    fn from_iter<I: IntoIterator<Item = f64>>(points: I) -> Self {
        let mut statistic = Self::new();
        statistic.extend(points);
        statistic
    }
}
