//! y = ln(1 + ξz) / ξ and its inverse: what makes a Gumbel variable of a generalised extreme one, and an
//! exponential variable of a generalised Pareto one.

use posterior_math::special::exact_product;

use crate::scaled::{apart, located, standardized, times_exp};

/// Below this |ξz| the two are the same number.
const SAME: f64 = 1e-17;

/// Below this |ξz| the derivative in ξ is a series.
const SERIES_BELOW: f64 = 0.1;

/// 1 + ξz, rounded once: next to the end of the support the two nearly cancel.
pub(super) fn growth(shape: f64, z: f64) -> f64 {
    let product = shape * z;
    if !(product < -0.5 && product > -2.0) {
        return 1.0 + product;
    }
    let (product, rest) = exact_product(shape, z);
    (1.0 + product) + rest
}

/// Whether 1 + ξz ≥ 0.
pub(super) fn is_inside(shape: f64, z: f64) -> bool {
    !(growth(shape, z) < 0.0)
}

/// y at z, for 1 + ξz ≥ 0; infinite at 1 + ξz = 0.
pub(super) fn logarithm(shape: f64, z: f64) -> f64 {
    let excess = shape * z;
    if excess.abs() < SAME || z == 0.0 || shape == 0.0 {
        z
    } else if excess == f64::INFINITY {
        (shape.abs().ln() + z.abs().ln()) / shape
    } else if excess < -0.5 {
        growth(shape, z).max(0.0).ln() / shape
    } else {
        excess.ln_1p() / shape
    }
}

/// y at x, also where z is beyond f64.
pub(super) fn logarithm_at(x: f64, location: f64, scale: f64, shape: f64) -> f64 {
    let z = standardized(x, location, scale);
    if z.is_infinite() && x.is_finite() && shape * z > 0.0 {
        let (distance, scale) = apart(x, location, scale);
        (shape.abs().ln() + distance.abs().ln() - scale.ln()) / shape
    } else {
        logarithm(shape, z)
    }
}

/// z at y.
pub(super) fn power(shape: f64, y: f64) -> f64 {
    let exponent = shape * y;
    if exponent.abs() < SAME || y == 0.0 || shape == 0.0 { y } else { exponent.exp_m1() / shape }
}

/// location + scale z at y, also where z overflows and the product does not.
pub(super) fn point(location: f64, scale: f64, shape: f64, y: f64) -> f64 {
    let exponent = shape * y;
    if exponent > 700.0 && exponent < f64::INFINITY {
        location + times_exp(scale, exponent - shape.abs().ln()).copysign(shape)
    } else {
        located(location, scale, power(shape, y))
    }
}

/// ∂y/∂ξ at a z inside.
pub(super) fn shape_slope(shape: f64, z: f64) -> f64 {
    let excess = shape * z;
    if excess.abs() < SERIES_BELOW {
        // z² (-1/2 + 2/3 ξz - 3/4 (ξz)² + …)
        let (mut sum, mut power) = (0.0, -1.0);
        for m in 2..20 {
            sum += power * (1.0 - f64::from(m).recip());
            power *= -excess;
        }
        z * z * sum
    } else {
        (z / growth(shape, z) - logarithm(shape, z)) / shape
    }
}

/// -(1 + ξ) y, the logarithm of the density beside what the distribution of y has of its own; none at ξ = -1.
pub(super) fn tilt(shape: f64, y: f64) -> f64 {
    if shape == -1.0 { 0.0 } else { -(1.0 + shape) * y }
}
