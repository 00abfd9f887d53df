//! Laws of distribution functions and quantiles.

use std::borrow::Borrow;

use posterior_dist::{Density, Univariate};
use posterior_math::log_space::ln_sum_exp;

use super::assert_agree;
use crate::accuracy::{conditioned_error, relative_error};

/// Rounding that a distribution function may have.
const ROUNDING: f64 = 1e-12;

/// The distribution function rises from 0 to 1, the two tails sum to one and have their logarithms, and the quantiles
/// invert them. `points` are increasing numbers, of the support or not.
///
/// # Panics
/// If one of these fails.
#[track_caller]
pub fn univariate<D: Univariate>(law: &D, points: &[f64]) {
    ends(law);
    let mut previous = 0.0;
    for &x in points {
        let (lower, upper) = (law.cdf(x), law.sf(x));
        assert!(lower >= previous, "cdf falls to {lower:e} at {x}");
        previous = lower;
        assert_agree("cdf + sf = 1", lower + upper, 1.0, ROUNDING);
        assert_agree("ln_cdf is the logarithm of cdf", law.ln_cdf(x).exp(), lower, ROUNDING);
        assert_agree("ln_sf is the logarithm of sf", law.ln_sf(x).exp(), upper, ROUNDING);
        inverses(law, lower);
        if lower > 0.0 && lower < 1.0 {
            let back = law.quantile(lower);
            let same = law.cdf(back) <= lower * (1.0 + ROUNDING);
            assert!(same || back <= x + ROUNDING * x.abs(), "quantile(cdf({x})) = {back} is beyond");
        }
        if upper > 0.0 && upper < 1.0 - ROUNDING {
            let back = law.upper_quantile(upper);
            let same = law.sf(back) >= upper * (1.0 - ROUNDING);
            assert!(same || back <= x + ROUNDING * x.abs(), "upper_quantile(sf({x})) = {back} is beyond");
        }
    }
    for p in [1e-9, 0.01, 0.3, 0.5, 0.77, 0.999] {
        inverses(law, p);
    }
}

/// The quantile at p reaches p, in both tails.
#[track_caller]
fn inverses<D: Univariate>(law: &D, p: f64) {
    let x = law.quantile(p);
    assert!(law.cdf(x) >= p - ROUNDING, "cdf(quantile({p:e})) = {:e}", law.cdf(x));
    let x = law.upper_quantile(p);
    assert!(law.sf(x) <= p + ROUNDING, "sf(upper_quantile({p:e})) = {:e}", law.sf(x));
}

#[track_caller]
fn ends<D: Univariate>(law: &D) {
    assert_eq!((law.cdf(f64::NEG_INFINITY), law.cdf(f64::INFINITY)), (0.0, 1.0), "cdf at the ends");
    assert_eq!((law.sf(f64::NEG_INFINITY), law.sf(f64::INFINITY)), (1.0, 0.0), "sf at the ends");
    assert_eq!(law.ln_cdf(f64::NEG_INFINITY), f64::NEG_INFINITY, "ln_cdf at the lower end");
    assert_eq!(law.ln_sf(f64::INFINITY), f64::NEG_INFINITY, "ln_sf at the upper end");
    assert!(law.quantile(0.0) <= law.quantile(1.0), "quantiles at the ends");
    assert_eq!(law.quantile(0.0), law.upper_quantile(1.0), "the lower end of the support");
    assert_eq!(law.quantile(1.0), law.upper_quantile(0.0), "the upper end of the support");
    for value in [law.cdf(f64::NAN), law.sf(f64::NAN), law.ln_cdf(f64::NAN), law.ln_sf(f64::NAN)] {
        assert!(value.is_nan(), "NaN in gives NaN out");
    }
    for p in [-0.1, 1.1, f64::NAN] {
        assert!(law.quantile(p).is_nan() && law.upper_quantile(p).is_nan(), "quantile at {p}");
    }
}

/// Both tails of a discrete law are the sums of its probabilities, and their logarithms are those of the sums, to full
/// relative precision however small they are; the points are its support with their numbers, increasing.
///
/// # Panics
/// If they are not, to 1e-12.
#[track_caller]
pub fn masses<D: Univariate + Density, P: Borrow<D::Point>>(law: &D, points: &[(P, f64)]) {
    let ln_masses: Vec<f64> = points.iter().map(|(point, _)| law.ln_pdf(point.borrow())).collect();
    for (index, &(_, number)) in points.iter().enumerate() {
        let (lower, upper) = ln_masses.split_at(index + 1);
        tail("cdf", number, [law.cdf(number), law.ln_cdf(number)], lower);
        tail("sf", number, [law.sf(number), law.ln_sf(number)], upper);
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
