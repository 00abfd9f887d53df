//! Quadrature: exactness, closed forms, honesty about failure.

use std::f64::consts::{PI, TAU};

use posterior_math::log_space::logistic;
use posterior_math::quadrature::{
    GaussHermite, GaussLegendre, Integral, QuadratureOptions, gauss_kronrod, gauss_kronrod_pieces, tanh_sinh,
    trapezoid,
};
use posterior_math::special::{gamma, ln_gamma};
use posterior_testkit::accuracy::{assert_close, assert_within};
use proptest::prelude::*;

const INFINITY: f64 = f64::INFINITY;

fn options() -> QuadratureOptions {
    QuadratureOptions::default()
}

/// The value is within `tolerance`, and the estimate of the error is not below the true error.
#[track_caller]
fn assert_honest(found: &Integral, expected: f64, tolerance: f64) {
    assert!(found.converged, "{found:?}");
    assert_close(found.value, expected, tolerance);
    assert!(
        (found.value - expected).abs() <= found.error + f64::EPSILON * expected.abs(),
        "{found:?}, {expected}"
    );
}

#[test]
fn kronrod_is_exact_to_degree_31() {
    for degree in 0..=31 {
        let found = gauss_kronrod(
            |x| x.powi(degree),
            0.0,
            2.0,
            &QuadratureOptions { max_evaluations: 21, ..options() },
        );
        assert_close(found.value, 2_f64.powi(degree + 1) / f64::from(degree + 1), 1e-15);
        assert_eq!(found.evaluations, 21);
    }
}

#[test]
fn gauss_legendre_is_exact_to_degree_2n_minus_1() {
    for n in [1_i32, 2, 3, 5, 10, 21, 64, 200] {
        let rule = GaussLegendre::new(n.unsigned_abs() as usize).expect("n > 0");
        for degree in (0..2 * n).step_by(1 + n.unsigned_abs() as usize / 20) {
            let expected = if degree % 2 == 1 { 0.0 } else { 2.0 / f64::from(degree + 1) };
            assert_within(rule.integrate(-1.0, 1.0, |x| x.powi(degree)), expected, 3e-15);
        }
        let next = rule.integrate(-1.0, 1.0, |x| x.powi(2 * n));
        assert!(
            n > 10 || (next - 2.0 / (2.0 * f64::from(n) + 1.0)).abs() > 1e-9,
            "degree 2n cannot be exact"
        );
    }
}

#[test]
fn legendre_nodes_are_the_known_ones() {
    let rule = GaussLegendre::new(5).expect("n > 0");
    let outer = (5.0 + 2.0 * (10_f64 / 7.0).sqrt()).sqrt() / 3.0;
    let inner = (5.0 - 2.0 * (10_f64 / 7.0).sqrt()).sqrt() / 3.0;
    for (node, expected) in rule.nodes().iter().zip([-outer, -inner, 0.0, inner, outer]) {
        assert_within(*node, expected, 2e-16);
    }
    let (heavy, light) = ((322.0 + 13.0 * 70_f64.sqrt()) / 900.0, (322.0 - 13.0 * 70_f64.sqrt()) / 900.0);
    for (weight, expected) in rule.weights().iter().zip([light, heavy, 128.0 / 225.0, heavy, light]) {
        assert_close(*weight, expected, 1e-15);
    }
}

#[test]
fn gauss_hermite_is_exact_to_degree_2n_minus_1() {
    for n in [1_i32, 2, 3, 5, 10, 20, 64, 150] {
        let rule = GaussHermite::new(n.unsigned_abs() as usize).expect("n > 0");
        assert_close(rule.weights().iter().sum(), 1.0, 1e-14);
        let mut expected = 1.0;
        for half in 1..n.min(60) {
            expected *= f64::from(2 * half - 1);
            assert_close(rule.expectation(0.0, 1.0, |z| z.powi(2 * half)), expected, 4e-14);
            assert!(rule.expectation(0.0, 1.0, |z| z.powi(2 * half - 1)).abs() < 1e-12 * expected);
        }
    }
}

#[test]
fn gauss_hermite_takes_expectations() {
    let rule = GaussHermite::new(64).expect("n > 0");
    // E exp(f) = exp(m + v/2); E σ(f) for f ~ N(1, 2) by adaptive quadrature.
    assert_close(rule.expectation(0.3, 1.7, f64::exp), (0.3_f64 + 0.85).exp(), 1e-14);
    let density = |f: f64| (-(f - 1.0) * (f - 1.0) / 4.0).exp() / (2.0 * TAU).sqrt() * logistic(f);
    let expected =
        gauss_kronrod(density, -INFINITY, INFINITY, &QuadratureOptions { relative: 1e-13, ..options() })
            .value;
    assert_close(rule.expectation(1.0, 2.0, logistic), expected, 1e-12);
    assert!(rule.expectation(0.0, -1.0, logistic).is_nan());
    assert_eq!(rule.expectation(2.0, 0.0, |f| f), rule.weights().iter().sum::<f64>() * 2.0);
}

#[test]
fn large_rules_stay_finite() {
    let rule = GaussHermite::new(2000).expect("n > 0");
    assert!(rule.nodes().iter().chain(rule.weights()).all(|x| x.is_finite()));
    assert!(rule.nodes().is_sorted());
    assert_close(rule.weights().iter().sum(), 1.0, 1e-12);
    assert_close(rule.expectation(0.0, 1.0, |z| z * z), 1.0, 1e-12);
    assert!(GaussLegendre::new(0).is_err());
    assert!(GaussHermite::new(10_001).is_err());
}

#[test]
fn smooth_integrals_of_every_kind_of_interval() {
    assert_honest(&gauss_kronrod(f64::exp, 0.0, 1.0, &options()), 1_f64.exp_m1(), 1e-15);
    assert_honest(&gauss_kronrod(|x| (-x).exp(), 0.0, INFINITY, &options()), 1.0, 1e-14);
    assert_honest(&gauss_kronrod(f64::exp, -INFINITY, 1.0, &options()), 1_f64.exp(), 1e-14);
    assert_honest(&gauss_kronrod(|x| (1.0 + x * x).recip(), -INFINITY, INFINITY, &options()), PI, 1e-14);
    assert_honest(
        &gauss_kronrod(|x| (-0.5 * x * x).exp(), -INFINITY, INFINITY, &options()),
        TAU.sqrt(),
        1e-14,
    );
    assert_honest(&gauss_kronrod(|x| x.powf(3.5) * (-x).exp(), 0.0, INFINITY, &options()), gamma(4.5), 1e-13);
    assert_honest(&gauss_kronrod(|x| 1.0 / x.sqrt(), 0.0, 1.0, &options()), 2.0, 1e-10);
    assert_honest(&gauss_kronrod(|x| (5.0 * x).sin().abs(), 0.0, PI, &options()), 2.0, 1e-10);
    let reversed = gauss_kronrod(f64::exp, 1.0, 0.0, &options());
    assert_eq!(reversed.value, -gauss_kronrod(f64::exp, 0.0, 1.0, &options()).value);
}

#[test]
fn breakpoints_find_what_is_hidden() {
    let scale = 1e-4;
    let peak = |x: f64| (-(x - 0.25).abs() / scale).exp();
    let found = gauss_kronrod_pieces(peak, &[-INFINITY, 0.24, 0.25, 0.26, INFINITY], &options());
    assert_honest(&found, 2.0 * scale, 1e-12);
    let evidence = gauss_kronrod(|x| (-700.0 - 0.5 * x * x).exp(), -INFINITY, INFINITY, &options());
    assert_honest(&evidence, (-700_f64).exp() * TAU.sqrt(), 1e-14);
}

#[test]
fn failure_is_reported() {
    let divergent = gauss_kronrod(|x| 1.0 / x, 0.0, 1.0, &options());
    assert!(!divergent.converged && divergent.evaluations <= 21_000);
    let not_a_number = gauss_kronrod(|x| (x - 0.5).sqrt(), 0.0, 1.0, &options());
    assert!(!not_a_number.converged && not_a_number.value.is_nan());
    for breakpoints in [[1.0, 0.0, 2.0], [0.0, f64::NAN, 1.0], [0.0, INFINITY, INFINITY]] {
        assert!(gauss_kronrod_pieces(f64::exp, &breakpoints, &options()).value.is_nan());
    }
    assert_eq!(gauss_kronrod_pieces(f64::exp, &[1.0], &options()).value, 0.0);
    assert_eq!(gauss_kronrod(f64::exp, 1.0, 1.0, &options()).value, 0.0);
    // An odd integrand: the proportion of nothing is nothing, an absolute tolerance is needed.
    assert!(!gauss_kronrod(f64::sin, -1.0, 1.0, &options()).converged);
    assert!(
        gauss_kronrod(f64::sin, -1.0, 1.0, &QuadratureOptions { absolute: 1e-12, ..options() }).converged
    );
    // The width overflows, the integral does not.
    let wide = gauss_kronrod(
        |x| 1.0 / (1e300 + x.abs()),
        -1.7e308,
        1.7e308,
        &QuadratureOptions { relative: 1e-6, ..options() },
    );
    assert!(wide.converged && (wide.value / (2.0 * 1.7e8_f64.ln_1p()) - 1.0).abs() < 1e-6, "{wide:?}");
    let slow = trapezoid(|x| (1.0 + x * x).recip(), 0.0, 1.0, &options());
    assert!(!slow.converged);
    assert!(trapezoid(f64::exp, f64::NAN, 1.0, &options()).value.is_nan());
    assert!(trapezoid(f64::exp, 0.0, 0.0, &options()).value.is_nan());
    assert!(tanh_sinh(f64::exp, 0.0, INFINITY, &options()).value.is_nan());
}

#[test]
fn the_trapezoid_rule_reaches_the_last_digits() {
    let bell = trapezoid(|x| (-0.5 * x * x).exp(), 0.7, 1.3, &options());
    assert_honest(&bell, TAU.sqrt(), 4e-16);
    assert!(bell.evaluations < 200, "{bell:?}");
    // A gamma distribution in ln x: Γ(a) = ∫ exp(a t - e^t) dt.
    for a in [0.5_f64, 3.0, 200.0] {
        let ln_peak: f64 = a * a.ln() - a;
        let found = trapezoid(|t: f64| (a * t - t.exp() - ln_peak).exp(), a.ln(), a.powf(-0.5), &options());
        assert_close(found.value.ln() + ln_peak, ln_gamma(a), 4e-15);
    }
}

#[test]
fn tanh_sinh_takes_singular_ends() {
    assert_honest(&tanh_sinh(|x| x.powf(-0.9), 0.0, 1.0, &options()), 10.0, 1e-13);
    assert_honest(&tanh_sinh(|x| (x / (1.0 - x)).ln() * x, 0.0, 1.0, &options()), 0.5, 1e-13);
    assert_honest(&tanh_sinh(|x| (1.0 - x * x).sqrt(), -1.0, 1.0, &options()), PI / 2.0, 1e-14);
    assert_honest(&tanh_sinh(|x| x.powf(-0.5), 1.0, 0.0, &options()), -2.0, 1e-13);
    // Away from zero the nodes lie no closer to the end than numbers do.
    let shifted = tanh_sinh(|x| (1.0 - x).powf(-0.5), 0.0, 1.0, &options());
    assert_close(shifted.value, 2.0, 1e-7);
}

/// 2 + cos(k f) under a bell, and its integral, from E cos(k f) = cos(k m) exp(-k² s²/2): the constant keeps
/// it away from zero.
fn waves_under_a_bell(m: f64, s: f64, k: f64) -> (impl Fn(f64) -> f64, f64) {
    let weighted =
        move |f: f64| (-0.5 * ((f - m) / s).powi(2)).exp() / (s * TAU.sqrt()) * (2.0 + (k * f).cos());
    (weighted, 2.0 + (k * m).cos() * (-0.5 * k * k * s * s).exp())
}

/// The two rules differ by 1e-10 in a part whose error is 2e-9.
#[test]
fn agreement_by_chance_is_not_convergence() {
    let (weighted, expected) = waves_under_a_bell(0.4048880967547515, 1.827880527877319, 0.542010663069488);
    assert_honest(&gauss_kronrod(weighted, -INFINITY, INFINITY, &options()), expected, 1e-13);
}

proptest! {
    #[test]
    fn all_rules_agree(m in -2.0..2.0_f64, s in 0.3..3.0_f64, k in 0.0..2.0_f64) {
        let (weighted, expected) = waves_under_a_bell(m, s, k);
        let g = |f: f64| 2.0 + (k * f).cos();
        let adaptive = gauss_kronrod(&weighted, -INFINITY, INFINITY, &options());
        prop_assert!((adaptive.value / expected - 1.0).abs() < 1e-10);
        prop_assert!((trapezoid(&weighted, m, s, &options()).value / expected - 1.0).abs() < 1e-14);
        let hermite = GaussHermite::new(64).expect("n > 0");
        prop_assert!((hermite.expectation(m, s * s, g) / expected - 1.0).abs() < 1e-13);
    }

    #[test]
    fn any_ends_give_an_answer(a in any::<f64>(), b in any::<f64>()) {
        let few = QuadratureOptions { max_evaluations: 500, ..options() };
        for found in [gauss_kronrod(|x| (-x * x).exp(), a, b, &few), tanh_sinh(|x| (-x * x).exp(), a, b, &few)] {
            prop_assert!(found.evaluations <= 500);
            prop_assert!(!found.converged || found.value.abs() < 2.0);
        }
    }
}
