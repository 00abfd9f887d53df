//! Naive Bayes of counts.

use posterior_math::linalg::DMatrix;
use posterior_text::naive_bayes::{ClassPrior, EventModel, NaiveBayes, NaiveBayesOptions};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::{self, Whole};
use crate::counts::Counts;
use crate::watched::{invalid, left_behind, pool};

/// A fitted classifier.
#[derive(IntoPyObject)]
pub(crate) struct Classifier<'py> {
    ln_priors: Bound<'py, PyAny>,
    /// A row for each class.
    ln_parameters: Bound<'py, PyAny>,
    /// The model, as it is saved.
    model: String,
}

/// What Python's estimator has as attributes.
#[derive(Debug, FromPyObject)]
pub(crate) struct Settings {
    classes: usize,
    event_model: String,
    smoothing: f64,
    fit_prior: bool,
}

/// Multinomial, Bernoulli or Pólya naive Bayes.
#[pyfunction]
pub(crate) fn naive_bayes_fit<'py>(
    py: Python<'py>,
    counts: Counts<'py>,
    labels: Whole<usize>,
    settings: Settings,
) -> PyResult<Classifier<'py>> {
    let (corpus, classes) = (counts.corpus()?, settings.classes);
    let width = corpus.vocabulary().len();
    let model = match settings.event_model.as_str() {
        "multinomial" => EventModel::Multinomial,
        "bernoulli" => EventModel::Bernoulli,
        "polya" => EventModel::Polya,
        other => {
            let models = "multinomial, bernoulli or polya";
            return Err(PyValueError::new_err(format!("event_model: expected {models}, found {other:?}")));
        }
    };
    let prior = if settings.fit_prior { ClassPrior::Learned { add: 0.0 } } else { ClassPrior::Uniform };
    let options =
        NaiveBayesOptions { model, smoothing: settings.smoothing, prior, ..NaiveBayesOptions::default() };
    let pool = pool()?;
    let found =
        left_behind(py, move |_| pool.install(|| NaiveBayes::fit(&corpus, &labels.0, classes, &options)))?;
    let parameters: Vec<f64> =
        (0..classes).filter_map(|class| found.ln_parameters(class)).flatten().collect();
    Ok(Classifier {
        ln_priors: arrays::array(py, found.ln_prior()),
        ln_parameters: arrays::shaped(py, parameters, &[classes, width])?,
        model: serde_json::to_string(&found).map_err(invalid)?,
    })
}

/// ln p(class, document) for each document and class, without what is the same for all classes.
#[pyfunction]
pub(crate) fn naive_bayes_joint<'py>(
    py: Python<'py>,
    counts: Counts<'py>,
    model: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let corpus = counts.corpus()?;
    let model: NaiveBayes = serde_json::from_str(model).map_err(invalid)?;
    let joint = py.detach(|| corpus.iter().flat_map(|document| model.ln_joint(document)).collect::<Vec<_>>());
    arrays::rows(py, &DMatrix::from_row_slice(corpus.documents(), model.classes(), &joint))
}
