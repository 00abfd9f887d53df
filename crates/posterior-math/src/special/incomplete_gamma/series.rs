//! The power series of the incomplete gamma functions.

use super::Tails;
use super::prefactor::reciprocal_gamma_slope;

/// A term below this proportion of the sum changes nothing.
const NEGLIGIBLE: f64 = 1e-16;

/// Numerator and denominator are taken down by [`SCALE`] beyond this.
const LARGE: f64 = 1e100;
const SCALE: f64 = 1e-100;

/// From this shape on the series is geometric.
const GEOMETRIC_FROM: f64 = 1e20;

/// At most so many times four terms: x ≤ a + 1 ≤ 13 takes 12, x ≤ 0.43 a takes 11.
const BLOCKS: u32 = 50;

/// 1/n for n = 2, 3, …
const RECIPROCALS: [f64; 28] = {
    let mut reciprocals = [0.5; 28];
    let mut i = 0;
    while i < 28 {
        reciprocals[i] = 1.0 / (i + 2) as f64;
        i += 1;
    }
    reciprocals
};

/// Σ xⁿ / ((a + 1) … (a + n)) = P(a, x) Γ(a + 1) e^x / x^a (DLMF 8.7.1), as one fraction and four terms at a
/// time: the divisions, and each term's waiting for the one before, would take most of the time.
pub(super) fn series(a: f64, x: f64) -> f64 {
    if a > GEOMETRIC_FROM {
        return a / (a - x);
    }
    let (mut numerator, mut denominator, mut power, mut last) = (1.0, 1.0, 1.0, a);
    let fourth_power = (x * x) * (x * x);
    for _ in 0..BLOCKS {
        let (second, third, fourth) = (last + 2.0, last + 3.0, last + 4.0);
        let last_two = third * fourth;
        let factors = ((last + 1.0) * second) * last_two;
        let terms = second * last_two + x * (last_two + x * (fourth + x));
        numerator = numerator * factors + power * (x * terms);
        denominator *= factors;
        power *= fourth_power;
        last = fourth;
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

/// P, Q and x^a e^-x / Γ(a + 1) for a < 1 and x < 2.
///
/// With g = 1 / Γ(1 + a) - 1, p = x^a - 1 and S = Σ (-1)^(n+1) xⁿ / (n! (a + n)), P = (1 + p)(1 + g)(1 - a S)
/// and Q = (1 + p)(1 + g) a S - (p + g + p g): small a, where Q is small, lose nothing.
pub(super) fn near_zero(a: f64, x: f64) -> Tails {
    let g = a * reciprocal_gamma_slope(a);
    let sum = a * alternating_sum(a, x);
    let exponent = a * x.ln();
    if exponent < -1.0 {
        let first = x.powf(a) * (1.0 + g);
        let lower = first * (1.0 - sum);
        return Tails { lower, upper: 1.0 - lower, prefactor: first * (-x).exp() };
    }
    let p = exponent.exp_m1();
    let first = (1.0 + p) * (1.0 + g);
    // Of a subnormal a the difference may round to less than nothing.
    let upper = (first * sum - (p + g + p * g)).max(0.0);
    let lower = if upper < 0.5 { 1.0 - upper } else { first * (1.0 - sum) };
    Tails { lower, upper, prefactor: first * (-x).exp() }
}

/// Σ (-1)^(n+1) xⁿ / (n! (a + n)) over n ≥ 1, four terms between two looks at the size.
fn alternating_sum(a: f64, x: f64) -> f64 {
    let (mut power, mut divisor, mut sum) = (x, a + 1.0, x / (a + 1.0));
    let (blocks, _) = RECIPROCALS.as_chunks::<4>();
    for block in blocks {
        let mut terms = 0.0;
        for reciprocal in block {
            power *= -x * reciprocal;
            divisor += 1.0;
            terms += power / divisor;
        }
        sum += terms;
        if power.abs() < NEGLIGIBLE * sum {
            break;
        }
    }
    sum
}

/// Σ xⁿ / ((a + 1) … (a + n)) (slope - Σ 1 / (a + k)): the derivative of the series and its prefactor in a,
/// where `slope` is that of the logarithm of the prefactor.
pub(super) fn series_slope(a: f64, x: f64, slope: f64) -> f64 {
    let (mut term, mut factor, mut slope, mut sum) = (1.0, a, slope, slope);
    for _ in 0..4 * BLOCKS {
        factor += 1.0;
        term *= x / factor;
        slope -= factor.recip();
        sum += term * slope;
        if (term * slope).abs() < NEGLIGIBLE * sum.abs() && term < NEGLIGIBLE {
            break;
        }
    }
    sum
}
