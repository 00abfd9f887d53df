//! One pass over the tokens of a block, by one of the samplers.

#![expect(clippy::inline_always, reason = "only what is inlined is compiled for the vectors of the machine")]

use posterior_dist::choose;
use rand::RngExt;
use rand_pcg::Pcg64;

use super::blocks::{Block, DocumentGroup, WordGroup};
use super::dense::dense_sweep;
use super::metropolis::metropolis_sweep;
use super::options::TopicSampler;
use super::prior::TopicPrior;
use super::sparse::sparse_sweep;
use super::vectors::{Task, Vectors};
use super::word_factors::WordFactors;

/// What a pass works on.
#[derive(Debug)]
pub(super) struct Sweep<'a> {
    pub(super) block: &'a mut Block,
    pub(super) documents: &'a mut DocumentGroup,
    pub(super) words: &'a mut WordGroup,
    pub(super) prior: &'a TopicPrior,
    pub(super) rng: &'a mut Pcg64,
}

impl Task for (Sweep<'_>, TopicSampler) {
    type Output = ();

    /// Draws a new topic for each token of the block in turn.
    #[inline(always)]
    fn run<X: Vectors>(self, x: X) {
        let (sweep, sampler) = self;
        match sampler {
            TopicSampler::Sparse => sparse_sweep(x, sweep),
            TopicSampler::MetropolisHastings => metropolis_sweep(sweep),
            _ => dense_sweep(x, sweep),
        }
    }
}

/// A draw in double precision, by going through the weights.
#[cold]
#[inline(never)]
pub(super) fn draw_exactly(
    factors: &WordFactors,
    words: &WordGroup,
    document: &[u32],
    prior: &TopicPrior,
    own: usize,
    rng: &mut Pcg64,
) -> usize {
    draw_by_weights(&factors.exact_weights(words, document, prior, own), own, rng)
}

/// A topic with the probabilities of the weights; `otherwise` when none has a weight.
pub(super) fn draw_by_weights(weights: &[f64], otherwise: usize, rng: &mut Pcg64) -> usize {
    let total: f64 = weights.iter().sum();
    choose(weights, rng.random::<f64>() * total).unwrap_or(otherwise)
}
