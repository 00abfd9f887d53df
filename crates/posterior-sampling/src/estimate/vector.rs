//! Means of several functions of the same draws, and functions of those means.

use posterior_math::check;
use posterior_math::linalg::{DMatrix, DVector};
use posterior_math::streaming::StreamingCovariance;

use super::{Estimate, at_least};
use crate::Error;

/// Means of several functions of the same draws.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct VectorEstimate {
    /// The means.
    pub value: DVector<f64>,
    /// The covariance of the means: that of the functions over the number of draws.
    pub covariance: DMatrix<f64>,
    /// How many draws.
    pub draws: usize,
}

/// The mean of independent points of this dimension. One pass; nothing is kept; O(d²) for each point.
///
/// ```
/// use posterior_dist::stream::stream;
/// use posterior_sampling::estimate::vector_mean;
/// use rand::RngExt;
///
/// let mut rng = stream(1, &[]);
/// // E u / E u² = 3/2, with both from the same draws.
/// let powers = vector_mean(2, (0..10_000).map(|_| { let u: f64 = rng.random(); [u, u * u] }))?;
/// let ratio = powers.ratio(0, 1)?;
/// assert!((ratio.value - 1.5).abs() < 3.0 * ratio.standard_error && ratio.standard_error < 0.01);
/// # Ok::<(), posterior_sampling::Error>(())
/// ```
///
/// # Errors
/// Fewer than two points; a point of another dimension; a coordinate that is not finite, with its place.
pub fn vector_mean<P: AsRef<[f64]>>(
    dim: usize,
    points: impl IntoIterator<Item = P>,
) -> Result<VectorEstimate, Error> {
    let mut statistic = StreamingCovariance::new(dim);
    let mut draws = 0;
    for point in points {
        let point = point.as_ref();
        check::dimension("coordinates of a point", dim, point.len())?;
        for (i, &x) in point.iter().enumerate() {
            check::finite("vector_mean", "coordinate", x).map_err(|error| error.at(i))?;
        }
        statistic.push(point);
        draws += 1;
    }
    at_least(2, draws, "vector_mean", "points", "at least 2")?;
    let covariance = statistic.sample_covariance() / draws as f64;
    Ok(VectorEstimate { value: statistic.mean(), covariance, draws })
}

impl VectorEstimate {
    /// The mean of one function.
    #[track_caller]
    pub fn component(&self, i: usize) -> Estimate {
        let standard_error = self.covariance[(i, i)].sqrt();
        Estimate { value: self.value[i], standard_error, draws: self.draws }
    }

    /// A function of the means, from its value and its gradient there, with the error of first order (the
    /// delta method). Its bias is of order 1/S.
    ///
    /// # Errors
    /// A gradient of another length; a value or a derivative that is not finite.
    pub fn function(&self, value: f64, gradient: &[f64]) -> Result<Estimate, Error> {
        check::dimension("derivatives of a function of means", self.value.len(), gradient.len())?;
        check::finite("VectorEstimate::function", "value", value)?;
        for (i, &slope) in gradient.iter().enumerate() {
            check::finite("VectorEstimate::function", "gradient", slope).map_err(|error| error.at(i))?;
        }
        let gradient = DVector::from_column_slice(gradient);
        let variance = gradient.dot(&(&self.covariance * &gradient)).max(0.0);
        Ok(Estimate { value, standard_error: variance.sqrt(), draws: self.draws })
    }

    /// The mean of one function over that of another, with the error of first order.
    ///
    /// # Errors
    /// A second mean of zero.
    #[track_caller]
    pub fn ratio(&self, over: usize, under: usize) -> Result<Estimate, Error> {
        let (a, b) = (self.value[over], self.value[under]);
        check::require(b != 0.0, "VectorEstimate::ratio", "mean of the denominator", b, "other than zero")?;
        let mut gradient = vec![0.0; self.value.len()];
        gradient[over] += 1.0 / b;
        gradient[under] -= a / b / b;
        self.function(a / b, &gradient)
    }
}
