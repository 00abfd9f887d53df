//! Draws from the beta distribution.

use posterior_math::log_space::ln_add_exp;
use rand::distr::{Distribution, Open01};
use rand::{Rng, RngExt};

use crate::gamma_variate::{sample_gamma, sample_ln_gamma};

/// Cheng's algorithms, as `rand_distr` has them, are right between these parameters: below, their odds
/// overflow and are rejected; above, their acceptance test has no digits left.
const CHENG: std::ops::RangeInclusive<f64> = 0.1..=1e8;

/// How to draw from one beta distribution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Sampler {
    Cheng(rand_distr::Beta<f64>),
    Logarithms,
}

impl Sampler {
    pub(super) fn new(alpha: f64, beta: f64) -> Self {
        match rand_distr::Beta::new(alpha, beta) {
            Ok(cheng) if CHENG.contains(&alpha) && CHENG.contains(&beta) => Self::Cheng(cheng),
            _ => Self::Logarithms,
        }
    }

    pub(super) fn draw<R: Rng + ?Sized>(&self, [alpha, beta]: [f64; 2], rng: &mut R) -> f64 {
        match self {
            Self::Cheng(cheng) => cheng.sample(rng),
            // Logarithms have not the digits of a narrow distribution.
            Self::Logarithms if alpha.min(beta) >= 1.0 => {
                let [first, second] = [alpha, beta].map(|shape| 0.25 * sample_gamma(shape, rng));
                first / (first + second)
            }
            Self::Logarithms => ln_pair([alpha, beta], rng)[0].exp(),
        }
    }
}

/// (ln x, ln(1 - x)) of a draw x: by Jöhnk's method for parameters up to 1, and as the proportions of two
/// gamma variables.
pub(super) fn ln_pair<R: Rng + ?Sized>([alpha, beta]: [f64; 2], rng: &mut R) -> [f64; 2] {
    let [first, second] = if alpha <= 1.0 && beta <= 1.0 {
        johnk([alpha, beta], rng)
    } else {
        [sample_ln_gamma(alpha, rng), sample_ln_gamma(beta, rng)]
    };
    let ln_sum = ln_add_exp(first, second);
    if ln_sum == f64::NEG_INFINITY {
        // Parameters below 1e-300: beyond any precision, all mass is on the two ends.
        let at_one = rng.random::<f64>() * (alpha + beta) < alpha;
        return if at_one { [0.0, f64::NEG_INFINITY] } else { [f64::NEG_INFINITY, 0.0] };
    }
    [first - ln_sum, second - ln_sum]
}

/// ln U^(1/α) and ln V^(1/β) of uniform U, V, given that the sum of the two powers is at most 1; accepted at
/// least every second time.
fn johnk<R: Rng + ?Sized>([alpha, beta]: [f64; 2], rng: &mut R) -> [f64; 2] {
    loop {
        let (u, v): (f64, f64) = (Open01.sample(rng), Open01.sample(rng));
        let (first, second) = (u.ln() / alpha, v.ln() / beta);
        if first.exp() + second.exp() <= 1.0 {
            return [first, second];
        }
    }
}
