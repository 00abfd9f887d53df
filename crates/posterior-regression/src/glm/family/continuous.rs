//! Responses with a density: Gaussian and gamma.

use std::f64::consts::TAU;

use posterior_math::special::ln_gamma;

use crate::glm::response_law::Term;

pub(super) fn gaussian(y: f64, predictor: f64) -> Term {
    let residual = y - predictor;
    Term { ln_likelihood: -0.5 * residual * residual, slope: residual, observed: 1.0, expected: 1.0 }
}

/// ln N(y; y, φ / w).
pub(super) fn gaussian_ln_best(weight: f64, dispersion: f64) -> f64 {
    -0.5 * (TAU.ln() + dispersion.ln() - weight.ln())
}

/// ln r + 1 - r for r = y / μ ≥ 0, without cancellation around 1.
fn gamma_ln_likelihood(ln_ratio: f64, ratio: f64) -> f64 {
    // With x = ln r small, 1 + x - e^x.
    if ln_ratio.abs() < 0.1 { -excess_of_exp(ln_ratio) } else { ln_ratio + 1.0 - ratio }
}

/// e^x - 1 - x for |x| < 0.1, by its series.
fn excess_of_exp(x: f64) -> f64 {
    let mut term = 0.5 * x * x;
    let mut sum = term;
    for k in 3..12 {
        term *= x / f64::from(k);
        sum += term;
    }
    sum
}

pub(super) fn gamma_log(y: f64, predictor: f64) -> Term {
    let ln_ratio = y.ln() - predictor;
    let ratio = ln_ratio.exp();
    Term {
        ln_likelihood: gamma_ln_likelihood(ln_ratio, ratio),
        slope: ratio - 1.0,
        observed: ratio,
        expected: 1.0,
    }
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
        ln_likelihood: gamma_ln_likelihood(ln_ratio, y * predictor),
        slope: mean - y,
        observed: mean * mean,
        expected: mean * mean,
    }
}

/// ln of the gamma density at its mean y, with shape 1/φ.
pub(super) fn gamma_ln_best(y: f64, dispersion: f64) -> f64 {
    let shape = dispersion.recip();
    shape * shape.ln() - shape - ln_gamma(shape) - y.ln()
}
