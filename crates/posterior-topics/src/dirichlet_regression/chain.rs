//! Collapsed Gibbs sampling with concentrations of its own for each document.

use posterior_math::linalg::DMatrix;
use rand::{Rng, RngExt};

use crate::Corpus;
use crate::lda::ln_words;

/// The topics of all tokens, and their counts.
#[derive(Debug, Clone)]
pub(super) struct RegressionGibbs {
    topics: usize,
    beta: f64,
    /// The word and the topic of each token, document by document.
    tokens: Vec<(u32, u16)>,
    /// Where documents begin; one more than there are.
    offsets: Vec<usize>,
    /// Documents x topics, row by row.
    pub(super) document_topic: Vec<u32>,
    /// Words x topics, row by row.
    pub(super) word_topic: Vec<u32>,
    totals: Vec<u64>,
}

impl RegressionGibbs {
    /// Topics at random.
    pub(super) fn new<R: Rng + ?Sized>(corpus: &Corpus, topics: usize, beta: f64, rng: &mut R) -> Self {
        let mut chain = Self {
            topics,
            beta,
            tokens: Vec::new(),
            offsets: vec![0],
            document_topic: vec![0; corpus.documents() * topics],
            word_topic: vec![0; corpus.vocabulary().len() * topics],
            totals: vec![0; topics],
        };
        for (d, document) in corpus.iter().enumerate() {
            for (&word, &count) in document.words.iter().zip(document.counts) {
                for _ in 0..count {
                    let topic = rng.random_range(0..topics);
                    chain.tokens.push((word, topic as u16));
                    chain.document_topic[d * topics + topic] += 1;
                    chain.word_topic[word as usize * topics + topic] += 1;
                    chain.totals[topic] += 1;
                }
            }
            chain.offsets.push(chain.tokens.len());
        }
        chain
    }

    /// Draws the topic of each token given those of all others; `alpha` is documents x topics.
    ///
    /// Cost: tokens x topics.
    pub(super) fn sweep<R: Rng + ?Sized>(&mut self, alpha: &DMatrix<f64>, rng: &mut R) {
        let (topics, beta) = (self.topics, self.beta);
        let beta_sum = (self.word_topic.len() / topics) as f64 * beta;
        let mut inverse: Vec<f64> = self.totals.iter().map(|&n| (n as f64 + beta_sum).recip()).collect();
        let mut weights = vec![0.0; topics];
        for d in 0..self.offsets.len() - 1 {
            let counts = &mut self.document_topic[d * topics..][..topics];
            let mut in_document: Vec<f64> =
                alpha.row(d).iter().zip(&*counts).map(|(a, &n)| a + f64::from(n)).collect();
            for (word, topic) in &mut self.tokens[self.offsets[d]..self.offsets[d + 1]] {
                let row = &mut self.word_topic[*word as usize * topics..][..topics];
                let old = usize::from(*topic);
                counts[old] -= 1;
                row[old] -= 1;
                self.totals[old] -= 1;
                in_document[old] = alpha[(d, old)] + f64::from(counts[old]);
                inverse[old] = (self.totals[old] as f64 + beta_sum).recip();
                for (((weight, own), &n), inverse) in
                    weights.iter_mut().zip(&in_document).zip(&*row).zip(&inverse)
                {
                    *weight = own * (f64::from(n) + beta) * inverse;
                }
                let new = draw(&mut weights, rng);
                *topic = new as u16;
                counts[new] += 1;
                row[new] += 1;
                self.totals[new] += 1;
                in_document[new] = alpha[(d, new)] + f64::from(counts[new]);
                inverse[new] = (self.totals[new] as f64 + beta_sum).recip();
            }
        }
    }

    /// The topic of each token.
    #[cfg(test)]
    pub(super) fn assignment(&self) -> Vec<u16> {
        self.tokens.iter().map(|&(_, topic)| topic).collect()
    }

    /// ln p(W | Z): the words given the topics.
    pub(super) fn ln_words(&self) -> f64 {
        let (counts, totals) = (self.word_topic.iter().copied(), self.totals.iter().copied());
        ln_words(counts, totals, self.word_topic.len() / self.topics, self.beta)
    }
}

/// A place with probability in proportion to its weight; the weights become their running sums.
fn draw<R: Rng + ?Sized>(weights: &mut [f64], rng: &mut R) -> usize {
    let mut sum = 0.0;
    for weight in &mut *weights {
        sum += *weight;
        *weight = sum;
    }
    let at = rng.random::<f64>() * sum;
    weights.partition_point(|&running| running <= at).min(weights.len() - 1)
}

#[cfg(test)]
mod tests;
