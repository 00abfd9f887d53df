//! The error function, the normal distribution's distribution function, and their inverses.

use std::f64::consts::{FRAC_1_SQRT_2, PI, SQRT_2};

use posterior_math::special::{
    erf, erf_inv, erfc, erfc_inv, erfcx, inverse_mills, ln_normal_cdf, normal_cdf, normal_ln_quantile,
    normal_quantile, normal_sf, normal_upper_quantile,
};
use posterior_testkit::accuracy::{Worst, assert_close, conditioned_error};
use posterior_testkit::reference::special_cases;
use proptest::prelude::*;

use crate::special_values::{INF, NAN, NEG_INF, assert_values};

fn compare(table: &str, bound: f64, function: impl Fn(f64) -> f64) {
    let mut worst = Worst::of(table);
    for case in special_cases(table) {
        let x = case.number(0);
        worst.see_conditioned(function(x), case.value, 0.0, &x);
    }
    worst.assert_at_most(bound);
}

#[test]
fn error_functions_meet_their_tables() {
    compare("erf", 3e-16, erf);
    compare("erfc", 5e-16, erfc);
    compare("erfcx", 5e-16, erfcx);
}

#[test]
fn the_normal_distribution_meets_its_tables() {
    compare("norm_cdf", 6e-16, normal_cdf);
    compare("norm_cdf", 6e-16, |x| normal_sf(-x));
    compare("norm_log_cdf", 5e-16, ln_normal_cdf);
    compare("norm_inv_mills", 6e-16, inverse_mills);
}

#[test]
fn the_inverses_meet_their_tables() {
    compare("erfinv", 4e-16, erf_inv);
    compare("erfcinv", 5e-16, erfc_inv);
    compare("norm_quantile", 5e-16, normal_quantile);
}

#[test]
fn golden_numbers() {
    assert_close(erf(SQRT_2), 0.9544997361036416, 1e-15);
    assert_close(erfc(5.0), 1.537459794428035e-12, 1e-15);
    assert_close(ln_normal_cdf(-10.0), -53.23128515051247, 1e-15);
    assert_close(ln_normal_cdf(-40.0), -804.6084420137538, 1e-15);
    // -x²/2 - ln(-x √2π) + …, where only the first term is left.
    assert_close(ln_normal_cdf(-1e150), -5e299, 1e-15);
    assert_close(normal_ln_quantile(-5e299), -1e150, 1e-15);
    assert_close(normal_ln_quantile(-5e307), -1e154, 1e-15);
    // The largest and smallest numbers of f64 that are probabilities.
    assert_close(normal_quantile(f64::from_bits(1)), -38.467405617144346, 1e-15);
    assert_close(normal_quantile(1.0 - f64::EPSILON / 2.0), 8.209536151601387, 1e-15);
}

#[test]
fn edges() {
    let tiny = f64::from_bits(1);
    assert_values(
        erf,
        &[(INF, 1.0), (NEG_INF, -1.0), (NAN, NAN), (0.0, 0.0), (30.0, 1.0), (1e300, 1.0), (tiny, tiny)],
    );
    assert!(erf(-0.0).is_sign_negative() && erf_inv(-0.0).is_sign_negative());
    assert_values(
        erfc,
        &[(INF, 0.0), (NEG_INF, 2.0), (NAN, NAN), (0.0, 1.0), (28.0, 0.0), (1e300, 0.0), (-1e300, 2.0)],
    );
    assert_values(erfcx, &[(INF, 0.0), (NEG_INF, INF), (NAN, NAN), (0.0, 1.0), (-27.0, INF), (-1e300, INF)]);
    assert_values(
        normal_cdf,
        &[(INF, 1.0), (NEG_INF, 0.0), (NAN, NAN), (0.0, 0.5), (-39.0, 0.0), (1e300, 1.0)],
    );
    assert_values(normal_sf, &[(INF, 0.0), (NEG_INF, 1.0), (NAN, NAN), (0.0, 0.5)]);
    assert_values(
        ln_normal_cdf,
        &[(INF, 0.0), (NEG_INF, NEG_INF), (NAN, NAN), (1e300, 0.0), (-1e300, NEG_INF)],
    );
    assert_values(inverse_mills, &[(INF, 0.0), (NEG_INF, INF), (NAN, NAN), (-1e300, 1e300), (50.0, 0.0)]);
    for quantile in [normal_quantile, |p| -normal_upper_quantile(p)] {
        assert_values(quantile, &[(0.0, NEG_INF), (-0.0, NEG_INF), (1.0, INF), (0.5, 0.0), (NAN, NAN)]);
        assert_values(quantile, &[(-tiny, NAN), (1.0 + f64::EPSILON, NAN), (INF, NAN), (NEG_INF, NAN)]);
    }
    assert_values(normal_ln_quantile, &[(NEG_INF, NEG_INF), (0.0, INF), (tiny, NAN), (INF, NAN), (NAN, NAN)]);
    assert_values(
        erf_inv,
        &[(1.0, INF), (-1.0, NEG_INF), (0.0, 0.0), (1.1, NAN), (-1.1, NAN), (INF, NAN), (NAN, NAN)],
    );
    assert_values(
        erfc_inv,
        &[(0.0, INF), (2.0, NEG_INF), (1.0, 0.0), (2.1, NAN), (-tiny, NAN), (INF, NAN), (NAN, NAN)],
    );
    assert_close(erfcx(-26.6), 2.0 * (26.6_f64 * 26.6).exp(), 1e-13);
    assert_close(erfc_inv(tiny), -FRAC_1_SQRT_2 * normal_ln_quantile(-1075.0 * 2_f64.ln()), 1e-15);
}

proptest! {
    #[test]
    fn the_functions_are_one_another(x in -26.0..26.0_f64) {
        prop_assert!(conditioned_error(erf(x) + erfc(x), 1.0, 0.0) < 1e-15);
        prop_assert_eq!(erf(-x), -erf(x));
        prop_assert!(conditioned_error(erfc(x) + erfc(-x), 2.0, 0.0) < 1e-15);
        prop_assert!(conditioned_error(normal_cdf(x) + normal_sf(x), 1.0, 0.0) < 1e-15);
        prop_assert!(conditioned_error(normal_cdf(-x * SQRT_2), 0.5 * erfc(x), 2.0 * x * x * erfc(x)) < 1e-15);
        prop_assert!(conditioned_error(ln_normal_cdf(x).exp(), normal_cdf(x), x * x * normal_cdf(x)) < 2e-15);
        let density = (-0.5 * x * x).exp() / (2.0 * PI).sqrt();
        prop_assert!(conditioned_error(inverse_mills(x) * normal_cdf(x), density, x * x * density) < 2e-15);
        prop_assert!(conditioned_error(erfcx(x), (x * x).exp() * erfc(x), x * x * erfcx(x)) < 2e-15);
    }

    #[test]
    fn erfcx_obeys_its_equation(x in 0.0..20.0_f64, h in 1e-3..1e-2_f64) {
        // erfcx' = 2 x erfcx - 2/√π, by central differences of fourth order.
        let slope = (8.0 * (erfcx(x + h) - erfcx(x - h)) - (erfcx(x + 2.0 * h) - erfcx(x - 2.0 * h))) / (12.0 * h);
        prop_assert!((slope - (2.0 * x * erfcx(x) - 2.0 / PI.sqrt())).abs() < 1e-6);
    }

    #[test]
    fn quantiles_invert(exponent in -300.0..-0.31_f64) {
        let p = 10_f64.powf(exponent);
        let x = normal_quantile(p);
        // dp / p = x φ(x) / Φ(x) dx / x
        prop_assert!(conditioned_error(normal_cdf(x), p, x.abs() * inverse_mills(x) * p) < 1e-15);
        prop_assert_eq!(normal_upper_quantile(p), -x);
        let sensitivity = p.ln().abs() / inverse_mills(x);
        prop_assert!(conditioned_error(normal_ln_quantile(p.ln()), x, sensitivity) < 1e-15);
        let z = erfc_inv(p);
        prop_assert!(conditioned_error(erfc(z), p, 2.0 * z * z * p) < 2e-15);
        prop_assert!(conditioned_error(erf(erf_inv(p)), p, 0.0) < 2e-15);
    }

    #[test]
    fn the_quantile_of_a_logarithm_inverts_far_out(exponent in -16.0..307.0_f64) {
        let ln_p = -10_f64.powf(exponent);
        let x = normal_ln_quantile(ln_p);
        let size = x.abs() * inverse_mills(x);
        prop_assert!(conditioned_error(ln_normal_cdf(x), ln_p, size) < 1e-15, "{ln_p} {x}");
    }

    #[test]
    fn they_increase(x in -9.0..9.0_f64, step in 1e-12..1.0_f64) {
        let y = x + step;
        prop_assert!(erf(y) >= erf(x) && erfc(y) <= erfc(x) && erfcx(y) <= erfcx(x));
        prop_assert!(normal_cdf(y) >= normal_cdf(x) && ln_normal_cdf(y) >= ln_normal_cdf(x));
        prop_assert!(inverse_mills(y) <= inverse_mills(x));
    }

    #[test]
    fn every_number_has_an_answer(bits in any::<u64>()) {
        let x = f64::from_bits(bits);
        for (function, low, high) in [
            (erf as fn(f64) -> f64, -1.0, 1.0),
            (erfc, 0.0, 2.0),
            (erfcx, 0.0, INF),
            (normal_cdf, 0.0, 1.0),
            (normal_sf, 0.0, 1.0),
            (ln_normal_cdf, NEG_INF, 0.0),
            (inverse_mills, 0.0, INF),
        ] {
            let value = function(x);
            prop_assert_eq!(value.is_nan(), x.is_nan());
            prop_assert!(x.is_nan() || (low..=high).contains(&value), "{} at {}", value, x);
        }
        prop_assert_eq!(normal_quantile(x).is_nan(), !(0.0..=1.0).contains(&x));
        prop_assert_eq!(normal_ln_quantile(x).is_nan(), !(x <= 0.0));
        prop_assert_eq!(erf_inv(x).is_nan(), !(-1.0..=1.0).contains(&x));
        prop_assert_eq!(erfc_inv(x).is_nan(), !(0.0..=2.0).contains(&x));
    }
}
