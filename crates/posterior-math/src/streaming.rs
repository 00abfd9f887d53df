//! Statistics of data that come one by one, in one pass, that merge: means, variances, covariances, sums.
//!
//! The result does not depend on how the data were split (to rounding), the empty statistic is neutral, and
//! what was added can be removed. A point may have a weight. Quantiles, which need all data at once, are
//! [those of sorted numbers](quantile_of_sorted).

#[cfg(feature = "linalg")]
mod covariance;
mod mean_variance;
mod moments;
mod neumaier;
mod quantile;
mod running_mean;

#[cfg(feature = "linalg")]
pub use covariance::StreamingCovariance;
pub use mean_variance::MeanVariance;
pub use moments::StreamingMoments;
pub use neumaier::NeumaierSum;
pub use quantile::quantile_of_sorted;
