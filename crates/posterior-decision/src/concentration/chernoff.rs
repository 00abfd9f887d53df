//! Chernoff's inequality by the divergence of two coins, and its inversion.

use posterior_math::check::{self, ParamError};
use posterior_math::log_space::x_ln_x;
use posterior_math::special::poisson_deviance;

use super::{observations, whole};

/// Newton's steps double the digits; a bound that is never reached.
const STEPS: usize = 60;

/// KL(p‖q) = p ln(p/q) + (1 - p) ln((1 - p)/(1 - q)): what one toss says for p against q, in nats.
///
/// Two terms that are not negative: no cancellation where p and q are close. +∞ where q is 0 or 1 and p is
/// not; NaN outside of [0, 1].
pub fn bernoulli_divergence(p: f64, q: f64) -> f64 {
    if !((0.0..=1.0).contains(&p) && (0.0..=1.0).contains(&q)) {
        return f64::NAN;
    }
    poisson_deviance(p, q) + poisson_deviance(1.0 - p, 1.0 - q)
}

/// P(Sₙ - nμ ≥ a) ≤ exp(-n KL(μ + a/n ‖ μ)); 0 where the sum cannot be so large.
///
/// # Errors
/// If there are no observations, μ is not in [0, 1], or a is negative or not finite.
pub fn chernoff_tail(count: u64, mean: f64, excess: f64) -> Result<f64, ParamError> {
    let n = observations(count)?;
    check::probability("chernoff_tail", "mean", mean)?;
    check::non_negative("chernoff_tail", "excess", excess)?;
    if excess == 0.0 {
        return Ok(1.0);
    }
    let above = mean + excess / n;
    // A sum of n itself may be n μ + a only up to rounding.
    if above > 1.0 + 4.0 * f64::EPSILON {
        return Ok(0.0);
    }
    Ok((-n * bernoulli_divergence(above.min(1.0), mean)).exp())
}

/// The means that a sample mean of n observations leaves, each end with an error of probability at most δ.
///
/// The least and the largest q with n KL(mean‖q) ≤ ln(1/δ).
///
/// # Errors
/// If there are no observations, the mean is not in [0, 1], or δ is not strictly between 0 and 1.
pub fn chernoff_interval(count: u64, sample_mean: f64, delta: f64) -> Result<[f64; 2], ParamError> {
    let n = observations(count)?;
    check::probability("chernoff_interval", "sample_mean", sample_mean)?;
    check::open_probability("chernoff_interval", "delta", delta)?;
    Ok(divergence_bounds(sample_mean, -delta.ln() / n))
}

/// The smallest n after which the mean is within ε of this μ with probability at least 1 - δ.
///
/// n ≥ ln(2/δ)/min(KL(μ + ε‖μ), KL(μ - ε‖μ)), where a side that leaves [0, 1] needs nothing.
///
/// # Errors
/// If μ is not in [0, 1], ε is not positive and finite, δ is not strictly between 0 and 1, or n is 10¹⁵ and
/// more.
pub fn chernoff_sample_size(epsilon: f64, mean: f64, delta: f64) -> Result<u64, ParamError> {
    check::positive("chernoff_sample_size", "epsilon", epsilon)?;
    check::probability("chernoff_sample_size", "mean", mean)?;
    check::open_probability("chernoff_sample_size", "delta", delta)?;
    let sides = [mean + epsilon, mean - epsilon].into_iter().filter(|side| (0.0..=1.0).contains(side));
    let least = sides.map(|side| bernoulli_divergence(side, mean)).fold(f64::INFINITY, f64::min);
    whole((2.0 / delta).ln() / least)
}

/// The least and the largest q with KL(p‖q) ≤ `budget`; NaN for a p outside of [0, 1] or a budget that is
/// negative or NaN.
///
/// By Newton's method from the outside, where the divergence is convex, so that every step stays outside
/// until the digits end: four to six steps from the better of Pinsker's bound and the bound by the entropy of
/// p.
pub fn divergence_bounds(p: f64, budget: f64) -> [f64; 2] {
    if !((0.0..=1.0).contains(&p) && budget >= 0.0) {
        return [f64::NAN; 2];
    }
    [lower(p, budget), upper(p, budget)]
}

/// The largest q with KL(p‖q) ≤ budget, both being valid.
pub(crate) fn upper(p: f64, budget: f64) -> f64 {
    if p >= 1.0 || budget == 0.0 {
        return p;
    }
    let entropy = -x_ln_x(p) - x_ln_x(1.0 - p);
    let by_entropy = -(-(budget + entropy) / (1.0 - p)).exp_m1();
    let start = by_entropy.min(p + (0.5 * budget).sqrt());
    newton(p, budget, start, |q, next| next < q && next > p)
}

/// The least q with KL(p‖q) ≤ budget, both being valid.
fn lower(p: f64, budget: f64) -> f64 {
    if p <= 0.0 || budget == 0.0 {
        return p;
    }
    let entropy = -x_ln_x(p) - x_ln_x(1.0 - p);
    let by_entropy = (-(budget + entropy) / p).exp();
    let start = by_entropy.max(p - (0.5 * budget).sqrt());
    newton(p, budget, start, |q, next| next > q && next < p)
}

fn newton(p: f64, budget: f64, start: f64, inward: impl Fn(f64, f64) -> bool) -> f64 {
    let mut q = start;
    for _ in 0..STEPS {
        let slope = (q - p) / (q * (1.0 - q));
        let next = q - (bernoulli_divergence(p, q) - budget) / slope;
        // Rounding turns the last step outwards, and at 0 or 1 the slope is not a number.
        if !inward(q, next) {
            break;
        }
        q = next;
    }
    q
}
