//! Probabilities of integers.

use posterior_math::log_space::{ln_logistic, logistic, x_ln_y};
use posterior_math::special::{digamma, ln_beta, ln_gamma};

use super::{NONE, ln_choose, positive};

pub(super) fn bernoulli(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, p) = (x[0], x[1]);
    if !((0.0..=1.0).contains(&p) && (y == 0.0 || y == 1.0)) {
        return f64::NAN;
    }
    if y == 1.0 {
        d[1] = 1.0 / p;
        p.ln()
    } else {
        d[1] = 1.0 / (p - 1.0);
        (-p).ln_1p()
    }
}

#[inline]
pub(super) fn bernoulli_logit(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, eta) = (x[0], x[1]);
    if !(y == 0.0 || y == 1.0) {
        return f64::NAN;
    }
    let signed = if y == 1.0 { eta } else { -eta };
    let small = (-signed.abs()).exp();
    let tail = if signed >= 0.0 { small / (1.0 + small) } else { 1.0 / (1.0 + small) };
    d[1] = if y == 1.0 { tail } else { -tail };
    signed.min(0.0) - small.ln_1p()
}

pub(super) fn binomial(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, n, p) = (x[0], x[1], x[2]);
    if !((0.0..=1.0).contains(&p) && n >= 0.0 && (0.0..=n).contains(&y)) {
        return f64::NAN;
    }
    let up = if y == 0.0 { 0.0 } else { y / p };
    let down = if y == n { 0.0 } else { (n - y) / (1.0 - p) };
    d[2] = up - down;
    let rest = if y == n { 0.0 } else { (n - y) * (-p).ln_1p() };
    ln_choose(n, y) + x_ln_y(y, p) + rest
}

pub(super) fn binomial_logit(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, n, eta) = (x[0], x[1], x[2]);
    if !(n >= 0.0 && (0.0..=n).contains(&y)) {
        return f64::NAN;
    }
    d[2] = y * logistic(-eta) - (n - y) * logistic(eta);
    ln_choose(n, y) + y * ln_logistic(eta) + (n - y) * ln_logistic(-eta)
}

pub(super) fn beta_binomial(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, n, a, b) = (x[0], x[1], x[2], x[3]);
    if !(positive(a) && positive(b) && n >= 0.0) {
        return f64::NAN;
    }
    if y < 0.0 || y > n {
        return NONE;
    }
    let all = digamma(a + b) - digamma(a + b + n);
    d[2] = digamma(y + a) - digamma(a) + all;
    d[3] = digamma(n - y + b) - digamma(b) + all;
    ln_choose(n, y) + ln_beta(y + a, n - y + b) - ln_beta(a, b)
}

pub(super) fn poisson(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, rate) = (x[0], x[1]);
    if !(rate >= 0.0 && y >= 0.0) {
        return f64::NAN;
    }
    if rate.is_infinite() || (rate == 0.0 && y > 0.0) {
        return NONE;
    }
    d[1] = y / rate - 1.0;
    x_ln_y(y, rate) - rate - ln_gamma(y + 1.0)
}

pub(super) fn poisson_log(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, eta) = (x[0], x[1]);
    if !(y >= 0.0) || eta.is_nan() {
        return f64::NAN;
    }
    let rate = eta.exp();
    d[1] = y - rate;
    let main = if y == 0.0 { 0.0 } else { y * eta };
    main - rate - ln_gamma(y + 1.0)
}

pub(super) fn neg_binomial(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, a, b) = (x[0], x[1], x[2]);
    if !(positive(a) && positive(b) && y >= 0.0) {
        return f64::NAN;
    }
    d[1] = digamma(y + a) - digamma(a) + b.ln() - b.ln_1p();
    d[2] = a / b - (a + y) / (1.0 + b);
    ln_gamma(y + a) - ln_gamma(a) - ln_gamma(y + 1.0) - a * (1.0 / b).ln_1p() - y * b.ln_1p()
}

pub(super) fn neg_binomial_2(y: f64, mu: f64, phi: f64, d: &mut [f64; 8]) -> f64 {
    if !(positive(mu) && positive(phi) && y >= 0.0) {
        return f64::NAN;
    }
    let sum = mu + phi;
    d[1] = y / mu - (y + phi) / sum;
    d[2] = digamma(y + phi) - digamma(phi) - (mu / phi).ln_1p() + (mu - y) / sum;
    let choose = ln_gamma(y + phi) - ln_gamma(phi) - ln_gamma(y + 1.0);
    choose + x_ln_y(y, mu) - phi * (mu / phi).ln_1p() - y * sum.ln()
}

/// y, number of successes, and two shapes.
pub(super) fn beta_neg_binomial(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, r, a, b) = (x[0], x[1], x[2], x[3]);
    if !(positive(r) && positive(a) && positive(b) && y >= 0.0) {
        return f64::NAN;
    }
    let (all, of_a, of_b) = (digamma(a + b), digamma(a + r), digamma(b + y));
    let both = digamma(a + r + b + y);
    d[1] = of_a - both + digamma(y + r) - digamma(r);
    d[2] = of_a - both - digamma(a) + all;
    d[3] = of_b - both - digamma(b) + all;
    ln_beta(a + r, b + y) - ln_beta(a, b) + ln_gamma(y + r) - ln_gamma(y + 1.0) - ln_gamma(r)
}

/// y from 1 on, shape.
pub(super) fn yule_simon(x: &[f64], d: &mut [f64; 8]) -> f64 {
    let (y, shape) = (x[0], x[1]);
    if !(positive(shape) && y >= 1.0) {
        return f64::NAN;
    }
    d[1] = 1.0 / shape + digamma(shape + 1.0) - digamma(y + shape + 1.0);
    shape.ln() + ln_beta(y, shape + 1.0)
}
