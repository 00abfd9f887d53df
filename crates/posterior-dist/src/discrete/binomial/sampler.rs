//! Drawing binomial counts: by inversion where few successes (or failures) are expected, by BTPE otherwise.

use rand::distr::Distribution;
use rand::{Rng, RngExt};

/// Below this expectation of the rarer outcome a draw is by inversion.
const INVERSION_BELOW: f64 = 10.0;
/// Counts beyond are drawn anew: with an expectation below ten their probability is less than 1e-70.
const LARGEST: u64 = 110;

/// How to draw a count.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Sampler {
    /// Failures are the rarer outcome, and are what is drawn.
    OfFailures(u64, Rarer),
    OfSuccesses(Rarer),
}

/// How to draw the count of the outcome with p ≤ ½.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Rarer {
    Never,
    /// P(0) = (1 - p)ⁿ, and P(k) / P(k - 1) = `slope`/k - `odds`.
    Inversion {
        at_zero: f64,
        slope: f64,
        odds: f64,
    },
    Rejection(rand_distr::Binomial),
}

impl Sampler {
    pub(super) fn new(trials: u64, success: f64, failure: f64) -> Self {
        if success > 0.5 {
            Self::OfFailures(trials, Rarer::new(trials, failure))
        } else {
            Self::OfSuccesses(Rarer::new(trials, success))
        }
    }
}

impl Rarer {
    fn new(trials: u64, p: f64) -> Self {
        let n = trials as f64;
        if p == 0.0 {
            return Self::Never;
        }
        if n * p < INVERSION_BELOW {
            // (1 - p)ⁿ by ln(1 + x): 1 - p itself has lost p where that is tiny and n is huge.
            let odds = p / (1.0 - p);
            return Self::Inversion { at_zero: (n * (-p).ln_1p()).exp(), slope: (n + 1.0) * odds, odds };
        }
        rand_distr::Binomial::new(trials, p).map_or(Self::Never, Self::Rejection)
    }
}

impl Distribution<u64> for Sampler {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> u64 {
        match self {
            Self::OfFailures(trials, rarer) => trials - rarer.sample(rng).min(*trials),
            Self::OfSuccesses(rarer) => rarer.sample(rng),
        }
    }
}

impl Distribution<u64> for Rarer {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> u64 {
        match self {
            Self::Never => 0,
            Self::Rejection(binomial) => binomial.sample(rng),
            &Self::Inversion { at_zero, slope, odds } => loop {
                if let Some(count) = invert(at_zero, slope, odds, rng.random()) {
                    return count;
                }
            },
        }
    }
}

/// The count at which the distribution function reaches `uniform`.
fn invert(at_zero: f64, slope: f64, odds: f64, mut uniform: f64) -> Option<u64> {
    let mut mass = at_zero;
    for count in 0..=LARGEST {
        if uniform <= mass {
            return Some(count);
        }
        uniform -= mass;
        mass *= slope / (count + 1) as f64 - odds;
    }
    None
}
