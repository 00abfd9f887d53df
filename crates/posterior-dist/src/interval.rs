//! Intervals that hold a draw with a given probability.

mod highest_density;

use posterior_math::check::{self, ParamError};

use crate::density::Univariate;

pub use highest_density::highest_density;

/// The interval that holds a draw with a probability `proportion`, with as much below as above it: from the
/// quantile at (1 - proportion)/2 to the upper one. Of counts, which are in steps, it holds at least that.
///
/// # Errors
/// If the proportion is not in [0, 1].
///
/// ```
/// use posterior_dist::{Normal, interval};
///
/// let [low, high] = interval(&Normal::mean_sd(10.0, 1.0)?, 0.95)?;
/// assert!((low - 8.040_036_015).abs() < 1e-9 && (high - 11.959_963_985).abs() < 1e-9);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
pub fn interval(distribution: &impl Univariate, proportion: f64) -> Result<[f64; 2], ParamError> {
    let proportion = check::probability("interval", "proportion", proportion)?;
    let tail = 0.5 * (1.0 - proportion);
    Ok([distribution.quantile(tail), distribution.upper_quantile(tail)])
}
