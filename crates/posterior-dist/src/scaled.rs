//! Locations, scales, quotients and exponentials of which a result on the way is beyond f64.

/// ln(x/y) for positive numbers: from the difference where the two are close, and from the quotient where it
/// has all its digits.
pub(crate) fn ln_ratio(x: f64, y: f64) -> f64 {
    let ratio = x / y;
    if (0.5..=2.0).contains(&ratio) {
        ((x - y) / y).ln_1p()
    } else if ratio.is_normal() {
        ratio.ln()
    } else {
        x.ln() - y.ln()
    }
}

/// x - location and the scale, or the halves of both where the difference overflows.
pub(crate) fn apart(x: f64, location: f64, scale: f64) -> (f64, f64) {
    let distance = x - location;
    if distance.is_finite() { (distance, scale) } else { (0.5 * x - 0.5 * location, 0.5 * scale) }
}

/// (x - location)/scale, also where the difference overflows.
pub(crate) fn standardized(x: f64, location: f64, scale: f64) -> f64 {
    let (distance, scale) = apart(x, location, scale);
    distance / scale
}

/// location + scale z, also where the product overflows and the sum does not.
pub(crate) fn located(location: f64, scale: f64, z: f64) -> f64 {
    let x = location + scale * z;
    if x.is_finite() || z.is_infinite() { x } else { 4.0 * (0.25 * location + 0.25 * scale * z) }
}

/// x eᵗ for x > 0, in steps: the exponential alone may be beyond f64 where the product is not.
pub(crate) fn times_exp(x: f64, t: f64) -> f64 {
    if t.abs() < 700.0 {
        return x * t.exp();
    }
    let step = (0.25 * t.clamp(-1e4, 1e4)).exp();
    // A step that is itself beyond f64 takes every number there.
    (((x * step) * step) * step) * step
}

/// A positive number, by its logarithm where f64 cannot hold it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Positive {
    /// The number.
    Number(f64),
    /// Its logarithm.
    Logarithm(f64),
}
