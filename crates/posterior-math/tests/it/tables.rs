//! Every function against its reference table of 30 digits. The bounds are the largest errors measured,
//! rounded up.

use posterior_math::log_space::{
    LnSumExp, ln_1m_exp, ln_1p_exp, ln_add_exp, ln_diff_exp, ln_logistic, ln_sum_exp, logistic, logit,
    softmax_in_place, x_ln_y,
};
use posterior_math::special::{
    digamma, digamma_difference, gamma, inverse_digamma, ln_beta, ln_binomial, ln_factorial, ln_gamma,
    ln_gamma_sign, ln_multinomial, ln_pochhammer, ln_rising_factorial, multivariate_ln_gamma,
    poisson_deviance, stirling_remainder, trigamma, trigamma_difference,
};
use posterior_testkit::accuracy::Worst;
use posterior_testkit::reference::{Case, special_cases};

/// Compares `function` with a table of one argument, relative to the value alone.
fn compare(table: &str, bound: f64, function: impl Fn(f64) -> f64) {
    compare_conditioned(table, bound, function, |_| 0.0);
}

/// Compares `function` with a table of one argument, allowing for |x f'(x)|.
fn compare_conditioned(
    table: &str,
    bound: f64,
    function: impl Fn(f64) -> f64,
    sensitivity: impl Fn(f64) -> f64,
) {
    let mut worst = Worst::of(table);
    for case in special_cases(table) {
        let x = case.number(0);
        worst.see_conditioned(function(x), case.value, sensitivity(x), &x);
    }
    worst.assert_at_most(bound);
}

/// Compares `function` with a table, row by row; it returns the value and its sensitivity.
fn compare_rows(table: &str, bound: f64, function: impl Fn(&Case) -> (f64, f64)) {
    let mut worst = Worst::of(table);
    for case in special_cases(table) {
        let (value, sensitivity) = function(&case);
        worst.see_conditioned(value, case.value, sensitivity, &case.arguments);
    }
    worst.assert_at_most(bound);
}

#[test]
fn ln_gamma_meets_its_table() {
    // Only next to the roots on the negative axis does the rounding of x matter.
    compare_conditioned("ln_gamma", 1e-15, ln_gamma, |x| if x < 0.0 { (x * digamma(x)).abs() } else { 0.0 });
}

#[test]
fn gamma_meets_its_table() {
    compare("gamma", 1e-15, gamma);
}

#[test]
fn ln_gamma_sign_agrees_with_gamma() {
    for case in special_cases("gamma") {
        let (ln_abs, sign) = ln_gamma_sign(case.number(0));
        assert_eq!(sign, case.value.signum());
        assert_eq!(ln_abs, ln_gamma(case.number(0)));
    }
}

#[test]
fn digamma_meets_its_table() {
    // The roots on the negative axis begin at -0.504.
    compare_conditioned("digamma", 1e-15, digamma, |x| if x < -0.25 { (x * trigamma(x)).abs() } else { 0.0 });
}

#[test]
fn trigamma_meets_its_table() {
    compare("trigamma", 1e-15, trigamma);
}

#[test]
fn ln_beta_meets_its_table() {
    compare_rows("ln_beta", 2e-15, |case| (ln_beta(case.number(0), case.number(1)), 0.0));
    compare_rows("ln_beta", 2e-15, |case| (ln_beta(case.number(1), case.number(0)), 0.0));
}

#[test]
fn ln_binomial_meets_its_table() {
    compare_rows("ln_binomial", 1e-15, |case| (ln_binomial(case.count(0), case.count(1)), 0.0));
}

#[test]
fn ln_factorial_meets_its_table() {
    compare_rows("ln_factorial", 1e-15, |case| (ln_factorial(case.count(0)), 0.0));
}

#[test]
fn ln_multinomial_meets_its_table() {
    compare_rows("ln_multinomial", 1e-15, |case| (ln_multinomial(&case.counts(0)), 0.0));
}

#[test]
fn multivariate_ln_gamma_meets_its_table() {
    compare_rows("mv_ln_gamma", 1e-15, |case| {
        (multivariate_ln_gamma(case.count(0) as usize, case.number(1)), 0.0)
    });
}

/// Σ |vᵢ| exp(vᵢ - value): how far ln Σ exp moves when every term moves by its own size.
fn sum_sensitivity(terms: &[f64]) -> f64 {
    let mut weights = terms.to_vec();
    softmax_in_place(&mut weights);
    terms
        .iter()
        .zip(&weights)
        .filter(|(_, weight)| **weight > 0.0)
        .map(|(term, weight)| term.abs() * weight)
        .sum()
}

#[test]
fn ln_sum_exp_meets_its_table() {
    compare_rows("logsumexp", 1e-15, |case| {
        let terms = case.numbers(0);
        (ln_sum_exp(&terms), sum_sensitivity(&terms))
    });
    compare_rows("logsumexp", 1e-15, |case| {
        let terms = case.numbers(0);
        (terms.iter().copied().collect::<LnSumExp>().value(), sum_sensitivity(&terms))
    });
    compare_rows("logsumexp", 1e-15, |case| {
        let terms = case.numbers(0);
        (terms.iter().copied().fold(f64::NEG_INFINITY, ln_add_exp), sum_sensitivity(&terms))
    });
}

#[test]
fn ln_diff_exp_meets_its_table() {
    // f = ln(e^a - e^b) moves with a by e^(a - f) and with b by e^(b - f): next to a = b, and next to f = 0,
    // by more than itself.
    compare_rows("logdiffexp", 1e-15, |case| {
        let (a, b) = (case.number(0), case.number(1));
        let fall = x_ln_y((b - case.value).exp(), b.exp()).abs();
        (ln_diff_exp(a, b), a.abs() * (a - case.value).exp() + fall)
    });
}

#[test]
fn ln_1m_exp_meets_its_table() {
    compare("log1mexp", 1e-15, ln_1m_exp);
}

#[test]
fn ln_1p_exp_meets_its_table() {
    compare("log1pexp", 1e-15, ln_1p_exp);
}

#[test]
fn logistic_meets_its_table() {
    compare("logistic", 1e-15, logistic);
}

#[test]
fn ln_logistic_meets_its_table() {
    compare("log_logistic", 1e-15, ln_logistic);
}

#[test]
fn logit_meets_its_table() {
    compare("logit", 1e-15, logit);
}

#[test]
fn ln_rising_factorial_meets_its_table() {
    compare_rows("ln_rising_factorial", 1e-15, |case| {
        (ln_rising_factorial(case.number(0), case.count(1)), 0.0)
    });
}

#[test]
fn ln_pochhammer_meets_its_table() {
    // The terms are of size d (|ψ(a + d)| + 1), and cancel where the value is smaller.
    compare_rows("ln_pochhammer", 1e-15, |case| {
        let (a, d) = (case.number(0), case.number(1));
        (ln_pochhammer(a, d), d * (digamma(a + d).abs() + 1.0))
    });
}

#[test]
fn digamma_difference_meets_its_table() {
    compare_rows("digamma_difference", 1e-15, |case| {
        (digamma_difference(case.number(0), case.number(1)), 0.0)
    });
}

#[test]
fn trigamma_difference_meets_its_table() {
    compare_rows("trigamma_difference", 1e-15, |case| {
        (trigamma_difference(case.number(0), case.number(1)), 0.0)
    });
}

#[test]
fn inverse_digamma_meets_its_table() {
    // dx = dy / ψ₁(x): for large y the rounding of y is that of ln x.
    compare_conditioned("inverse_digamma", 1e-15, inverse_digamma, |y| {
        (y / trigamma(inverse_digamma(y))).abs()
    });
}

#[test]
fn stirling_remainder_meets_its_table() {
    compare("stirling_remainder", 1e-15, stirling_remainder);
}

#[test]
fn poisson_deviance_meets_its_table() {
    compare_rows("poisson_deviance", 1e-15, |case| (poisson_deviance(case.number(0), case.number(1)), 0.0));
}
