//! How well a model predicts the labels of texts that it was not learned from.

use super::class_counts::ClassCounts;
use super::model::NaiveBayes;
use super::options::NaiveBayesOptions;
use super::posterior::ClassPosterior;
use super::smoothing::smoothing_by_evidence;
use crate::checks::size;
use crate::{Corpus, Error};

/// Predicts the class of each document by the model of the other folds. Document `d` is of fold
/// `d mod folds`.
///
/// # Errors
/// Fewer than two folds or more than documents, or as [`NaiveBayes::fit`].
pub fn cross_validate(
    corpus: &Corpus,
    labels: &[usize],
    classes: usize,
    options: &NaiveBayesOptions,
    folds: usize,
) -> Result<Vec<Option<ClassPosterior>>, Error> {
    cross_validate_by(corpus, labels, classes, options, folds, &SmoothingRule::Given)
}

/// The source of the smoothing.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum SmoothingRule {
    /// The one of the options.
    Given,
    /// The most probable one: [`smoothing_by_evidence`].
    Evidence,
    /// That of these candidates with the least held-out loss: [`select_smoothing`]. Of fewer than two
    /// documents, which cannot be held out, the one of the options.
    Folds(Vec<f64>),
}

/// As [`cross_validate`], with the smoothing chosen anew for each fold, from the other folds alone: what is
/// said of a document is not chosen by its class.
///
/// With [`SmoothingRule::Folds`] there are as many inner folds in the documents that are left: candidates ·
/// folds² models.
///
/// # Errors
/// As for [`cross_validate`], and no words to choose by, or no candidates.
pub fn cross_validate_by(
    corpus: &Corpus,
    labels: &[usize],
    classes: usize,
    options: &NaiveBayesOptions,
    folds: usize,
    rule: &SmoothingRule,
) -> Result<Vec<Option<ClassPosterior>>, Error> {
    let all = ClassCounts::of(options.counts(), corpus, labels, classes)?;
    let documents: Vec<usize> = (0..corpus.documents()).collect();
    validate(corpus, &documents, labels, all, folds, |counts, rest| {
        let smoothing = match rule {
            SmoothingRule::Folds(candidates) if rest.len() > 1 => {
                select((corpus, rest, labels), counts, options, candidates, folds.min(rest.len()))?.smoothing
            }
            SmoothingRule::Given | SmoothingRule::Folds(_) => options.smoothing,
            SmoothingRule::Evidence => {
                let factors = options.weights.factors(counts.documents())?;
                smoothing_by_evidence(&counts.weighted(&factors)?)?.0
            }
        };
        Ok(NaiveBayesOptions { smoothing, ..options.clone() })
    })
}

/// The smoothing with the least held-out log loss, and the losses of all.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct SmoothingChoice {
    /// The best of the candidates, the first of equals.
    pub smoothing: f64,
    /// For each candidate the mean of -ln p(class | text), in nats; infinite if a class was ruled out
    /// wrongly.
    pub ln_losses: Vec<f64>,
}

/// Chooses the smoothing among `candidates` by cross-validation.
///
/// # Errors
/// No candidates, or as [`cross_validate`].
pub fn select_smoothing(
    corpus: &Corpus,
    labels: &[usize],
    classes: usize,
    options: &NaiveBayesOptions,
    candidates: &[f64],
    folds: usize,
) -> Result<SmoothingChoice, Error> {
    let all = ClassCounts::of(options.counts(), corpus, labels, classes)?;
    let documents: Vec<usize> = (0..corpus.documents()).collect();
    select((corpus, &documents, labels), &all, options, candidates, folds)
}

/// Chooses by these documents alone, whose counts are given.
fn select(
    (corpus, documents, labels): (&Corpus, &[usize], &[usize]),
    all: &ClassCounts,
    options: &NaiveBayesOptions,
    candidates: &[f64],
    folds: usize,
) -> Result<SmoothingChoice, Error> {
    let truth: Vec<usize> = documents.iter().map(|&document| labels[document]).collect();
    let factors = options.weights.factors(all.documents())?;
    let loss = |&smoothing: &f64| {
        let options = NaiveBayesOptions { smoothing, ..options.clone() };
        let said = validate(corpus, documents, labels, all.clone(), folds, |_, _| Ok(options.clone()))?;
        mean_ln_loss(&said, &truth, &factors)
    };
    let ln_losses = candidates.iter().map(loss).collect::<Result<Vec<f64>, Error>>()?;
    let best = (0..candidates.len()).reduce(|best, i| if ln_losses[i] < ln_losses[best] { i } else { best });
    let best = best.ok_or_else(|| Error::Corpus("no smoothing to choose from".to_owned()))?;
    Ok(SmoothingChoice { smoothing: candidates[best], ln_losses })
}

/// The mean of -ln p(class | text), by the weights of the classes; infinite where a text of a class was said
/// to be impossible.
fn mean_ln_loss(
    posteriors: &[Option<ClassPosterior>],
    labels: &[usize],
    factors: &[f64],
) -> Result<f64, Error> {
    size("labels of documents", posteriors.len(), labels.len())?;
    let (mut loss, mut total) = (0.0, 0.0);
    for (posterior, &label) in posteriors.iter().zip(labels) {
        let p = posterior.as_ref().map_or(0.0, |said| said.probabilities[label]);
        loss -= factors[label] * p.min(1.0).ln();
        total += factors[label];
    }
    if total > 0.0 {
        return Ok(loss / total);
    }
    Err(Error::Corpus("no text whose class was predicted".to_owned()))
}

/// Takes each fold of these documents out of their counts, and back in when its documents are scored;
/// `options` are asked for each fold, by the counts and the numbers of the documents that are left.
fn validate(
    corpus: &Corpus,
    documents: &[usize],
    labels: &[usize],
    mut counts: ClassCounts,
    folds: usize,
    mut options: impl FnMut(&ClassCounts, &[usize]) -> Result<NaiveBayesOptions, Error>,
) -> Result<Vec<Option<ClassPosterior>>, Error> {
    let n = documents.len();
    if !(2..=n).contains(&folds) {
        return Err(Error::Corpus(format!("{folds} folds of {n} documents: 2 or more, one a document")));
    }
    let mut posteriors = vec![None; n];
    for fold in 0..folds {
        let members = || (fold..n).step_by(folds).map(|i| (i, documents[i]));
        for (_, d) in members() {
            counts.pop(corpus.document(d), labels[d])?;
        }
        let rest: Vec<usize> = (0..n).filter(|i| i % folds != fold).map(|i| documents[i]).collect();
        let options = options(&counts, &rest)?;
        let model = NaiveBayes::from_counts(counts, &options)?;
        for (i, d) in members() {
            posteriors[i] = model.posterior(corpus.document(d));
        }
        counts = model.into_counts();
        for (_, d) in members() {
            counts.push(corpus.document(d), labels[d])?;
        }
    }
    Ok(posteriors)
}
