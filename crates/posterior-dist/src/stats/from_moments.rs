//! Statistics of normal distributions from moments that were counted elsewhere, by a faster loop than one
//! point after the other.

use posterior_math::check::{self, ParamError};
use posterior_math::linalg::DMatrix;
use posterior_math::streaming::{MeanVariance, StreamingCovariance};

use super::Stats;
use crate::continuous::Normal;
use crate::gaussian::Gaussian;
use crate::matrix_check;

impl Stats<Normal> {
    /// The statistics of points with this weight, mean and sum of squared deviations from it. A weight of 0
    /// is that of no points, whatever the others are.
    ///
    /// ```
    /// use posterior_dist::{Normal, Stats};
    ///
    /// let counted = Stats::<Normal>::from_moments(2.0, 3.0, 2.0)?;
    /// assert_eq!(counted, Stats::of((), &[2.0, 4.0])?);
    /// # Ok::<(), posterior_math::ParamError>(())
    /// ```
    ///
    /// # Errors
    /// If the weight is negative or infinite, or, with a weight, the mean is not finite or the squares are
    /// negative or not finite.
    pub fn from_moments(weight: f64, mean: f64, squares: f64) -> Result<Self, ParamError> {
        if check::non_negative("Stats", "weight", weight)? > 0.0 {
            check::finite("Stats", "mean", mean)?;
            check::non_negative("Stats", "sum of squares", squares)?;
        }
        Ok(Self::from_summary((), MeanVariance::from_moments(weight, mean, squares), 0.0))
    }
}

impl Stats<Gaussian> {
    /// The statistics of vectors with this weight, mean and scatter Σ w (x - mean)(x - mean)ᵀ, of which the
    /// lower triangle is read. A weight of 0 is that of no vectors, whatever the others are.
    ///
    /// ```
    /// use posterior_dist::{Gaussian, Stats};
    /// use posterior_math::linalg::DMatrix;
    ///
    /// let scatter = DMatrix::from_row_slice(2, 2, &[2.0, -2.0, -2.0, 2.0]);
    /// let counted = Stats::<Gaussian>::from_moments(2.0, &[3.0, 1.0], &scatter)?;
    /// assert_eq!(counted, Stats::of(2, [[2.0, 2.0], [4.0, 0.0]].iter().map(|x| &x[..]))?);
    /// # Ok::<(), posterior_math::ParamError>(())
    /// ```
    ///
    /// # Errors
    /// If the sizes differ, the weight is negative or infinite, or, with a weight, mean or scatter are not
    /// finite or a diagonal entry of the scatter is negative.
    pub fn from_moments(weight: f64, mean: &[f64], scatter: &DMatrix<f64>) -> Result<Self, ParamError> {
        matrix_check::length("Stats", "rows of the scatter", scatter.nrows(), mean.len())?;
        matrix_check::length("Stats", "columns of the scatter", scatter.ncols(), mean.len())?;
        if check::non_negative("Stats", "weight", weight)? > 0.0 {
            matrix_check::finite("Stats", "mean", mean)?;
            matrix_check::finite("Stats", "scatter", scatter.as_slice())?;
            for (index, &square) in scatter.diagonal().iter().enumerate() {
                check::non_negative("Stats", "sum of squares", square).map_err(|error| error.at(index))?;
            }
        }
        Ok(Self::from_summary(mean.len(), StreamingCovariance::from_moments(weight, mean, scatter), 0.0))
    }
}
