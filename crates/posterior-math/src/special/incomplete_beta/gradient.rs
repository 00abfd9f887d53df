//! The derivatives of the incomplete beta function in its parameters, by quadrature.

use crate::special::rising::digamma_difference;

use super::point::Point;
use super::prefactor::prefactor;
use super::{special_case, tails};

/// The step of the trapezoidal rule, and how far it goes to both sides.
const STEP: f64 = 1.0 / 16.0;
const REACH: i32 = 72;

/// (∂ I_x(a, b) / ∂a, ∂ I_x(a, b) / ∂b): how the distribution function of the beta distribution moves with
/// its parameters.
///
/// With the density, it gives the derivative of a quantile or of a draw: dx / da = -(∂I / ∂a) / f(x). Zero at
/// x = 0 and at x = 1; NaN where a parameter is zero or infinite and outside of the domain of
/// [`beta_p`](super::beta_p).
///
/// # Numerics
/// ∂I / ∂a = I (ln x + ψ(a + b) - ψ(a)) - ∫₀^x f(t) ln(x / t) dt, on the side of the mean where x is, by a
/// trapezoidal rule after a double-exponential substitution, 145 points, about ten microseconds. Relative
/// error below 1e-12 for parameters from 0.02 to 200 (mpmath, difference quotients at 40 digits), where the
/// value is not small beside I (1 + 1 / a), from which it is what a cancellation left.
///
/// # References
/// H. Takahasi, M. Mori, Double exponential formulas for numerical integration, Publications of the RIMS 9
/// (1974).
///
/// ```
/// use posterior_math::special::beta_p_gradient;
///
/// let (in_a, in_b) = beta_p_gradient(1.0, 1.0, 0.5); // of x^a and of 1 - (1 - x)^b
/// assert!((in_a + 0.5 * 2_f64.ln()).abs() < 1e-13);
/// assert!((in_b - 0.5 * 2_f64.ln()).abs() < 1e-13);
/// ```
pub fn beta_p_gradient(a: f64, b: f64, x: f64) -> (f64, f64) {
    let refused = !(a > 0.0 && b > 0.0 && a < f64::INFINITY && b < f64::INFINITY);
    if refused || !(0.0..=1.0).contains(&x) {
        return (f64::NAN, f64::NAN);
    }
    if special_case(a, b, x, 1.0 - x).is_some() {
        return (0.0, 0.0);
    }
    let point = Point::new(a, b, x, 1.0 - x);
    if point.excess >= 0.0 {
        lower_gradient(&point)
    } else {
        let (in_b, in_a) = lower_gradient(&point.mirrored());
        (-in_a, -in_b)
    }
}

/// The derivatives of the lower tail, for x at or below the mean.
fn lower_gradient(point: &Point) -> (f64, f64) {
    let Point { a, b, x, y, excess } = *point;
    let (lower, factor) = (tails(point).0, prefactor(point));
    if lower == 0.0 {
        return (0.0, 0.0);
    }
    // t = x e^(-s) / (y + x e^(-s)): ln x - ln t = s + w and ln(1 - t) - ln y = -w with w = ln(y + x e^(-s)).
    let n = a + b;
    let scale = (excess + (n * x * y).sqrt()).recip();
    let (mut in_a, mut in_b) = (0.0, 0.0);
    for i in -REACH..=REACH {
        let v = STEP * f64::from(i);
        let decay = (-v).exp();
        let s = scale * (v - decay).exp();
        let w = (x * (-s).exp_m1()).ln_1p();
        let weight = (-(a * s + n * w)).exp() * s * (1.0 + decay);
        in_a += weight * (s + w);
        in_b -= weight * w;
    }
    let scaled = factor * STEP;
    let ln_x = if x <= 0.5 { x.ln() } else { (-y).ln_1p() };
    let ln_y = if y <= 0.5 { y.ln() } else { (-x).ln_1p() };
    (
        lower * (ln_x + digamma_difference(a, b)) - scaled * in_a,
        lower * (ln_y + digamma_difference(b, a)) + scaled * in_b,
    )
}
