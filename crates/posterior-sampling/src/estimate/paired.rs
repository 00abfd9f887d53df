//! Pairs of draws that share their random numbers: antithetic, or common.

use posterior_math::check::ParamError;
use rand::Rng;
use rand::distr::{Distribution, Open01};

use super::{Estimate, at_least, moments};

/// The mean of a function of `dim` uniform numbers in (0, 1), over independent pairs u and 1 - u.
///
/// Where the function rises, or falls, in each coordinate, the two errors of a pair have opposite signs: the
/// variance is smaller than from as many independent draws, for linear functions zero. For functions that are
/// even about 1/2 it is twice as large. For draws of a distribution give its quantiles the uniform numbers.
///
/// ```
/// use posterior_dist::stream::stream;
/// use posterior_sampling::estimate::antithetic;
///
/// let estimate = antithetic(1, |u| u[0].exp(), 500, &mut stream(1, &[]))?;
/// assert!((estimate.value - 1.0_f64.exp_m1()).abs() < 4.0 * estimate.standard_error);
/// // Of 1000 independent draws the error would be √(0.242 / 1000) = 0.0156.
/// assert!(estimate.standard_error < 0.003);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
///
/// # Errors
/// Fewer than two pairs; a value that is not finite, with the number of its pair.
pub fn antithetic<R: Rng + ?Sized>(
    dim: usize,
    mut function: impl FnMut(&[f64]) -> f64,
    pairs: usize,
    rng: &mut R,
) -> Result<Estimate, ParamError> {
    at_least(2, pairs, "antithetic", "pairs", "at least 2")?;
    let mut point = vec![0.0; dim];
    mean_of_pairs((0..pairs).map(|_| {
        point.fill_with(|| Open01.sample(rng));
        let value = function(&point);
        for u in &mut point {
            *u = 1.0 - *u;
        }
        (value, function(&point))
    }))
}

/// The mean of values that come in pairs, each pair independent of the others: the standard error is that of
/// the means of pairs.
///
/// # Errors
/// Fewer than two pairs; a value that is not finite, with the number of its pair.
pub fn mean_of_pairs(pairs: impl IntoIterator<Item = (f64, f64)>) -> Result<Estimate, ParamError> {
    let points = moments("mean_of_pairs", pairs.into_iter().map(|(a, b)| 0.5 * a + 0.5 * b))?;
    at_least(2, points.weight() as usize, "mean_of_pairs", "pairs", "at least 2")?;
    Ok(Estimate::of_independent(&points, 2))
}

/// The mean of the first less that of the second, where both of a pair come from the same random numbers.
///
/// What both share is gone from the standard error; from separate draws it would be there twice.
///
/// # Errors
/// Fewer than two pairs; a value that is not finite, with the number of its pair.
pub fn mean_difference(pairs: impl IntoIterator<Item = (f64, f64)>) -> Result<Estimate, ParamError> {
    let points = moments("mean_difference", pairs.into_iter().map(|(a, b)| a - b))?;
    at_least(2, points.weight() as usize, "mean_difference", "pairs", "at least 2")?;
    Ok(Estimate::of_independent(&points, 2))
}
