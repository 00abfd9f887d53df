//! Whether two samples are of one distribution.

use posterior_math::check::{self, ParamError};

use super::kolmogorov::kolmogorov_limit_sf;
use super::{GoodnessOfFit, PValueMethod};

/// Pairs of values up to which the p-value is exact.
const PAIRS: usize = 10_000_000;

/// The test of Kolmogorov and Smirnov for two samples: the largest distance of their distribution functions.
///
/// For up to 10⁷ pairs of values, the exact probability that the distance is as large if the values, ties
/// included, are shared out at random, with 12 digits however small it is; for more, the limit for many
/// values of a continuous distribution. O(n m) for samples of n and m, or O((n + m) ln(n + m)).
///
/// # Errors
/// A sample without values, or a value that is NaN.
///
/// # References
/// G. Schröer, D. Trenkler, Computational Statistics & Data Analysis 20, 1995.
///
/// ```
/// use posterior_dist::goodness::two_samples;
///
/// // All of one are below all of the other: 2 of the 20 ways to share them out.
/// let answer = two_samples(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0])?;
/// assert_eq!(answer.statistic, 1.0);
/// assert!((answer.p_value - 0.1).abs() < 1e-15);
/// # Ok::<(), posterior_dist::math::ParamError>(())
/// ```
pub fn two_samples(first: &[f64], second: &[f64]) -> Result<GoodnessOfFit, ParamError> {
    for values in [first, second] {
        check::at_least_one("two_samples", "number of values", values.len())?;
        check::each(values, |x| check::require(!x.is_nan(), "two_samples", "values", x, "a number"))?;
    }
    let mut pooled: Vec<(f64, bool)> =
        first.iter().map(|&x| (x, true)).chain(second.iter().map(|&x| (x, false))).collect();
    pooled.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (n, m) = (first.len(), second.len());
    // Whether the distance counts after so many values: not between two that are equal.
    let ends: Vec<bool> = (0..=n + m)
        .map(|place| place == 0 || place == n + m || pooled[place - 1].0 != pooled[place].0)
        .collect();
    let mut largest = 0;
    let mut below = [0, 0];
    for (place, own) in pooled.iter().enumerate() {
        below[usize::from(!own.1)] += 1;
        if ends[place + 1] {
            largest = largest.max((below[0] * m).abs_diff(below[1] * n));
        }
    }
    let statistic = largest as f64 / (n * m) as f64;
    let (p_value, method) = if n * m <= PAIRS {
        (reaching(n, m, largest, &ends), PValueMethod::Exact)
    } else {
        let effective = n as f64 / (n + m) as f64 * m as f64;
        (kolmogorov_limit_sf(effective.sqrt() * statistic), PValueMethod::Limit)
    };
    Ok(GoodnessOfFit { statistic, p_value, method })
}

/// The probability that a random path from (0, 0) to (n, m) has |i m - j n| ≥ `distance` somewhere where it
/// counts: a sum of positive terms, column by column.
fn reaching(n: usize, m: usize, distance: usize, ends: &[bool]) -> f64 {
    let is_out = |i: usize, j: usize| ends[i + j] && (i * m).abs_diff(j * n) >= distance;
    let mut column = vec![0.0; m + 1];
    for i in 0..=n {
        for j in 0..=m {
            column[j] = if is_out(i, j) {
                1.0
            } else {
                let total = (i + j).max(1) as f64;
                let left = if i > 0 { i as f64 / total * column[j] } else { 0.0 };
                let down = if j > 0 { j as f64 / total * column[j - 1] } else { 0.0 };
                left + down
            };
        }
    }
    column[m].min(1.0)
}
