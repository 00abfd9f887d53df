//! Annealed importance sampling over the topics of the tokens.

use posterior_sampling::tempering::TemperatureSchedule;
use rand::Rng;

use super::HeldOutEstimate;
use super::assignment::{Assignment, Conditional};
use super::estimate::by_runs;
use super::tokens::Tokens;
use crate::{Corpus, Error, Topics};

/// Options of [`annealed`].
#[derive(Debug, Clone, PartialEq)]
pub struct Annealed {
    /// The inverse temperatures from 0, the prior, to 1, the posterior.
    pub schedule: TemperatureSchedule,
    /// Independent paths, at least 2; 10 by default.
    pub runs: usize,
    /// The seed.
    pub seed: u64,
}

impl Annealed {
    /// Along these temperatures.
    pub const fn new(schedule: TemperatureSchedule) -> Self {
        Self { schedule, runs: 10, seed: 0 }
    }
}

/// `ln p(w)` of each document by annealed importance sampling (Neal 2001).
///
/// A path draws topics from the prior, then makes a Gibbs sweep at each temperature, at which words count
/// with the power `beta`; its weight is the product of `p(w | z)^(beta' - beta)` at the points where `beta`
/// rises. The mean weight is unbiased. A token whose topic of the prior does not have its word at all ends
/// the path with weight zero, so that topics without smoothing need another method.
///
/// # Errors
/// Other than one positive concentration a topic, another vocabulary than the topics', fewer than two paths.
pub fn annealed(
    topics: &Topics,
    alpha: &[f64],
    corpus: &Corpus,
    options: &Annealed,
) -> Result<HeldOutEstimate, Error> {
    let run = |tokens: &Tokens<'_>, rng: &mut _| climb(tokens, options.schedule.betas(), rng);
    by_runs((topics, alpha), corpus, (options.runs, options.seed), run)
}

/// One path: ln of its weight.
fn climb<R: Rng + ?Sized>(tokens: &Tokens<'_>, betas: &[f64], rng: &mut R) -> f64 {
    let ln_factors = tokens.ln_factors();
    let mut distribution = Conditional::new(tokens.stride());
    let mut state = from_prior(tokens, &mut distribution, rng);
    let ln_likelihood = |state: &Assignment| -> f64 {
        let ln = |(&word, &topic): (&u32, &u32)| ln_factors[word as usize * tokens.stride() + topic as usize];
        tokens.words.iter().zip(&state.topics).map(ln).sum()
    };
    let mut ln_weight = 0.0;
    for (step, pair) in betas.windows(2).enumerate() {
        ln_weight += (pair[1] - pair[0]) * ln_likelihood(&state);
        if ln_weight == f64::NEG_INFINITY || step + 2 == betas.len() {
            break;
        }
        let tempered = tokens.tempered(&ln_factors, pair[1]);
        for token in 0..tokens.len() {
            state.redraw(&tempered, token, &mut distribution, rng);
        }
    }
    ln_weight
}

/// Topics as the prior has them: an urn to which each draw adds a ball of its colour.
fn from_prior<R: Rng + ?Sized>(
    tokens: &Tokens<'_>,
    distribution: &mut Conditional,
    rng: &mut R,
) -> Assignment {
    let ones = vec![1.0; tokens.stride()];
    let mut state = Assignment::empty(tokens);
    for _ in 0..tokens.len() {
        distribution.weigh(&ones, &state.counts, &tokens.alpha);
        state.push(distribution.draw(rng));
    }
    state
}
