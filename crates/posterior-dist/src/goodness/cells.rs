//! Pearson's test of counts in cells.

use posterior_math::check::{self, ParamError};

use super::{GoodnessOfFit, PValueMethod};
use crate::continuous::ChiSquared;
use crate::density::Univariate;

/// Cells that expect fewer than this are pooled.
const SMALLEST_CELL: f64 = 5.0;

/// Pearson's chi-squared test of values, continuous or counts, in cells of about the same probability.
///
/// The cells end at quantiles of the distribution: 2 n^(2/5) of them (H. Mann, A. Wald, 1942), fewer where
/// one would expect fewer than 5 of the n values or where values have probabilities of their own. They depend
/// on the number of values alone.
///
/// # Errors
/// A value that is not finite; too few values, or a distribution of too few, for two cells that expect 5.
///
/// ```
/// use posterior_dist::{Poisson, goodness};
///
/// let counts = [0.0, 2.0, 1.0, 3.0, 1.0, 0.0, 1.0, 2.0, 4.0, 1.0, 2.0, 0.0];
/// assert!(goodness::chi_squared(&counts, &Poisson::new(1.5)?)?.p_value > 0.5);
/// # Ok::<(), posterior_dist::math::ParamError>(())
/// ```
pub fn chi_squared(values: &[f64], distribution: &impl Univariate) -> Result<GoodnessOfFit, ParamError> {
    check::each(values, |x| check::finite("chi_squared", "values", x))?;
    let (observed, expected) = in_cells(values, distribution);
    chi_squared_of_counts(&observed, &expected)
}

/// Pearson's chi-squared test of counts in cells against the numbers that are expected, whose sums agree.
///
/// From the first cell on, cells are pooled with the next until they expect at least 5; what is left at the
/// end is pooled with the last. One degree of freedom fewer than cells.
///
/// # Errors
/// As many cells expected as observed, numbers that are not negative and finite, sums that agree to 1e-6, and
/// at least two cells after pooling are needed.
///
/// ```
/// use posterior_dist::goodness::{PValueMethod, chi_squared_of_counts};
///
/// // A die: 40 sixes in 120 throws.
/// let answer = chi_squared_of_counts(&[5.0, 8.0, 9.0, 8.0, 10.0, 20.0].map(|own| 2.0 * own), &[20.0; 6])?;
/// assert!(answer.p_value < 0.05);
/// assert_eq!(answer.method, PValueMethod::ChiSquared { degrees_of_freedom: 5.0 });
/// # Ok::<(), posterior_dist::math::ParamError>(())
/// ```
pub fn chi_squared_of_counts(observed: &[f64], expected: &[f64]) -> Result<GoodnessOfFit, ParamError> {
    let name = "chi_squared";
    let as_many = observed.len() == expected.len();
    check::require(
        as_many,
        name,
        "number of expected counts",
        expected.len() as f64,
        "that of the observed",
    )?;
    check::each(observed, |own| check::non_negative(name, "observed", own))?;
    check::each(expected, |own| check::non_negative(name, "expected", own))?;
    let [seen, mean] = [observed, expected].map(|own| own.iter().sum::<f64>());
    let agree = (seen - mean).abs() <= 1e-6 * seen;
    check::require(agree, name, "sum of the expected counts", mean, "that of the observed")?;
    let Some((statistic, cells)) = pooled(observed, expected) else {
        return Err(ParamError::new(name, "expected counts", mean, "enough for two cells of 5"));
    };
    let degrees_of_freedom = (cells - 1) as f64;
    let p_value = ChiSquared::new(degrees_of_freedom)?.sf(statistic);
    Ok(GoodnessOfFit { statistic, p_value, method: PValueMethod::ChiSquared { degrees_of_freedom } })
}

/// The statistic of pooled cells and their number, if there are two.
fn pooled(observed: &[f64], expected: &[f64]) -> Option<(f64, usize)> {
    let mut cells: Vec<(f64, f64)> = Vec::new();
    let mut pool = (0.0, 0.0);
    for (&seen, &mean) in observed.iter().zip(expected) {
        if seen > 0.0 && mean == 0.0 {
            // What is impossible was seen.
            return Some((f64::INFINITY, 2));
        }
        pool = (pool.0 + seen, pool.1 + mean);
        if pool.1 >= SMALLEST_CELL {
            cells.push(std::mem::take(&mut pool));
        }
    }
    let last = cells.last_mut()?;
    *last = (last.0 + pool.0, last.1 + pool.1);
    let terms = cells.iter().map(|(seen, mean)| (seen - mean) * (seen - mean) / mean);
    (cells.len() > 1).then(|| (terms.sum(), cells.len()))
}

/// Pearson's statistic of values in their cells; `None` if there are not two.
pub(super) fn pearson(values: &[f64], distribution: &impl Univariate) -> Option<f64> {
    let (observed, expected) = in_cells(values, distribution);
    pooled(&observed, &expected).map(|own| own.0)
}

/// How many values are in the cells of the distribution, and are expected there.
fn in_cells(values: &[f64], distribution: &impl Univariate) -> (Vec<f64>, Vec<f64>) {
    let n = values.len() as f64;
    let cells = (2.0 * n.powf(0.4)).min(n / SMALLEST_CELL).floor();
    // The highest number of each cell but the last.
    let mut ends: Vec<f64> = (1..cells as usize).map(|i| distribution.quantile(i as f64 / cells)).collect();
    ends.dedup();
    let mut observed = vec![0.0; ends.len() + 1];
    for x in values {
        observed[ends.partition_point(|end| end < x)] += 1.0;
    }
    let mut expected = Vec::with_capacity(ends.len() + 1);
    let mut below = 0.0;
    for &end in &ends {
        let up_to = distribution.cdf(end);
        expected.push(n * (up_to - below));
        below = up_to;
    }
    expected.push(n * (1.0 - below));
    (observed, expected)
}

/// The ratio of the probabilities of the tails at which the distances of counts are taken.
const STEP: f64 = 0.93;

/// The distances n (F_n - F)² between the distribution function of counts and that of the values, at
/// quantiles far into both tails: their sum with the probabilities between as weights, each over F (1 - F) if
/// `in_tails`. What Anderson and Darling's statistic and that of Cramér and von Mises are where there are
/// ties (V. Choulakian, R. Lockhart, M. Stephens, 1994), coarsened to at most some hundred steps.
pub(super) fn squares_of_counts(sorted: &[f64], distribution: &impl Univariate, in_tails: bool) -> f64 {
    let n = sorted.len() as f64;
    let mut ends = Vec::new();
    let mut tail = 0.5;
    while tail > 0.1 / n {
        ends.push(distribution.quantile(tail));
        ends.push(distribution.upper_quantile(tail));
        tail *= STEP;
    }
    ends.sort_by(f64::total_cmp);
    ends.dedup();
    let (mut sum, mut below) = (0.0, 0.0);
    for end in ends {
        let (at, above) = (distribution.cdf(end), distribution.sf(end));
        let distance = sorted.partition_point(|x| *x <= end) as f64 / n - at;
        let scale = if in_tails { at * above } else { 1.0 };
        if scale > 0.0 {
            sum += (at - below) * distance * distance / scale;
        }
        below = at;
    }
    n * sum
}

/// The largest distance between the two at the values and just below them, counts among them.
pub(super) fn largest_distance_of_counts(sorted: &[f64], distribution: &impl Univariate) -> f64 {
    let n = sorted.len() as f64;
    let mut largest: f64 = 0.0;
    let mut below = 0;
    for group in sorted.chunk_by(|a, b| a == b) {
        let x = group[0];
        let before = (below as f64 / n - distribution.cdf(x.next_down())).abs();
        below += group.len();
        largest = largest.max(before).max((below as f64 / n - distribution.cdf(x)).abs());
    }
    largest
}
