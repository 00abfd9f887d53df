//! Options of the prior of the topics: which words they are expected to have.

use posterior_math::ParamError;
use posterior_math::linalg::DMatrix;
use serde::{Deserialize, Serialize};

use super::concentration::{self, Concentration};
use super::word_concentrations::WordConcentrations;
use crate::Error;
use crate::checks::{index, size};

/// A word whose prior concentration in one topic is raised, as if the topic had shown it `weight` times
/// already.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Seed {
    /// The topic, from 0.
    pub topic: usize,
    /// The word, by its number in the vocabulary.
    pub word: usize,
    /// The number that is added to `beta`, positive.
    pub weight: f64,
}

/// How the Dirichlet concentrations of words in topics differ: topic `k` is drawn from `Dir(beta_k)` with a
/// number `beta_kv` for each word.
///
/// What concentrations have beyond the smallest counts as expected tokens of the fitted model. With weights
/// that differ, `beta` stays as it is where hyperparameters are fitted; where the topics have weights of
/// their own, they keep their numbers, else they come by weight.
///
/// ```
/// use posterior_topics::lda::{Seed, WordWeights};
///
/// // A vector of concentrations: with `beta: 1.0`, these very numbers.
/// let common = WordWeights::from(vec![0.5, 0.1, 0.1]);
/// // Words that guide a topic.
/// let guided = WordWeights::from(vec![Seed { topic: 1, word: 2, weight: 50.0 }]);
/// assert_ne!(common, guided);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum WordWeights {
    /// `beta` for each word in each topic.
    #[default]
    Equal,
    /// `beta` times a positive number for each word, the same in all topics: a common base (Wallach, Mimno
    /// and McCallum 2009).
    Words(Vec<f64>),
    /// `beta` times a positive number for each topic (row) and word: a prior for each topic.
    Topics(Vec<Vec<f64>>),
    /// `beta`, and more for some words in some topics: seeded, or guided, topics (Jagarlamudi, Daumé and
    /// Udupa 2012). Weights of the same topic and word add up.
    Seeded(Vec<Seed>),
}

impl From<Vec<f64>> for WordWeights {
    fn from(words: Vec<f64>) -> Self {
        Self::Words(words)
    }
}

impl From<DMatrix<f64>> for WordWeights {
    /// Of topics x words.
    fn from(weights: DMatrix<f64>) -> Self {
        Self::Topics(weights.row_iter().map(|row| row.iter().copied().collect()).collect())
    }
}

impl From<Vec<Seed>> for WordWeights {
    fn from(seeds: Vec<Seed>) -> Self {
        Self::Seeded(seeds)
    }
}

impl WordWeights {
    /// Checks what can be checked without a vocabulary.
    pub(super) fn check(&self, topics: usize, beta: f64) -> Result<(), ParamError> {
        concentration::check("Lda", "beta", beta)?;
        let within = |weight: f64| concentration::check("Lda", "word_weights", beta * weight).map(|_| ());
        match self {
            Self::Equal => Ok(()),
            Self::Words(words) => words.iter().try_for_each(|&weight| within(weight)),
            Self::Topics(rows) => {
                let found = rows.len();
                posterior_math::check::require(
                    found == topics,
                    "Lda",
                    "word_weights",
                    found as f64,
                    "a row for each topic",
                )?;
                rows.iter().flatten().try_for_each(|&weight| within(weight))
            }
            Self::Seeded(seeds) => seeds.iter().try_for_each(|seed| {
                if seed.topic >= topics {
                    let topic = seed.topic as f64;
                    return Err(ParamError::new("Lda", "seeds", topic, "topics below the number of topics"));
                }
                concentration::check("Lda", "seeds", seed.weight).map(|_| ())
            }),
        }
    }

    /// The concentrations of a vocabulary. The weights were checked.
    pub(super) fn concentrations(
        &self,
        topics: usize,
        words: usize,
        beta: f64,
    ) -> Result<WordConcentrations, Error> {
        let mut found = WordConcentrations::equal(topics, words, beta);
        match self {
            Self::Equal => {}
            Self::Words(weights) => {
                size("weights of words", words, weights.len())?;
                found.set_words(weights.iter().map(|weight| beta * weight).collect());
            }
            Self::Topics(rows) => {
                rows.iter().try_for_each(|row| size("weights of words", words, row.len()))?;
                let of_word = |v: usize| rows.iter().map(move |row| beta * row[v]);
                let least: Vec<f64> = (0..words).map(|v| of_word(v).fold(f64::INFINITY, f64::min)).collect();
                let rest = (0..words).map(|v| above(of_word(v), least[v])).collect();
                found.set_words(least);
                found.set_topics(rest);
            }
            Self::Seeded(seeds) => {
                let mut by_word = vec![Vec::new(); words];
                for (word, topic, weight) in merged(seeds) {
                    index("seed word", word, words)?;
                    by_word[word].push((topic as u16, weight));
                }
                found.set_topics(by_word);
            }
        }
        Ok(found)
    }
}

/// Topics with more than the least concentration of a word, and by how much.
fn above(concentrations: impl Iterator<Item = f64>, least: f64) -> Vec<(u16, f64)> {
    let rest = concentrations.enumerate().map(|(k, concentration)| (k as u16, concentration - least));
    rest.filter(|&(_, more)| more > 0.0).collect()
}

/// Word, topic and weight, each pair once, in order.
fn merged(seeds: &[Seed]) -> Vec<(usize, usize, f64)> {
    let mut sorted: Vec<_> = seeds.iter().map(|seed| (seed.word, seed.topic, seed.weight)).collect();
    sorted.sort_by_key(|&(word, topic, _)| (word, topic));
    sorted.dedup_by(|next, first| {
        let same = (next.0, next.1) == (first.0, first.1);
        if same {
            first.2 += next.2;
        }
        same
    });
    sorted
}

/// Checks what all fits of latent Dirichlet allocation ask for: topics and the concentrations of both priors.
pub(super) fn check_prior(
    topics: usize,
    alpha: &Concentration,
    beta: f64,
    words: &WordWeights,
) -> Result<(), ParamError> {
    concentration::check_topics("Lda", topics)?;
    alpha.of_topics(topics)?;
    words.check(topics, beta)
}
