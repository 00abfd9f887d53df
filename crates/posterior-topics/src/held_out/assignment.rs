//! Topics of the tokens of one document, and their conditional draws.

use rand::{Rng, RngExt};

use super::tokens::{LANES, Tokens};

/// Topics of the first tokens of a document.
#[derive(Debug, Clone)]
pub(super) struct Assignment {
    /// A topic for each token that has one.
    pub(super) topics: Vec<u32>,
    /// Tokens of each topic, padded.
    pub(super) counts: Vec<f64>,
}

/// The conditional law of one token's topic, up to its constant.
#[derive(Debug, Clone)]
pub(super) struct Conditional {
    weights: Vec<f64>,
    sums: Vec<f64>,
    total: f64,
}

impl Conditional {
    pub(super) fn new(stride: usize) -> Self {
        Self { weights: vec![0.0; stride], sums: vec![0.0; stride / LANES], total: 0.0 }
    }

    /// Sets the weights to `factor_k (n_k + alpha_k)` and returns their sum.
    pub(super) fn weigh(&mut self, factors: &[f64], counts: &[f64], alpha: &[f64]) -> f64 {
        let lanes =
            factors.chunks_exact(LANES).zip(counts.chunks_exact(LANES)).zip(alpha.chunks_exact(LANES));
        let mut total = 0.0;
        for ((weights, sum), ((factors, counts), alpha)) in
            self.weights.chunks_exact_mut(LANES).zip(&mut self.sums).zip(lanes)
        {
            for i in 0..LANES {
                weights[i] = factors[i] * (counts[i] + alpha[i]);
            }
            let pairs = [
                weights[0] + weights[4],
                weights[1] + weights[5],
                weights[2] + weights[6],
                weights[3] + weights[7],
            ];
            *sum = (pairs[0] + pairs[2]) + (pairs[1] + pairs[3]);
            total += *sum;
        }
        self.total = total;
        total
    }

    /// A topic with probability in proportion to its weight. The sum of the weights must be positive.
    pub(super) fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> u32 {
        self.pick(rng.random::<f64>() * self.total)
    }

    fn pick(&self, mut threshold: f64) -> u32 {
        let positive = |weights: &[f64]| weights.iter().rposition(|&weight| weight > 0.0);
        for (block, (weights, &sum)) in self.weights.chunks_exact(LANES).zip(&self.sums).enumerate() {
            if threshold < sum {
                for (lane, &weight) in weights.iter().enumerate() {
                    if threshold < weight {
                        return (block * LANES + lane) as u32;
                    }
                    threshold -= weight;
                }
                // Rounding: the sum of the lanes in another order is a little larger.
                if let Some(lane) = positive(weights) {
                    return (block * LANES + lane) as u32;
                }
            }
            threshold -= sum;
        }
        positive(&self.weights).unwrap_or(0) as u32
    }

    /// The topic of the largest weight, the first of several.
    pub(super) fn mode(&self) -> u32 {
        let mut best = 0;
        for (k, &weight) in self.weights.iter().enumerate() {
            if weight > self.weights[best] {
                best = k;
            }
        }
        best as u32
    }

    /// The probability of a topic.
    pub(super) fn probability(&self, topic: u32) -> f64 {
        self.weights[topic as usize] / self.total
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

    /// The conditional law of a token's topic given all others; the sum of its weights.
    pub(super) fn weigh_without(&mut self, tokens: &Tokens<'_>, token: usize, law: &mut Conditional) -> f64 {
        let topic = self.topics[token] as usize;
        self.counts[topic] -= 1.0;
        let total = law.weigh(tokens.factors(token), &self.counts, &tokens.alpha);
        self.counts[topic] += 1.0;
        total
    }

    /// Draws a new topic for a token given all others.
    pub(super) fn redraw<R: Rng + ?Sized>(
        &mut self,
        tokens: &Tokens<'_>,
        token: usize,
        law: &mut Conditional,
        rng: &mut R,
    ) {
        self.weigh_without(tokens, token, law);
        let topic = law.draw(rng);
        self.replace(token, topic);
    }

    /// All tokens in order, each drawn given the words up to its own.
    pub(super) fn sequential<R: Rng + ?Sized>(
        tokens: &Tokens<'_>,
        law: &mut Conditional,
        rng: &mut R,
    ) -> Self {
        let mut assignment = Self::empty(tokens);
        for token in 0..tokens.len() {
            law.weigh(tokens.factors(token), &assignment.counts, &tokens.alpha);
            assignment.push(law.draw(rng));
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
