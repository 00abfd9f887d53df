//! Responses with a density: Gaussian and gamma.

use std::f64::consts::TAU;

use posterior_math::special::{exp_excess, stirling_remainder};

use crate::glm::response_distribution::Term;

pub(super) fn gaussian(y: f64, predictor: f64) -> Term {
    let residual = y - predictor;
    Term { ln_likelihood: -0.5 * residual * residual, slope: residual, observed: 1.0, expected: 1.0 }
}

/// ln N(y; y, φ / w).
pub(super) fn gaussian_ln_best(weight: f64, dispersion: f64) -> f64 {
    -0.5 * (TAU.ln() + dispersion.ln() - weight.ln())
}

pub(super) fn gamma_log(y: f64, predictor: f64) -> Term {
    let ln_ratio = y.ln() - predictor;
    let ratio = ln_ratio.exp();
    Term { ln_likelihood: -exp_excess(ln_ratio), slope: ratio - 1.0, observed: ratio, expected: 1.0 }
}

pub(super) fn gamma_inverse(y: f64, predictor: f64) -> Term {
    if !(predictor > 0.0) {
        return Term {
            ln_likelihood: f64::NEG_INFINITY,
            slope: f64::NAN,
            observed: f64::NAN,
            expected: f64::NAN,
        };
    }
    let mean = predictor.recip();
    let ln_ratio = y.ln() + predictor.ln();
    Term {
        ln_likelihood: -exp_excess(ln_ratio),
        slope: mean - y,
        observed: mean * mean,
        expected: mean * mean,
    }
}

/// ln of the gamma density at its mean y, with shape 1/φ.
pub(super) fn gamma_ln_best(y: f64, dispersion: f64) -> f64 {
    // By Stirling's formula, whose large terms cancel.
    let shape = dispersion.recip();
    0.5 * (shape.ln() - TAU.ln()) - stirling_remainder(shape) - y.ln()
}
