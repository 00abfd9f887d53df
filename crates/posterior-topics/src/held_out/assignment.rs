//! Topics of the tokens of one document, and their conditional draws.

use rand::{Rng, RngExt};

use super::tokens::Tokens;
use crate::lane_weights::LaneWeights;
use crate::lanes::Lane;

/// Topics of the first tokens of a document.
#[derive(Debug, Clone)]
pub(super) struct Assignment {
    /// A topic for each token that has one.
    pub(super) topics: Vec<u32>,
    /// Tokens of each topic, padded.
    pub(super) counts: Vec<f64>,
}

/// The conditional distribution of one token's topic, up to its constant.
#[derive(Debug, Clone)]
pub(super) struct Conditional {
    lanes: LaneWeights,
    total: f64,
}

impl Conditional {
    pub(super) fn new(stride: usize) -> Self {
        let mut lanes = LaneWeights::default();
        lanes.resize(stride);
        Self { lanes, total: 0.0 }
    }

    /// Sets the weights to `factor_k (n_k + alpha_k)` and returns their sum.
    pub(super) fn weigh(&mut self, factors: &[f64], counts: &[f64], alpha: &[f64]) -> f64 {
        let (factors, counts, alpha) = (factors.as_chunks().0, counts.as_chunks().0, alpha.as_chunks().0);
        let lanes = factors.iter().zip(counts).zip(alpha);
        self.total = self.lanes.fill(lanes.map(|((factors, counts), alpha): ((&Lane, &Lane), &Lane)| {
            std::array::from_fn(|i| factors[i] * (counts[i] + alpha[i]))
        }));
        self.total
    }

    /// A topic with probability in proportion to its weight. The sum of the weights must be positive.
    pub(super) fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> u32 {
        self.lanes.pick(rng.random::<f64>() * self.total) as u32
    }

    /// The topic of the largest weight, the first of several.
    pub(super) fn mode(&self) -> u32 {
        let weights = self.lanes.weights();
        let mut best = 0;
        for (k, &weight) in weights.iter().enumerate() {
            if weight > weights[best] {
                best = k;
            }
        }
        best as u32
    }

    /// The probability of a topic.
    pub(super) fn probability(&self, topic: u32) -> f64 {
        self.lanes.weights()[topic as usize] / self.total
    }
}

impl Assignment {
    /// No token has a topic yet.
    pub(super) fn empty(tokens: &Tokens<'_>) -> Self {
        Self { topics: Vec::with_capacity(tokens.len()), counts: vec![0.0; tokens.stride()] }
    }

    /// Gives the next token a topic.
    pub(super) fn push(&mut self, topic: u32) {
        self.topics.push(topic);
        self.counts[topic as usize] += 1.0;
    }

    /// Replaces the topic of a token.
    pub(super) fn replace(&mut self, token: usize, topic: u32) {
        self.counts[self.topics[token] as usize] -= 1.0;
        self.topics[token] = topic;
        self.counts[topic as usize] += 1.0;
    }

    /// The conditional distribution of a token's topic given all others; the sum of its weights.
    pub(super) fn weigh_without(
        &mut self,
        tokens: &Tokens<'_>,
        token: usize,
        distribution: &mut Conditional,
    ) -> f64 {
        let topic = self.topics[token] as usize;
        self.counts[topic] -= 1.0;
        let total = distribution.weigh(tokens.factors(token), &self.counts, &tokens.alpha);
        self.counts[topic] += 1.0;
        total
    }

    /// Draws a new topic for a token given all others.
    pub(super) fn redraw<R: Rng + ?Sized>(
        &mut self,
        tokens: &Tokens<'_>,
        token: usize,
        distribution: &mut Conditional,
        rng: &mut R,
    ) {
        self.weigh_without(tokens, token, distribution);
        let topic = distribution.draw(rng);
        self.replace(token, topic);
    }

    /// All tokens in order, each drawn given the words up to its own.
    pub(super) fn sequential<R: Rng + ?Sized>(
        tokens: &Tokens<'_>,
        distribution: &mut Conditional,
        rng: &mut R,
    ) -> Self {
        let mut assignment = Self::empty(tokens);
        for token in 0..tokens.len() {
            distribution.weigh(tokens.factors(token), &assignment.counts, &tokens.alpha);
            assignment.push(distribution.draw(rng));
        }
        assignment
    }

    /// `ln p(w, z)`: the urn's probabilities of the topics, and the factors of the words.
    pub(super) fn ln_joint(&self, tokens: &Tokens<'_>) -> f64 {
        let mut counts = vec![0.0; tokens.stride()];
        let mut ln_joint = 0.0;
        for (token, &topic) in self.topics.iter().enumerate() {
            let k = topic as usize;
            let urn = (counts[k] + tokens.alpha[k]) / (tokens.alpha_sum + token as f64);
            ln_joint += (urn * tokens.factors(token)[k]).ln();
            counts[k] += 1.0;
        }
        ln_joint
    }
}
