//! Successes in trials: logit, probit, complementary log-log.

use std::f64::consts::TAU;

use posterior_math::elementwise;
use posterior_math::log_space::{ln_1m_exp, ln_logistic, logistic};
use posterior_math::special::{
    inverse_mills, ln_normal_cdf, normal_cdf, normal_quantile, normal_sf, poisson_deviance,
    stirling_remainder,
};

use crate::glm::response_distribution::{Term, Terms};

/// y ln (μ/y) + (1 - y) ln ((1 - μ)/(1 - y)), from μ, 1 - μ and their logarithms.
fn ln_likelihood(y: f64, [mean, rest]: [f64; 2], ln: impl Fn() -> [f64; 2]) -> f64 {
    if mean > 0.0 && rest > 0.0 && y > 0.0 && y < 1.0 {
        return -(poisson_deviance(y, mean) + poisson_deviance(1.0 - y, rest));
    }
    let [ln_mean, ln_rest] = ln();
    let part =
        |proportion: f64, ln: f64| if proportion == 0.0 { 0.0 } else { proportion * (ln - proportion.ln()) };
    part(y, ln_mean) + part(1.0 - y, ln_rest)
}

pub(super) fn logit_mean(predictor: f64) -> f64 {
    logistic(predictor)
}

pub(super) fn logit_start(y: f64) -> f64 {
    // (y + ½) / 2 of one trial.
    ((y + 0.5) / (1.5 - y)).ln()
}

pub(super) fn logit(y: f64, predictor: f64) -> Term {
    let (mean, rest) = (logistic(predictor), logistic(-predictor));
    let curvature = mean * rest;
    Term {
        ln_likelihood: ln_likelihood(y, [mean, rest], || [ln_logistic(predictor), ln_logistic(-predictor)]),
        slope: y * rest - (1.0 - y) * mean,
        observed: curvature,
        expected: curvature,
    }
}

/// [`logit`] of many rows: one exponential for each, by the vectors of the machine.
pub(super) fn logit_terms(y: &[f64], predictors: &[f64], out: Terms<'_>) {
    let Terms { ln_likelihood: value, slope, curvature } = out;
    // e^-|η|, which never overflows.
    for (e, predictor) in curvature.iter_mut().zip(predictors) {
        *e = -predictor.abs();
    }
    elementwise::exp(curvature);
    for i in 0..y.len() {
        let (y, predictor, e) = (y[i], predictors[i], curvature[i]);
        // 1 - μ or μ, whichever is smaller.
        let large = 1.0 / (1.0 + e);
        let small = e * large;
        let (mean, rest) = if predictor < 0.0 { (small, large) } else { (large, small) };
        slope[i] = y * rest - (1.0 - y) * mean;
        curvature[i] = mean * rest;
        value[i] = e;
    }
    for i in 0..y.len() {
        let (y, predictor, e) = (y[i], predictors[i], value[i]);
        value[i] = if y == 0.0 || y == 1.0 {
            let toward = if y == 1.0 { predictor } else { -predictor };
            toward.min(0.0) - e.ln_1p()
        } else {
            logit(y, predictor).ln_likelihood
        };
    }
}

pub(super) fn probit_mean(predictor: f64) -> f64 {
    normal_cdf(predictor)
}

pub(super) fn probit_start(y: f64) -> f64 {
    normal_quantile(0.5 * y + 0.25)
}

/// λ (λ + x) for λ = φ(x) / Φ(x): minus the second derivative of ln Φ.
fn curvature_of_ln_cdf(x: f64, mills: f64) -> f64 {
    // Far down λ + x cancels: 1 - 1/x² + ….
    if x < -1e4 { 1.0 - (x * x).recip() } else { mills * (mills + x) }
}

pub(super) fn probit(y: f64, predictor: f64) -> Term {
    let (up, down) = (inverse_mills(predictor), inverse_mills(-predictor));
    let means = [normal_cdf(predictor), normal_sf(predictor)];
    Term {
        ln_likelihood: ln_likelihood(y, means, || [ln_normal_cdf(predictor), ln_normal_cdf(-predictor)]),
        slope: y * up - (1.0 - y) * down,
        observed: y * curvature_of_ln_cdf(predictor, up) + (1.0 - y) * curvature_of_ln_cdf(-predictor, down),
        expected: up * down,
    }
}

pub(super) fn cloglog_mean(predictor: f64) -> f64 {
    -(-predictor.exp()).exp_m1()
}

pub(super) fn cloglog_start(y: f64) -> f64 {
    let mean = 0.5 * y + 0.25;
    (-(-mean).ln_1p()).ln()
}

pub(super) fn cloglog(y: f64, predictor: f64) -> Term {
    let rate = predictor.exp();
    // The slope of ln μ, rate / (e^rate - 1), and minus its derivative, slope (rate + slope - 1), which
    // cancels for small rates.
    let up = match rate {
        0.0 => 1.0,
        _ if rate > 700.0 => rate.min(f64::MAX) * (-rate).exp(),
        _ => rate / rate.exp_m1(),
    };
    let excess = if rate < 0.03 {
        let square = rate * rate;
        rate / 2.0 + square / 12.0 * (1.0 - square / 60.0 * (1.0 - square / 42.0))
    } else if rate.is_finite() {
        rate + up - 1.0
    } else {
        0.0
    };
    let means = [cloglog_mean(predictor), (-rate).exp()];
    let failures = if y == 1.0 { 0.0 } else { (1.0 - y) * rate };
    Term {
        ln_likelihood: ln_likelihood(y, means, || {
            [if rate == 0.0 { predictor } else { ln_1m_exp(-rate) }, -rate]
        }),
        slope: y * up - failures,
        observed: y * up * excess + failures,
        expected: if rate.is_finite() { rate * up } else { 0.0 },
    }
}

/// ln of the binomial probability of k = n y successes at μ = y.
pub(super) fn ln_best(y: f64, trials: f64) -> f64 {
    let (successes, failures) = (trials * y, trials * (1.0 - y));
    if !(successes > 0.0 && failures > 0.0) {
        return 0.0;
    }
    let remainders =
        stirling_remainder(trials) - stirling_remainder(successes) - stirling_remainder(failures);
    remainders - 0.5 * (TAU.ln() + successes.ln() + failures.ln() - trials.ln())
}
