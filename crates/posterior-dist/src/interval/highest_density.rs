//! The smallest region of a probability: where the density is highest.

use posterior_math::check::{self, ParamError};
use posterior_math::optimize::{RootOptions, find_root};

use crate::coordinate::Coordinate;
use crate::density::{Density, Univariate, probability_between};

/// Points at which the density is looked at first, by their probabilities.
const POINTS: usize = 1000;

/// The most counts that are looked at.
const MOST_COUNTS: f64 = 1e6;

/// Halvings of the level.
const HALVINGS: usize = 200;

/// The smallest region that holds a draw with a probability `proportion`: all points whose density is above
/// some level. Intervals in order, one for each hill of the density that rises above it; of counts, from the
/// first to the last whole number.
///
/// Counts are added in the order of their probabilities, equal ones together, until there is enough: the
/// region holds at least the proportion. Of a density, hills are found that hold at least a thousandth of the
/// probability, or are in a tail; ends to 9 digits. Where it is flat at the level, all of that is in the
/// region.
///
/// # Errors
/// If the proportion is not in (0, 1), or more than 10⁶ counts would have to be looked at.
///
/// # Cost
/// Some thousand densities and quantiles, and a hundred for each end and halving of the level.
///
/// ```
/// use posterior_dist::{Exponential, Mixture, Normal, highest_density};
///
/// // A falling density: the interval begins at 0.
/// let found = highest_density(&Exponential::new(1.0)?, 0.9)?;
/// assert_eq!(found.len(), 1);
/// assert!(found[0][0] == 0.0 && (found[0][1] - 10_f64.ln()).abs() < 1e-9);
///
/// let hills = Mixture::from_weights(&[1.0, 1.0], vec![Normal::mean_sd(-5.0, 1.0)?, Normal::mean_sd(5.0, 1.0)?])?;
/// assert_eq!(highest_density(&hills, 0.9)?.len(), 2);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
pub fn highest_density<D>(distribution: &D, proportion: f64) -> Result<Vec<[f64; 2]>, ParamError>
where
    D: Univariate + Density<Point: Coordinate>,
{
    let proportion = check::open_probability("highest_density", "proportion", proportion)?;
    if D::Point::DISCRETE {
        return of_counts(distribution, proportion);
    }
    let ln_pdf = |x: f64| D::Point::at(x).map_or(f64::NEG_INFINITY, |point| distribution.ln_pdf(&point));
    let mut points: Vec<(f64, f64)> = points(distribution).into_iter().map(|x| (x, ln_pdf(x))).collect();
    points.retain(|own| !own.1.is_nan());
    let finite = points.iter().map(|own| own.1).filter(|own| own.is_finite());
    let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), own| (l.min(own), h.max(own)));
    let held = |level: f64| -> f64 {
        let all = above(&points, level, &ln_pdf);
        all.iter().map(|&[a, b]| probability_between(distribution, a, b)).sum()
    };
    // Higher levels hold less. The highest point may lie between those that were looked at.
    let (mut low, mut high) = (low, high + 1.0);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        *(if held(middle) >= proportion { &mut low } else { &mut high }) = middle;
    }
    Ok(above(&points, low, &ln_pdf))
}

/// Quantiles, and numbers half-way to those far into the tails, in order.
fn points(distribution: &impl Univariate) -> Vec<f64> {
    let count = POINTS as f64;
    let mut all: Vec<f64> = (0..=POINTS).map(|i| distribution.quantile(i as f64 / count)).collect();
    let mut tail = 1.0 / count;
    while tail > 1e-18 {
        tail *= 0.7;
        all.extend([distribution.quantile(tail), distribution.upper_quantile(tail)]);
    }
    all.retain(|x| x.is_finite());
    all.sort_by(f64::total_cmp);
    all.dedup();
    all
}

/// The intervals in which the density is above a level.
fn above(points: &[(f64, f64)], level: f64, ln_pdf: &impl Fn(f64) -> f64) -> Vec<[f64; 2]> {
    let options = RootOptions { relative: f64::EPSILON, absolute: 0.0, ..RootOptions::default() };
    let crossing = |a: f64, b: f64| {
        let excess = |x: f64| (ln_pdf(x) - level).clamp(-1e6, 1e6);
        find_root(excess, a, b, &options).point
    };
    let mut all = Vec::new();
    let mut start: Option<f64> = None;
    let mut before: Option<(f64, f64)> = None;
    for &(x, ln) in points {
        match (start, ln >= level) {
            (None, true) => start = Some(before.map_or(x, |own| crossing(own.0, x))),
            (Some(from), false) => {
                let end = before.map_or(x, |own| crossing(own.0, x));
                all.push([from, end]);
                start = None;
            }
            _ => {}
        }
        before = Some((x, ln));
    }
    if let (Some(from), Some((last, _))) = (start, before) {
        all.push([from, last]);
    }
    all
}

/// Whole numbers, the most probable first.
fn of_counts<D>(distribution: &D, proportion: f64) -> Result<Vec<[f64; 2]>, ParamError>
where
    D: Univariate + Density<Point: Coordinate>,
{
    // What is beyond these is less than any that are needed: a thousandth of what is left out.
    let tail = 1e-3 * (1.0 - proportion);
    let (low, high) = (distribution.quantile(tail), distribution.upper_quantile(tail));
    let size = high - low + 1.0;
    check::require(size <= MOST_COUNTS, "highest_density", "number of counts", size, "at most a million")?;
    let mass = |k: f64| D::Point::at(k).map_or(0.0, |point| distribution.ln_pdf(&point).exp());
    let mut all: Vec<(f64, f64)> = (0..size as usize).map(|i| low + i as f64).map(|k| (k, mass(k))).collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    let (mut sum, mut least) = (0.0, 0.0);
    let mut kept = Vec::new();
    for (k, p) in all {
        // Those that are equal but for rounding come together.
        if sum >= proportion && p < least * (1.0 - 1e-12) {
            break;
        }
        sum += p;
        least = p;
        kept.push(k);
    }
    kept.sort_by(f64::total_cmp);
    Ok(kept.chunk_by(|a, b| b - a == 1.0).map(|run| [run[0], run[run.len() - 1]]).collect())
}
