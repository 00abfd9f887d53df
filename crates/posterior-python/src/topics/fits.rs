//! Fits of topic models.

use posterior_math::linalg::DMatrix;
use posterior_topics::dynamic_topics::{self, DynamicTopicsOptions};
use posterior_topics::hdp::{self, HdpCheckpoint, HdpOptions};
use posterior_topics::lda::Concentration;
use posterior_topics::structural_topics::{self, StructuralTopicsOptions};
use posterior_topics::{Error, FittedTopics, SweepReport};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::known::Known;
use super::model::{Fit, TopicFit};
use crate::arrays;
use crate::counts::Counts;
use crate::watched::{Listener, heard, pool};

/// What all fits are asked for.
#[derive(Debug, FromPyObject)]
pub(crate) struct Settings {
    topics: usize,
    /// None is what the command line takes.
    alpha: Option<f64>,
    beta: f64,
    iterations: usize,
    seed: u64,
}

/// A model, the proportions of topics in its documents, and what climbed.
#[derive(IntoPyObject)]
pub(crate) struct Learned<'py> {
    model: TopicFit,
    documents: Bound<'py, PyAny>,
    trace: Vec<f64>,
}

impl<'py> Learned<'py> {
    fn new(py: Python<'py>, fit: Fit, documents: &DMatrix<f64>, trace: Vec<f64>) -> PyResult<Self> {
        Ok(Self { model: TopicFit::new(fit), documents: arrays::rows(py, documents)?, trace })
    }
}

fn trace<S>(report: &SweepReport<S>) -> Vec<f64> {
    report.trace.iter().map(|point| point.ln_joint).collect()
}

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
    Learned::new(py, Fit::Hdp(found.model), &found.doc_topic, trace(&found.report))
}

/// Topics whose words drift, by Markov chain Monte Carlo.
#[pyfunction]
pub(crate) fn dynamic_fit<'py>(
    py: Python<'py>,
    counts: Counts<'py>,
    times: Vec<f64>,
    settings: Settings,
    listener: Listener,
) -> PyResult<Learned<'py>> {
    let corpus = counts.corpus()?;
    let options = DynamicTopicsOptions {
        topics: settings.topics,
        alpha: settings.alpha.map_or(Concentration::Default, Concentration::Symmetric),
        iterations: settings.iterations,
        seed: settings.seed,
        ..DynamicTopicsOptions::default()
    };
    let found = heard(py, &listener, |signals| dynamic_topics::fit(&corpus, &times, &options, signals))?;
    Learned::new(py, Fit::Dynamic(Box::new(found.model)), &found.doc_topic, trace(&found.report))
}

/// Topics whose proportions and words depend on what is known of documents.
#[pyfunction]
pub(crate) fn structural_fit<'py>(
    py: Python<'py>,
    counts: Counts<'py>,
    known: Known<'py>,
    settings: Settings,
    replicates: usize,
    listener: Listener,
) -> PyResult<Learned<'py>> {
    let corpus = counts.corpus()?;
    let known = known.of(corpus.documents())?.covariates;
    let known = known.unwrap_or(structural_topics::DocumentCovariates {
        prevalence: DMatrix::zeros(corpus.documents(), 0),
        content: None,
    });
    let options = StructuralTopicsOptions {
        topics: settings.topics,
        beta: settings.beta,
        max_iterations: settings.iterations,
        replicates: if known.prevalence.ncols() > 0 { replicates } else { 0 },
        ..StructuralTopicsOptions::default()
    };
    let pool = pool()?;
    let FittedTopics { model, doc_topic, report } = heard::<_, Error>(py, &listener, |signals| {
        pool.install(|| structural_topics::fit(&corpus, &known, &options, signals))
    })?;
    Learned::new(py, Fit::Structural(Box::new(model)), &doc_topic, report.trace)
}
