//! Tails of counts: the lower one is of this value and below.

use posterior_math::log_space::{ln_1m_exp, ln_sum_exp};
use posterior_math::special::{digamma, ln_beta};

use super::special::{ln_beta_tail, ln_gamma_tail};
use super::{all_or_nothing, complement, positive};
use crate::density::discrete;

/// y, probability.
pub(super) fn bernoulli(x: &[f64], upper: bool, d: &mut [f64; 8]) -> f64 {
    let (y, p) = (x[0], x[1]);
    if !(0.0..=1.0).contains(&p) {
        return f64::NAN;
    }
    if !(0.0..1.0).contains(&y) {
        return all_or_nothing((y < 0.0) == upper);
    }
    d[1] = if upper { p.recip() } else { (p - 1.0).recip() };
    if upper { p.ln() } else { (-p).ln_1p() }
}

/// y, trials, probability.
pub(super) fn binomial(x: &[f64], upper: bool, d: &mut [f64; 8]) -> f64 {
    let (y, n, p) = (x[0], x[1], x[2]);
    if !((0.0..=1.0).contains(&p) && n >= 0.0) {
        return f64::NAN;
    }
    if y < 0.0 || y >= n {
        return all_or_nothing((y < 0.0) == upper);
    }
    let (value, _, _, slope) = ln_beta_tail(y + 1.0, n - y, p, !upper);
    d[2] = slope;
    value
}

/// y, rate.
pub(super) fn poisson(x: &[f64], upper: bool, d: &mut [f64; 8]) -> f64 {
    let (y, rate) = (x[0], x[1]);
    if !(rate >= 0.0) {
        return f64::NAN;
    }
    if y < 0.0 {
        return all_or_nothing(upper);
    }
    let (value, _, slope) = ln_gamma_tail(y + 1.0, rate, !upper);
    d[1] = slope;
    value
}

/// y, shape, inverse scale.
pub(super) fn neg_binomial(x: &[f64], upper: bool, d: &mut [f64; 8]) -> f64 {
    let (y, a, b) = (x[0], x[1], x[2]);
    if !(positive(a) && positive(b)) {
        return f64::NAN;
    }
    if y < 0.0 {
        return all_or_nothing(upper);
    }
    let (value, by_shape, _, slope) = ln_beta_tail(a, y + 1.0, b / (1.0 + b), upper);
    (d[1], d[2]) = (by_shape, slope / (1.0 + b).powi(2));
    value
}

/// y, mean, dispersion.
pub(super) fn neg_binomial_2(x: &[f64], upper: bool, d: &mut [f64; 8]) -> f64 {
    let (y, mu, phi) = (x[0], x[1], x[2]);
    if !(positive(mu) && positive(phi)) {
        return f64::NAN;
    }
    if y < 0.0 {
        return all_or_nothing(upper);
    }
    let sum = mu + phi;
    let (value, by_shape, _, slope) = ln_beta_tail(phi, y + 1.0, phi / sum, upper);
    (d[1], d[2]) = (-slope * phi / (sum * sum), by_shape + slope * mu / (sum * sum));
    value
}

/// The ln of a sum of probabilities, and the mean of their derivatives by the arguments, weighted by them.
fn summed(
    ys: impl Iterator<Item = u64>,
    kernel: impl Fn(f64, &mut [f64; 8]) -> f64,
    d: &mut [f64; 8],
) -> f64 {
    let terms: Vec<(f64, [f64; 8])> = ys
        .map(|y| {
            let mut own = [0.0; 8];
            let value = kernel(y as f64, &mut own);
            (value, own)
        })
        .collect();
    let all: Vec<f64> = terms.iter().map(|term| term.0).collect();
    let total = ln_sum_exp(&all);
    for (value, own) in &terms {
        let weight = (value - total).exp();
        d.iter_mut().zip(own).for_each(|(d, own)| *d += weight * own);
    }
    total
}

/// y, trials, and two shapes: a sum over the shorter tail.
pub(super) fn beta_binomial(x: &[f64], upper: bool, d: &mut [f64; 8]) -> f64 {
    let (y, n, a, b) = (x[0], x[1], x[2], x[3]);
    if !(positive(a) && positive(b) && n >= 0.0) {
        return f64::NAN;
    }
    if y < 0.0 || y >= n {
        return all_or_nothing((y < 0.0) == upper);
    }
    let kernel = |y: f64, d: &mut [f64; 8]| discrete::beta_binomial(&[y, n, a, b], d);
    let (from, to) = if upper { (y as u64 + 1, n as u64) } else { (0, y as u64) };
    summed(from..=to, kernel, d)
}

/// y, number of successes, and two shapes: a sum from zero.
pub(super) fn beta_neg_binomial(x: &[f64], upper: bool, d: &mut [f64; 8]) -> f64 {
    let (y, r, a, b) = (x[0], x[1], x[2], x[3]);
    if !(positive(r) && positive(a) && positive(b)) {
        return f64::NAN;
    }
    if y < 0.0 {
        return all_or_nothing(upper);
    }
    let kernel = |y: f64, d: &mut [f64; 8]| discrete::beta_neg_binomial(&[y, r, a, b], d);
    let lower = summed(0..=y as u64, kernel, d);
    complement(lower, !upper, d)
}

/// y, least, largest.
pub(super) fn discrete_range(x: &[f64], upper: bool, _: &mut [f64; 8]) -> f64 {
    let (y, low, high) = (x[0], x[1], x[2]);
    if low > high {
        return f64::NAN;
    }
    if y < low || y >= high {
        return all_or_nothing((y < low) == upper);
    }
    let part = if upper { high - y } else { y - low + 1.0 };
    (part / (high - low + 1.0)).ln()
}

/// y, shape: the upper tail is y B(y, shape + 1).
pub(super) fn yule_simon(x: &[f64], upper: bool, d: &mut [f64; 8]) -> f64 {
    let (y, shape) = (x[0], x[1]);
    if !positive(shape) {
        return f64::NAN;
    }
    if y < 1.0 {
        return all_or_nothing(upper);
    }
    d[1] = digamma(shape + 1.0) - digamma(y + shape + 1.0);
    let ln_upper = y.ln() + ln_beta(y, shape + 1.0);
    if upper {
        return ln_upper;
    }
    d[1] *= -(-ln_upper).exp_m1().recip();
    ln_1m_exp(ln_upper)
}
