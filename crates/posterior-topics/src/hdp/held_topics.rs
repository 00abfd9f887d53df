//! The end of a fit: topics that neither come nor go, so that states can be pooled.

use std::cmp::Reverse;

use posterior_dist::stream::stream;
use posterior_math::linalg::DMatrix;
use pulp::Arch;
use serde::{Deserialize, Serialize};

use super::concentrations::Concentrations;
use super::direct_assignment::mean_sticks;
use super::joint;
use super::kernel::{Birth, Sticks, Sweep};
use super::topic_counts::{Tokens, TopicCounts};
use crate::checkpoint::contradiction;
use crate::distributions::column_sums;
use crate::lda::Lda;
use crate::{Corpus, Error};

const HELD: u64 = 2;

/// The chain of [`HeldTopics`] without what its corpus says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct HeldState {
    /// The slot of each token.
    pub(super) topics: Vec<u32>,
    pub(super) beta: f64,
    pub(super) sticks: Sticks,
    pub(super) unused_weight: f64,
    pub(super) concentrations: Concentrations,
    pub(super) states: u32,
    pub(super) word_sums: Vec<u64>,
    pub(super) document_sums: Vec<u64>,
}

/// A chain of latent Dirichlet allocation with the topics of a state, and `alpha_k = α₀ m_k / (m + γ)`, the
/// mean of `α₀ b_k` given its tables; with the counts of the states that were pooled.
///
/// The weight of topics that no token has is left out: as a topic it would be uniform over the words.
#[derive(Debug, Clone)]
pub(super) struct HeldTopics {
    tokens: Tokens,
    counts: TopicCounts,
    state: HeldState,
}

impl HeldTopics {
    /// Holds the topics of a state: topics of tokens, their counts, and tables by topic.
    pub(super) fn new(
        corpus: &Corpus,
        (topics, counts, tables): (&[u32], &TopicCounts, &[u32]),
        concentrations: Concentrations,
    ) -> Self {
        let used = counts.used();
        let mut number = vec![0_u32; counts.slots];
        for (i, &k) in used.iter().enumerate() {
            number[k] = i as u32;
        }
        let mut counts = counts.clone();
        counts.relayout(&used, used.len());
        let tables: Vec<u32> = used.iter().map(|&k| tables[k]).collect();
        let mut sticks = mean_sticks(&tables, concentrations.gamma);
        let unused_weight = std::mem::take(&mut sticks.rest);
        sticks.weights.resize(counts.slots, 0.0);
        let state = HeldState {
            topics: topics.iter().map(|&k| number[k as usize]).collect(),
            beta: counts.beta,
            sticks,
            unused_weight,
            concentrations,
            states: 0,
            word_sums: vec![0; counts.words * counts.slots],
            document_sums: vec![0; corpus.documents() * counts.slots],
        };
        Self { tokens: Tokens::of(corpus), counts, state }
    }

    pub(super) fn save(&self) -> HeldState {
        self.state.clone()
    }

    pub(super) fn restore(corpus: &Corpus, state: &HeldState) -> Result<Self, Error> {
        let tokens = Tokens::of(corpus);
        let slots = state.sticks.weights.len();
        let counts = TopicCounts::restore(&tokens, &state.topics, corpus, slots, state.beta)?;
        let sums = [state.word_sums.len(), state.document_sums.len()];
        let whole = state.sticks.are_weights(slots)
            && state.concentrations.are_bounded()
            && (0.0..=1.0).contains(&state.unused_weight)
            && sums == [counts.words * slots, corpus.documents() * slots];
        if !whole {
            return Err(contradiction());
        }
        Ok(Self { tokens, counts, state: state.clone() })
    }

    /// The number of topics.
    pub(super) fn topics(&self) -> usize {
        self.state.sticks.weights.iter().filter(|&&weight| weight > 0.0).count()
    }

    pub(super) fn concentrations(&self) -> Concentrations {
        self.state.concentrations
    }

    pub(super) fn unused_weight(&self) -> f64 {
        self.state.unused_weight
    }

    pub(super) fn states(&self) -> u32 {
        self.state.states
    }

    /// Draws the topic of each token in turn.
    pub(super) fn sweep(&mut self, seed: u64, sweep: usize) {
        Arch::new().dispatch(Sweep {
            tokens: &self.tokens,
            topics: &mut self.state.topics,
            counts: &mut self.counts,
            sticks: &mut self.state.sticks,
            concentrations: self.state.concentrations,
            birth: Birth::Held,
            rng: &mut stream(seed, &[HELD, sweep as u64]),
        });
    }

    pub(super) fn ln_joint(&self) -> f64 {
        let alpha = self.state.concentrations.alpha;
        joint::ln_joint(&self.tokens, &self.state.topics, &self.counts, &self.state.sticks, alpha)
    }

    /// Adds the counts of this state to those of the others.
    pub(super) fn pool(&mut self) {
        self.state.states += 1;
        for (sum, &count) in self.state.word_sums.iter_mut().zip(&self.counts.counts) {
            *sum += u64::from(count);
        }
        let (slots, sums) = (self.counts.slots, &mut self.state.document_sums);
        joint::for_document_counts(&self.tokens, &self.state.topics, slots, |d, own| {
            for (sum, &count) in sums[d * slots..][..slots].iter_mut().zip(own) {
                *sum += u64::from(count);
            }
        });
    }

    /// The model and the proportions of the documents, topics numbered by their tokens, most first.
    pub(super) fn estimates(&self, vocabulary: &[String]) -> (Lda, DMatrix<f64>) {
        let slots = self.counts.slots;
        let totals = column_sums(&self.state.word_sums, slots);
        let mut order: Vec<usize> = (0..self.topics()).collect();
        order.sort_by_key(|&k| Reverse(totals[k]));
        let states = f64::from(self.state.states);
        let mean = |row: &[u64]| order.iter().map(|&k| row[k] as f64 / states).collect::<Vec<f64>>();
        let word_topic: Vec<f64> = self.state.word_sums.chunks_exact(slots).flat_map(mean).collect();
        let alpha: Vec<f64> =
            order.iter().map(|&k| self.state.concentrations.alpha * self.state.sticks.weights[k]).collect();
        let prior: f64 = alpha.iter().sum();
        let rows: Vec<Vec<f64>> = self.state.document_sums.chunks_exact(slots).map(mean).collect();
        let lengths: Vec<f64> = self.tokens.lengths().map(|n| n as f64).collect();
        let doc_topic =
            DMatrix::from_fn(rows.len(), order.len(), |d, k| (alpha[k] + rows[d][k]) / (prior + lengths[d]));
        (Lda::from_counts(vocabulary.to_vec(), alpha, self.counts.beta, word_topic), doc_topic)
    }
}
