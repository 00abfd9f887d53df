//! The integral of the von Mises density over an arc that starts opposite to the mean direction.

use crate::fixed_quadrature::integrate_up_to;

/// How much the exponent may change over one part of the arc.
const FOLDS: f64 = 8.0;
/// Length of the longest part.
const LONGEST: f64 = 0.8;
/// What e-fold of the integrand does not matter any more.
const NEGLIGIBLE: f64 = 40.0;

/// ln ∫ exp(κ (cos t - 1)) dt from -π to `angle`, which is negative or zero; `length` = `angle` + π, exactly.
///
/// By Gauss's rule on parts over which the exponent changes by no more than a few units, of which there are
/// at most ten.
pub(super) fn ln_integral(angle: f64, length: f64, kappa: f64) -> f64 {
    let square = |t: f64| {
        let sine = (0.5 * t).sin();
        sine * sine
    };
    let top = square(angle);
    let term = |t: f64| (-kappa * (2.0 * (square(t) - top))).exp();
    let (mut end, mut left, mut sum) = (angle, length, 0.0);
    while left > 0.0 {
        let below = square(end);
        if kappa * (2.0 * (below - top)) > NEGLIGIBLE {
            break;
        }
        let target = below + 0.5 * FOLDS / kappa;
        let by_exponent = if target < 1.0 { 2.0 * target.sqrt().asin() + end } else { left };
        let width = by_exponent.min(LONGEST).min(left);
        if !(width > 0.0) {
            break;
        }
        sum += integrate_up_to(end, width, term);
        end -= width;
        left -= width;
    }
    f64::ln(sum) - kappa * (2.0 * top)
}
