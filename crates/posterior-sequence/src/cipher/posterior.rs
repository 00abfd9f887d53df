//! What is left of doubt: keys drawn with their probability given the text.

use posterior_math::check::{self, ParamError};
use posterior_math::linalg::DMatrix;
use rand::Rng;

use super::key::Key;
use super::score::KeyScore;
use super::search::{metropolis, pairs};

/// Options of the draws of keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PosteriorOptions {
    /// Sweeps before the first draw.
    pub warm_up: usize,
    /// Draws, a sweep apart, at least 1.
    pub draws: usize,
}

impl Default for PosteriorOptions {
    /// 300 draws after 20 sweeps.
    fn default() -> Self {
        Self { warm_up: 20, draws: 300 }
    }
}

impl PosteriorOptions {
    pub(super) fn check(&self) -> Result<(), ParamError> {
        check::at_least_one("PosteriorOptions", "draws", self.draws).map(drop)
    }
}

/// The posterior distribution of the key, by draws.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct KeyPosterior {
    /// The proportion of draws in which symbol c stands for letter i, at (i, c).
    pub probabilities: DMatrix<f64>,
    /// ln p(text | key) of each draw.
    pub trace: Vec<f64>,
    /// The proportion of exchanges that were taken.
    pub acceptance: f64,
    /// The most probable of the keys that were drawn.
    pub best: Key,
    /// ln p(text | key) of it.
    pub best_ln_likelihood: f64,
}

/// Draws keys from p(key | text) ∝ p(text | key), all keys being equally probable before, by
/// Metropolis-Hastings with exchanges of two letters (Diaconis 2009), from the key as it is.
///
/// One chain, which leaves the neighbourhood of a good key seldom: begun at the best key it tells which
/// letters are in doubt there, and begun at a random one it is a way to find a key, slower than annealing. A
/// sweep has as many proposals as there are pairs of letters.
///
/// # Errors
/// No draws.
pub fn posterior<R: Rng + ?Sized>(
    score: &mut KeyScore<'_>,
    options: &PosteriorOptions,
    rng: &mut R,
) -> Result<KeyPosterior, ParamError> {
    options.check()?;
    let m = score.key().plain().len();
    let pairs = pairs(score);
    let mut best = (score.ln_likelihood(), score.key().clone());
    let mut taken = 0_usize;
    let mut counts = DMatrix::zeros(m, m);
    let mut trace = Vec::new();
    let sweeps = options.warm_up.saturating_add(options.draws);
    for sweep in 0..sweeps {
        for _ in 0..pairs.len() {
            taken += usize::from(metropolis(score, &pairs, 1.0, rng));
            if score.ln_likelihood() > best.0 {
                best = (score.ln_likelihood(), score.key().clone());
            }
        }
        score.renew();
        if sweep >= options.warm_up {
            for (symbol, &letter) in score.key().plain().iter().enumerate() {
                counts[(letter, symbol)] += 1.0;
            }
            trace.push(score.ln_likelihood());
        }
    }
    let proposals = sweeps.saturating_mul(pairs.len());
    Ok(KeyPosterior {
        probabilities: counts / options.draws as f64,
        trace,
        acceptance: taken as f64 / proposals.max(1) as f64,
        best: best.1,
        best_ln_likelihood: best.0,
    })
}
