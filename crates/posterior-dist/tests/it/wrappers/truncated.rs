//! Truncation: in either tail, in the middle, in narrow intervals, beyond the range of f64, and twice.

use posterior_dist::{Beta, Density, HalfNormal, Normal, Truncated, Univariate};
use posterior_math::special::erfcx;
use posterior_testkit::accuracy::{assert_close, assert_within};
use posterior_testkit::consistency;
use proptest::prelude::*;

use super::{exponential, gamma};

const INF: f64 = f64::INFINITY;

fn truncated<D: Univariate + Density<Point = f64>>(distribution: D, low: f64, high: f64) -> Truncated<D> {
    Truncated::new(distribution, low, high).expect("an interval of positive probability")
}

#[test]
fn truncated_distributions_are_consistent() {
    let points = [0.2, 0.5, 1.0, 1.7, 2.5, 4.0, 7.0, 9.0005];
    for (low, high) in [(0.5, INF), (0.0, 2.0), (1.0, 4.0), (0.0, INF), (6.0, INF), (9.0, 9.001), (0.1, 0.11)]
    {
        let distribution = truncated(gamma(3.0, 1.5), low, high);
        let (a, b) = (distribution.quantile(0.3), distribution.quantile(0.9));
        consistency::univariate(&distribution, &points);
        consistency::line(&distribution, &[0.05, low, a, b, high, 13.0], 1);
    }
    let distribution = truncated(Beta::new(0.5, 0.5).expect("positive"), 0.0, 0.25);
    consistency::univariate(&distribution, &[-1.0, 1e-9, 0.1, 0.2, 0.3]);
    consistency::line(&distribution, &[0.01, 0.1], 2);
}

#[test]
fn an_exponential_distribution_forgets() {
    let forgetful = exponential(2.0);
    for start in [0.1, 3.0, 300.0, 330.0, 1e3, 1e6] {
        let distribution = truncated(forgetful, start, INF);
        // From 300 on, the tail is below the range of f64, and its logarithm has as many digits as start has.
        let tolerance = if start < 320.0 { 1e-13 } else { 4e-16 * 2.0 * start + 1e-15 };
        for x in [0.125, 0.5, 2.0, 20.0] {
            assert_close(distribution.sf(start + x), forgetful.sf(start + x - start), tolerance);
            assert_close(distribution.cdf(start + x), forgetful.cdf(start + x - start), 1e-12 + tolerance);
            assert_within(
                distribution.ln_pdf(&(start + x)),
                forgetful.ln_pdf(&(start + x - start)),
                1e-15 + tolerance,
            );
        }
        for p in [1e-6, 0.3, 0.9] {
            assert_close(distribution.quantile(p), start + forgetful.quantile(p), 1e-14);
            assert_close(distribution.upper_quantile(p), start + forgetful.upper_quantile(p), 1e-14);
        }
    }
}

fn standard() -> Normal {
    Normal::mean_sd(0.0, 1.0).expect("positive")
}

/// P(X > b | X > a) of a standard normal X, for 0 ≤ a ≤ b, from the scaled error function.
fn beyond(a: f64, b: f64) -> f64 {
    let root = std::f64::consts::FRAC_1_SQRT_2;
    erfcx(b * root) / erfcx(a * root) * (-0.5 * (b - a) * (b + a)).exp()
}

#[test]
fn normal_tails_keep_their_digits() {
    // At 40 the tail is 4e-350, below the range of f64: its logarithm has an error of 1e-13, and so has what
    // follows.
    for (start, tolerance) in
        [(0.0, 4e-16), (5.0, 4e-15), (30.0, 4e-15), (36.0, 4e-15), (40.0, 3e-13), (100.0, 2e-12)]
    {
        let scale = 1.0 / (1.0 + start);
        let upper = truncated(standard(), start, INF);
        let lower = truncated(standard(), -INF, -start);
        for step in [0.01, 0.3, 1.0, 4.0] {
            let x = start + step * scale;
            let expected = beyond(start, x);
            assert_close(upper.sf(x), expected, tolerance);
            assert_close(lower.cdf(-x), expected, tolerance);
            assert_within(upper.cdf(x), 1.0 - expected, 2.0 * tolerance);
            let back = upper.upper_quantile(expected);
            assert_close(back, x, 1e-15 + tolerance * scale);
            assert_close(lower.quantile(expected), -x, 1e-15 + tolerance * scale);
        }
        consistency::univariate(
            &upper,
            &[start - 1.0, start, start + 0.1 * scale, start + scale, start + 3.0 * scale],
        );
        consistency::line(&upper, &[start + 0.5 * scale, start + 2.0 * scale], 3);
    }
}

#[test]
fn a_half_normal_distribution_is_a_truncated_one() {
    let (half, distribution) = (HalfNormal::new(1.0).expect("positive"), truncated(standard(), 0.0, INF));
    for x in [0.0, 1e-12, 0.3, 2.0, 9.0] {
        assert_within(distribution.ln_pdf(&x), half.ln_pdf(&x), 1e-15);
        assert_close(distribution.cdf(x), half.cdf(x), 1e-14);
        assert_close(distribution.ln_sf(x), half.ln_sf(x), 1e-14);
    }
    for p in [1e-12, 1e-3, 0.4, 0.99] {
        assert_close(distribution.upper_quantile(p), half.upper_quantile(p), 1e-14);
        assert_within(distribution.quantile(p), half.quantile(p), 1e-15);
    }
    let (mean, variance) = distribution.mean_and_variance_by_quadrature().expect("settles");
    assert_close(mean, std::f64::consts::FRAC_2_PI.sqrt(), 1e-10);
    assert_close(variance, 1.0 - std::f64::consts::FRAC_2_PI, 1e-9);
}

#[test]
fn a_narrow_interval_is_nearly_uniform() {
    for at in [0.25, 2.0, 16.0, 512.0, 1024.0] {
        let width = at * 2.0_f64.powi(-40);
        let distribution = truncated(gamma(3.0, 1.5), at, at + width);
        for proportion in [0.125, 0.5, 0.75] {
            assert_close(distribution.cdf(at + proportion * width), proportion, 1e-9);
            assert_close(distribution.sf(at + proportion * width), 1.0 - proportion, 1e-9);
            assert_within(
                distribution.quantile(proportion),
                at + proportion * width,
                1e-9 * width + f64::EPSILON * at,
            );
        }
        assert_within(distribution.ln_pdf(&(at + 0.5 * width)), -width.ln(), 1e-9);
    }
}

#[test]
fn truncation_of_a_truncation_is_that_to_both() {
    for (outer, inner) in [((0.2, 5.0), (1.0, 3.0)), ((0.5, INF), (0.0, 2.0)), ((6.0, 20.0), (8.0, INF))] {
        let once = truncated(gamma(3.0, 1.5), outer.0, outer.1);
        let twice = truncated(once, inner.0, inner.1);
        let both = truncated(gamma(3.0, 1.5), outer.0.max(inner.0), outer.1.min(inner.1));
        assert_eq!(once.truncate(inner.0, inner.1), Ok(both));
        for p in [1e-4, 0.1, 0.5, 0.99] {
            let x = both.quantile(p);
            assert_close(twice.quantile(p), x, 1e-13);
            assert_close(twice.cdf(x), both.cdf(x), 1e-12);
            assert_close(twice.sf(x), both.sf(x), 1e-12);
            assert_within(twice.ln_pdf(&x), both.ln_pdf(&x), 1e-13);
        }
    }
}

#[test]
fn moments_by_quadrature_are_those_in_closed_form() {
    // A uniform distribution on [1, 3] is a truncated Beta(1, 1) that was stretched; an exponential one
    // forgets.
    let distribution = truncated(Beta::new(1.0, 1.0).expect("positive"), 0.25, 0.75);
    let (mean, variance) = distribution.mean_and_variance_by_quadrature().expect("settles");
    assert_close(mean, 0.5, 1e-10);
    assert_close(variance, 1.0 / 48.0, 1e-9);
    // E (X | X < 1) of an exponential distribution is 1 - 1/(e - 1).
    let (mean, _) = truncated(exponential(1.0), 0.0, 1.0).mean_and_variance_by_quadrature().expect("settles");
    assert_close(mean, 1.0 - 1.0 / 1.0_f64.exp_m1(), 1e-10);
}

#[test]
fn intervals_that_are_none_are_refused() {
    let distribution = gamma(2.0, 1.0);
    for (low, high) in [(1.0, 1.0), (2.0, 1.0), (f64::NAN, 1.0), (0.0, f64::NAN), (-3.0, -1.0), (INF, INF)] {
        assert!(Truncated::new(distribution, low, high).is_err(), "[{low}, {high}]");
    }
    let error = Truncated::new(distribution, 3.0, 2.0).expect_err("empty");
    assert_eq!(error.to_string(), "Truncated: high = 2 must be above low");
    let halves = Truncated::new(distribution, 0.0, 1.0).expect("positive");
    assert!(halves.truncate(2.0, 3.0).is_err());
    assert!(halves.truncate(f64::NAN, 3.0).is_err());
    assert_eq!((halves.low(), halves.high(), halves.ln_mass()), (0.0, 1.0, distribution.cdf(1.0).ln()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn nothing_hangs_or_panics(low: u64, high: u64, x: u64, p in 0.0..1.0_f64) {
        let [low, high, x] = [low, high, x].map(f64::from_bits);
        if let Ok(distribution) = Truncated::new(gamma(0.3, 2.0), low, high) {
            let (cdf, sf) = (distribution.cdf(x), distribution.sf(x));
            prop_assert!(x.is_nan() || ((0.0..=1.0).contains(&cdf) && (0.0..=1.0).contains(&sf)));
            prop_assert!(x.is_nan() || !distribution.ln_pdf(&x).is_nan());
            prop_assert!((distribution.low()..=distribution.high()).contains(&distribution.quantile(p)));
            prop_assert!((distribution.low()..=distribution.high()).contains(&distribution.upper_quantile(p)));
        }
    }
}
