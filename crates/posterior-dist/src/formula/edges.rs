//! What a formula is outside of its range.

use posterior_math::autodiff::Real;

/// `inside()` where the point is possible and the parameters are; -∞ of an impossible point, NaN of a
/// parameter out of range.
pub(super) fn where_possible<R: Real>(parameters: bool, point: bool, inside: impl FnOnce() -> R) -> R {
    match (parameters, point) {
        (false, _) => R::from(f64::NAN),
        (true, false) => R::from(f64::NEG_INFINITY),
        (true, true) => inside(),
    }
}

/// Whether a parameter is above 0; not if it is NaN.
pub(super) fn positive<R: Real>(parameter: R) -> bool {
    parameter.value() > 0.0
}

/// Whether a parameter is a probability.
pub(super) fn probability<R: Real>(parameter: R) -> bool {
    (0.0..=1.0).contains(&parameter.value())
}

/// x ln y, and 0 if the constant x is 0.
pub(super) fn times_ln<R: Real>(x: f64, y: R) -> R {
    if x == 0.0 { R::from(0.0) } else { y.ln() * x }
}
