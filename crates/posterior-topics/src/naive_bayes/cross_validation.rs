//! How well a model foretells the labels of texts that it was not learnt from.

use posterior_evaluation::ProbabilityScores;

use super::class_counts::ClassCounts;
use super::model::NaiveBayes;
use super::options::Options;
use super::posterior::Posterior;
use crate::error::size;
use crate::{Corpus, Error};

/// What each document's class is said to be by the model of the other folds. Document `d` is of fold `d mod folds`.
///
/// # Errors
/// Fewer than two folds or more than documents, or as [`NaiveBayes::fit`].
pub fn cross_validate(
    corpus: &Corpus,
    labels: &[usize],
    classes: usize,
    options: &Options,
    folds: usize,
) -> Result<Vec<Option<Posterior>>, Error> {
    let all = ClassCounts::of(options.counts(), corpus, labels, classes)?;
    validate(corpus, labels, all, options, folds)
}

/// The smoothing with the least held-out log loss, and the losses of all.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct SmoothingChoice {
    /// The best of the candidates, the first of equals.
    pub smoothing: f64,
    /// For each candidate the mean of -ln p(class | text), in nats; infinite if a class was ruled out wrongly.
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
    options: &Options,
    candidates: &[f64],
    folds: usize,
) -> Result<SmoothingChoice, Error> {
    let all = ClassCounts::of(options.counts(), corpus, labels, classes)?;
    let loss = |&smoothing: &f64| {
        let options = options.clone().with_smoothing(smoothing);
        mean_ln_loss(&validate(corpus, labels, all.clone(), &options, folds)?, labels, classes)
    };
    let ln_losses = candidates.iter().map(loss).collect::<Result<Vec<f64>, Error>>()?;
    let best = (0..candidates.len()).reduce(|best, i| if ln_losses[i] < ln_losses[best] { i } else { best });
    let best = best.ok_or_else(|| Error::Corpus("no smoothing to choose from".to_owned()))?;
    Ok(SmoothingChoice { smoothing: candidates[best], ln_losses })
}

/// The mean of -ln p(class | text); infinite where a text of a class was said to be impossible.
fn mean_ln_loss(posteriors: &[Option<Posterior>], labels: &[usize], classes: usize) -> Result<f64, Error> {
    size("labels of documents", posteriors.len(), labels.len())?;
    let mut scores = ProbabilityScores::new(1);
    let impossible = vec![0.0; classes];
    for (posterior, &label) in posteriors.iter().zip(labels) {
        scores.push(posterior.as_ref().map_or(&impossible, |said| &said.probabilities), label)?;
    }
    scores.mean_ln_loss().ok_or_else(|| Error::Corpus("no text whose class was foretold".to_owned()))
}

/// Takes each fold out of the counts, and back in when its documents are scored.
fn validate(
    corpus: &Corpus,
    labels: &[usize],
    mut counts: ClassCounts,
    options: &Options,
    folds: usize,
) -> Result<Vec<Option<Posterior>>, Error> {
    let documents = corpus.documents();
    if !(2..=documents).contains(&folds) {
        return Err(Error::Corpus(format!(
            "{folds} folds of {documents} documents: 2 or more, one a document"
        )));
    }
    let mut posteriors = vec![None; documents];
    for fold in 0..folds {
        let members = || (fold..documents).step_by(folds);
        for d in members() {
            counts.pop(corpus.document(d), labels[d])?;
        }
        let model = NaiveBayes::from_counts(counts, options)?;
        for d in members() {
            posteriors[d] = model.posterior(corpus.document(d));
        }
        counts = model.into_counts();
        for d in members() {
            counts.push(corpus.document(d), labels[d])?;
        }
    }
    Ok(posteriors)
}
