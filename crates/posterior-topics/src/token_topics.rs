//! Collapsed Gibbs sampling for models whose documents differ in more than their words: concentrations of
//! their own, topics that they may have, a response.

use posterior_math::special::ln_rising_factorial;
use rand::{Rng, RngExt};

use crate::Corpus;
use crate::corpus::Document;
use crate::lda::ln_words;

/// The topics of all tokens, and their counts.
#[derive(Debug, Clone)]
pub(crate) struct TokenTopics {
    topics: usize,
    beta: f64,
    /// beta times the size of the vocabulary.
    beta_sum: f64,
    /// The word and the topic of each token, document by document.
    tokens: Vec<(u32, u16)>,
    /// Where documents begin; one more than there are.
    offsets: Vec<usize>,
    /// Documents x topics, row by row.
    pub(crate) document_topic: Vec<u32>,
    /// Words x topics, row by row.
    pub(crate) word_topic: Vec<u32>,
    totals: Vec<u64>,
    /// 1 / (n_k + V beta) by topic.
    inverses: Vec<f64>,
    weights: Vec<f64>,
}

/// What the topics of a document say beside its words.
pub(crate) trait Tilt {
    /// A token of this topic is taken out.
    fn take(&mut self, topic: usize);

    /// Multiplies the weights of all topics for the token that is out.
    fn scale(&mut self, weights: &mut [f64]);

    /// The token has this topic from now on.
    fn put(&mut self, topic: usize);
}

/// Nothing but the words.
impl Tilt for () {
    fn take(&mut self, _: usize) {}
    fn scale(&mut self, _: &mut [f64]) {}
    fn put(&mut self, _: usize) {}
}

impl TokenTopics {
    /// The tokens of a corpus, each with the topic that `first` gives for its document.
    pub(crate) fn new(
        corpus: &Corpus,
        topics: usize,
        beta: f64,
        mut first: impl FnMut(usize) -> usize,
    ) -> Self {
        let words = corpus.vocabulary().len();
        let mut chain = Self::empty(topics, beta, words, vec![0; words * topics]);
        for (d, document) in corpus.iter().enumerate() {
            chain.push(document.words.iter().copied().zip(document.counts.iter().copied()), || first(d));
        }
        chain
    }

    /// One document over tokens that stay where they are: `counts` are those of its distinct words in their
    /// order, words x topics.
    pub(crate) fn beyond(
        document: Document<'_>,
        counts: Vec<u32>,
        (totals, words): (&[u64], usize),
        beta: f64,
        first: impl FnMut() -> usize,
    ) -> Self {
        let mut chain = Self::empty(totals.len(), beta, words, counts);
        chain.totals.copy_from_slice(totals);
        chain.push((0..).zip(document.counts.iter().copied()), first);
        chain
    }

    fn empty(topics: usize, beta: f64, words: usize, word_topic: Vec<u32>) -> Self {
        Self {
            topics,
            beta,
            beta_sum: words as f64 * beta,
            tokens: Vec::new(),
            offsets: vec![0],
            document_topic: Vec::new(),
            word_topic,
            totals: vec![0; topics],
            inverses: vec![0.0; topics],
            weights: Vec::with_capacity(topics),
        }
    }

    fn push(&mut self, words: impl Iterator<Item = (u32, u32)>, mut first: impl FnMut() -> usize) {
        let d = self.offsets.len() - 1;
        self.document_topic.resize((d + 1) * self.topics, 0);
        for (word, count) in words {
            for _ in 0..count {
                let topic = first();
                self.tokens.push((word, topic as u16));
                self.put(d, word, topic);
            }
        }
        self.offsets.push(self.tokens.len());
        for k in 0..self.topics {
            self.renew(k);
        }
    }

    fn renew(&mut self, topic: usize) {
        self.inverses[topic] = (self.totals[topic] as f64 + self.beta_sum).recip();
    }

    fn take(&mut self, d: usize, word: u32, topic: usize) {
        self.document_topic[d * self.topics + topic] -= 1;
        self.word_topic[word as usize * self.topics + topic] -= 1;
        self.totals[topic] -= 1;
        self.renew(topic);
    }

    fn put(&mut self, d: usize, word: u32, topic: usize) {
        self.document_topic[d * self.topics + topic] += 1;
        self.word_topic[word as usize * self.topics + topic] += 1;
        self.totals[topic] += 1;
        self.renew(topic);
    }

    /// Draws the topic of each token of a document given those of all others, among the topics that it may
    /// have; `alpha` has the concentrations of all topics.
    ///
    /// Cost: tokens x topics that it may have.
    pub(crate) fn sweep_document<R: Rng + ?Sized>(
        &mut self,
        d: usize,
        allowed: &(impl Iterator<Item = usize> + Clone),
        alpha: &[f64],
        tilt: &mut impl Tilt,
        rng: &mut R,
    ) {
        for place in self.offsets[d]..self.offsets[d + 1] {
            let (word, old) = self.tokens[place];
            self.take(d, word, usize::from(old));
            tilt.take(usize::from(old));
            let counts = &self.document_topic[d * self.topics..][..self.topics];
            let row = &self.word_topic[word as usize * self.topics..][..self.topics];
            let (inverses, beta) = (&self.inverses, self.beta);
            self.weights.clear();
            self.weights.extend(
                allowed
                    .clone()
                    .map(|k| (alpha[k] + f64::from(counts[k])) * (f64::from(row[k]) + beta) * inverses[k]),
            );
            tilt.scale(&mut self.weights);
            let new = allowed.clone().nth(draw(&mut self.weights, rng)).unwrap_or(usize::from(old));
            self.tokens[place].1 = new as u16;
            self.put(d, word, new);
            tilt.put(new);
        }
    }

    /// The topic counts of a document.
    pub(crate) fn document_counts(&self, d: usize) -> &[u32] {
        &self.document_topic[d * self.topics..][..self.topics]
    }

    /// Tokens of a document.
    pub(crate) fn length(&self, d: usize) -> usize {
        self.offsets[d + 1] - self.offsets[d]
    }

    /// The topic of each token.
    #[cfg(test)]
    pub(crate) fn assignment(&self) -> Vec<u16> {
        self.tokens.iter().map(|&(_, topic)| topic).collect()
    }

    /// ln p(Z) of topics of documents that all have these concentrations.
    pub(crate) fn ln_topics(&self, alpha: &[f64]) -> f64 {
        let sum: f64 = alpha.iter().sum();
        let document = |d: usize| {
            let counts = self.document_counts(d).iter().zip(alpha).filter(|&(&n, _)| n > 0);
            let rises: f64 = counts.map(|(&n, &a)| ln_rising_factorial(a, u64::from(n))).sum();
            rises - ln_rising_factorial(sum, self.length(d) as u64)
        };
        (0..self.offsets.len() - 1).map(document).sum()
    }

    /// ln p(W | Z): the words given the topics.
    pub(crate) fn ln_words(&self) -> f64 {
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
