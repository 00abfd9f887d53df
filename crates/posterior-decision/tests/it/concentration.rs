//! Bounds of tails against exact tails, and one bound against the other.

use posterior_decision::concentration::{
    bernoulli_divergence, bernstein_radius, bernstein_sample_size, bernstein_tail, chernoff_interval,
    chernoff_sample_size, chernoff_tail, divergence_bounds, empirical_bernstein_radius, hoeffding_radius,
    hoeffding_sample_size, hoeffding_tail,
};
use posterior_dist::{Binomial, Density, Univariate};
use proptest::prelude::*;

/// P(S >= least) of a binomial sum.
fn exact_tail(count: u64, success: f64, least: u64) -> f64 {
    let distribution = Binomial::new(count, success).unwrap();
    if least == 0 { 1.0 } else { distribution.sf(least as f64 - 1.0) }
}

#[test]
fn the_golden_numbers_are_met() {
    let near =
        |found: f64, expected: f64| assert!((found / expected - 1.0).abs() < 1e-12, "{found} {expected}");
    near(hoeffding_tail(100, 10.0).unwrap(), 0.1353352832366127);
    near(hoeffding_tail(100, 15.0).unwrap(), 0.01110899653824231);
    near(exact_tail(100, 0.5, 60), 0.02844396682049);
    near(exact_tail(100, 0.5, 65), 0.0017588208614851);
    assert_eq!(hoeffding_sample_size(0.05, 0.05).unwrap(), 738);
    near(bernoulli_divergence(0.6, 0.9), 0.3112386795830577);
}

#[test]
fn no_exact_tail_is_above_a_bound() {
    let mut compared = 0;
    for count in [1, 2, 5, 20, 100, 1000] {
        for percent in [1, 10, 30, 50, 80, 99] {
            let mean = f64::from(percent) / 100.0;
            for least in 0..=count {
                let excess = least as f64 - count as f64 * mean;
                if excess < 0.0 {
                    continue;
                }
                // A sum that f64 rounds upwards is the same sum.
                let exact = exact_tail(count, mean, least) * (1.0 - 1e-12);
                let chernoff = chernoff_tail(count, mean, excess).unwrap();
                let hoeffding = hoeffding_tail(count, excess).unwrap();
                let bernstein = bernstein_tail(count, mean * (1.0 - mean), excess).unwrap();
                assert!(
                    exact <= chernoff && exact <= hoeffding && exact <= bernstein,
                    "{count} {mean} {least}"
                );
                // The divergence is at least what Pinsker, and Bernstein, allow for.
                assert!(chernoff <= hoeffding * (1.0 + 1e-12) && chernoff <= bernstein * (1.0 + 1e-12));
                compared += 1;
            }
        }
    }
    assert!(compared > 3000);
}

#[test]
fn a_radius_is_the_inverse_of_its_tail() {
    for (count, delta, variance) in [(1, 0.5, 0.25), (40, 0.05, 0.1), (5000, 1e-9, 0.0), (200, 0.01, 0.01)] {
        let n = count as f64;
        let tail = hoeffding_tail(count, n * hoeffding_radius(count, delta).unwrap()).unwrap();
        assert!((tail / delta - 1.0).abs() < 1e-12, "{tail} {delta}");
        let radius = bernstein_radius(count, variance, delta).unwrap();
        let tail = bernstein_tail(count, variance, n * radius).unwrap();
        assert!((tail / delta - 1.0).abs() < 1e-11, "{tail} {delta}");
    }
}

#[test]
fn the_size_of_a_sample_is_the_smallest_that_does() {
    for (epsilon, delta) in [(0.05, 0.05), (0.3, 0.2), (0.01, 1e-6)] {
        let both = 0.5 * delta;
        let n = hoeffding_sample_size(epsilon, delta).unwrap();
        assert!(
            hoeffding_radius(n, both).unwrap() <= epsilon && hoeffding_radius(n - 1, both).unwrap() > epsilon
        );
        let n = bernstein_sample_size(epsilon, 0.02, delta).unwrap();
        assert!(bernstein_radius(n, 0.02, both).unwrap() <= epsilon * (1.0 + 1e-12));
        assert!(n == 1 || bernstein_radius(n - 1, 0.02, both).unwrap() > epsilon);
        let n = chernoff_sample_size(epsilon, 0.4, delta).unwrap();
        let worst = |n: u64| {
            let of = |mean: f64| chernoff_tail(n, mean, n as f64 * epsilon).unwrap();
            of(0.4).max(of(0.6))
        };
        assert!(worst(n) <= both * (1.0 + 1e-12) && worst(n - 1) > both);
    }
    // The divergence sees that rare events need fewer observations than Hoeffding asks for.
    assert!(
        chernoff_sample_size(0.01, 0.01, 0.05).unwrap() < hoeffding_sample_size(0.01, 0.05).unwrap() / 10
    );
}

/// The probability that the interval misses the mean, exactly, over all sums.
#[test]
fn intervals_hold_what_they_promise() {
    for count in [5_u64, 30, 200] {
        for mean in [0.02, 0.3, 0.5, 0.85] {
            let distribution = Binomial::new(count, mean).unwrap();
            let (mut chernoff_low, mut chernoff_high, mut empirical) = (0.0, 0.0, 0.0);
            for k in 0..=count {
                let (n, p) = (count as f64, distribution.ln_pdf(&k).exp());
                let sample = k as f64 / n;
                let [low, high] = chernoff_interval(count, sample, 0.05).unwrap();
                chernoff_low += if low > mean { p } else { 0.0 };
                chernoff_high += if high < mean { p } else { 0.0 };
                let variance = sample * (1.0 - sample) * n / (n - 1.0);
                let radius = empirical_bernstein_radius(count, variance, 0.05).unwrap();
                empirical += if mean - sample > radius { p } else { 0.0 };
            }
            assert!(chernoff_low <= 0.05 && chernoff_high <= 0.05 && empirical <= 0.05, "{count} {mean}");
        }
    }
}

#[test]
fn what_is_impossible_has_no_tail() {
    assert_eq!(chernoff_tail(10, 0.5, 5.1).unwrap(), 0.0);
    assert_eq!(bernstein_tail(10, 0.0, 0.0).unwrap(), 1.0);
    assert_eq!(bernoulli_divergence(0.5, 1.0), f64::INFINITY);
    assert_eq!(bernoulli_divergence(1.0, 1.0), 0.0);
    assert!(bernoulli_divergence(-0.1, 0.5).is_nan() && bernoulli_divergence(0.1, f64::NAN).is_nan());
    assert_eq!(divergence_bounds(0.3, 0.0), [0.3, 0.3]);
    assert_eq!(divergence_bounds(0.3, f64::INFINITY), [0.0, 1.0]);
    assert!(divergence_bounds(0.3, f64::NAN)[0].is_nan());
}

#[test]
fn what_makes_no_sense_is_refused() {
    assert!(hoeffding_tail(0, 1.0).is_err() && hoeffding_tail(3, f64::NAN).is_err());
    assert!(hoeffding_radius(3, 0.0).is_err() && hoeffding_radius(3, 1.0).is_err());
    assert!(hoeffding_sample_size(1e-9, 0.05).is_err() && hoeffding_sample_size(0.0, 0.05).is_err());
    assert!(bernstein_tail(3, 0.26, 1.0).is_err() && bernstein_radius(3, -0.1, 0.1).is_err());
    assert!(empirical_bernstein_radius(1, 0.0, 0.1).is_err());
    assert!(
        empirical_bernstein_radius(2, 0.5, 0.1).is_ok() && empirical_bernstein_radius(2, 0.51, 0.1).is_err()
    );
    assert!(chernoff_tail(3, 1.1, 0.0).is_err() && chernoff_interval(3, -0.1, 0.1).is_err());
}

proptest! {
    /// Both ends are on the level line of the divergence, or at the end of the interval.
    #[test]
    fn bounds_of_the_divergence_invert_it(p in 0.0..=1.0_f64, exponent in -14.0..3.0_f64) {
        let budget = 10_f64.powf(exponent);
        let [low, high] = divergence_bounds(p, budget);
        prop_assert!(0.0 <= low && low <= p && p <= high && high <= 1.0);
        for q in [low, high] {
            // What the divergence changes by when q moves by its rounding.
            let slope = ((q - p) / (q * (1.0 - q))).abs() * 4.0 * f64::EPSILON;
            let found = bernoulli_divergence(p, q);
            let end = q == 0.0 || q == 1.0 || 1.0 - q < 1e-14;
            prop_assert!(end || (found - budget).abs() <= 1e-10 * budget + slope, "{} {} {}", q, found, budget);
        }
    }
}
