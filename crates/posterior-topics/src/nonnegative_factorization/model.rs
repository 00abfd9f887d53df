//! The fitted factors.

use posterior_math::linalg::{DMatrix, written};
use serde::{Deserialize, Serialize};

use super::least_squares::descend_row;
use super::options::{FactorizationDivergence, FactorizationOptions};
use super::start::Factors;
use crate::checkpoint::check_format;
use crate::corpus::Document;
use crate::distributions::normalize;
use crate::factor_rows::FactorRows;
use crate::topics::require_word;
use crate::{Corpus, FittedTopics, TopicModel, Topics};

/// Steps of folding-in at most, and the change, as a proportion of the largest number, at which it ends.
const MOST_STEPS: usize = 1000;
const TOLERANCE: f64 = 1e-12;

const FORMAT: &str = "posterior-factorization-1";

/// A non-negative factorisation. Its topics are the rows of H, divided by their sums, and its proportions the
/// proportions of each document's mass.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "File", into = "File")]
pub struct Factorization {
    topics: Topics,
    /// By what counts are multiplied.
    weights: Vec<f64>,
    documents: DMatrix<f64>,
    words: FactorRows,
    /// H Hᵀ.
    gram: FactorRows,
    divergence: FactorizationDivergence,
}

impl Factorization {
    pub(super) fn fitted<R>(
        corpus: &Corpus,
        weights: Vec<f64>,
        factors: &Factors,
        options: &FactorizationOptions,
        report: R,
    ) -> FittedTopics<Self, R> {
        let Factors { documents, words } = factors;
        let sums = words.column_sums();
        let mut proportions = documents.column_sums();
        proportions.iter_mut().zip(&sums).for_each(|(proportion, sum)| *proportion *= sum);
        // Factors that are all zero are the nearest to nothing: all topics are alike then.
        if proportions.iter().all(|&proportion| proportion == 0.0) {
            proportions.fill(1.0);
        }
        normalize(&mut proportions);
        let word_proportions = corpus.word_proportions();
        let topic_word = DMatrix::from_fn(sums.len(), word_proportions.len(), |k, w| {
            if sums[k] > 0.0 { words.numbers(w)[k] / sums[k] } else { word_proportions[w] }
        });
        let mut mass = documents.clone();
        mass.for_each_row(|_, row| proportions_of(row, &sums, &proportions));
        let topics = Topics::new(corpus.vocabulary().to_vec(), topic_word, proportions, word_proportions)
            .expect("invariant: factors are non-negative and finite");
        let model = Self {
            topics,
            weights,
            documents: documents.to_matrix(),
            words: words.clone(),
            gram: words.gram(),
            divergence: options.divergence,
        };
        FittedTopics { model, doc_topic: mass.to_matrix(), report }
    }

    /// W, documents x topics.
    pub const fn documents(&self) -> &DMatrix<f64> {
        &self.documents
    }

    /// H, topics x words.
    pub fn words(&self) -> DMatrix<f64> {
        self.words.to_transposed()
    }

    /// Folds a document in: its row of W with H held fixed, where the divergence is least.
    ///
    /// # Panics
    /// When a word id is outside the vocabulary.
    #[track_caller]
    pub fn project(&self, document: Document<'_>) -> Vec<f64> {
        let entry = |(&word, &count): (&u32, &u32)| {
            require_word(word, self.weights.len());
            (word as usize, f64::from(count) * self.weights[word as usize])
        };
        let entries: Vec<(usize, f64)> = document.words.iter().zip(document.counts).map(entry).collect();
        match self.divergence {
            FactorizationDivergence::KullbackLeibler => self.project_by_ratios(&entries),
            FactorizationDivergence::Frobenius => self.project_by_squares(&entries),
        }
    }

    fn project_by_squares(&self, entries: &[(usize, f64)]) -> Vec<f64> {
        let mut products = vec![0.0; self.topics.len()];
        for &(word, weight) in entries {
            products.iter_mut().zip(self.words.numbers(word)).for_each(|(sum, h)| *sum += weight * h);
        }
        let mut row = vec![0.0; products.len()];
        for _ in 0..MOST_STEPS {
            let change = descend_row(&mut row, &products, &self.gram);
            if change <= TOLERANCE * row.iter().copied().fold(0.0, f64::max) {
                break;
            }
        }
        row
    }

    fn project_by_ratios(&self, entries: &[(usize, f64)]) -> Vec<f64> {
        let sums = self.words.column_sums();
        let whole: f64 = entries.iter().map(|(_, weight)| weight).sum();
        let start = |sum: &f64| if *sum > 0.0 { whole / sum / sums.len() as f64 } else { 0.0 };
        let mut row: Vec<f64> = sums.iter().map(start).collect();
        for _ in 0..MOST_STEPS {
            let mut next = vec![0.0; row.len()];
            for &(word, weight) in entries {
                let h = self.words.numbers(word);
                let y: f64 = row.iter().zip(h).map(|(w, h)| w * h).sum();
                if y > 0.0 {
                    next.iter_mut().zip(h).for_each(|(next, h)| *next += weight / y * h);
                }
            }
            let mut change = 0.0_f64;
            for ((w, factor), sum) in row.iter_mut().zip(next).zip(&sums) {
                let updated = if *sum > 0.0 { *w * factor / sum } else { 0.0 };
                change = change.max((updated - *w).abs());
                *w = updated;
            }
            if change <= TOLERANCE * row.iter().copied().fold(0.0, f64::max) {
                break;
            }
        }
        row
    }
}

/// Turns a row of W into proportions of the mass; of no mass, into the topics' proportions.
fn proportions_of(row: &mut [f64], sums: &[f64], otherwise: &[f64]) {
    row.iter_mut().zip(sums).for_each(|(w, sum)| *w *= sum);
    if row.iter().all(|&mass| mass == 0.0) {
        row.copy_from_slice(otherwise);
    } else {
        normalize(row);
    }
}

impl TopicModel for Factorization {
    fn topics(&self) -> &Topics {
        &self.topics
    }

    /// The proportions of the mass of the document's row of W. Where that is zero, the topics' proportions.
    fn proportions(&self, document: Document<'_>) -> Vec<f64> {
        let mut row = self.project(document);
        proportions_of(&mut row, &self.words.column_sums(), self.topics.weights());
        row
    }
}

/// The file form of the factors.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: String,
    divergence: FactorizationDivergence,
    topics: Topics,
    weights: Vec<f64>,
    /// W.
    #[serde(with = "written")]
    documents: DMatrix<f64>,
    /// Words x topics.
    words: FactorRows,
}

impl From<Factorization> for File {
    fn from(model: Factorization) -> Self {
        let Factorization { topics, weights, documents, words, divergence, .. } = model;
        Self { format: FORMAT.to_owned(), divergence, topics, weights, documents, words }
    }
}

impl TryFrom<File> for Factorization {
    type Error = String;

    fn try_from(file: File) -> Result<Self, String> {
        let File { format, divergence, topics, weights, documents, words } = file;
        check_format(&format, FORMAT)?;
        let shape = (topics.vocabulary().len(), topics.len());
        if (words.rows(), words.columns()) != shape
            || weights.len() != shape.0
            || documents.ncols() != shape.1
        {
            return Err("factors, weights and topics are of different sizes".to_owned());
        }
        let of_words = (0..words.rows()).flat_map(|w| words.numbers(w));
        if !documents.iter().chain(&weights).chain(of_words).all(|&x| x >= 0.0 && x.is_finite()) {
            return Err("factors and weights must be finite, and none below zero".to_owned());
        }
        Ok(Self { gram: words.gram(), topics, weights, documents, words, divergence })
    }
}
