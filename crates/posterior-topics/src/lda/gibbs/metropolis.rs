//! The Metropolis-Hastings sampler: proposals of constant cost, from the counts as they are.
//!
//! The weight of topic `k` for a token of word `w` in document `d` is a product of two factors, all counts
//! without the token:
//!
//! ```text
//! (n_dk + alpha_k) x (n_kw + beta_kw) s_k,    s_k = psi_kg / (n_kg + sum_v beta_kv)
//! ```
//!
//! The topic of another token of the document, or a draw from `alpha` with probability
//! `alpha_0 / (N_d - 1 + alpha_0)`, is a draw from the first factor, so that the ratio of the second decides
//! whether it is accepted. The topic of another token of the word, or a draw from its prior, is a draw from
//! `n_kw + beta_kw`, and the ratio of `(n_dk + alpha_k) s_k` decides. These are the proposals of Yuan et al.
//! (2015, LightLDA), who take them from tables made earlier in the sweep; those tables depend on the token
//! that is left out, and the chain has another distribution then. Here a proposal is a look at the state
//! itself, and the distribution is exact.

use posterior_dist::AliasTable;
use rand::distr::Distribution;
use rand::{Rng, RngExt};
use rand_pcg::Pcg64;

use super::blocks::{Sweep, WordGroup};
use super::prior::{TopicPrior, WordPrior};

/// Proposals of each kind for a token in a sweep.
const ROUNDS: usize = 2;

/// Proposes topics for each token of a block in turn. Cost: constant, for each token.
pub(super) fn metropolis_sweep(sweep: Sweep<'_>) {
    let Sweep { block, documents, words, prior, rng } = sweep;
    let stride = prior.alpha.len();
    let document_draws = DocumentDraws::new(prior);
    let WordGroup { counts, totals, mass, prior: word_prior, tokens: word_tokens } = words;
    for span in &block.spans {
        let word = span.word as usize;
        let word_draws = WordDraws::new(word_prior, word, prior.topics);
        let word_row = &mut counts[word * stride..][..stride];
        let (word_topics, first) = word_tokens.visit(word, span.end - span.start);
        let places = span.start as usize..span.end as usize;
        let visited = block.documents[places.clone()].iter().zip(&mut block.topics[places]);
        for (word_place, (&document, topic)) in (first..).zip(visited) {
            let document_row = &mut documents.counts[document as usize * stride..][..stride];
            let (document_topics, document_place) = documents.tokens.visit(document as usize, 1);
            let own = usize::from(*topic);
            // Everything without the token.
            let count = |counts: &[u32], k: usize| f64::from(counts[k] - u32::from(k == own));
            let of_document = |row: &[u32], k: usize| count(row, k) + prior.alpha[k];
            let of_word = |row: &[u32], k: usize| count(row, k) + word_prior.concentration(word, k);
            let scale = |totals: &[u32], k: usize| [mass[k], count(totals, k) + word_prior.sums()[k]];
            let mut now = own;
            for _ in 0..ROUNDS {
                let proposed = document_draws.draw(document_topics, document_place, rng);
                if proposed != now {
                    let weights = [proposed, now].map(|k| of_word(word_row, k));
                    if is_accepted(weights, [proposed, now].map(|k| scale(totals, k)), rng) {
                        now = proposed;
                    }
                }
                let proposed = word_draws.draw(word_topics, word_place, rng);
                if proposed != now {
                    let weights = [proposed, now].map(|k| of_document(document_row, k));
                    if is_accepted(weights, [proposed, now].map(|k| scale(totals, k)), rng) {
                        now = proposed;
                    }
                }
            }
            if now != own {
                for counts in [&mut *document_row, &mut *word_row, &mut *totals] {
                    counts[own] -= 1;
                    counts[now] += 1;
                }
                *topic = now as u16;
                document_topics[document_place] = now as u16;
                word_topics[word_place] = now as u16;
            }
        }
    }
}

/// Whether a proposed topic takes the place of the present one: by the ratio of the weights times that of the
/// scales, which are fractions.
#[inline]
fn is_accepted(weights: [f64; 2], scales: [[f64; 2]; 2], rng: &mut Pcg64) -> bool {
    let [proposed, present] = scales;
    unit(rng) * (weights[1] * present[0] * proposed[1]) < weights[0] * proposed[0] * present[1]
}

/// Draws from `n_dk + alpha_k`.
#[derive(Debug)]
struct DocumentDraws {
    prior: AliasTable,
    total: f64,
}

impl DocumentDraws {
    fn new(prior: &TopicPrior) -> Self {
        let alpha = &prior.alpha[..prior.topics];
        Self {
            prior: AliasTable::from_weights(alpha)
                .expect("invariant: concentrations are positive and finite"),
            total: alpha.iter().sum(),
        }
    }

    #[inline]
    fn draw(&self, topics: &[u16], own: usize, rng: &mut Pcg64) -> usize {
        match other(topics, own, self.total, rng) {
            Ok(topic) => topic,
            Err(_) => self.prior.sample(rng),
        }
    }
}

/// Draws from `n_kw + beta_kw`.
#[derive(Debug)]
struct WordDraws<'a> {
    topics: usize,
    uniform: f64,
    seeds: &'a [(u16, f64)],
    total: f64,
}

impl<'a> WordDraws<'a> {
    fn new(prior: &'a WordPrior, word: usize, topics: usize) -> Self {
        let seeds = prior.seeds(word);
        let uniform = prior.base(word) * topics as f64;
        Self { topics, uniform, seeds, total: seeds.iter().fold(uniform, |sum, (_, weight)| sum + weight) }
    }

    #[inline]
    fn draw(&self, topics: &[u16], own: usize, rng: &mut Pcg64) -> usize {
        match other(topics, own, self.total, rng) {
            Ok(topic) => topic,
            Err(target) => self.draw_prior(target, rng),
        }
    }

    /// A topic by the prior, for a target below its total.
    fn draw_prior(&self, target: f64, rng: &mut Pcg64) -> usize {
        let mut left = target - self.uniform;
        for &(topic, weight) in self.seeds {
            if (0.0..weight).contains(&left) {
                return usize::from(topic);
            }
            left -= weight;
        }
        rng.random_range(0..self.topics)
    }
}

/// The topic of a random token other than the one at `own`, where each token weighs one; or, with the weight
/// `rest`, a number below `rest`.
#[inline]
fn other(topics: &[u16], own: usize, rest: f64, rng: &mut Pcg64) -> Result<usize, f64> {
    let others = topics.len() - 1;
    let target = unit(rng) * (others as f64 + rest);
    let place = target as usize;
    if place < others {
        // Those from `own` on move up by one, and none is `own`.
        return Ok(usize::from(topics[place + usize::from(place >= own)]));
    }
    Err(target - others as f64)
}

/// A number in [0, 1).
#[inline]
fn unit(rng: &mut Pcg64) -> f64 {
    (rng.next_u64() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
}
