//! Non-negative factors of counts.

use posterior_topics::nonnegative_factorization::{
    Factorization, FactorizationDivergence, FactorizationOptions, FactorizationStart, fit,
};
use posterior_topics::{Error, Weighting};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays;
use crate::counts::Counts;
use crate::watched::{direct, invalid, watched};

/// What Python's estimator has as attributes.
#[derive(Debug, FromPyObject)]
pub(crate) struct Settings {
    components: usize,
    divergence: String,
    start: String,
    weighting: String,
    max_iterations: usize,
    tolerance: f64,
    seed: u64,
}

/// A choice by its name.
fn choice<T: Copy>(option: &str, name: &str, all: &[(&str, T)]) -> PyResult<T> {
    let found = all.iter().find(|(own, _)| *own == name);
    found.map(|own| own.1).ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|own| own.0).collect();
        PyValueError::new_err(format!("{option}: expected {}, found {name:?}", names.join(" or ")))
    })
}

/// Factors.
#[derive(IntoPyObject)]
pub(crate) struct Factors<'py> {
    /// H, components x words.
    words: Bound<'py, PyAny>,
    /// W, documents x components.
    documents: Bound<'py, PyAny>,
    /// The divergence before the first step and after each.
    trace: Vec<f64>,
    converged: bool,
    /// The model, as it is saved.
    model: String,
}

/// Non-negative factors W and H with W H near the counts.
#[pyfunction]
pub(crate) fn factorization_fit<'py>(
    py: Python<'py>,
    counts: Counts<'py>,
    settings: Settings,
) -> PyResult<Factors<'py>> {
    let corpus = counts.corpus()?;
    let options = FactorizationOptions {
        topics: settings.components,
        divergence: choice(
            "beta_loss",
            &settings.divergence,
            &[
                ("frobenius", FactorizationDivergence::Frobenius),
                ("kullback-leibler", FactorizationDivergence::KullbackLeibler),
            ],
        )?,
        start: choice(
            "init",
            &settings.start,
            &[("random", FactorizationStart::Random), ("nndsvd", FactorizationStart::SingularVectors)],
        )?,
        weighting: choice(
            "weighting",
            &settings.weighting,
            &[("counts", Weighting::Counts), ("tfidf", Weighting::TfIdf)],
        )?,
        max_iterations: settings.max_iterations,
        tolerance: settings.tolerance,
        seed: settings.seed,
        ..FactorizationOptions::default()
    };
    let found = watched(py, |signals| fit(&corpus, &options, signals))?;
    Ok(Factors {
        words: arrays::rows(py, &found.model.words())?,
        documents: arrays::rows(py, found.model.documents())?,
        converged: found.report.converged(),
        trace: found.report.trace,
        model: serde_json::to_string(&found.model).map_err(invalid)?,
    })
}

/// W of other documents, with H as it is.
#[pyfunction]
pub(crate) fn factorization_project<'py>(
    py: Python<'py>,
    counts: Counts<'py>,
    model: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let corpus = counts.corpus()?;
    let model: Factorization = serde_json::from_str(model).map_err(invalid)?;
    let components = model.documents().ncols();
    let values = direct::<_, Error>(py, || {
        Ok(corpus.iter().flat_map(|document| model.project(document)).collect::<Vec<f64>>())
    })?;
    arrays::shaped(py, values, &[corpus.documents(), components])
}
