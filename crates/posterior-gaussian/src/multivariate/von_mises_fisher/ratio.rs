//! A = I_(p/2)(κ) / I_(p/2 - 1)(κ), the length of the mean of a von Mises-Fisher distribution, what it lacks
//! of one, and its derivative.

use posterior_math::special::bessel_i_remainder;

/// From this κ, and from so many times the square of the order on, expansions in 1/κ have full precision.
const FAR: f64 = 60.0;

/// Below it A is κ/p.
const SMALL: f64 = 1e-50;

/// Terms of these expansions.
const TERMS: usize = 24;

/// A at κ ≥ 0 in p dimensions.
pub(super) fn mean_length(dimension: f64, kappa: f64) -> f64 {
    if is_far(dimension, kappa) {
        return 1.0 - rest(dimension, kappa);
    }
    if kappa < SMALL {
        return kappa / dimension;
    }
    let (low, high) = (0.5 * dimension - 1.0, 0.5 * dimension);
    let [low_root, high_root] = [low.hypot(kappa), high.hypot(kappa)];
    // The leading terms of Debye's expansion by differences, and what is left of both.
    let exponent = (low + high) / (low_root + high_root) - high * (high / kappa).asinh()
        + low * (low / kappa).asinh()
        - 0.5 * (high_root / low_root).ln();
    let left = bessel_i_remainder(high, kappa) / bessel_i_remainder(low, kappa);
    (exponent.exp() * left).min(1.0)
}

/// 1 - A.
pub(super) fn rest(dimension: f64, kappa: f64) -> f64 {
    if !is_far(dimension, kappa) {
        return 1.0 - mean_length(dimension, kappa);
    }
    let coefficients = ln_coefficients(0.5 * dimension - 1.0);
    // A is the derivative of κ - (p - 1)/2 ln κ + Σ cₖ κ⁻ᵏ.
    let sum = series(&coefficients, kappa, |k| k);
    (0.5 * (dimension - 1.0) + sum) / kappa
}

/// dA/dκ = 1 - A² - (p - 1) A / κ.
pub(super) fn mean_length_slope(dimension: f64, kappa: f64) -> f64 {
    if kappa < SMALL {
        return dimension.recip();
    }
    if !is_far(dimension, kappa) {
        let length = mean_length(dimension, kappa);
        return (1.0 - length) * (1.0 + length) - (dimension - 1.0) * (length / kappa);
    }
    let coefficients = ln_coefficients(0.5 * dimension - 1.0);
    let sum = series(&coefficients, kappa, |k| k * (k + 1.0));
    (0.5 * (dimension - 1.0) + sum) / kappa / kappa
}

fn is_far(dimension: f64, kappa: f64) -> bool {
    let order = 0.5 * dimension - 1.0;
    kappa > FAR * (1.0 + order * order / 16.0)
}

/// Σ cₖ weight(k) κ⁻ᵏ, k = 1, 2, …
fn series(coefficients: &[f64], kappa: f64, weight: impl Fn(f64) -> f64) -> f64 {
    coefficients
        .iter()
        .enumerate()
        .rev()
        .fold(0.0, |sum, (index, c)| (sum + c * weight(index as f64 + 1.0)) / kappa)
}

/// cₖ of ln Σ (-1)ᵏ aₖ(ν) κ⁻ᵏ = Σ cₖ κ⁻ᵏ, where Hankel's expansion of I_ν(κ) √(2πκ) e^(-κ) is the sum on the
/// left.
fn ln_coefficients(order: f64) -> [f64; TERMS] {
    let mut hankel = [0.0; TERMS];
    let mut term = 1.0;
    for (index, own) in hankel.iter_mut().enumerate() {
        let k = index as f64 + 1.0;
        term *= -(4.0 * order * order - (2.0 * k - 1.0).powi(2)) / (8.0 * k);
        *own = term;
    }
    // k cₖ = k aₖ - Σ j cⱼ a_(k - j)
    let mut ln = [0.0; TERMS];
    for k in 1..=TERMS {
        let mixed: f64 = (1..k).map(|j| j as f64 * ln[j - 1] * hankel[k - j - 1]).sum();
        ln[k - 1] = hankel[k - 1] - mixed / k as f64;
    }
    ln
}
