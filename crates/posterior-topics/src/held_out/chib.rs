//! The likelihood from the posterior probability of one assignment.

use posterior_math::check;
use posterior_math::log_space::ln_sum_exp;
use rand::{Rng, RngExt};

use super::HeldOutEstimate;
use super::assignment::{Assignment, Conditional};
use super::estimate::by_runs;
use super::tokens::Tokens;
use crate::{Corpus, Error, Topics};

/// Sweeps of the search for the mode, at most; it ends earlier when nothing changes.
const MOST_CLIMBS: usize = 50;

/// Options of [`chib`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chib {
    /// States of the chain of a run: 100 by default.
    pub length: usize,
    /// Gibbs sweeps before the search for the assignment: 20 by default.
    pub warm_up: usize,
    /// Independent runs, at least 2; 4 by default. They give the standard error.
    pub runs: usize,
    /// The seed.
    pub seed: u64,
}

impl Default for Chib {
    fn default() -> Self {
        Self { length: 100, warm_up: 20, runs: 4, seed: 0 }
    }
}

/// `ln p(w) = ln p(w, z*) - ln p(z* | w)` of each document, for one assignment `z*` of high probability.
///
/// `p(z* | w)` is the mean probability of a Gibbs sweep into `z*` from the states of a chain that runs from
/// `z*` both ways, by sweeps and by their reversals, from a place drawn evenly (Murray and Salakhutdinov
/// 2009): that makes `p(w)` unbiased. With a short chain the estimate is mostly a little low, and now and
/// then far too high.
///
/// # Errors
/// Other than one positive concentration a topic, another vocabulary than the topics', a chain without
/// states, fewer than two runs.
pub fn chib(
    topics: &Topics,
    alpha: &[f64],
    corpus: &Corpus,
    options: &Chib,
) -> Result<HeldOutEstimate, Error> {
    check::require(options.length > 0, "Chib", "length", 0.0, "positive")?;
    let run = |tokens: &Tokens<'_>, rng: &mut _| estimate(tokens, options, rng);
    by_runs((topics, alpha), corpus, (options.runs, options.seed), run)
}

fn estimate<R: Rng + ?Sized>(tokens: &Tokens<'_>, options: &Chib, rng: &mut R) -> f64 {
    let mut distribution = Conditional::new(tokens.stride());
    let mut start = Assignment::sequential(tokens, &mut distribution, rng);
    for _ in 0..options.warm_up {
        sweep(0..tokens.len(), &mut start, tokens, &mut distribution, rng);
    }
    climb(&mut start, tokens, &mut distribution);

    let place = rng.random_range(0..options.length);
    let mut middle = start.clone();
    sweep((0..tokens.len()).rev(), &mut middle, tokens, &mut distribution, rng);
    let mut ln_into = vec![ln_transition(&middle, &start, tokens, &mut distribution)];
    let mut state = middle.clone();
    for _ in place + 1..options.length {
        sweep(0..tokens.len(), &mut state, tokens, &mut distribution, rng);
        ln_into.push(ln_transition(&state, &start, tokens, &mut distribution));
    }
    let mut state = middle;
    for _ in 0..place {
        sweep((0..tokens.len()).rev(), &mut state, tokens, &mut distribution, rng);
        ln_into.push(ln_transition(&state, &start, tokens, &mut distribution));
    }
    start.ln_joint(tokens) - (ln_sum_exp(&ln_into) - (options.length as f64).ln())
}

/// Draws the topics of tokens anew, one after the other.
fn sweep<R: Rng + ?Sized>(
    order: impl Iterator<Item = usize>,
    state: &mut Assignment,
    tokens: &Tokens<'_>,
    distribution: &mut Conditional,
    rng: &mut R,
) {
    order.for_each(|token| state.redraw(tokens, token, distribution, rng));
}

/// Moves each token to its most probable topic given the others, until none moves.
fn climb(state: &mut Assignment, tokens: &Tokens<'_>, distribution: &mut Conditional) {
    for _ in 0..MOST_CLIMBS {
        let mut moved = false;
        for token in 0..tokens.len() {
            state.weigh_without(tokens, token, distribution);
            let best = distribution.mode();
            if best != state.topics[token]
                && distribution.probability(best) > distribution.probability(state.topics[token])
            {
                state.replace(token, best);
                moved = true;
            }
        }
        if !moved {
            return;
        }
    }
}

/// ln of the probability that a sweep from `from` ends in `to`.
fn ln_transition(
    from: &Assignment,
    to: &Assignment,
    tokens: &Tokens<'_>,
    distribution: &mut Conditional,
) -> f64 {
    let mut state = from.clone();
    let mut ln_probability = 0.0;
    for (token, &topic) in to.topics.iter().enumerate() {
        state.weigh_without(tokens, token, distribution);
        ln_probability += distribution.probability(topic).ln();
        state.replace(token, topic);
    }
    ln_probability
}
