//! Distributions of durations.

use posterior_dist::{Density, NegativeBinomial, Poisson};
use posterior_sequence::semi_markov::{DurationFamily, Durations};
use posterior_testkit::accuracy::{assert_close, assert_within};

#[test]
fn they_are_distributions_of_counts_with_one_added_and_restricted() {
    let poisson = Poisson::new(2.5).unwrap();
    let mass: f64 = (0..6_u64).map(|n| poisson.ln_pdf(&n).exp()).sum();
    let distribution = Durations::poisson(2.5, 6).unwrap();
    for d in 1..=6_usize {
        assert_close(distribution.ln_pdf(d).exp(), poisson.ln_pdf(&(d as u64 - 1)).exp() / mass, 1e-14);
        let least: f64 = (d..=6).map(|d| distribution.ln_pdf(d).exp()).sum();
        assert_close(distribution.ln_survival(d).exp(), least, 1e-14);
    }
    let geometric = Durations::geometric(0.6, 50).unwrap();
    for d in 2..=50 {
        assert_within(geometric.ln_pdf(d) - geometric.ln_pdf(d - 1), 0.6_f64.ln(), 1e-13);
    }
    assert_close(geometric.mean(), 2.5, 1e-9);
    let negative = Durations::negative_binomial(3.0, 0.5, 4000).unwrap();
    let whole = NegativeBinomial::new(3.0, 0.5).unwrap();
    for d in [1_usize, 2, 9] {
        assert_close(negative.ln_pdf(d), whole.ln_pdf(&(d as u64 - 1)), 1e-12);
    }
    // Outside.
    assert_eq!(
        (distribution.ln_pdf(0), distribution.ln_pdf(7), distribution.ln_survival(7)),
        (f64::NEG_INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY)
    );
    assert_eq!((distribution.ln_survival(0), distribution.ln_survival(1)), (0.0, 0.0));
}

#[test]
fn what_is_left_of_a_duration_has_the_distribution_of_renewals() {
    let distribution = Durations::table(&[1.0, 0.0, 3.0]).unwrap();
    // P(at least d) = 1, 3/4, 3/4, and the mean is 5/2.
    assert_close(distribution.mean(), 2.5, 1e-15);
    let left = distribution.residual();
    for (d, expected) in [(1, 0.4), (2, 0.3), (3, 0.3)] {
        assert_close(left.ln_pdf(d).exp(), expected, 1e-15);
    }
    assert_eq!(left.longest(), 3);
    assert_eq!(distribution.family(), DurationFamily::Table);
}

#[test]
fn limits_and_misuse() {
    assert_eq!(Durations::poisson(0.0, 5).unwrap().ln_pdf(1), 0.0);
    assert_eq!(Durations::geometric(0.0, 5).unwrap().ln_pdf(2), f64::NEG_INFINITY);
    assert_eq!(Durations::table(&[1e300, 1e300]).unwrap().ln_pdf(2), 0.5_f64.ln());
    assert!(Durations::poisson(1e8, 5).unwrap().ln_pdf(5) > -1e-6);
    assert!(Durations::table(&[]).is_err());
    assert!(Durations::table(&[0.0]).is_err());
    assert!(Durations::table(&[1.0, -1.0]).is_err());
    assert!(Durations::table(&[f64::NAN]).is_err());
    assert!(Durations::poisson(-1.0, 3).is_err());
    assert!(Durations::poisson(1.0, 0).is_err());
    assert!(Durations::geometric(1.0, 3).is_err());
    assert!(Durations::negative_binomial(0.0, 0.5, 3).is_err());
}
