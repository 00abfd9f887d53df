//! Fits of topic models to words alone.

use posterior_text::corpus::split_tokens;
use posterior_topics::bigram_topics::{self, BigramTopicsOptions};
use posterior_topics::document_mixture::gibbs::{self, DocumentMixtureGibbsOptions, DocumentSampler};
use posterior_topics::document_mixture::{self, DocumentMixtureOptions, TopicAssignment};
use posterior_topics::hdp::{self, HdpCheckpoint, HdpOptions};
use posterior_topics::lda::Concentration;
use posterior_topics::pitman_yor_topics::{self, PitmanYorTopicsOptions};
use posterior_topics::plsa::{self, PlsaOptions, Tempering};
use posterior_topics::unigram::Unigram;
use posterior_topics::{Error, FittedTopics};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::learned::{Learned, Settings, Trace};
use super::model::Fit;
use crate::counts::Counts;
use crate::watched::{Listener, direct, heard, left_behind, pool};

/// As many topics as the documents ask for, by Gibbs sampling.
#[pyfunction]
pub(crate) fn hdp_fit<'py>(
    py: Python<'py>,
    counts: Counts<'py>,
    settings: Settings,
    listener: Listener,
) -> PyResult<Learned<'py>> {
    let corpus = counts.corpus()?;
    let Settings { topics, alpha, beta, iterations, seed } = settings;
    let mut options = HdpOptions { initial_topics: topics, beta, iterations, seed, ..HdpOptions::default() };
    if let Some(alpha) = alpha {
        options = HdpOptions { alpha, alpha_prior: None, ..options };
    }
    let begun = listener.resume.as_deref().map(HdpCheckpoint::read_from).transpose();
    let begun = begun.map_err(|error| PyValueError::new_err(format!("resume: no checkpoint: {error}")))?;
    if begun.as_ref().is_some_and(|begun| *begun.options() != options) {
        return Err(PyValueError::new_err("resume: the checkpoint was made with other settings"));
    }
    let found = heard(py, &listener, |signals| match &begun {
        Some(begun) => hdp::resume(&corpus, begun, signals),
        None => hdp::fit(&corpus, &options, signals),
    })?;
    Learned::new(py, Fit::Hdp(found.model), &found.doc_topic, found.report)
}

/// Topics whose words follow Pitman-Yor processes, by Gibbs sampling.
#[pyfunction]
pub(crate) fn pitman_yor_fit<'py>(
    py: Python<'py>,
    counts: Counts<'py>,
    settings: Settings,
    listener: Listener,
) -> PyResult<Learned<'py>> {
    let corpus = counts.corpus()?;
    let options = PitmanYorTopicsOptions {
        topics: settings.topics,
        alpha: settings.alpha.map_or(Concentration::Default, Concentration::Symmetric),
        iterations: settings.iterations,
        seed: settings.seed,
        ..PitmanYorTopicsOptions::default()
    };
    let found = heard(py, &listener, |signals| pitman_yor_topics::fit(&corpus, &options, signals))?;
    Learned::new(py, Fit::PitmanYor(found.model), &found.doc_topic, found.report)
}

/// Topics of pairs of words, by Gibbs sampling.
#[pyfunction]
pub(crate) fn bigram_fit<'py>(
    py: Python<'py>,
    counts: Counts<'py>,
    settings: Settings,
    listener: Listener,
) -> PyResult<Learned<'py>> {
    let Some(sequences) = counts.sequences() else {
        let message = "topics of pairs of words need texts with their words in order, and these are counts";
        return Err(PyValueError::new_err(message));
    };
    let default = BigramTopicsOptions::default();
    let options = BigramTopicsOptions {
        topics: settings.topics,
        alpha: settings.alpha.map_or(default.alpha.clone(), Concentration::Symmetric),
        beta: settings.beta,
        iterations: settings.iterations,
        seed: settings.seed,
        ..default
    };
    let found = heard(py, &listener, |signals| bigram_topics::fit(&sequences, &options, signals))?;
    Learned::new(py, Fit::Bigram(found.model), &found.doc_topic, found.report)
}

/// Probabilistic latent semantic analysis, by expectation maximisation.
#[pyfunction]
pub(crate) fn plsa_fit<'py>(
    py: Python<'py>,
    counts: Counts<'py>,
    settings: Settings,
    engine: &str,
    listener: Listener,
) -> PyResult<Learned<'py>> {
    let (corpus, pool) = (counts.corpus()?, pool()?);
    let options = PlsaOptions {
        topics: settings.topics,
        max_iterations: settings.iterations,
        seed: settings.seed,
        ..PlsaOptions::default()
    };
    match engine {
        "em" => {
            let found = heard::<_, Error>(py, &listener, |signals| {
                pool.install(|| plsa::fit(&corpus, &options, signals))
            })?;
            Learned::new(py, Fit::Plsa(found.model), &found.doc_topic, found.report)
        }
        "tempered_em" => {
            let found = left_behind::<_, Error>(py, move |_| {
                pool.install(|| {
                    let halves = split_tokens(&corpus, options.seed)?;
                    plsa::fit_tempered(&halves.observed, &halves.scored, &options, &Tempering::default())
                })
            })?;
            let trace = found.report.stages.iter().map(|stage| stage.held_out).collect();
            Learned::new(py, Fit::Plsa(found.model), &found.doc_topic, Trace(trace))
        }
        _ => Err(PyValueError::new_err(format!("engine: expected em or tempered_em, found {engine:?}"))),
    }
}

/// One topic a document.
#[pyfunction]
pub(crate) fn document_mixture_fit<'py>(
    py: Python<'py>,
    counts: Counts<'py>,
    settings: Settings,
    engine: &str,
    listener: Listener,
) -> PyResult<Learned<'py>> {
    let (corpus, pool) = (counts.corpus()?, pool()?);
    let assignment = match engine {
        "em" => Some(TopicAssignment::Soft),
        "hard_em" => Some(TopicAssignment::Hard),
        "stochastic_em" => Some(TopicAssignment::Sampled),
        _ => None,
    };
    let sampler = match engine {
        "gibbs" => Some(DocumentSampler::Collapsed),
        "blocked_gibbs" => Some(DocumentSampler::Blocked),
        _ => None,
    };
    let Settings { topics, beta, iterations, seed, .. } = settings;
    let found = heard::<_, Error>(py, &listener, |signals| {
        pool.install(|| match (assignment, sampler) {
            (Some(assignment), _) => {
                let options = DocumentMixtureOptions {
                    topics,
                    assignment,
                    word_prior: 1.0 + beta,
                    max_iterations: iterations,
                    seed,
                    ..DocumentMixtureOptions::default()
                };
                document_mixture::fit(&corpus, &options, signals).map(Some)
            }
            (_, Some(sampler)) => {
                let options = DocumentMixtureGibbsOptions {
                    topics,
                    sampler,
                    word_concentration: beta,
                    iterations,
                    seed,
                    ..DocumentMixtureGibbsOptions::default()
                };
                gibbs::fit(&corpus, &options, signals).map(Some)
            }
            _ => Ok(None),
        })
    })?;
    let Some(FittedTopics { model, doc_topic, report }) = found else {
        let engines = "em, hard_em, stochastic_em, gibbs or blocked_gibbs";
        return Err(PyValueError::new_err(format!("engine: expected {engines}, found {engine:?}")));
    };
    Learned::new(py, Fit::Mixture(model), &doc_topic, report)
}

/// One topic for all documents.
#[pyfunction]
pub(crate) fn unigram_fit<'py>(py: Python<'py>, counts: Counts<'py>, beta: f64) -> PyResult<Learned<'py>> {
    let corpus = counts.corpus()?;
    let found = direct(py, || Unigram::fit(&corpus, beta))?;
    Learned::new(py, Fit::Unigram(found.model), &found.doc_topic, found.report)
}
