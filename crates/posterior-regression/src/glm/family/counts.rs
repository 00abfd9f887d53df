//! Counts with a logarithmic link: Poisson and negative binomial.

use std::f64::consts::TAU;

use posterior_math::log_space::x_ln_y;
use posterior_math::special::{poisson_deviance, stirling_remainder};

use crate::glm::response_distribution::Term;

pub(super) fn poisson(y: f64, predictor: f64) -> Term {
    let mean = predictor.exp();
    Term { ln_likelihood: -poisson_deviance(y, mean), slope: y - mean, observed: mean, expected: mean }
}

/// ln Poisson(y; y).
pub(super) fn poisson_ln_best(y: f64) -> f64 {
    if y == 0.0 { 0.0 } else { -0.5 * (TAU.ln() + y.ln()) - stirling_remainder(y) }
}

pub(super) fn negative_binomial(size: f64, y: f64, predictor: f64) -> Term {
    let mean = predictor.exp();
    if !(mean < f64::INFINITY) {
        let expected = if mean == f64::INFINITY { size } else { mean };
        return Term { ln_likelihood: f64::NEG_INFINITY, slope: -size, observed: 0.0, expected };
    }
    // The proportions of the variance that are the size's and the mean's.
    let (stable, spread) = (size / (size + mean), mean / (size + mean));
    let ln_likelihood = if (mean - y).abs() > 0.5 * mean.max(y) {
        // Far apart, the linear terms of the deviances are large and cancel.
        x_ln_y(y, mean / y.max(f64::MIN_POSITIVE)) - (y + size) * ((mean - y) / (y + size)).ln_1p()
    } else {
        poisson_deviance(y + size, mean + size) - poisson_deviance(y, mean)
    };
    Term {
        ln_likelihood,
        slope: (y - mean) * stable,
        observed: spread * stable * (y + size),
        expected: mean * stable,
    }
}

/// ln of the probability of y at the mean y.
pub(super) fn negative_binomial_ln_best(size: f64, y: f64) -> f64 {
    if y == 0.0 {
        return 0.0;
    }
    let remainders = stirling_remainder(y + size) - stirling_remainder(size) - stirling_remainder(y);
    remainders - 0.5 * (TAU.ln() + (y + size).ln() - size.ln() + y.ln())
}
