//! The incomplete gamma functions and their inverses.

use std::f64::consts::EULER_GAMMA;

use posterior_math::special::{
    erf, gamma_p, gamma_p_shape_derivative, gamma_pq, gamma_q, inverse_gamma_p, inverse_gamma_q, ln_gamma,
    ln_gamma_p, ln_gamma_q,
};
use posterior_testkit::accuracy::{Worst, assert_close, conditioned_error};
use posterior_testkit::reference::special_cases;
use proptest::prelude::*;

use crate::special_values::{INF, NAN, NEG_INF, assert_values};

fn compare(table: &str, bound: f64, function: impl Fn(f64, f64) -> f64) {
    let mut worst = Worst::of(table);
    for case in special_cases(table) {
        let (a, x) = (case.number(0), case.number(1));
        worst.see(function(a, x), case.value, &(a, x));
    }
    worst.assert_at_most(bound);
}

/// The logarithm of a table, where f64 holds the value with all digits; next to 1 the other tail says more.
fn compare_ln(table: &str, bound: f64, function: impl Fn(f64, f64) -> f64) {
    let mut worst = Worst::of(table);
    for case in special_cases(table) {
        let (a, x) = (case.number(0), case.number(1));
        if case.value > f64::MIN_POSITIVE && case.value < 0.9 {
            worst.see(function(a, x), case.value.ln(), &(a, x));
        }
    }
    worst.assert_at_most(bound);
}

#[test]
fn both_tails_meet_their_tables() {
    compare("gamma_p", 3e-15, gamma_p);
    compare("gamma_q", 3e-15, gamma_q);
    compare_ln("gamma_p", 2e-15, ln_gamma_p);
    compare_ln("gamma_q", 3e-15, ln_gamma_q);
}

#[test]
fn inverses_meet_their_tables() {
    compare("gamma_p_inv", 3e-15, inverse_gamma_p);
    compare("gamma_q_inv", 3e-15, inverse_gamma_q);
}

/// a, x, P and Q, by the series and the continued fraction with 420 digits (mpmath 1.3): deep tails, large
/// and small shapes.
const TAILS: [(f64, f64, f64, f64); 14] = [
    (1e-10, 0.5, 0.9999999999440227, 5.597735948054988e-11),
    (0.01, 1.9, 0.9994293883502468, 0.0005706116497532419),
    (0.3, 1e-20, 1.1142425085473024e-06, 0.9999988857574914),
    (0.9, 1.5, 0.8081778415035624, 0.19182215849643755),
    (0.9, 600.0, 1.0, 1.3079665642061781e-261),
    (3.5, 2.25, 0.2792827262088511, 0.7207172737911489),
    (11.5, 30.0, 0.9999617944204077, 3.8205579592298964e-05),
    (12.0, 12.0, 0.5384026669363818, 0.4615973330636182),
    (50.0, 8.0, 1.8658884340114726e-23, 1.0),
    (1000.0, 2000.0, 1.0, 6.847349459614753e-136),
    (10000.0, 9000.0, 2.073299202433928e-25, 1.0),
    (100000.0, 102000.0, 0.9999999998349394, 1.6506061359362835e-10),
    (1000000.0, 999000.0, 0.15865521357430365, 0.8413447864256963),
    (2000.0, 900.0, 2.283756456286719e-218, 1.0),
];

/// a, x and ln P, likewise.
const LN_P: [(f64, f64, f64); 5] = [
    (5.0, 1e-100, -1156.080038239805),
    (500.0, 1.0, -2612.3284604654614),
    (10000.0, 1000.0, -14031.269698821252),
    (100000.0, 50000.0, -19320.700330911593),
    (10000000000.0, 1000000000.0, -14025850942.26696),
];

/// a, x and ln Q, likewise.
const LN_Q: [(f64, f64, f64); 5] = [
    (5.0, 10000.0, -9966.336292302445),
    (0.01, 100000.0, -100015.99728598821),
    (10000.0, 30000.0, -9020.09445254168),
    (100000.0, 200000.0, -30691.957366103692),
    (10000000000.0, 100000000000.0, -66974149084.68863),
];

/// a, x and ∂P/∂a, by central differences with 150 digits.
const SHAPE_DERIVATIVE: [(f64, f64, f64); 17] = [
    (1e-08, 0.5, -0.5597736006437566),
    (0.05, 1.9, -0.06489993025502329),
    (0.3, 1e-10, -0.025467862220657004),
    (0.9, 1.5, -0.3064298536526648),
    (0.9, 20.0, -5.403648082763245e-09),
    (1.0, 1.0, -0.4317297106348987),
    (3.5, 2.25, -0.20074406889679058),
    (11.5, 30.0, -4.010968067418484e-05),
    (11.5, 12.0, -0.11477657460804389),
    (12.0, 12.0, -0.11596894751114419),
    (12.0, 27.0, -0.00038732644998882166),
    (13.0, 6.0, -0.00755956987503132),
    (50.0, 8.0, -3.444716372031767e-23),
    (50.0, 150.0, -8.289413607405018e-22),
    (1000.0, 1100.0, -0.00011048987784079389),
    (10000.0, 9500.0, -9.892319012214694e-09),
    (100000.0, 100100.0, -0.0011994802802501906),
];

#[test]
fn golden_numbers() {
    for (a, x, p, q) in TAILS {
        assert_close(gamma_p(a, x), p, 2e-14);
        assert_close(gamma_q(a, x), q, 2e-14);
    }
    for (a, x, ln_p) in LN_P {
        assert_close(ln_gamma_p(a, x), ln_p, 1e-15);
    }
    for (a, x, ln_q) in LN_Q {
        assert_close(ln_gamma_q(a, x), ln_q, 1e-15);
    }
    assert_close(gamma_p(0.5, 2.0), 0.9544997361036416, 1e-15);
}

#[test]
fn the_shape_derivative_is_that_of_many_digits() {
    let mut worst = Worst::of("shape derivative");
    for (a, x, slope) in SHAPE_DERIVATIVE {
        worst.see(gamma_p_shape_derivative(a, x), slope, &(a, x));
    }
    worst.assert_at_most(3e-15);
    for a in [0.0, 0.5, 20.0, 1e50] {
        assert_values(|x| gamma_p_shape_derivative(a, x), &[(INF, 0.0), (-1.0, NAN), (NAN, NAN)]);
    }
    assert_values(|x| gamma_p_shape_derivative(0.5, x), &[(0.0, 0.0)]);
    assert_values(|a| gamma_p_shape_derivative(a, 0.5), &[(INF, 0.0), (-1.0, NAN), (NAN, NAN)]);
    // -E₁(x)
    assert_close(gamma_p_shape_derivative(0.0, 1.0), -0.21938393439552029, 2e-15);
    assert_close(gamma_p_shape_derivative(0.0, 3.0), -0.013048381094197037, 2e-15);
}

#[test]
fn edges() {
    let tiny = f64::from_bits(1);
    for a in [tiny, 1e-300, 0.5, 1.0, 20.0, 1e15, 1e300] {
        assert_values(|x| gamma_p(a, x), &[(0.0, 0.0), (INF, 1.0), (-1.0, NAN), (NAN, NAN)]);
        assert_values(|x| gamma_q(a, x), &[(0.0, 1.0), (INF, 0.0), (-1.0, NAN), (NAN, NAN)]);
        assert_values(|x| ln_gamma_p(a, x), &[(0.0, NEG_INF), (INF, 0.0), (-1.0, NAN), (NAN, NAN)]);
        assert_values(|x| ln_gamma_q(a, x), &[(0.0, 0.0), (INF, NEG_INF), (-1.0, NAN), (NAN, NAN)]);
        for inverse in [inverse_gamma_p, |a, p| inverse_gamma_q(a, 1.0 - p)] {
            assert_values(|p| inverse(a, p), &[(0.0, 0.0), (1.0, INF), (1.5, NAN), (-0.5, NAN), (NAN, NAN)]);
        }
    }
    for x in [tiny, 1e-300, 0.5, 20.0, 1e300] {
        assert_values(|a| gamma_p(a, x), &[(0.0, 1.0), (INF, 0.0), (-1.0, NAN), (NAN, NAN)]);
        assert_values(|a| gamma_q(a, x), &[(0.0, 0.0), (INF, 1.0), (-1.0, NAN), (NAN, NAN)]);
    }
    assert_values(|x| gamma_p(0.0, x), &[(0.0, NAN), (INF, 1.0)]);
    assert_values(|x| gamma_p(INF, x), &[(0.0, 0.0), (INF, NAN)]);
    assert_values(
        |a| inverse_gamma_p(a, 0.5),
        &[(0.0, 0.0), (INF, INF), (-1.0, NAN), (NAN, NAN), (1e50, 1e50)],
    );
    // Beyond 1e40 the distribution is a step.
    assert_eq!(gamma_pq(1e50, 1e50), (0.5, 0.5));
    assert_eq!(gamma_pq(1e50, 0.999e50), (0.0, 1.0));
    assert_eq!(gamma_pq(1e300, 1.7e308), (1.0, 0.0));
    // Q(a, x) = a E₁(x) for tiny a, and P = 1.
    assert_close(gamma_q(1e-300, 1.0), 2.193839343955203e-301, 1e-15);
    assert_eq!(gamma_p(1e-300, 1.0), 1.0);
    assert_close(ln_gamma_q(1e-300, 1.0), 2.193839343955203e-301_f64.ln(), 1e-15);
    assert_close(inverse_gamma_q(1e-300, 2.193839343955203e-301), 1.0, 1e-14);
    assert_close(inverse_gamma_q(1e-300, 1e-299), (-10.0_f64 - EULER_GAMMA).exp(), 1e-4);
}

fn shape() -> impl Strategy<Value = f64> {
    (-6.0..8.0).prop_map(|exponent: f64| 10_f64.powf(exponent))
}

/// A shape, and an x at which neither tail is hopelessly small.
fn shape_and_x() -> impl Strategy<Value = (f64, f64)> {
    (shape(), -8.0..8.0_f64, -6.0..2.0_f64).prop_map(|(a, deviations, exponent)| {
        let x = a + deviations * a.sqrt();
        (a, if a > 1.0 && x > 0.0 { x } else { 10_f64.powf(exponent) })
    })
}

proptest! {
    #[test]
    fn both_tails_make_one((a, x) in shape_and_x()) {
        let (p, q) = gamma_pq(a, x);
        prop_assert!((0.0..=1.0).contains(&p) && (0.0..=1.0).contains(&q));
        prop_assert!((p + q - 1.0).abs() < 1e-15);
        prop_assert_eq!((gamma_p(a, x), gamma_q(a, x)), (p, q));
        prop_assert!(conditioned_error(ln_gamma_p(a, x).exp(), p, p * p.ln().abs()) < 1e-15);
        prop_assert!(conditioned_error(ln_gamma_q(a, x).exp(), q, q * q.ln().abs()) < 1e-15);
    }

    #[test]
    fn the_shape_goes_up_by_the_density((a, x) in shape_and_x()) {
        // P(a, x) = P(a + 1, x) + x^a e^-x / Γ(a + 1)
        let term = (a * x.ln() - x - ln_gamma(a + 1.0)).exp();
        let rounding = 1.0 + (a * x.ln()).abs() + x + ln_gamma(a + 1.0).abs();
        let difference = gamma_p(a, x) - gamma_p(a + 1.0, x);
        prop_assert!((difference - term).abs() < 1e-15 * (1.0 + rounding * term));
        let sum = gamma_q(a, x) + term;
        prop_assert!(conditioned_error(gamma_q(a + 1.0, x), sum, rounding * term) < 1e-14);
    }

    #[test]
    fn one_half_is_the_error_function(x in 1e-6..5.0_f64) {
        prop_assert!(conditioned_error(gamma_p(0.5, x * x), erf(x), 0.0) < 2e-15);
    }

    #[test]
    fn one_is_the_exponential_distribution(x in 1e-6..700.0_f64) {
        prop_assert!(conditioned_error(gamma_q(1.0, x), (-x).exp(), 0.0) < 3e-15);
        prop_assert!(conditioned_error(ln_gamma_q(1.0, 10.0 * x), -10.0 * x, 0.0) < 3e-15);
        prop_assert!(conditioned_error(gamma_p(1.0, x), -(-x).exp_m1(), 0.0) < 2e-15);
    }

    #[test]
    fn they_are_monotone((a, x) in shape_and_x(), proportion in 1e-3..1.0_f64) {
        let y = x * (1.0 + proportion);
        prop_assert!(gamma_p(a, y) >= gamma_p(a, x) && gamma_q(a, y) <= gamma_q(a, x));
        let b = a * (1.0 + proportion);
        prop_assert!(gamma_p(b, x) <= gamma_p(a, x) && gamma_q(b, x) >= gamma_q(a, x));
    }

    #[test]
    fn the_shape_derivative_is_a_difference((a, x) in shape_and_x()) {
        let h = 1e-3 * a / (1.0 + a.sqrt());
        let near = gamma_p(a + h, x) - gamma_p(a - h, x);
        let far = gamma_p(a + 2.0 * h, x) - gamma_p(a - 2.0 * h, x);
        let difference = (8.0 * near - far) / (12.0 * h);
        let slope = gamma_p_shape_derivative(a, x);
        prop_assert!(slope <= 0.0);
        prop_assert!((difference - slope).abs() < (1e-9 + 1e-15 * a / h) * slope.abs() + 1e-15 / h, "{a} {x} {difference} {slope}");
    }

    #[test]
    fn the_inverse_inverts(a in shape(), exponent in -290.0..0.0_f64) {
        let p = 10_f64.powf(exponent);
        for (x, back, side) in [
            (inverse_gamma_p(a, p), gamma_p as fn(f64, f64) -> f64, 1.0),
            (inverse_gamma_q(a, p), gamma_q, -1.0),
        ] {
            if x > f64::MIN_POSITIVE {
                // How far the tail moves when x moves by its own size, by a difference.
                let h = 1e-4 / (1.0 + a + x).sqrt();
                let slope = side * (back(a, x * (1.0 + h)) - back(a, x * (1.0 - h))) / (2.0 * h);
                prop_assert!(conditioned_error(back(a, x), p, slope) < 1e-14, "{a} {p} {x} {}", back(a, x));
            }
        }
    }

    #[test]
    fn every_number_has_an_answer(a_bits in any::<u64>(), x_bits in any::<u64>()) {
        let (a, x) = (f64::from_bits(a_bits).abs(), f64::from_bits(x_bits).abs());
        for x in [x, a, a * 1.1, a * 0.3, a * 1e-5, a * 1e5] {
            let (p, q) = gamma_pq(a, x);
            if a.is_nan() || x.is_nan() || (a == x && (a == 0.0 || a == INF)) {
                prop_assert!(p.is_nan() && q.is_nan());
            } else {
                prop_assert!((0.0..=1.0).contains(&p) && (0.0..=1.0).contains(&q), "{a} {x} {p} {q}");
                prop_assert!(ln_gamma_p(a, x) <= 0.0 && ln_gamma_q(a, x) <= 0.0, "{a} {x}");
                prop_assert!(gamma_p_shape_derivative(a, x) <= 0.0, "{a} {x}");
            }
        }
        let proportion = (a_bits >> 11) as f64 / (1_u64 << 53) as f64;
        for p in [proportion, x, 1e-320, 1.0 - f64::EPSILON] {
            let quantile = inverse_gamma_p(a, p);
            prop_assert_eq!(quantile.is_nan(), a.is_nan() || !(0.0..=1.0).contains(&p), "{:e} {:e}", a, p);
            prop_assert_eq!(inverse_gamma_q(a, p).is_nan(), quantile.is_nan());
            prop_assert!(quantile.is_nan() || quantile >= 0.0);
        }
    }
}
