//! Identities between the functions, on random arguments.

use std::f64::consts::{LN_2, PI};

use posterior_math::log_space::{
    LnSumExp, ln_logistic, ln_softmax_in_place, ln_sum_exp, logistic, logit, softmax_in_place,
};
use posterior_math::special::{
    digamma, digamma_difference, inverse_digamma, ln_beta, ln_binomial, ln_factorial, ln_gamma,
    ln_multivariate_beta, ln_pochhammer, ln_rising_factorial, poisson_deviance, stirling_remainder, trigamma,
    trigamma_difference,
};
use posterior_testkit::accuracy::{assert_close, conditioned_error};
use proptest::prelude::*;

/// Positive numbers of every size: 10^-8 to 10^8, uniform in the exponent.
fn positive() -> impl Strategy<Value = f64> {
    (-8.0..8.0).prop_map(|exponent: f64| 10_f64.powf(exponent))
}

proptest! {
    #[test]
    fn the_gamma_family_obeys_its_recurrences(x in positive()) {
        prop_assert!(conditioned_error(ln_gamma(x + 1.0) - ln_gamma(x), x.ln(), 1.0 + ln_gamma(x).abs()) < 1e-14);
        prop_assert!(conditioned_error(digamma(x + 1.0), digamma(x) + 1.0 / x, 1.0 / x) < 1e-14);
        prop_assert!(conditioned_error(trigamma(x), trigamma(x + 1.0) + 1.0 / (x * x), 0.0) < 1e-14);
    }

    #[test]
    fn ln_gamma_obeys_the_reflection(x in 0.001..0.999_f64) {
        let expected = (PI / (PI * x).sin()).ln();
        let size = ln_gamma(x).abs() + ln_gamma(1.0 - x).abs() + 1.0 / (1.0 - x);
        prop_assert!(conditioned_error(ln_gamma(x) + ln_gamma(1.0 - x), expected, size) < 1e-14);
    }

    #[test]
    fn digamma_obeys_the_duplication(x in positive()) {
        let expected = LN_2 + digamma(x).midpoint(digamma(x + 0.5));
        prop_assert!(conditioned_error(digamma(2.0 * x), expected, 1.0 + digamma(x).abs()) < 1e-14);
    }

    #[test]
    fn digamma_increases_and_is_concave(x in positive(), factor in 1.01..10.0) {
        let y = x * factor;
        prop_assert!(digamma(y) > digamma(x));
        prop_assert!(digamma(x.midpoint(y)) > digamma(x).midpoint(digamma(y)));
        prop_assert!(trigamma(x) > 1.0 / x);
        prop_assert!(trigamma(y) < trigamma(x));
    }

    #[test]
    fn inverse_digamma_inverts(x in positive()) {
        // dx = dψ / ψ₁(x): what the rounding of ψ(x) allows.
        let sensitivity = digamma(x).abs() / trigamma(x);
        prop_assert!(conditioned_error(inverse_digamma(digamma(x)), x, sensitivity) < 1e-14);
    }

    #[test]
    fn the_stirling_remainder_falls_by_the_recurrence(x in 1.0..1e4_f64) {
        // (x + ½) ln(1 + 1/x) - 1 = artanh(v) / v - 1 with v = 1 / (2x + 1)
        let v = 1.0 / (2.0 * x + 1.0);
        let fall = (1..40).map(|i| v.powi(2 * i) / f64::from(2 * i + 1)).sum::<f64>();
        let size = stirling_remainder(x);
        prop_assert!(conditioned_error(size - stirling_remainder(x + 1.0), fall, size) < 1e-15);
    }

    #[test]
    fn the_stirling_remainder_completes_the_formula(x in 1e-3..1e8_f64) {
        let formula = (x - 0.5) * x.ln() - x + 0.5 * (2.0 * PI).ln();
        prop_assert!(conditioned_error(formula + stirling_remainder(x), ln_gamma(x), 1.0 + x) < 1e-14);
    }

    #[test]
    fn beta_obeys_symmetry_and_pascal(a in positive(), b in positive()) {
        prop_assert_eq!(ln_beta(a, b), ln_beta(b, a));
        // B(a + 1, b) + B(a, b + 1) = B(a, b)
        let sum = ln_sum_exp(&[ln_beta(a + 1.0, b), ln_beta(a, b + 1.0)]);
        prop_assert!(conditioned_error(sum, ln_beta(a, b), 1.0 + a.min(b)) < 1e-13);
    }

    #[test]
    fn the_multivariate_beta_is_the_ratio_of_gammas(alpha in prop::collection::vec(0.01..20.0, 2..8)) {
        let total: f64 = alpha.iter().sum();
        let expected = alpha.iter().map(|&a| ln_gamma(a)).sum::<f64>() - ln_gamma(total);
        prop_assert!(conditioned_error(ln_multivariate_beta(&alpha), expected, ln_gamma(total).abs() + 1.0) < 1e-13);
    }

    #[test]
    fn rising_differences_are_sums_over_steps(a in positive(), n in 0_u64..200) {
        let steps: Vec<f64> = (0..n).map(|i| a + i as f64).collect();
        let ln_sum: f64 = steps.iter().map(|s| s.ln()).sum();
        let ln_size: f64 = steps.iter().map(|s| s.ln().abs()).sum();
        prop_assert!(conditioned_error(ln_rising_factorial(a, n), ln_sum, ln_size) < 1e-14);
        let first: f64 = steps.iter().map(|s| 1.0 / s).sum();
        prop_assert!(conditioned_error(digamma_difference(a, n as f64), first, 0.0) < 1e-14);
        let second: f64 = steps.iter().map(|s| 1.0 / (s * s)).sum();
        prop_assert!(conditioned_error(trigamma_difference(a, n as f64), second, 0.0) < 1e-14);
    }

    #[test]
    fn rising_differences_of_many_steps_are_those_of_the_functions(a in positive(), n in 1000_u64..1_000_000_000) {
        let end = a + n as f64;
        let size = ln_gamma(end).abs();
        prop_assert!(conditioned_error(ln_rising_factorial(a, n), ln_gamma(end) - ln_gamma(a), size) < 1e-14);
        let first = digamma(end) - digamma(a);
        prop_assert!(conditioned_error(digamma_difference(a, n as f64), first, digamma(end).abs()) < 1e-14);
        let second = trigamma(a) - trigamma(end);
        prop_assert!(conditioned_error(trigamma_difference(a, n as f64), second, trigamma(a)) < 1e-14);
    }

    #[test]
    fn differences_over_real_steps_are_those_of_the_functions(a in positive(), d in positive()) {
        let end = a + d;
        let size = ln_gamma(a).abs() + ln_gamma(end).abs() + (end * digamma(end)).abs();
        prop_assert!(conditioned_error(ln_pochhammer(a, d), ln_gamma(end) - ln_gamma(a), size) < 1e-14);
        // Two steps are one: this sees the digits that the subtraction loses.
        let half = d / 2.0;
        let twice = ln_pochhammer(a, half) + ln_pochhammer(a + half, half);
        let size = d * (digamma(end).abs() + 4.0) + (d / a).ln_1p();
        prop_assert!(conditioned_error(ln_pochhammer(a, d), twice, size) < 1e-14);
        let twice = digamma_difference(a, half) + digamma_difference(a + half, half);
        prop_assert!(conditioned_error(digamma_difference(a, d), twice, 0.0) < 1e-14);
        let twice = trigamma_difference(a, half) + trigamma_difference(a + half, half);
        prop_assert!(conditioned_error(trigamma_difference(a, d), twice, 0.0) < 1e-14);
    }

    #[test]
    fn binomials_are_ratios_of_factorials(n in 0_u64..100_000, proportion in 0.0..=1.0_f64) {
        let k = ((n as f64 * proportion) as u64).min(n);
        let expected = ln_factorial(n) - ln_factorial(k) - ln_factorial(n - k);
        prop_assert!(conditioned_error(ln_binomial(n, k), expected, ln_factorial(n)) < 1e-14);
        prop_assert_eq!(ln_binomial(n, k), ln_binomial(n, n - k));
    }

    #[test]
    fn the_deviance_is_its_formula(x in positive(), m in positive()) {
        let expected = x * (x / m).ln() + m - x;
        prop_assert!(conditioned_error(poisson_deviance(x, m), expected, x * (x / m).ln().abs() + m + x) < 1e-14);
        prop_assert!(poisson_deviance(x, m) >= 0.0);
    }

    #[test]
    fn ln_sum_exp_shifts_and_merges(terms in prop::collection::vec(-50.0..50.0, 1..30), shift in -500.0..500.0, at in 0_usize..30) {
        let whole = ln_sum_exp(&terms);
        let shifted: Vec<f64> = terms.iter().map(|term| term + shift).collect();
        prop_assert!(conditioned_error(ln_sum_exp(&shifted), whole + shift, 500.0) < 1e-15);
        let (left, right) = terms.split_at(at.min(terms.len()));
        let mut stream: LnSumExp = left.iter().copied().collect();
        stream.merge(&right.iter().copied().collect());
        prop_assert!(conditioned_error(stream.value(), whole, 50.0) < 1e-15);
    }

    #[test]
    fn softmax_sums_to_one_and_ignores_shifts(terms in prop::collection::vec(-50.0..50.0, 1..30), shift in -500.0..500.0) {
        let mut weights = terms.clone();
        let ln_sum = softmax_in_place(&mut weights);
        prop_assert_eq!(ln_sum, ln_sum_exp(&terms));
        prop_assert!((weights.iter().sum::<f64>() - 1.0).abs() <= f64::EPSILON * terms.len() as f64);
        let mut ln_weights = terms.clone();
        prop_assert_eq!(ln_softmax_in_place(&mut ln_weights), ln_sum);
        let mut shifted: Vec<f64> = terms.iter().map(|term| term + shift).collect();
        softmax_in_place(&mut shifted);
        for ((weight, ln_weight), of_shifted) in weights.iter().zip(&ln_weights).zip(&shifted) {
            prop_assert!(conditioned_error(ln_weight.exp(), *weight, 0.0) < 1e-13);
            prop_assert!(conditioned_error(*of_shifted, *weight, 0.0) < 1e-12);
        }
    }

    #[test]
    fn the_logistic_function_is_symmetric_and_invertible(x in -30.0..30.0_f64) {
        prop_assert!((logistic(x) + logistic(-x) - 1.0).abs() <= f64::EPSILON);
        // Towards 1 the probability itself has lost the digits: dx = dp / (p (1 - p)).
        prop_assert!(conditioned_error(logit(logistic(x)), x, 1.0 / logistic(-x)) < 1e-15);
        prop_assert!(conditioned_error(ln_logistic(x).exp(), logistic(x), 0.0) < 1e-14);
        let slope = (logistic(x + 1e-5) - logistic(x - 1e-5)) / 2e-5;
        prop_assert!((slope - logistic(x) * logistic(-x)).abs() < 1e-10);
    }
}

#[test]
fn large_arguments_of_beta_keep_their_digits() {
    // ln B(n, n) for n = 10^15 is that of the central binomial coefficient: -2n ln 2 + ½ ln(4π / n) + O(1/n).
    let n: f64 = 1e15;
    assert_close(ln_beta(n, n), -2.0 * n * LN_2 + 0.5 * (4.0 * PI / n).ln(), 1e-15);
    assert_close(ln_beta(1e300, 2.0), -600.0 * 10_f64.ln(), 1e-15);
}
