//! What topics are worth: their coherence, and documents that they have not seen.

use posterior_sampling::tempering::TemperatureSchedule;
use posterior_text::corpus::{Document, WordSequences, split_tokens};
use posterior_topics::bigram_topics::BigramTopics;
use posterior_topics::coherence::{Measure, Occurrences, of_topics};
use posterior_topics::held_out::{
    Annealed, Chib, HeldOutEstimate, LeftToRight, annealed, chib, exact, left_to_right, per_token,
};
use posterior_topics::{Corpus, Error, Topics, top_words};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::known::OfDocuments;
use super::model::Fit;

/// The most counts that are summed over for one document.
const MOST_STATES: usize = 1_000_000;

/// The power by which temperatures come nearer to the prior.
const POWER: f64 = 2.0;

/// A measure by its name.
pub(super) fn measure(name: &str) -> PyResult<Measure> {
    match name {
        "umass" => Ok(Measure::UMass),
        "uci" => Ok(Measure::Uci),
        "npmi" => Ok(Measure::Npmi),
        "cv" => Ok(Measure::Cv),
        _ => {
            let expected = "npmi, umass, uci or cv";
            Err(PyValueError::new_err(format!("measure: expected {expected}, found {name:?}")))
        }
    }
}

/// That of each topic by the documents of a corpus.
pub(super) fn coherence(
    topics: &Topics,
    corpus: &Corpus,
    measure: Measure,
    n: usize,
) -> Result<Vec<f64>, Error> {
    let words = top_words::lists(topics, n).concat();
    of_topics(measure, topics, n, &Occurrences::in_documents(corpus, &words)?)
}

/// The words of documents in their order, which topics of pairs of words need.
fn in_order(order: Option<&WordSequences>) -> Result<&WordSequences, Error> {
    let message = "topics of pairs of words read texts with their words in order, and these are counts";
    order.ok_or_else(|| Error::Corpus(message.to_owned()))
}

/// The proportions of topics in documents.
pub(super) fn proportions(
    fit: &Fit,
    corpus: &Corpus,
    order: Option<&WordSequences>,
    known: &OfDocuments,
) -> Result<Vec<Vec<f64>>, Error> {
    if let Fit::Bigram(own) = fit {
        return Ok(in_order(order)?.documents().iter().map(|document| own.proportions(document)).collect());
    }
    let one = |(d, document): (usize, Document<'_>)| match (fit, &known.times, &known.covariates) {
        (Fit::Dynamic(own), Some(times), _) => own.proportions_at(document, times[d]),
        (Fit::Structural(own), _, Some(covariates)) => {
            let (features, level) = covariates.of(d);
            Ok(own.proportions_at(document, &features, level)?)
        }
        (Fit::Regression(own), _, Some(covariates)) => Ok(own.proportions_at(document, &covariates.of(d).0)?),
        _ => Ok(fit.by_counts()?.proportions(document)),
    };
    corpus.iter().enumerate().map(one).collect()
}

/// ln p of the words of documents that were scored.
#[derive(Debug, IntoPyObject)]
pub(crate) struct HeldOut {
    ln_likelihood: Vec<f64>,
    /// How many words were scored.
    tokens: Vec<u64>,
    /// ln p a word, and its standard error over documents.
    per_token: f64,
    standard_error: f64,
    /// That of the estimator a word; 0 where nothing is drawn.
    monte_carlo_error: f64,
}

/// Scores documents by an estimator and its size.
pub(super) fn held_out(
    fit: &Fit,
    (corpus, order): (&Corpus, Option<&WordSequences>),
    known: &OfDocuments,
    (name, size): (&str, usize),
    seed: u64,
) -> Result<HeldOut, String> {
    if name == "completion" {
        let found = if let Fit::Bigram(own) = fit {
            in_order(order).and_then(|order| second_halves(own, order))
        } else {
            completion(fit, corpus, known, seed)
        };
        return found.map_err(|error| error.to_string());
    }
    let topics = fit.all_topics();
    let alpha = fit
        .prior()
        .ok_or("method: this model has no Dirichlet prior of proportions; completion is for all")?;
    let tokens: Vec<u64> = corpus.iter().map(|document| document.tokens()).collect();
    let (ln, errors) = if let (Fit::Regression(own), Some(covariates)) = (fit, &known.covariates) {
        // Each document has a prior of its own.
        let (mut ln, mut errors) = (vec![0.0; tokens.len()], vec![0.0; tokens.len()]);
        for d in (0..tokens.len()).filter(|&d| tokens[d] > 0) {
            let alpha = own.prior(&covariates.of(d).0).map_err(|error| error.to_string())?;
            let one = corpus.select(&[d]).map_err(|error| error.to_string())?;
            let found = estimate(topics, &alpha, &one, (name, size), seed.wrapping_add(d as u64))?;
            (ln[d], errors[d]) = (found.total(), found.total_standard_error());
        }
        (ln, errors)
    } else {
        let found = estimate(topics, alpha, corpus, (name, size), seed)?;
        (found.ln_likelihood, found.standard_errors)
    };
    let error = errors.iter().map(|own| own * own).sum::<f64>().sqrt();
    let all = tokens.iter().sum::<u64>() as f64;
    scored(ln, tokens, error / all).map_err(|error| error.to_string())
}

fn estimate(
    topics: &Topics,
    alpha: &[f64],
    corpus: &Corpus,
    (name, size): (&str, usize),
    seed: u64,
) -> Result<HeldOutEstimate, String> {
    match name {
        "left-to-right" => {
            let options = LeftToRight { particles: size, seed, ..LeftToRight::default() };
            left_to_right(topics, alpha, corpus, &options)
        }
        "chib" => chib(topics, alpha, corpus, &Chib { length: size, seed, ..Chib::default() }),
        "annealed" => {
            let schedule = TemperatureSchedule::power(size, POWER).map_err(|error| error.to_string())?;
            annealed(topics, alpha, corpus, &Annealed { seed, ..Annealed::new(schedule) })
        }
        "exact" => exact(topics, alpha, corpus, MOST_STATES),
        _ => {
            let expected = "completion, left-to-right, chib, annealed or exact";
            return Err(format!("method: expected {expected}, found {name:?}"));
        }
    }
    .map_err(|error| error.to_string())
}

/// One half of each document by the proportions of the other.
fn completion(fit: &Fit, corpus: &Corpus, known: &OfDocuments, seed: u64) -> Result<HeldOut, Error> {
    let halves = split_tokens(corpus, seed)?;
    let one = |d: usize| {
        let (first, second) = (halves.observed.document(d), halves.scored.document(d));
        match (fit, &known.times, &known.covariates) {
            (Fit::Dynamic(own), Some(times), _) => own.ln_predictive_at(first, second, times[d]),
            (Fit::Structural(own), _, Some(covariates)) => {
                let (features, level) = covariates.of(d);
                Ok(own.ln_predictive_at(first, second, &features, level)?)
            }
            (Fit::Regression(own), _, Some(covariates)) => {
                Ok(own.ln_predictive_at(first, second, &covariates.of(d).0)?)
            }
            _ => Ok(fit.by_counts()?.ln_predictive(first, second)),
        }
    };
    let ln = (0..corpus.documents()).map(one).collect::<Result<Vec<f64>, Error>>()?;
    scored(ln, halves.scored.iter().map(|document| document.tokens()).collect(), 0.0)
}

/// The second half of each document by the proportions of the first, and by the word before each.
fn second_halves(model: &BigramTopics, order: &WordSequences) -> Result<HeldOut, Error> {
    let [observed, rest] = order.halves();
    let pairs = observed.documents().iter().zip(rest.documents());
    let ln = pairs.map(|(first, second)| model.ln_predictive(first, second)).collect();
    scored(ln, rest.documents().iter().map(|document| document.len() as u64).collect(), 0.0)
}

fn scored(ln_likelihood: Vec<f64>, tokens: Vec<u64>, monte_carlo_error: f64) -> Result<HeldOut, Error> {
    let own = per_token(&ln_likelihood, &tokens)?;
    let (per_token, standard_error) = (own.mean, own.standard_error);
    Ok(HeldOut { ln_likelihood, tokens, per_token, standard_error, monte_carlo_error })
}
