//! The mean of independent draws.

use posterior_math::check::ParamError;
use rand::Rng;
use rand::distr::Distribution;

use super::{Estimate, at_least, moments};

/// The mean of independent values, with the standard deviation of the values over √S for its error. One pass;
/// nothing is kept.
///
/// # Errors
/// Fewer than two values; a value that is not finite, with its place.
///
/// ```
/// use posterior_sampling::estimate::mean;
///
/// let estimate = mean([1.0, 2.0, 3.0, 4.0])?;
/// assert_eq!(estimate.value, 2.5);
/// assert_eq!(estimate.standard_error, (5.0_f64 / 3.0 / 4.0).sqrt());
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
pub fn mean(values: impl IntoIterator<Item = f64>) -> Result<Estimate, ParamError> {
    let points = moments("mean", values)?;
    at_least(2, points.weight() as usize, "mean", "values", "at least 2")?;
    Ok(Estimate::of_independent(&points, 1))
}

/// The mean of a function under a distribution, over independent draws.
///
/// Where the mean of the function given a part of the draw is known, draw that part alone and take the mean
/// of that conditional mean: its variance is never larger (Rao and Blackwell).
///
/// ```
/// use posterior_dist::{Gamma, Normal, Univariate, stream::stream};
/// use posterior_sampling::estimate::monte_carlo;
///
/// // P(X > 4) for a normal X with a precision that has a gamma distribution: given the precision it is known.
/// let precision = Gamma::shape_rate(2.5, 2.5)?;
/// let tail = |precision: &f64| posterior_math::special::normal_sf(4.0 * precision.sqrt());
/// let estimate = monte_carlo(&precision, tail, 10_000, &mut stream(1, &[]))?;
/// // X has Student's t distribution with five degrees of freedom.
/// let exact = posterior_dist::StudentT::new(5.0, 0.0, 1.0)?.sf(4.0);
/// assert!((estimate.value - exact).abs() < 3.0 * estimate.standard_error);
/// // From draws of X itself the error would be three times as large.
/// assert!(estimate.standard_error < (exact / 10_000.0).sqrt() / 3.0);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
///
/// # Errors
/// Fewer than two draws; a value that is not finite, with the number of its draw.
pub fn monte_carlo<X, D, R>(
    distribution: &D,
    mut function: impl FnMut(&X) -> f64,
    draws: usize,
    rng: &mut R,
) -> Result<Estimate, ParamError>
where
    D: Distribution<X>,
    R: Rng + ?Sized,
{
    at_least(2, draws, "monte_carlo", "draws", "at least 2")?;
    let points = moments("monte_carlo", (0..draws).map(|_| function(&distribution.sample(rng))))?;
    Ok(Estimate::of_independent(&points, 1))
}
