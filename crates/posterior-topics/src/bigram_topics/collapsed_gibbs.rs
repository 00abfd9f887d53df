//! The chain: a token at a time, distributions integrated out.

use posterior_math::special::ln_rising_factorial;
use rand::{Rng, RngExt};

use super::options::{BigramTopicsOptions, NAME, WordPrior};
use super::word_prior::Concentrations;
use crate::Error;
use crate::checks::topics_of_tokens;
use crate::corpus::WordSequences;
use crate::lda::improve;

/// The bounds that concentrations are kept in: what has no count may come back.
const BOUNDS: (f64, f64) = (1e-6, 1e4);

/// A chain on the topics of tokens.
///
/// Cost: tokens x topics for a sweep; memory: different pairs of words x topics.
#[derive(Debug, Clone, PartialEq)]
pub struct BigramGibbs<'a> {
    sequences: &'a WordSequences,
    pub(super) alpha: Vec<f64>,
    pub(super) beta: Concentrations,
    pub(super) pairs: Pairs,
    topics: Vec<u16>,
    /// Documents x topics.
    pub(super) document_topic: Vec<u32>,
    /// Pairs x topics.
    pub(super) pair_topic: Vec<u32>,
    /// Contexts x topics.
    pub(super) context_topic: Vec<u32>,
    weights: Vec<f64>,
}

/// The different pairs of a context and a word. The context of the first word of a document is none, the last
/// number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pairs {
    /// Where the pairs of each context begin; one more context than words.
    pub(super) offsets: Vec<usize>,
    /// The word of each pair, increasing within a context.
    pub(super) words: Vec<u32>,
    /// The pair of each token.
    of_token: Vec<u32>,
}

impl Pairs {
    fn of(sequences: &WordSequences) -> Result<Self, Error> {
        let contexts = sequences.vocabulary().len() + 1;
        let pairs = || {
            sequences.documents().iter().flat_map(move |document| {
                let before = std::iter::once(contexts as u32 - 1).chain(document.iter().copied());
                before.zip(document.iter().copied())
            })
        };
        let mut different: Vec<(u32, u32)> = pairs().collect();
        different.sort_unstable();
        different.dedup();
        if u32::try_from(different.len()).is_err() {
            return Err(Error::Corpus(format!("{} different pairs of words", different.len())));
        }
        let place = |pair| different.binary_search(&pair).map_or(0, |place| place as u32);
        let of_token = pairs().map(place).collect();
        let offsets =
            (0..=contexts).map(|c| different.partition_point(|pair| (pair.0 as usize) < c)).collect();
        Ok(Self { offsets, words: different.into_iter().map(|(_, word)| word).collect(), of_token })
    }

    /// The pairs of a vocabulary of so many words, of which no token is known; `None` if they contradict each
    /// other.
    pub(super) fn from_parts(offsets: Vec<usize>, words: Vec<u32>, size: usize) -> Option<Self> {
        let ends = offsets.first() == Some(&0) && offsets.last() == Some(&words.len());
        let known = words.iter().all(|&word| (word as usize) < size);
        if offsets.len() != size + 2 || !ends || !known || !offsets.is_sorted() {
            return None;
        }
        let increasing = |pair: &[usize]| words[pair[0]..pair[1]].windows(2).all(|next| next[0] < next[1]);
        offsets.windows(2).all(increasing).then_some(Self { offsets, words, of_token: Vec::new() })
    }

    /// The same without the tokens.
    pub(super) fn without_tokens(&self) -> Self {
        Self { offsets: self.offsets.clone(), words: self.words.clone(), of_token: Vec::new() }
    }

    /// The pairs of a context.
    pub(super) fn of_context(&self, context: usize) -> std::ops::Range<usize> {
        self.offsets[context]..self.offsets[context + 1]
    }

    /// The number of contexts, that of the first words included.
    pub(super) fn contexts(&self) -> usize {
        self.offsets.len() - 1
    }
}

impl<'a> BigramGibbs<'a> {
    /// A chain from random topics.
    ///
    /// # Errors
    /// Options out of their range, no token, or more than 2^32.
    pub fn new<R: Rng + ?Sized>(
        sequences: &'a WordSequences,
        options: &BigramTopicsOptions,
        rng: &mut R,
    ) -> Result<Self, Error> {
        options.check()?;
        let draw = |_| rng.random_range(0..options.topics as u64) as u16;
        Self::from_assignments(sequences, options, &(0..sequences.tokens()).map(draw).collect::<Vec<u16>>())
    }

    /// A chain from these topics of the tokens, document by document.
    ///
    /// # Errors
    /// Options out of their range, another number of topics than tokens, one that is none of the topics, no
    /// token, or more than 2^32.
    pub fn from_assignments(
        sequences: &'a WordSequences,
        options: &BigramTopicsOptions,
        topics: &[u16],
    ) -> Result<Self, Error> {
        options.check()?;
        let (count, tokens) = (options.topics, sequences.tokens());
        if tokens == 0 {
            return Err(Error::Corpus("no document has a word".to_owned()));
        }
        if u32::try_from(tokens).is_err() {
            return Err(Error::Corpus(format!("{tokens} tokens: at most 2^32 - 1 can be sampled")));
        }
        topics_of_tokens(tokens, topics, count)?;
        let pairs = Pairs::of(sequences)?;
        let mut chain = Self {
            sequences,
            alpha: options.alpha.of_topics_in(NAME, count)?,
            beta: Concentrations::symmetric(sequences.vocabulary().len(), options),
            topics: topics.to_vec(),
            document_topic: vec![0; sequences.documents().len() * count],
            pair_topic: vec![0; pairs.words.len() * count],
            context_topic: vec![0; pairs.contexts() * count],
            pairs,
            weights: vec![0.0; count],
        };
        chain.visit(Self::add);
        Ok(chain)
    }

    /// Calls with the place and the topic of each token.
    fn visit(&mut self, mut f: impl FnMut(&mut Self, Place, usize)) {
        let sequences = self.sequences;
        let mut token = 0;
        for (d, document) in sequences.documents().iter().enumerate() {
            let mut context = self.pairs.contexts() - 1;
            for &word in document {
                let place = Place {
                    d,
                    context,
                    word: word as usize,
                    pair: self.pairs.of_token[token] as usize,
                    token,
                };
                let topic = usize::from(self.topics[token]);
                f(self, place, topic);
                context = word as usize;
                token += 1;
            }
        }
    }

    fn add(&mut self, place: Place, k: usize) {
        let count = self.alpha.len();
        self.document_topic[place.d * count + k] += 1;
        self.pair_topic[place.pair * count + k] += 1;
        self.context_topic[place.context * count + k] += 1;
    }

    fn remove(&mut self, place: Place, k: usize) {
        let count = self.alpha.len();
        self.document_topic[place.d * count + k] -= 1;
        self.pair_topic[place.pair * count + k] -= 1;
        self.context_topic[place.context * count + k] -= 1;
    }

    /// Draws the topic of each token in turn.
    pub fn sweep<R: Rng + ?Sized>(&mut self, rng: &mut R) {
        self.visit(|chain, place, k| {
            chain.remove(place, k);
            let drawn = chain.draw(place, rng);
            chain.topics[place.token] = drawn as u16;
            chain.add(place, drawn);
        });
    }

    fn draw<R: Rng + ?Sized>(&mut self, place: Place, rng: &mut R) -> usize {
        let Self { alpha, beta, document_topic, pair_topic, context_topic, weights, .. } = self;
        let count = alpha.len();
        let of_document = &document_topic[place.d * count..][..count];
        let of_pair = &pair_topic[place.pair * count..][..count];
        let of_context = &context_topic[place.context * count..][..count];
        let mut sum = 0.0;
        for k in 0..count {
            let words = f64::from(of_pair[k]) + beta.of(place.word, k);
            let whole = f64::from(of_context[k]) + beta.totals()[k];
            sum += (f64::from(of_document[k]) + alpha[k]) * (words / whole);
            weights[k] = sum;
        }
        let target = rng.random::<f64>() * sum;
        weights.partition_point(|&weight| weight <= target).min(count - 1)
    }

    /// Moves the concentrations uphill by some fixed-point steps.
    pub fn optimize_hyperparameters(&mut self) {
        let topics = self.alpha.len();
        let documents = self.document_topic.chunks_exact(topics);
        let documents = documents.map(|row| row.iter().copied().enumerate().collect());
        self.alpha = improve(documents, &self.alpha, BOUNDS);
        let Self { pairs, pair_topic, .. } = &*self;
        let contexts = |k: usize| {
            (0..pairs.contexts()).map(move |context| {
                let row = pairs.of_context(context);
                let row = row.map(|pair| (pairs.words[pair] as usize, pair_topic[pair * topics + k]));
                row.filter(|&(_, n)| n > 0).collect()
            })
        };
        let columns = self.beta.columns();
        let improved: Vec<Vec<f64>> = match self.beta.kind() {
            WordPrior::Shared => vec![improve((0..topics).flat_map(contexts), &columns[0], BOUNDS)],
            WordPrior::PerTopic => {
                columns.iter().enumerate().map(|(k, column)| improve(contexts(k), column, BOUNDS)).collect()
            }
        };
        self.beta = self.beta.with_columns(&improved);
    }

    /// The topic of each token, document by document.
    pub fn assignments(&self) -> &[u16] {
        &self.topics
    }

    /// ln p(W, Z), distributions integrated out.
    pub fn ln_joint(&self) -> f64 {
        let count = self.alpha.len();
        let alpha: f64 = self.alpha.iter().sum();
        let mut ln = 0.0;
        for (row, document) in self.document_topic.chunks_exact(count).zip(self.sequences.documents()) {
            for (&n, &alpha) in row.iter().zip(&self.alpha).filter(|(n, _)| **n > 0) {
                ln += ln_rising_factorial(alpha, u64::from(n));
            }
            ln -= ln_rising_factorial(alpha, document.len() as u64);
        }
        for (&word, row) in self.pairs.words.iter().zip(self.pair_topic.chunks_exact(count)) {
            for (k, &n) in row.iter().enumerate().filter(|(_, n)| **n > 0) {
                ln += ln_rising_factorial(self.beta.of(word as usize, k), u64::from(n));
            }
        }
        for row in self.context_topic.chunks_exact(count) {
            for (&n, &total) in row.iter().zip(self.beta.totals()).filter(|(n, _)| **n > 0) {
                ln -= ln_rising_factorial(total, u64::from(n));
            }
        }
        ln
    }

    pub(super) const fn sequences(&self) -> &'a WordSequences {
        self.sequences
    }
}

/// Where a token is.
#[derive(Debug, Clone, Copy)]
struct Place {
    d: usize,
    context: usize,
    word: usize,
    pair: usize,
    token: usize,
}
