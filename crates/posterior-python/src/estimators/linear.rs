//! Linear regression whose prior and noise are those of most evidence.

use posterior_math::linalg::DMatrix;
use posterior_regression::evidence::{EvidenceOptions, fit, relevance};
use posterior_regression::linear::{LinearData, LinearPosterior};
use pyo3::prelude::*;

use crate::arrays;
use crate::watched::watched;

/// A posterior of weights, those of the columns that are in the model.
#[derive(IntoPyObject)]
pub(crate) struct Weights<'py> {
    columns: Vec<usize>,
    mean: Bound<'py, PyAny>,
    covariance: Bound<'py, PyAny>,
    /// One for all columns, or one for each: infinite for those that are left out.
    prior_precisions: Bound<'py, PyAny>,
    noise_variance: f64,
    ln_evidence: f64,
    iterations: usize,
}

/// The columns, with one of ones at the end if there is an intercept, which has a flat prior.
fn design(x: &Bound<'_, PyAny>, intercept: bool) -> PyResult<(DMatrix<f64>, Vec<usize>)> {
    let values = arrays::matrix(x)?;
    let columns = values.ncols();
    Ok(if intercept { (values.insert_column(columns, 1.0), vec![columns]) } else { (values, Vec::new()) })
}

fn parts<'py>(
    py: Python<'py>,
    posterior: &LinearPosterior,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    Ok((arrays::array(py, posterior.mean().as_slice()), arrays::rows(py, &posterior.covariance())?))
}

/// One precision for all weights.
#[pyfunction]
pub(crate) fn evidence_fit<'py>(
    x: &Bound<'py, PyAny>,
    y: &Bound<'py, PyAny>,
    intercept: bool,
    max_iterations: usize,
    tolerance: f64,
) -> PyResult<Weights<'py>> {
    let (py, y, (design, free)) = (x.py(), arrays::vector(y)?, design(x, intercept)?);
    let options = EvidenceOptions { max_iterations, tolerance, ..EvidenceOptions::default() };
    let found = watched(py, |signals| fit(&LinearData::new(&design, &y)?, &free, &options, signals))?;
    let (mean, covariance) = parts(py, &found.model.posterior)?;
    Ok(Weights {
        columns: (0..design.ncols()).collect(),
        mean,
        covariance,
        prior_precisions: arrays::array(py, &[found.model.prior_precision]),
        noise_variance: found.model.noise_variance,
        ln_evidence: found.model.ln_evidence,
        iterations: found.report.iterations(),
    })
}

/// A precision for each weight: automatic relevance determination.
#[pyfunction]
pub(crate) fn relevance_fit<'py>(
    x: &Bound<'py, PyAny>,
    y: &Bound<'py, PyAny>,
    intercept: bool,
    max_iterations: usize,
    tolerance: f64,
) -> PyResult<Weights<'py>> {
    let (py, y, (design, free)) = (x.py(), arrays::vector(y)?, design(x, intercept)?);
    let options = EvidenceOptions { max_iterations, tolerance, ..EvidenceOptions::default() };
    let found = watched(py, |signals| relevance(&LinearData::new(&design, &y)?, &free, &options, signals))?;
    let (mean, covariance) = parts(py, &found.model.posterior)?;
    Ok(Weights {
        columns: found.model.columns,
        mean,
        covariance,
        prior_precisions: arrays::array(py, &found.model.prior_precisions),
        noise_variance: found.model.noise_variance,
        ln_evidence: found.model.ln_evidence,
        iterations: found.report.iterations(),
    })
}
