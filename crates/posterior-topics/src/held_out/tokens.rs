//! A document under given topics, in the form that the estimators read.

use posterior_math::elementwise;

use crate::Topics;
use crate::corpus::Document;
use crate::lanes::LANES;

/// A document's tokens, and the probability of its words in each topic.
#[derive(Debug, Clone)]
pub(super) struct Tokens<'a> {
    /// The place of each token among the distinct words.
    pub(super) words: Vec<u32>,
    /// `alpha`, padded with zeros.
    pub(super) alpha: Vec<f64>,
    pub(super) alpha_sum: f64,
    /// Distinct words x padded topics: `phi`, each word relative to the topic that likes it best.
    factors: Vec<f64>,
    /// What these scales took away, over all tokens.
    ln_scale: f64,
    topics: &'a Topics,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(topics: &'a Topics, alpha: &[f64], document: Document<'_>) -> Self {
        let stride = topics.len().next_multiple_of(LANES);
        let mut padded = alpha.to_vec();
        padded.resize(stride, 0.0);
        let mut factors = vec![0.0; document.words.len() * stride];
        let mut ln_scale = 0.0;
        let mut words = Vec::new();
        for (i, (&word, &count)) in document.words.iter().zip(document.counts).enumerate() {
            let phi = topics.of_word(word);
            let most = phi.iter().copied().fold(0.0, f64::max);
            ln_scale += f64::from(count) * most.ln();
            if most > 0.0 {
                for (factor, p) in factors[i * stride..].iter_mut().zip(phi.iter()) {
                    *factor = p / most;
                }
            }
            words.extend(std::iter::repeat_n(i as u32, count as usize));
        }
        Self { words, alpha_sum: alpha.iter().sum(), alpha: padded, factors, ln_scale, topics }
    }

    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Whether a word has no topic.
    pub(super) fn impossible(&self) -> bool {
        self.ln_scale == f64::NEG_INFINITY
    }

    /// To be added to the logarithm of what the scaled factors give.
    pub(super) fn ln_scale(&self) -> f64 {
        self.ln_scale
    }

    /// The number of topics.
    pub(super) fn topics(&self) -> usize {
        self.topics.len()
    }

    /// The number of topics with padding.
    pub(super) fn stride(&self) -> usize {
        self.alpha.len()
    }

    /// The factors of a token, a topic each.
    pub(super) fn factors(&self, token: usize) -> &[f64] {
        &self.factors[self.words[token] as usize * self.stride()..][..self.stride()]
    }

    /// All factors to the power of `beta`, from their logarithms.
    pub(super) fn tempered(&self, ln_factors: &[f64], beta: f64) -> Self {
        let mut factors: Vec<f64> = ln_factors.iter().map(|ln| beta * ln).collect();
        elementwise::exp(&mut factors);
        Self { factors, ..self.clone() }
    }

    /// The logarithms of all factors.
    pub(super) fn ln_factors(&self) -> Vec<f64> {
        self.factors.iter().map(|factor| factor.ln()).collect()
    }
}
