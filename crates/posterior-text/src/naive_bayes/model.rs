//! A fitted naive Bayes model of texts.

use posterior_math::linalg::DMatrix;
use posterior_math::special::{ln_factorial, ln_rising_factorial};
use rayon::prelude::*;

use super::class_counts::{ClassCounts, weight_of};
use super::ln_weights::LnWeights;
use super::options::{DocumentLength, EventModel, NaiveBayesOptions};
use super::posterior::ClassPosterior;
use crate::corpus::Document;
use crate::{Corpus, Error};

/// Documents that one thread scores at a time.
const BLOCK: usize = 256;

/// Classes of texts, learned from counts. Scores of a text take time by its distinct words times classes.
#[derive(Debug, Clone, PartialEq)]
pub struct NaiveBayes {
    pub(super) options: NaiveBayesOptions,
    /// As the classes weigh.
    pub(super) counts: ClassCounts,
    /// As they were seen, where classes have weights.
    seen: Option<ClassCounts>,
    pub(super) ln_prior: Vec<f64>,
    pub(super) weights: LnWeights,
    /// For each class the mean number of tokens, where the length counts.
    pub(super) mean_lengths: Option<Vec<f64>>,
}

impl NaiveBayes {
    /// Learns from a corpus; document `d` is of the class `labels[d]`, from 0 to `classes` - 1.
    ///
    /// # Errors
    /// Another number of labels than documents, a label that is no class, an option out of its range, or no
    /// smoothing and a class without data.
    pub fn fit(
        corpus: &Corpus,
        labels: &[usize],
        classes: usize,
        options: &NaiveBayesOptions,
    ) -> Result<Self, Error> {
        Self::from_counts(ClassCounts::of(options.counts(), corpus, labels, classes)?, options)
    }

    /// The model of these counts.
    ///
    /// # Errors
    /// They count something else than the model needs ([`NaiveBayesOptions::counts`]); otherwise as
    /// [`fit`](Self::fit).
    pub fn from_counts(counts: ClassCounts, options: &NaiveBayesOptions) -> Result<Self, Error> {
        options.check()?;
        if counts.counted != options.counts() {
            let (needed, found) = (options.counts(), counts.counted);
            return Err(Error::Corpus(format!(
                "the model needs counts of {needed:?}, these are of {found:?}"
            )));
        }
        let factors = options.weights.factors(&counts.documents)?;
        let (counts, seen) = if factors.iter().all(|&factor| factor == 1.0) {
            (counts, None)
        } else {
            (counts.weighted(&factors)?, Some(counts))
        };
        let ln_prior = if options.model.is_generative() || counts.classes() == 1 {
            options.prior.ln_probabilities(&counts.documents)?
        } else {
            vec![0.0; counts.classes()]
        };
        let weights = LnWeights::new(options.model, options.smoothing, &counts)?;
        let mean_lengths = mean_lengths(options.length, &counts)?;
        Ok(Self { options: options.clone(), counts, seen, ln_prior, weights, mean_lengths })
    }

    /// The options that it was fitted with.
    pub const fn options(&self) -> &NaiveBayesOptions {
        &self.options
    }

    /// The counts that it was learned from, each document as one. To learn more, push to a copy or merge it;
    /// then [`from_counts`](Self::from_counts).
    pub const fn counts(&self) -> &ClassCounts {
        match &self.seen {
            Some(seen) => seen,
            None => &self.counts,
        }
    }

    pub(super) fn into_counts(self) -> ClassCounts {
        self.seen.unwrap_or(self.counts)
    }

    /// The number of classes.
    pub const fn classes(&self) -> usize {
        self.counts.classes()
    }

    /// ln p of each class before a text is seen; of the complement models 0.
    pub fn ln_prior(&self) -> &[f64] {
        &self.ln_prior
    }

    /// The parameters of a class by word, in logarithms: of the Bernoulli model ln of the probability that
    /// the word is in a text, of the multinomial models of the next token. `None` of the complement models.
    ///
    /// # Panics
    /// If there is no such class.
    #[track_caller]
    pub fn ln_parameters(&self, class: usize) -> Option<Vec<f64>> {
        let (add, documents) = (self.options.smoothing, self.counts.documents[class]);
        let total = match self.options.model {
            EventModel::Bernoulli => documents + 2.0 * add,
            EventModel::Multinomial | EventModel::Polya => {
                self.counts.totals[class] + add * self.counts.vocabulary as f64
            }
            EventModel::Complement | EventModel::NormalizedComplement => return None,
        };
        Some(self.counts.words_of(class).iter().map(|n| ((n + add) / total).ln()).collect())
    }

    /// ln p(x, class) of a text for each class (of the complement models: scores), -∞ where it is impossible.
    /// Of the tokens in their order: without the number of ways to order them, which is the same for all
    /// classes.
    ///
    /// Words beyond the vocabulary are passed over.
    pub fn ln_joint(&self, document: Document<'_>) -> Vec<f64> {
        let mut scores = vec![0.0; self.classes()];
        self.score(document, &mut scores);
        scores
    }

    /// The probabilities of the classes, `None` if no class explains the text: without smoothing, it may be
    /// impossible in all.
    pub fn posterior(&self, document: Document<'_>) -> Option<ClassPosterior> {
        let mut scores = vec![0.0; self.classes()];
        let unknown = self.score(document, &mut scores);
        ClassPosterior::of_scores(scores, unknown)
    }

    /// The most probable class, the first of equals; `None` if no class explains the text.
    pub fn classify(&self, document: Document<'_>) -> Option<usize> {
        self.posterior(document).map(|posterior| posterior.class())
    }

    /// [`posterior`](Self::posterior) of all documents, which have the words of the same vocabulary. On the
    /// threads of the current rayon pool, with the same result on any number.
    pub fn posteriors(&self, corpus: &Corpus) -> Vec<Option<ClassPosterior>> {
        let blocks = (0..corpus.documents()).into_par_iter().with_min_len(BLOCK);
        blocks.map(|d| self.posterior(corpus.document(d))).collect()
    }

    /// [`ln_joint`](Self::ln_joint) of all documents: documents x classes.
    pub fn ln_joint_of_all(&self, corpus: &Corpus) -> DMatrix<f64> {
        let (documents, classes) = (corpus.documents(), self.classes());
        let mut rows = vec![0.0; documents * classes];
        rows.par_chunks_mut(classes).with_min_len(BLOCK).enumerate().for_each(|(d, scores)| {
            self.score(corpus.document(d), scores);
        });
        DMatrix::from_row_slice(documents, classes, &rows)
    }

    /// The scores of a text, in place of `scores`, and its number of unknown tokens.
    fn score(&self, document: Document<'_>, scores: &mut [f64]) -> u64 {
        let (classes, vocabulary) = (self.classes(), self.counts.vocabulary);
        scores.copy_from_slice(&self.ln_prior);
        scores.iter_mut().zip(&self.weights.base).for_each(|(score, base)| *score += base);
        let (mut tokens, mut unknown) = (0, 0);
        let mut certain = vec![0; self.weights.certain.len()];
        for (&word, &n) in document.words.iter().zip(document.counts) {
            if word as usize >= vocabulary {
                unknown += u64::from(n);
                continue;
            }
            let weight = weight_of(self.counts.counted, n);
            tokens += weight as u64;
            if self.options.model == EventModel::Polya {
                self.add_urns(word, weight as u64, scores);
                continue;
            }
            let row = &self.weights.by_word[word as usize * classes..][..classes];
            if certain.is_empty() {
                scores.iter_mut().zip(row).for_each(|(score, ln)| *score += weight * ln);
            } else {
                add_with_certain_words(row, scores, &mut certain);
            }
        }
        for ((score, found), &needed) in scores.iter_mut().zip(&certain).zip(&self.weights.certain) {
            if *found < needed {
                *score = f64::NEG_INFINITY;
            }
        }
        self.add_length(tokens, scores);
        unknown
    }

    /// ln p of `n` occurrences of a word, but for the common denominator.
    fn add_urns(&self, word: u32, n: u64, scores: &mut [f64]) {
        let counts = self.counts.words[word as usize..].iter().step_by(self.counts.vocabulary);
        for (score, count) in scores.iter_mut().zip(counts) {
            *score += ln_rising_factorial(count + self.options.smoothing, n);
        }
    }

    /// What the number of tokens says, and of the Pólya model the denominator.
    fn add_length(&self, tokens: u64, scores: &mut [f64]) {
        if self.options.model == EventModel::Polya {
            let prior = self.options.smoothing * self.counts.vocabulary as f64;
            for (score, total) in scores.iter_mut().zip(&self.counts.totals) {
                *score -= ln_rising_factorial(total + prior, tokens);
            }
        }
        for (score, &mean) in scores.iter_mut().zip(self.mean_lengths.iter().flatten()) {
            *score += ln_poisson(tokens, mean);
        }
    }
}

/// ln p(n) of a Poisson distribution, of mean 0 too.
pub(super) fn ln_poisson(n: u64, mean: f64) -> f64 {
    posterior_math::log_space::x_ln_y(n as f64, mean) - mean - ln_factorial(n)
}

fn add_with_certain_words(row: &[f64], scores: &mut [f64], certain: &mut [u32]) {
    for ((score, &ln), found) in scores.iter_mut().zip(row).zip(certain) {
        if ln == f64::INFINITY {
            *found += 1;
        } else {
            *score += ln;
        }
    }
}

fn mean_lengths(length: DocumentLength, counts: &ClassCounts) -> Result<Option<Vec<f64>>, Error> {
    let DocumentLength::Poisson { documents: added } = length else { return Ok(None) };
    let all_documents: f64 = counts.documents.iter().sum();
    if !(all_documents > 0.0) {
        return Err(Error::Corpus("no document to learn the lengths from".to_owned()));
    }
    let common = counts.totals.iter().sum::<f64>() / all_documents;
    let mean = |(&total, &documents): (&f64, &f64)| match documents + added {
        0.0 => common,
        documents => (total + added * common) / documents,
    };
    Ok(Some(counts.totals.iter().zip(&counts.documents).map(mean).collect()))
}
