//! Powers of quotients.

use super::exact::exact_product;

/// Outside of these, twice the digits of a product are not in f64.
const LEAST: f64 = 1e-290;
const LARGEST: f64 = 1e290;

/// Corrections below this are their own exponentials less one.
const SMALL: f64 = 1e-8;

/// (x / y)ᵃ for x ≥ 0 and y > 0: the rounding of the quotient, which the power would multiply by a, is taken back.
///
/// Relative error below 5e-16 where all numbers are between 1e-290 and 1e290. Where the quotient is none of the normal numbers,
/// exp(a (ln x - ln y)).
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
    if !(sound(x) && sound(y) && sound(ratio) && power.is_normal()) {
        return power;
    }
    let (product, rest) = exact_product(ratio, y);
    let lost = exponent * (((x - product) - rest) / x);
    power + power * if lost.abs() < SMALL { lost } else { lost.exp_m1() }
}
