//! The distribution of x = eʸ in terms of that of y, and of x = s e^(z/k) in terms of that of z: what
//! log-normal, Fréchet and log-logistic have in common.

pub(super) mod moments;

use crate::density::Density;
use crate::gradient::PointGradient;
use crate::scaled::ln_ratio;

/// k ln(x/s), and -∞ below 0: the place of x in the distribution of z. The rounding of ln s is not in it.
pub(super) fn ln_power(x: f64, scale: f64, shape: f64) -> f64 {
    if x <= 0.0 { f64::NEG_INFINITY } else { shape * ln_ratio(x, scale) }
}

/// ln x, and -∞ below 0: the place of x in the distribution of y.
pub(super) fn ln_or_end(x: f64) -> f64 {
    if x <= 0.0 { f64::NEG_INFINITY } else { x.ln() }
}

/// ln p(x), by the transformation theorem.
pub(super) fn ln_pdf(logarithm: &impl Density<Point = f64>, x: f64) -> f64 {
    if x <= 0.0 || x == f64::INFINITY {
        return f64::NEG_INFINITY;
    }
    let ln_x = x.ln();
    logarithm.ln_pdf(&ln_x) - ln_x
}

/// ∂ ln p(x) / ∂x.
pub(super) fn point_gradient(logarithm: &impl PointGradient<Point = f64, Gradient = f64>, x: f64) -> f64 {
    if x > 0.0 { (logarithm.point_gradient(&x.ln()) - 1.0) / x } else { f64::NAN }
}
