//! Fits of topic models to words and to what else is known of documents.

use posterior_math::linalg::DMatrix;
use posterior_topics::dirichlet_regression::{self, DirichletRegressionOptions};
use posterior_topics::dynamic_topics::{self, DynamicTopicsOptions};
use posterior_topics::kernel_topics::{self, Covariates, KernelTopicsOptions};
use posterior_topics::labelled_topics::{self, DocumentLabels, LabelledTopicsOptions};
use posterior_topics::lda::Concentration;
use posterior_topics::structural_topics::{self, DocumentCovariates, StructuralTopicsOptions};
use posterior_topics::supervised_topics::{self, ResponseFamily, SupervisedTopicsOptions};
use posterior_topics::{Error, FittedTopics};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::kernel::KernelFit;
use super::known::Known;
use super::learned::{Learned, Settings};
use super::model::Fit;
use crate::arrays;
use crate::counts::Counts;
use crate::watched::{Listener, heard, invalid, pool};

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
    Learned::new(py, Fit::Dynamic(Box::new(found.model)), &found.doc_topic, found.report)
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
    let known = known
        .unwrap_or(DocumentCovariates { prevalence: DMatrix::zeros(corpus.documents(), 0), content: None });
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
    Learned::new(py, Fit::Structural(Box::new(model)), &doc_topic, report)
}

/// Priors of proportions that depend on features of documents, by Gibbs sampling.
#[pyfunction]
pub(crate) fn topic_regression_fit<'py>(
    py: Python<'py>,
    counts: Counts<'py>,
    features: Bound<'py, PyAny>,
    settings: Settings,
    listener: Listener,
) -> PyResult<Learned<'py>> {
    let (corpus, features) = (counts.corpus()?, arrays::matrix(&features)?);
    let default = DirichletRegressionOptions::default();
    let options = DirichletRegressionOptions {
        topics: settings.topics,
        alpha: settings.alpha.unwrap_or(default.alpha),
        beta: settings.beta,
        iterations: settings.iterations,
        seed: settings.seed,
        ..default
    };
    let found =
        heard(py, &listener, |signals| dirichlet_regression::fit(&corpus, &features, &options, signals))?;
    Learned::new(py, Fit::Regression(found.model), &found.doc_topic, found.report)
}

/// Topics that predict a response, by Gibbs sampling.
#[pyfunction]
pub(crate) fn supervised_fit<'py>(
    py: Python<'py>,
    counts: Counts<'py>,
    response: Vec<f64>,
    settings: Settings,
    family: &str,
    listener: Listener,
) -> PyResult<Learned<'py>> {
    let corpus = counts.corpus()?;
    let family = match family {
        "gaussian" => ResponseFamily::Gaussian,
        "binary" => ResponseFamily::Binary,
        _ => {
            let message = format!("family: expected gaussian or binary, found {family:?}");
            return Err(PyValueError::new_err(message));
        }
    };
    let options = SupervisedTopicsOptions {
        family,
        topics: settings.topics,
        alpha: settings.alpha.map_or(Concentration::Default, Concentration::Symmetric),
        beta: settings.beta,
        iterations: settings.iterations,
        seed: settings.seed,
        ..SupervisedTopicsOptions::default()
    };
    let found =
        heard(py, &listener, |signals| supervised_topics::fit(&corpus, &response, &options, signals))?;
    Learned::new(py, Fit::Supervised(Box::new(found.model)), &found.doc_topic, found.report)
}

/// A topic for each label, by Gibbs sampling; as many more of the background as there are topics in the
/// settings.
#[pyfunction]
pub(crate) fn labelled_fit<'py>(
    py: Python<'py>,
    counts: Counts<'py>,
    labels: Vec<Vec<String>>,
    settings: Settings,
    listener: Listener,
) -> PyResult<Learned<'py>> {
    let (corpus, labels) = (counts.corpus()?, DocumentLabels::of_names(&labels));
    let default = LabelledTopicsOptions::default();
    let options = LabelledTopicsOptions {
        background: settings.topics,
        alpha: settings.alpha.unwrap_or(default.alpha),
        beta: settings.beta,
        iterations: settings.iterations,
        seed: settings.seed,
        ..default
    };
    let found = heard(py, &listener, |signals| labelled_topics::fit(&corpus, &labels, &options, signals))?;
    Learned::new(py, Fit::Labelled(found.model), &found.doc_topic, found.report)
}

/// Priors of proportions by Gaussian processes over time and bands of documents.
#[pyfunction]
pub(crate) fn kernel_fit<'py>(
    py: Python<'py>,
    counts: Counts<'py>,
    times: Vec<f64>,
    band: Option<Vec<String>>,
    settings: Settings,
    listener: Listener,
) -> PyResult<Learned<'py>> {
    let (corpus, pool) = (counts.corpus()?, pool()?);
    let mut covariates = Covariates::new(&times).map_err(invalid)?;
    if let Some(band) = &band {
        covariates = covariates.with_labels("band", band).map_err(invalid)?;
    }
    let options = KernelTopicsOptions {
        topics: settings.topics,
        beta: settings.beta,
        max_iterations: settings.iterations,
        seed: settings.seed,
        ..KernelTopicsOptions::default()
    };
    let (fit, doc_topic, report) = heard::<_, Error>(py, &listener, |signals| {
        pool.install(|| {
            let FittedTopics { model, doc_topic, report } =
                kernel_topics::fit(&corpus, &covariates, &options, signals)?;
            Ok((KernelFit::of(&model, band.is_some())?, doc_topic, report.search))
        })
    })?;
    Learned::new(py, Fit::Kernel(Box::new(fit)), &doc_topic, report)
}
