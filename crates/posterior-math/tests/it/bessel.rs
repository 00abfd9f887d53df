//! The modified Bessel functions: tables, recurrences, and the values where the methods meet.

use std::f64::consts::PI;

use posterior_math::special::{
    bessel_i1_over_i0, bessel_k, inverse_bessel_ratio, ln_bessel_i0, ln_bessel_i1, ln_bessel_k,
};
use posterior_testkit::accuracy::{Worst, assert_close, relative_error};
use posterior_testkit::reference::{Case, special_cases};
use proptest::prelude::*;

fn compare(table: &str, bound: f64, function: impl Fn(&Case) -> f64) {
    let mut worst = Worst::of(table);
    for case in special_cases(table) {
        worst.see(function(&case), case.value, &case.arguments);
    }
    worst.assert_at_most(bound);
}

#[test]
fn bessel_k_meets_its_tables() {
    compare("bessel_k", 2e-15, |case| bessel_k(case.number(0), case.number(1)));
    compare("bessel_k", 2e-15, |case| bessel_k(-case.number(0), case.number(1)));
    compare("ln_bessel_k", 2e-15, |case| ln_bessel_k(case.number(0), case.number(1)));
}

#[test]
fn bessel_i_meets_its_tables() {
    compare("ln_bessel_i0", 3e-16, |case| ln_bessel_i0(-case.number(0)));
    compare("ln_bessel_i1", 3e-16, |case| ln_bessel_i1(case.number(0)));
    compare("bessel_i1_over_i0", 3e-16, |case| bessel_i1_over_i0(case.number(0)));
}

#[test]
fn large_and_odd_orders_meet_mpmath() {
    // mpmath 1.4 at 40 digits.
    for (nu, x, ln) in [
        (0.0, 1e-250, 6.355694736503335958910226),
        (0.0, 0.01, 1.552072478848215843049275),
        (0.1, 1.99, -2.158120786231627917947847),
        (7.3, 1e-250, 4213.732514474683174701623),
        (7.3, 7.7, -5.405982100166485006497069),
        (20.0, 1e-5, 282.7681899172417058914164),
        (33.3, 40.0, -28.56179136880435631448427),
        (49.4, 0.5, 210.0167041168655238081851),
        (49.6, 2000.0, -2002.959867508128281991868),
        (50.0, 40.0, -13.50546633300959023127594),
        (50.1, 1e-5, 755.787136212910355513998),
        (77.7, 40.0, 20.74859922386218381698179),
        (1000.5, 7.7, 4559.219013989443537799047),
        (1000.5, 300.0, 872.5755924442364841519104),
        (100000.0, 3.0, 1010740.504993159671758029),
        (100000.0, 2000.0, 360501.4883282149707886977),
    ] {
        assert_close(ln_bessel_k(nu, x), ln, 3e-15);
    }
}

#[test]
fn half_integers_are_elementary() {
    for x in [1e-3, 0.7, 1.99, 2.0, 30.0, 600.0] {
        let half = (PI / (2.0 * x)).sqrt() * f64::exp(-x);
        assert_close(bessel_k(0.5, x), half, 2e-15);
        assert_close(bessel_k(1.5, x), half * (1.0 + 1.0 / x), 2e-15);
        assert_close(bessel_k(2.5, x), half * (1.0 + 3.0 / x + 3.0 / (x * x)), 2e-15);
    }
}

#[test]
fn the_edges_of_the_domain() {
    assert_eq!(bessel_k(1.0, 0.0), f64::INFINITY);
    assert_eq!(bessel_k(1.0, f64::INFINITY), 0.0);
    assert_eq!(bessel_k(0.3, 800.0), 0.0);
    assert_eq!(bessel_k(30.0, 1e-20), f64::INFINITY);
    assert_eq!(ln_bessel_k(3.0, f64::INFINITY), f64::NEG_INFINITY);
    assert!(bessel_k(1.0, -1.0).is_nan() && bessel_k(f64::INFINITY, 1.0).is_nan());
    assert!(bessel_k(f64::NAN, 1.0).is_nan() && bessel_k(1.0, f64::NAN).is_nan());
    assert_eq!(ln_bessel_i0(f64::NEG_INFINITY), f64::INFINITY);
    assert_eq!(ln_bessel_i1(0.0), f64::NEG_INFINITY);
    assert_eq!(ln_bessel_i1(f64::INFINITY), f64::INFINITY);
    assert!(ln_bessel_i1(-1.0).is_nan() && ln_bessel_i0(f64::NAN).is_nan());
    assert_eq!(bessel_i1_over_i0(f64::NEG_INFINITY), -1.0);
    assert!(bessel_i1_over_i0(f64::NAN).is_nan());
    assert_eq!(inverse_bessel_ratio(-1.0), f64::NEG_INFINITY);
    assert_eq!(inverse_bessel_ratio(0.0), 0.0);
    assert!(inverse_bessel_ratio(1.1).is_nan() && inverse_bessel_ratio(f64::NAN).is_nan());
}

fn size() -> impl Strategy<Value = f64> {
    (-4.0..2.5).prop_map(|exponent: f64| 10_f64.powf(exponent))
}

proptest! {
    #[test]
    fn bessel_k_obeys_the_recurrence_in_the_order(nu in 0.0..49.0_f64, x in size()) {
        let k = |order: f64| (ln_bessel_k(order, x) - ln_bessel_k(nu + 1.0, x)).exp();
        prop_assert!(relative_error(k(nu - 1.0) + 2.0 * nu / x * k(nu), 1.0) < 1e-12);
    }

    #[test]
    fn the_wronskian_is_one_over_x(x in 1e-4..300.0_f64) {
        let product = (ln_bessel_i0(x) + ln_bessel_k(1.0, x)).exp() + (ln_bessel_i1(x) + ln_bessel_k(0.0, x)).exp();
        prop_assert!(relative_error(product, 1.0 / x) < 1e-13);
    }

    #[test]
    fn the_ratio_is_the_ratio_and_can_be_inverted(x in size()) {
        let ratio = bessel_i1_over_i0(x);
        prop_assert!(relative_error(ratio, (ln_bessel_i1(x) - ln_bessel_i0(x)).exp()) < 2e-13);
        prop_assert!(relative_error(inverse_bessel_ratio(ratio), x) < 1e-15 * (2.0 + 2.0 * x));
        prop_assert_eq!(inverse_bessel_ratio(-ratio), -inverse_bessel_ratio(ratio));
    }

    #[test]
    fn any_bits_give_an_answer(nu in any::<u64>(), x in any::<u64>()) {
        let [nu, x] = [nu, x].map(f64::from_bits);
        prop_assert!(!(bessel_k(nu, x) < 0.0));
        prop_assert_eq!(ln_bessel_k(nu, x).is_nan(), !(x >= 0.0 && nu.abs() < f64::INFINITY));
        prop_assert_eq!(ln_bessel_i0(x).is_nan(), x.is_nan());
        prop_assert!(!(bessel_i1_over_i0(x).abs() > 1.0));
        prop_assert_eq!(inverse_bessel_ratio(x).is_nan(), !(x.abs() <= 1.0));
    }
}

#[test]
fn the_scaled_bessel_function_keeps_its_digits() {
    // By mpmath at 40 digits.
    for (x, expected) in [
        (0.0, 0.0),
        (0.5, -0.43845028081451869606),
        (7.99, -1.9412476776321949184),
        (8.0, -1.9418957445721860546),
        (100.0, -3.2202673100574162833),
        (1e6, -7.8266936871867472938),
        (1e15, -18.188326730660015247),
        (f64::INFINITY, f64::NEG_INFINITY),
    ] {
        assert!(relative_error(posterior_math::special::ln_bessel_i0_scaled(x), expected) < 2e-15, "{x}");
        assert!(relative_error(posterior_math::special::ln_bessel_i0_scaled(-x), expected) < 2e-15, "-{x}");
    }
    assert!(posterior_math::special::ln_bessel_i0_scaled(f64::NAN).is_nan());
}
