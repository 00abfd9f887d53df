//! The fitted model.

use posterior_math::linalg::DMatrix;
use serde::{Deserialize, Serialize};

use super::collapsed_gibbs::{BigramGibbs, Pairs};
use super::options::WordPrior;
use super::word_prior::Concentrations;
use crate::Topics;
use crate::checkpoint::check_format;
use crate::lda::fold_in;

const FORMAT: &str = "posterior-bigram-topics-1";

/// A fitted bigram topic model.
///
/// It is no [`TopicModel`](crate::TopicModel), which is about bags of words: [`topics`](Self::topics) are
/// what its topics look like without their contexts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "File", into = "File")]
pub struct BigramTopics {
    topics: Topics,
    alpha: Vec<f64>,
    beta: Concentrations,
    pairs: Pairs,
    /// Expected counts, pairs x topics.
    pair_topic: Vec<f64>,
    /// Expected counts, contexts x topics.
    context_topic: Vec<f64>,
}

impl BigramTopics {
    pub(super) fn of(chain: &BigramGibbs<'_>, pair_topic: &[u64], states: f64) -> Self {
        let count = chain.alpha.len();
        let words = chain.sequences().vocabulary().len();
        let pair_topic: Vec<f64> = pair_topic.iter().map(|&n| n as f64 / states).collect();
        let pairs = chain.pairs.without_tokens();
        let context_topic = of_contexts(&pairs, &pair_topic, count);
        let mut word_topic = vec![0.0; words * count];
        let mut totals = vec![0.0; count];
        for (&word, row) in pairs.words.iter().zip(pair_topic.chunks_exact(count)) {
            for (k, n) in row.iter().enumerate() {
                word_topic[word as usize * count + k] += n;
                totals[k] += n;
            }
        }
        let tokens = chain.sequences().tokens() as f64;
        let topic_word = DMatrix::from_fn(count, words, |k, w| {
            (word_topic[w * count + k] + chain.beta.of(w, k)) / (totals[k] + chain.beta.totals()[k])
        });
        let topics = Topics::new(
            chain.sequences().vocabulary().to_vec(),
            topic_word,
            totals.iter().map(|total| total / tokens).collect(),
            word_topic.chunks_exact(count).map(|row| row.iter().sum::<f64>() / tokens).collect(),
        )
        .expect("invariant: counts that are not all zero make distributions");
        Self {
            topics,
            alpha: chain.alpha.clone(),
            beta: chain.beta.clone(),
            pairs,
            pair_topic,
            context_topic,
        }
    }

    /// The words of the topics, after whatever word.
    pub const fn topics(&self) -> &Topics {
        &self.topics
    }

    /// The Dirichlet concentration of each topic in a document.
    pub fn alpha(&self) -> &[f64] {
        &self.alpha
    }

    /// The Dirichlet concentration of a word in a topic, after any word.
    ///
    /// # Panics
    /// When there is no such word or topic.
    #[track_caller]
    pub fn beta(&self, word: u32, topic: usize) -> f64 {
        self.beta.of(word as usize, topic)
    }

    /// p(word | topic, context) of each topic; the context of the first word of a document is `None`.
    ///
    /// # Panics
    /// When a word id is outside the vocabulary.
    #[track_caller]
    pub fn word_probabilities(&self, context: Option<u32>, word: u32) -> Vec<f64> {
        let count = self.alpha.len();
        let context = context.map_or(self.pairs.contexts() - 1, |word| word as usize);
        let pairs = self.pairs.of_context(context);
        let place = self.pairs.words[pairs.clone()].binary_search(&word).ok();
        (0..count)
            .map(|k| {
                let n = place.map_or(0.0, |place| self.pair_topic[(pairs.start + place) * count + k]);
                (n + self.beta.of(word as usize, k))
                    / (self.context_topic[context * count + k] + self.beta.totals()[k])
            })
            .collect()
    }

    /// The topic proportions of a document, by EM under the prior Dir(alpha + 1). Those of an empty document
    /// are the mean of the prior.
    ///
    /// # Panics
    /// When a word id is outside the vocabulary.
    #[track_caller]
    pub fn proportions(&self, document: &[u32]) -> Vec<f64> {
        let rows = self.rows(None, document);
        fold_in::climb(&self.alpha, &rows.iter().map(|row| (1.0, row.as_slice())))
    }

    /// The probabilities of the words of a document under each topic.
    fn rows(&self, first: Option<u32>, document: &[u32]) -> Vec<Vec<f64>> {
        let before = std::iter::once(first).chain(document.iter().copied().map(Some));
        before.zip(document).map(|(context, &word)| self.word_probabilities(context, word)).collect()
    }

    /// ln p(scored | observed): the second part of a document, by the proportions that the first part
    /// suggests.
    ///
    /// # Panics
    /// When a word id is outside the vocabulary.
    #[track_caller]
    pub fn ln_predictive(&self, observed: &[u32], scored: &[u32]) -> f64 {
        let theta = self.proportions(observed);
        let rows = self.rows(observed.last().copied(), scored);
        rows.iter().map(|row| theta.iter().zip(row).map(|(t, p)| t * p).sum::<f64>().ln()).sum()
    }
}

/// The sums of the counts of the pairs of each context (contexts x topics, row by row).
fn of_contexts(pairs: &Pairs, pair_topic: &[f64], topics: usize) -> Vec<f64> {
    let mut sums = vec![0.0; pairs.contexts() * topics];
    for (context, sums) in sums.chunks_exact_mut(topics).enumerate() {
        for pair in pairs.of_context(context) {
            sums.iter_mut().zip(&pair_topic[pair * topics..]).for_each(|(sum, n)| *sum += n);
        }
    }
    sums
}

/// The file form of the model.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: String,
    alpha: Vec<f64>,
    word_prior: WordPrior,
    beta: Vec<f64>,
    topics: Topics,
    /// Where the pairs of each context begin, and the words of the pairs.
    offsets: Vec<usize>,
    words: Vec<u32>,
    pair_topic: Vec<f64>,
}

impl From<BigramTopics> for File {
    fn from(model: BigramTopics) -> Self {
        Self {
            format: FORMAT.to_owned(),
            alpha: model.alpha,
            word_prior: model.beta.kind(),
            beta: model.beta.values().to_vec(),
            topics: model.topics,
            offsets: model.pairs.offsets,
            words: model.pairs.words,
            pair_topic: model.pair_topic,
        }
    }
}

impl TryFrom<File> for BigramTopics {
    type Error = String;

    fn try_from(file: File) -> Result<Self, String> {
        check_format(&file.format, FORMAT)?;
        let File { alpha, word_prior, beta, topics, offsets, words, pair_topic, .. } = file;
        let (count, size) = (topics.len(), topics.vocabulary().len());
        let concentrations = if word_prior == WordPrior::Shared { size } else { size * count };
        let pairs =
            Pairs::from_parts(offsets, words, size).ok_or("the pairs of words contradict themselves")?;
        if alpha.len() != count
            || beta.len() != concentrations
            || pair_topic.len() != pairs.words.len() * count
        {
            return Err("topics, pairs and concentrations are of different sizes".to_owned());
        }
        if !alpha.iter().chain(&beta).all(|&a| a > 0.0 && a.is_finite()) {
            return Err("alpha and beta must be positive and finite".to_owned());
        }
        if !pair_topic.iter().all(|&n| n >= 0.0 && n.is_finite()) {
            return Err("counts must be finite, and none below zero".to_owned());
        }
        let context_topic = of_contexts(&pairs, &pair_topic, count);
        let beta = Concentrations::new(count, word_prior, beta);
        Ok(Self { topics, alpha, beta, pairs, pair_topic, context_topic })
    }
}
