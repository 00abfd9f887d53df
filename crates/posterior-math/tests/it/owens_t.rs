//! Owen's T function and the bivariate normal distribution function.

use std::f64::consts::TAU;

use posterior_math::special::{bivariate_normal_cdf, normal_cdf, normal_sf, owens_t};
use posterior_testkit::accuracy::{Worst, assert_close, assert_within, relative_error};
use posterior_testkit::reference::special_cases;
use proptest::prelude::*;

#[test]
fn owens_t_meets_its_table() {
    let mut worst = Worst::of("owens_t");
    for case in special_cases("owens_t") {
        worst.see(owens_t(case.number(0), case.number(1)), case.value, &case.arguments);
        worst.see(-owens_t(-case.number(0), -case.number(1)), case.value, &case.arguments);
    }
    worst.assert_at_most(7e-16);
}

#[test]
fn the_edges_of_the_domain() {
    assert_eq!(owens_t(1.0, 0.0), 0.0);
    assert_close(owens_t(1.0, f64::INFINITY), 0.5 * normal_sf(1.0), 1e-15);
    assert_eq!(owens_t(0.0, f64::INFINITY), 0.25);
    assert_eq!(owens_t(f64::INFINITY, 1.0), 0.0);
    assert!(owens_t(f64::NAN, 1.0).is_nan() && owens_t(1.0, f64::NAN).is_nan());
    assert_eq!(bivariate_normal_cdf(f64::INFINITY, 0.0, 0.3), 0.5);
    assert_eq!(bivariate_normal_cdf(f64::NEG_INFINITY, 0.0, 0.3), 0.0);
    assert_eq!(bivariate_normal_cdf(1.0, -1.0, 1.0), normal_cdf(-1.0));
    assert_eq!(bivariate_normal_cdf(1.0, -1.0, -1.0), 0.0);
    assert!(
        bivariate_normal_cdf(0.0, 0.0, 1.1).is_nan() && bivariate_normal_cdf(f64::NAN, 0.0, 0.0).is_nan()
    );
}

/// P(X ≤ x, Y ≤ y) as ∫ φ(t) Φ((y - ρ t) / √(1 - ρ²)) dt by the trapezoidal rule, after t = x - e^u.
fn by_quadrature(x: f64, y: f64, rho: f64) -> f64 {
    let scale = ((1.0 - rho) * (1.0 + rho)).sqrt();
    let step = 1.0 / 256.0;
    let term = |i: i32| {
        let distance = f64::exp(step * f64::from(i));
        let t = x - distance;
        distance * (-0.5 * t * t).exp() * normal_cdf((y - rho * t) / scale)
    };
    step * (-12_000..1_000).map(term).sum::<f64>() / TAU.sqrt()
}

#[test]
fn the_bivariate_distribution_agrees_with_quadrature() {
    for rho in [-0.95, -0.5, -0.1, 0.2, 0.7, 0.9] {
        for x in [-2.5, -0.4, 0.0, 1.3] {
            for y in [-1.7, 0.0, 0.6, 3.0] {
                // Thirteen thousand terms are added in the oracle.
                assert_within(bivariate_normal_cdf(x, y, rho), by_quadrature(x, y, rho), 4e-15);
            }
        }
    }
}

/// At the origin, from every side, the probability is ¼ + arcsin(ρ) / 2π.
#[test]
fn signs_decide_where_products_vanish() {
    for rho in [-0.999, -0.5, 0.3, 0.946, 1.0 - 1e-15] {
        for x in [5e-324, 1e-310, 1e-200, 1e-163, 1e-20] {
            for y in [5e-324, 3e-322, 1e-200, 1e-160, 1e-18] {
                for [x, y] in [[x, y], [-x, y], [x, -y], [-x, -y]] {
                    assert_within(bivariate_normal_cdf(x, y, rho), 0.25 + rho.asin() / TAU, 4e-16);
                }
            }
        }
        for y in [-1.7, 0.4, 2.0] {
            let at_zero = bivariate_normal_cdf(0.0, y, rho);
            for x in [-1e-320, 1e-320, -1e-200, 1e-200] {
                assert_within(bivariate_normal_cdf(x, y, rho), at_zero, 4e-16);
                assert_within(bivariate_normal_cdf(y, x, rho), at_zero, 4e-16);
            }
        }
    }
}

proptest! {
    #[test]
    fn owens_t_obeys_its_identities(h in 0.0..6.0_f64, a in 0.01..100.0_f64) {
        let at_one = 0.5 * normal_cdf(h) * normal_sf(h);
        prop_assert!(relative_error(owens_t(h, 1.0), at_one) < 1e-14);
        // Equation 2.3 of Owen.
        let sum = owens_t(h, a) + owens_t(a * h, a.recip());
        let (near, far) = (normal_cdf(h), normal_cdf(a * h));
        prop_assert!((sum - (0.5 * (near + far) - near * far)).abs() < 4e-16);
        prop_assert!(owens_t(h, a) <= owens_t(h, 1.1 * a) * (1.0 + 2e-15));
    }

    #[test]
    fn the_bivariate_distribution_obeys_its_identities(x in -4.0..4.0_f64, y in -4.0..4.0_f64, rho in -1.0..1.0_f64) {
        let value = bivariate_normal_cdf(x, y, rho);
        prop_assert!((value - bivariate_normal_cdf(y, x, rho)).abs() < 4e-16);
        prop_assert!((value + bivariate_normal_cdf(x, -y, -rho) - normal_cdf(x)).abs() < 6e-16);
        prop_assert!(bivariate_normal_cdf(0.0, 0.0, rho) - (0.25 + rho.asin() / TAU) < 1e-16);
        prop_assert!(value <= bivariate_normal_cdf(x, y, rho + 0.1 * (1.0 - rho)) + 4e-16);
    }

    #[test]
    fn any_bits_give_a_probability_or_nan(x in any::<u64>(), y in any::<u64>(), rho in any::<u64>()) {
        let [x, y, rho] = [x, y, rho].map(f64::from_bits);
        let fraction = (rho.to_bits() >> 11) as f64 / 9_007_199_254_740_992.0;
        prop_assert!(x.is_nan() || y.is_nan() || owens_t(x, y).abs() <= 0.25);
        for (x, y, rho) in [(x, y, rho), (x, y, fraction), (x.powf(0.01), -fraction, -fraction)] {
            let value = bivariate_normal_cdf(x, y, rho);
            prop_assert!(value.is_nan() == (x.is_nan() || y.is_nan() || !(rho.abs() <= 1.0)), "{x:e} {y:e} {rho}");
            prop_assert!(value.is_nan() || (0.0..=1.0).contains(&value));
        }
    }
}
