//! Powers of quotients.

use super::exact::exact_product;

/// Outside of these, twice the digits of a product are not in f64.
const LEAST: f64 = 1e-290;
const LARGEST: f64 = 1e290;
/// 2⁶⁰⁰, which brings both numbers of a sound quotient between these two.
const FACTOR: f64 = 4.149_515_568_880_993e180;

/// Corrections below this are their own exponentials less one.
const SMALL: f64 = 1e-8;

/// (x / y)ᵃ for x ≥ 0 and y > 0: the rounding of the quotient, which the power would multiply by a, is taken
/// back.
///
/// Relative error below 5e-16 where the quotient and the power are between 1e-290 and 1e290, and twice that
/// up to the ends of f64. Where the quotient is none of the normal numbers, exp(a (ln x - ln y)).
///
/// ```
/// use posterior_math::special::ratio_power;
///
/// let value = ratio_power(93.96056940045445, 100.0, 2000.0); // the power of the rounded quotient is wrong in the thirteenth digit
/// assert!((value / 7.785380996812806e-55 - 1.0).abs() < 1e-15);
/// ```
pub fn ratio_power(x: f64, y: f64, exponent: f64) -> f64 {
    let ratio = x / y;
    if !ratio.is_normal() && x > 0.0 && x < f64::INFINITY {
        return (exponent * (x.ln() - y.ln())).exp();
    }
    let power = ratio.powf(exponent);
    let sound = |number: f64| (LEAST..LARGEST).contains(&number);
    if !sound(ratio) || exponent.is_nan() {
        return power;
    }
    if !sound(x) || !sound(y) {
        let factor = if x.min(y) < LEAST { FACTOR } else { FACTOR.recip() };
        let (x, y) = (x * factor, y * factor);
        return if sound(x) && sound(y) { ratio_power(x, y, exponent) } else { power };
    }
    if !power.is_normal() {
        // The power of the rounded quotient may be none where that of the quotient is one.
        let root = ratio.powf(0.5 * exponent);
        return if root.is_normal() { corrected(root, [x, y], 0.5 * exponent).powi(2) } else { power };
    }
    corrected(power, [x, y], exponent)
}

/// (x / y)ᵃ from the power of the rounded quotient.
fn corrected(power: f64, [x, y]: [f64; 2], exponent: f64) -> f64 {
    let (product, rest) = exact_product(x / y, y);
    let lost = exponent * (((x - product) - rest) / x);
    if lost.abs() < SMALL {
        power + power * lost
    } else if lost.abs() < 0.5 {
        power + power * lost.exp_m1()
    } else {
        power * lost.exp()
    }
}
