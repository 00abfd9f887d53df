//! The power series of the incomplete gamma functions.

use super::prefactor::reciprocal_gamma_slope;

/// A term below this share of the sum changes nothing.
const NEGLIGIBLE: f64 = 1e-17;

/// Numerator and denominator are taken down by [`SCALE`] beyond this.
const LARGE: f64 = 1e200;
const SCALE: f64 = 1e-200;

/// At most so many terms: x ≤ a + 1 ≤ 13 takes 50, x ≤ 0.43 a takes 45.
const TERMS: u32 = 200;

/// Σ xⁿ / ((a + 1) … (a + n)) = P(a, x) Γ(a + 1) e^x / x^a (DLMF 8.7.1), as one fraction: a division for every term would
/// take most of the time.
pub(super) fn series(a: f64, x: f64) -> f64 {
    let (mut numerator, mut denominator, mut power, mut factor) = (1.0, 1.0, 1.0, a);
    for _ in 0..TERMS {
        factor += 1.0;
        power *= x;
        numerator = numerator * factor + power;
        denominator *= factor;
        if power < NEGLIGIBLE * numerator {
            break;
        }
        if denominator > LARGE {
            numerator *= SCALE;
            denominator *= SCALE;
            power *= SCALE;
        }
    }
    numerator / denominator
}

/// (P, Q) for a < 1 and x < 2.
///
/// With g = 1 / Γ(1 + a) - 1, p = x^a - 1 and S = Σ (-1)^(n+1) xⁿ / (n! (a + n)),
/// P = (1 + p)(1 + g)(1 - a S) and Q = (1 + p)(1 + g) a S - (p + g + p g): small a, where Q is small, lose nothing.
pub(super) fn both_near_zero(a: f64, x: f64) -> (f64, f64) {
    let g = a * reciprocal_gamma_slope(a);
    let sum = a * alternating_sum(a, x);
    let first = x.powf(a) * (1.0 + g);
    let lower = first * (1.0 - sum);
    if lower < 0.7 {
        return (lower, 1.0 - lower);
    }
    let p = (a * x.ln()).exp_m1();
    let upper = first * sum - (p + g + p * g);
    (1.0 - upper, upper)
}

/// Σ (-1)^(n+1) xⁿ / (n! (a + n)) over n ≥ 1.
fn alternating_sum(a: f64, x: f64) -> f64 {
    let (mut term, mut sum) = (x, x / (a + 1.0));
    for n in 2..40 {
        let n = f64::from(n);
        term *= -x / n;
        sum += term / (a + n);
        if term.abs() < NEGLIGIBLE * sum {
            break;
        }
    }
    sum
}
