//! Checks of distribution functions and quantiles.

use std::borrow::Borrow;

use posterior_dist::{Density, Univariate};
use posterior_math::log_space::ln_sum_exp;

use super::assert_agree;
use crate::accuracy::{conditioned_error, relative_error};

/// Rounding that a distribution function may have.
const ROUNDING: f64 = 1e-12;

/// The distribution function rises from 0 to 1, the two tails sum to one and have their logarithms, and the
/// quantiles invert them. `points` are increasing numbers, of the support or not.
///
/// # Panics
/// If one of these fails.
#[track_caller]
pub fn univariate<D: Univariate>(distribution: &D, points: &[f64]) {
    ends(distribution);
    let mut previous = 0.0;
    for &x in points {
        let (lower, upper) = (distribution.cdf(x), distribution.sf(x));
        assert!(lower >= previous, "cdf falls to {lower:e} at {x}");
        previous = lower;
        assert_agree("cdf + sf = 1", lower + upper, 1.0, ROUNDING);
        assert_agree("ln_cdf is the logarithm of cdf", distribution.ln_cdf(x).exp(), lower, ROUNDING);
        assert_agree("ln_sf is the logarithm of sf", distribution.ln_sf(x).exp(), upper, ROUNDING);
        inverses(distribution, lower);
        if lower > 0.0 && lower < 1.0 {
            let back = distribution.quantile(lower);
            let same = distribution.cdf(back) <= lower * (1.0 + ROUNDING);
            assert!(same || back <= x + ROUNDING * x.abs(), "quantile(cdf({x})) = {back} is beyond");
        }
        if upper > 0.0 && upper < 1.0 - ROUNDING {
            let back = distribution.upper_quantile(upper);
            let same = distribution.sf(back) >= upper * (1.0 - ROUNDING);
            assert!(same || back <= x + ROUNDING * x.abs(), "upper_quantile(sf({x})) = {back} is beyond");
        }
    }
    for p in [1e-9, 0.01, 0.3, 0.5, 0.77, 0.999] {
        inverses(distribution, p);
    }
}

/// The quantile at p reaches p, in both tails.
#[track_caller]
fn inverses<D: Univariate>(distribution: &D, p: f64) {
    let x = distribution.quantile(p);
    assert!(distribution.cdf(x) >= p - ROUNDING, "cdf(quantile({p:e})) = {:e}", distribution.cdf(x));
    let x = distribution.upper_quantile(p);
    assert!(distribution.sf(x) <= p + ROUNDING, "sf(upper_quantile({p:e})) = {:e}", distribution.sf(x));
}

#[track_caller]
fn ends<D: Univariate>(distribution: &D) {
    assert_eq!(
        (distribution.cdf(f64::NEG_INFINITY), distribution.cdf(f64::INFINITY)),
        (0.0, 1.0),
        "cdf at the ends"
    );
    assert_eq!(
        (distribution.sf(f64::NEG_INFINITY), distribution.sf(f64::INFINITY)),
        (1.0, 0.0),
        "sf at the ends"
    );
    assert_eq!(distribution.ln_cdf(f64::NEG_INFINITY), f64::NEG_INFINITY, "ln_cdf at the lower end");
    assert_eq!(distribution.ln_sf(f64::INFINITY), f64::NEG_INFINITY, "ln_sf at the upper end");
    assert!(distribution.quantile(0.0) <= distribution.quantile(1.0), "quantiles at the ends");
    assert_eq!(distribution.quantile(0.0), distribution.upper_quantile(1.0), "the lower end of the support");
    assert_eq!(distribution.quantile(1.0), distribution.upper_quantile(0.0), "the upper end of the support");
    for value in [
        distribution.cdf(f64::NAN),
        distribution.sf(f64::NAN),
        distribution.ln_cdf(f64::NAN),
        distribution.ln_sf(f64::NAN),
    ] {
        assert!(value.is_nan(), "NaN in gives NaN out");
    }
    for p in [-0.1, 1.1, f64::NAN] {
        assert!(
            distribution.quantile(p).is_nan() && distribution.upper_quantile(p).is_nan(),
            "quantile at {p}"
        );
    }
}

/// Both tails of a discrete distribution are the sums of its probabilities, and their logarithms are those of
/// the sums, to full relative precision however small they are; the points are its support with their
/// numbers, increasing.
///
/// # Panics
/// If they are not, to 1e-12.
#[track_caller]
pub fn masses<D: Univariate + Density, P: Borrow<D::Point>>(distribution: &D, points: &[(P, f64)]) {
    let ln_masses: Vec<f64> = points.iter().map(|(point, _)| distribution.ln_pdf(point.borrow())).collect();
    for (index, &(_, number)) in points.iter().enumerate() {
        let (lower, upper) = ln_masses.split_at(index + 1);
        tail("cdf", number, [distribution.cdf(number), distribution.ln_cdf(number)], lower);
        tail("sf", number, [distribution.sf(number), distribution.ln_sf(number)], upper);
    }
}

/// A tail and its logarithm are those of the sum of these probabilities.
#[track_caller]
fn tail(name: &str, number: f64, [tail, ln_tail]: [f64; 2], ln_masses: &[f64]) {
    let ln_sum = ln_sum_exp(ln_masses);
    let sum = ln_sum.exp();
    let error = relative_error(tail, sum);
    assert!(error <= ROUNDING, "{name}({number}) = {tail:e} should be {sum:e}, the sum of the probabilities");
    // Next to probability one the logarithm is the small remainder, which the sum of the others has lost.
    let error = conditioned_error(ln_tail, ln_sum, if ln_sum > -0.5 { 1.0 } else { 0.0 });
    assert!(error <= ROUNDING, "ln_{name}({number}) = {ln_tail:e} should be {ln_sum:e}");
}
