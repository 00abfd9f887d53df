//! Search for the key: exchanges of two letters that make the text more probable, and annealing.

use posterior_math::check::{self, ParamError};
use rand::seq::SliceRandom;
use rand::{Rng, RngExt};

use super::key::Key;
use super::score::KeyScore;

/// Gains below this are rounding.
const LEAST_GAIN: f64 = 1e-9;

/// Options of annealing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AnnealingOptions {
    /// Sweeps, of as many proposals as there are pairs of letters.
    pub sweeps: usize,
    /// The temperature at the beginning, in nats for each symbol of the text.
    pub start: f64,
    /// The temperature at the end, in nats.
    pub end: f64,
}

impl Default for AnnealingOptions {
    /// 40 sweeps, from 0.05 nats a symbol to 1 nat.
    fn default() -> Self {
        Self { sweeps: 40, start: 0.05, end: 1.0 }
    }
}

impl AnnealingOptions {
    /// The same with these temperatures.
    #[must_use]
    pub const fn with_temperatures(self, start: f64, end: f64) -> Self {
        Self { start, end, ..self }
    }

    /// Checks the temperatures.
    pub(super) fn check(&self) -> Result<(), ParamError> {
        check::positive("AnnealingOptions", "start", self.start)?;
        check::positive("AnnealingOptions", "end", self.end).map(drop)
    }
}

/// Exchanges letters as long as that makes the text more probable, the best exchange first. The number of
/// exchanges.
///
/// Ends where no exchange of two letters gains.
pub fn climb(score: &mut KeyScore<'_>) -> usize {
    let pairs = pairs(score);
    for exchanges in 0.. {
        let gains = pairs.iter().map(|&(a, b)| (a, b, score.gain(a, b)));
        match gains.max_by(|left, right| left.2.total_cmp(&right.2)) {
            Some((a, b, gain)) if gain > LEAST_GAIN => score.exchange(a, b, gain),
            _ => {
                score.renew();
                return exchanges;
            }
        }
    }
    0
}

/// Simulated annealing from the key as it is: exchanges of two letters by Metropolis' rule, at a temperature
/// that falls by the same factor in each sweep. Ends in the best key that was met, climbed to where no
/// exchange gains.
///
/// O(sweeps m n T), with T the different n-grams of the text.
///
/// # Errors
/// Temperatures that are not positive and finite.
pub fn anneal<R: Rng + ?Sized>(
    score: &mut KeyScore<'_>,
    options: &AnnealingOptions,
    rng: &mut R,
) -> Result<(), ParamError> {
    options.check()?;
    let pairs = pairs(score);
    let hot = options.start * score.symbols() as f64;
    let cold = options.end.min(hot);
    let mut best = (score.ln_likelihood(), score.key().clone());
    for sweep in 0..options.sweeps {
        let done = sweep as f64 / options.sweeps.max(2).saturating_sub(1) as f64;
        let temperature = hot * (cold / hot).powf(done);
        for _ in 0..pairs.len() {
            metropolis(score, &pairs, temperature, rng);
            if score.ln_likelihood() > best.0 {
                best = (score.ln_likelihood(), score.key().clone());
            }
        }
    }
    score.set_key(best.1);
    climb(score);
    Ok(())
}

/// Proposes one of `pairs` for an exchange. Whether it was taken.
///
/// # Panics
/// If there is no pair.
pub(super) fn metropolis<R: Rng + ?Sized>(
    score: &mut KeyScore<'_>,
    pairs: &[(usize, usize)],
    temperature: f64,
    rng: &mut R,
) -> bool {
    let (a, b) = pairs[rng.random_range(0..pairs.len())];
    let gain = score.gain(a, b);
    let taken = gain >= 0.0 || rng.random::<f64>() < (gain / temperature).exp();
    if taken {
        score.exchange(a, b, gain);
    }
    taken
}

/// The pairs of symbols whose letters are not known.
pub(super) fn pairs(score: &KeyScore<'_>) -> Vec<(usize, usize)> {
    let free = free(score);
    free.iter().enumerate().flat_map(|(i, &a)| free[..i].iter().map(move |&b| (b, a))).collect()
}

/// The symbols whose letters are not known.
fn free(score: &KeyScore<'_>) -> Vec<usize> {
    (0..score.key().plain().len()).filter(|&symbol| !score.is_fixed(symbol)).collect()
}

/// A key that keeps what is known and is random else.
pub(super) fn random_key<R: Rng + ?Sized>(fixed: &[Option<usize>], rng: &mut R) -> Key {
    let mut left: Vec<usize> = (0..fixed.len()).filter(|&letter| !fixed.contains(&Some(letter))).collect();
    left.shuffle(rng);
    let mut left = left.into_iter();
    let plain = fixed.iter().filter_map(|&known| known.or_else(|| left.next())).collect();
    Key::new(plain).expect("invariant: known letters differ, and the others come once each")
}
