//! What only some models say: labels, responses, parameters, curves, and words that follow others.

use std::sync::Arc;

use posterior_dist::interval;
use posterior_math::linalg::DMatrix;
use posterior_text::corpus::Document;
use posterior_topics::TopicModel as _;
use posterior_topics::supervised_topics::{ResponsePrediction, SupervisedTopics};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;

use super::kernel::KernelFit;
use super::model::{Fit, TopicFit};
use crate::arrays;
use crate::counts::Counts;
use crate::watched::{direct, left_behind, pool};

/// A name, the mean and the standard deviation, the ends of an interval, and the effective draws.
type Parameter = (String, [f64; 5]);

/// The means of the responses of documents, and the ends of their intervals; NaN where nothing is known.
type Responses<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>);

fn only(model: &str) -> PyErr {
    PyValueError::new_err(format!("this is for models of {model}"))
}

/// Numbers that a model has besides its topics, by name.
#[pyfunction]
pub(crate) fn topic_constants<'py>(
    py: Python<'py>,
    fit: PyRef<'py, TopicFit>,
) -> PyResult<Vec<(&'static str, Bound<'py, PyAny>)>> {
    let mut found = Vec::new();
    if let Some(alpha) = fit.fit.alpha() {
        found.push(("alpha", arrays::array(py, alpha)));
    }
    let mut push = |name: &'static str, values: &[f64]| {
        found.push((name, arrays::array(py, values)));
    };
    let mut numbers: Vec<(&'static str, f64)> = Vec::new();
    match &*fit.fit {
        Fit::PitmanYor(own) => {
            let level = own.level();
            numbers = vec![("discount", level.discount()), ("concentration", level.concentration())];
            if let Some(base) = own.base_level() {
                numbers.push(("base_discount", base.discount()));
                numbers.push(("base_concentration", base.concentration()));
            }
        }
        Fit::Mixture(own) => push("document_weights", own.weights()),
        Fit::Unigram(own) => numbers.extend(own.ln_evidence().map(|ln| ("log_evidence", ln))),
        Fit::Kernel(own) => push("length_scales", &own.length_scales),
        Fit::Regression(own) => {
            let coefficients = own.coefficients().transpose();
            found.push(("coefficients", arrays::rows(py, &coefficients)?));
        }
        _ => {}
    }
    for (name, number) in numbers {
        found.push((name, arrays::shaped(py, vec![number], &[])?));
    }
    Ok(found)
}

/// Parameters that were drawn with the topics, with intervals of this level.
#[pyfunction]
pub(crate) fn topic_parameters(
    py: Python<'_>,
    fit: PyRef<'_, TopicFit>,
    level: f64,
) -> PyResult<Vec<Parameter>> {
    let draws = match &*fit.fit {
        Fit::Supervised(own) => own.coefficient_draws(),
        Fit::Dynamic(own) => own.drift_draws(),
        _ => return Err(only("supervised and dynamic topics")),
    };
    let summary = direct(py, || draws.summary_of_level(level))?;
    let row = |own: posterior_sampling::diagnostics::ParameterSummary| {
        let numbers = [own.mean, own.sd, own.low, own.high, own.ess_bulk];
        (own.name, numbers.map(|number| number.unwrap_or(f64::NAN)))
    };
    Ok(summary.parameters.into_iter().map(row).collect())
}

/// The labels of labelled topics.
#[pyfunction]
pub(crate) fn topic_labels(fit: PyRef<'_, TopicFit>) -> Vec<String> {
    match &*fit.fit {
        Fit::Labelled(own) => own.labels().to_vec(),
        _ => Vec::new(),
    }
}

/// How much of each document is of each label.
#[pyfunction]
pub(crate) fn label_proportions<'py>(
    py: Python<'py>,
    fit: PyRef<'py, TopicFit>,
    counts: Counts<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let Fit::Labelled(own) = &*fit.fit else { return Err(only("labelled topics")) };
    let corpus = counts.corpus()?;
    let shape = [corpus.documents(), own.labels().len()];
    let fit = Arc::clone(&fit.fit);
    let values = left_behind::<_, String>(py, move |_| {
        let Fit::Labelled(own) = &*fit else { return Ok(Vec::new()) };
        Ok(corpus.iter().flat_map(|document| own.label_proportions(document)).collect())
    })?;
    arrays::shaped(py, values, &shape)
}

/// The responses of documents, as supervised topics predict them.
#[pyfunction]
pub(crate) fn predict_response<'py>(
    py: Python<'py>,
    fit: PyRef<'py, TopicFit>,
    counts: Counts<'py>,
    level: f64,
    seed: u64,
) -> PyResult<Responses<'py>> {
    let Fit::Supervised(_) = &*fit.fit else { return Err(only("supervised topics")) };
    let (corpus, fit, pool) = (counts.corpus()?, Arc::clone(&fit.fit), pool()?);
    let found = left_behind::<_, String>(py, move |_| {
        let Fit::Supervised(own) = &*fit else { return Ok(Vec::new()) };
        let one = |d: usize| predicted(own, corpus.document(d), level, seed);
        pool.install(|| (0..corpus.documents()).into_par_iter().map(one).collect::<Result<Vec<_>, _>>())
    })?;
    let column = |at: usize| arrays::array(py, &found.iter().map(|own| own[at]).collect::<Vec<f64>>());
    Ok((column(0), column(1), column(2)))
}

/// The mean of a response, and of a number the ends of its interval.
fn predicted(
    model: &SupervisedTopics,
    document: Document<'_>,
    level: f64,
    seed: u64,
) -> Result<[f64; 3], String> {
    if document.tokens() == 0 {
        return Ok([f64::NAN; 3]);
    }
    let found = model.predict(document, seed).map_err(|error| error.to_string())?;
    let [low, high] = match &found {
        ResponsePrediction::Number(number) => interval(number, level).map_err(|error| error.to_string())?,
        _ => [f64::NAN; 2],
    };
    Ok([found.mean(), low, high])
}

/// The curves of a kernel topic model at the times of its documents, and the offsets of their bands.
#[derive(IntoPyObject)]
pub(crate) struct KernelCurves<'py> {
    times: Vec<f64>,
    median: Bound<'py, PyAny>,
    low: Bound<'py, PyAny>,
    high: Bound<'py, PyAny>,
    bands: Vec<(String, Vec<f64>, Vec<f64>)>,
}

/// Those of a model.
#[pyfunction]
pub(crate) fn kernel_curves<'py>(py: Python<'py>, fit: PyRef<'py, TopicFit>) -> PyResult<KernelCurves<'py>> {
    let Fit::Kernel(own) = &*fit.fit else { return Err(only("kernel topics")) };
    let KernelFit { times, curves, bands, .. } = &**own;
    let topics = own.lda.topics().len();
    let matrix =
        |rows: &Vec<Vec<f64>>| arrays::rows(py, &DMatrix::from_fn(rows.len(), topics, |t, k| rows[t][k]));
    let [median, low, high] = curves;
    Ok(KernelCurves {
        times: times.clone(),
        median: matrix(median)?,
        low: matrix(low)?,
        high: matrix(high)?,
        bands: bands.clone(),
    })
}

/// The most probable words of each topic of pairs after a word, or at the start of a document, with their
/// probabilities.
#[pyfunction]
pub(crate) fn words_after(
    py: Python<'_>,
    fit: PyRef<'_, TopicFit>,
    word: Option<u32>,
    n: usize,
) -> PyResult<Vec<Vec<(usize, f64)>>> {
    let Fit::Bigram(own) = &*fit.fit else { return Err(only("pairs of words")) };
    direct::<_, String>(py, || {
        let words = own.topics().vocabulary().len() as u32;
        let each: Vec<Vec<f64>> = (0..words).map(|next| own.word_probabilities(word, next)).collect();
        let of_topic = |k: usize| {
            let mut order: Vec<usize> = (0..each.len()).collect();
            order.sort_by(|&a, &b| each[b][k].total_cmp(&each[a][k]));
            order.into_iter().take(n).map(|next| (next, each[next][k])).collect()
        };
        Ok((0..own.topics().len()).map(of_topic).collect())
    })
}
