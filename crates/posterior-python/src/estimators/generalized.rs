//! Classes and counts: the most probable coefficients with Laplace's approximation about them, or draws.

use std::iter;

use posterior_dist::rand::distr::Distribution;
use posterior_dist::stream::stream;
use posterior_gaussian::Gaussian;
use posterior_math::linalg::{DMatrix, multiply};
use posterior_math::log_space::softmax_in_place;
use posterior_math::quadrature::GaussHermite;
use posterior_regression::Error;
use posterior_regression::glm::{
    CoefficientPrior, Family, Glm, GlmData, GlmFitOptions, Predictor, SoftmaxRegression,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::{self, Whole};
use crate::sampling::{self, Sampled, sampled};
use crate::watched::{Listener, direct, invalid, left_behind, watched};

/// Points of the quadrature over a predictor.
const POINTS: usize = 40;

/// A normal distribution of coefficients.
#[derive(IntoPyObject)]
pub(crate) struct Coefficients<'py> {
    /// Of classes: a row for each class but the first.
    mean: Bound<'py, PyAny>,
    covariance: Bound<'py, PyAny>,
    ln_evidence: Option<f64>,
    iterations: usize,
    converged: bool,
}

/// What Python's estimators have as attributes.
#[derive(Debug, FromPyObject)]
pub(crate) struct Settings {
    prior_sd: f64,
    intercept: bool,
    max_iterations: usize,
    tolerance: f64,
}

/// The columns, with one of ones at the end if there is an intercept.
fn design(x: &Bound<'_, PyAny>, intercept: bool) -> PyResult<DMatrix<f64>> {
    let values = arrays::matrix(x)?;
    let columns = values.ncols();
    Ok(if intercept { values.insert_column(columns, 1.0) } else { values })
}

/// Normal with this standard deviation; flat for the intercept, which is the last.
fn prior(columns: usize, sd: f64, intercept: bool) -> Result<CoefficientPrior, Error> {
    let mut sds = vec![sd; columns];
    if let (true, Some(last)) = (intercept, sds.last_mut()) {
        *last = f64::INFINITY;
    }
    CoefficientPrior::diagonal(vec![0.0; columns], &sds)
}

fn weights(weights: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Vec<f64>>> {
    weights.map(arrays::vector).transpose()
}

/// Logistic and softmax regression.
#[pyfunction]
#[pyo3(signature = (x, labels, classes, settings, sample_weight=None))]
pub(crate) fn softmax_fit<'py>(
    x: &Bound<'py, PyAny>,
    labels: Whole<usize>,
    classes: usize,
    settings: Settings,
    sample_weight: Option<&Bound<'py, PyAny>>,
) -> PyResult<Coefficients<'py>> {
    let Settings { prior_sd, intercept, max_iterations, tolerance } = settings;
    let (py, design, weights) = (x.py(), design(x, intercept)?, weights(sample_weight)?);
    let options = GlmFitOptions { max_iterations, tolerance };
    let found = watched(py, |signals| {
        let prior = prior(design.ncols(), prior_sd, intercept)?;
        let model = SoftmaxRegression::new(&design, &labels.0, classes)?.with_prior(prior)?;
        let model = match &weights {
            Some(weights) => model.with_weights(weights)?,
            None => model,
        };
        model.fit(&options, signals)
    })?;
    Ok(Coefficients {
        mean: arrays::rows(py, &found.model.coefficients.transpose())?,
        covariance: arrays::rows(py, &found.model.covariance)?,
        ln_evidence: found.model.ln_evidence,
        iterations: found.report.iterations(),
        converged: found.report.converged(),
    })
}

/// Draws of the coefficients of logistic and softmax regression, class after class from 1 on.
#[pyfunction]
pub(crate) fn softmax_sample<'py>(
    x: &Bound<'py, PyAny>,
    labels: (Whole<usize>, usize),
    settings: Settings,
    sample_weight: Option<&Bound<'py, PyAny>>,
    steps: sampling::Settings,
) -> PyResult<Sampled<'py>> {
    let (py, design, weights) = (x.py(), design(x, settings.intercept)?, weights(sample_weight)?);
    let prior = prior(design.ncols(), settings.prior_sd, settings.intercept).map_err(invalid)?;
    let model = SoftmaxRegression::new(&design, &labels.0.0, labels.1).and_then(|own| own.with_prior(prior));
    let model = match &weights {
        Some(weights) => model.and_then(|own| own.with_weights(weights)),
        None => model,
    };
    let model = model.map_err(invalid)?;
    let target = model.target().map_err(invalid)?;
    Sampled::new(py, &sampled(py, &target, &steps, &Listener::default(), None)?)
}

/// The probabilities of classes, averaged over the normal distribution of the coefficients: of two by
/// quadrature, of more over draws.
#[pyfunction]
pub(crate) fn class_probabilities<'py>(
    x: &Bound<'py, PyAny>,
    mean: &Bound<'py, PyAny>,
    covariance: &Bound<'py, PyAny>,
    intercept: bool,
    draws: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, design) = (x.py(), design(x, intercept)?);
    let (classes, mean, covariance) =
        (arrays::matrix(mean)?.nrows() + 1, arrays::vector(mean)?, arrays::matrix(covariance)?);
    let probabilities = left_behind::<_, Error>(py, move |_| {
        let posterior = Gaussian::new(&mean, &covariance)?;
        if classes == 2 {
            let rule = GaussHermite::new(POINTS)?;
            let rows = Predictor::of_rows(&posterior, &design)?;
            let second = |own: &Predictor| own.averaged(&Family::Logit, &rule);
            let second: Vec<f64> = rows.iter().map(second).collect();
            let first = second.iter().map(|p| 1.0 - p).collect::<Vec<_>>();
            return Ok(DMatrix::from_vec(design.nrows(), 2, [first, second].concat()));
        }
        let mut rng = stream(0, &[]);
        Ok(averaged(&design, classes, (0..draws).map(|_| posterior.sample(&mut rng))))
    })?;
    arrays::rows(py, &probabilities)
}

/// The probabilities of classes, averaged over these draws of the coefficients, a row each.
#[pyfunction]
pub(crate) fn class_probabilities_of_draws<'py>(
    x: &Bound<'py, PyAny>,
    draws: &Bound<'py, PyAny>,
    intercept: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, design, draws) = (x.py(), design(x, intercept)?, arrays::matrix(draws)?);
    let classes = draws.ncols() / design.ncols() + 1;
    let probabilities = left_behind::<_, Error>(py, move |_| {
        Ok(averaged(&design, classes, draws.row_iter().map(|own| own.iter().copied().collect())))
    })?;
    arrays::rows(py, &probabilities)
}

/// The probabilities of classes at rows, averaged over coefficients, class after class from 1 on.
fn averaged(
    design: &DMatrix<f64>,
    classes: usize,
    draws: impl ExactSizeIterator<Item = Vec<f64>>,
) -> DMatrix<f64> {
    let count = draws.len() as f64;
    let mut sum = DMatrix::zeros(design.nrows(), classes);
    for drawn in draws {
        let odds = multiply(design, &DMatrix::from_vec(design.ncols(), classes - 1, drawn));
        for (mut total, odds) in sum.row_iter_mut().zip(odds.row_iter()) {
            let mut own: Vec<f64> = iter::once(0.0).chain(odds.iter().copied()).collect();
            softmax_in_place(&mut own);
            total.iter_mut().zip(own).for_each(|(total, own)| *total += own);
        }
    }
    sum / count
}

/// Poisson regression.
#[pyfunction]
#[pyo3(signature = (x, y, settings, sample_weight=None))]
pub(crate) fn count_fit<'py>(
    x: &Bound<'py, PyAny>,
    y: &Bound<'py, PyAny>,
    settings: Settings,
    sample_weight: Option<&Bound<'py, PyAny>>,
) -> PyResult<Coefficients<'py>> {
    let (py, y, design, weights) =
        (x.py(), arrays::vector(y)?, design(x, settings.intercept)?, weights(sample_weight)?);
    let options = GlmFitOptions { max_iterations: settings.max_iterations, tolerance: settings.tolerance };
    let found =
        left_behind(py, move |_| counted(&design, &y, weights.as_deref(), &settings)?.laplace(&options))?;
    Ok(Coefficients {
        mean: arrays::array(py, found.distribution.mean().as_slice()),
        covariance: arrays::rows(py, found.distribution.covariance())?,
        ln_evidence: Some(found.ln_evidence),
        iterations: found.report.iterations(),
        converged: found.report.converged(),
    })
}

/// Draws of the coefficients of Poisson regression.
#[pyfunction]
pub(crate) fn count_sample<'py>(
    x: &Bound<'py, PyAny>,
    y: &Bound<'py, PyAny>,
    settings: Settings,
    sample_weight: Option<&Bound<'py, PyAny>>,
    steps: sampling::Settings,
) -> PyResult<Sampled<'py>> {
    let (py, y, design, weights) =
        (x.py(), arrays::vector(y)?, design(x, settings.intercept)?, weights(sample_weight)?);
    let model = counted(&design, &y, weights.as_deref(), &settings).map_err(invalid)?;
    Sampled::new(py, &sampled(py, &model, &steps, &Listener::default(), None)?)
}

/// The model of counts.
fn counted<'a>(
    design: &'a DMatrix<f64>,
    y: &'a [f64],
    weights: Option<&'a [f64]>,
    settings: &Settings,
) -> Result<Glm<'a>, Error> {
    let data = GlmData::new(design, y)?;
    let data = match weights {
        Some(weights) => data.with_weights(weights)?,
        None => data,
    };
    let prior = prior(design.ncols(), settings.prior_sd, settings.intercept)?;
    Glm::new(Family::Poisson, data)?.with_prior(prior)
}

/// The means of counts and the variances of their logarithms, averaged over the coefficients.
#[pyfunction]
pub(crate) fn count_means<'py>(
    x: &Bound<'py, PyAny>,
    mean: &Bound<'py, PyAny>,
    covariance: &Bound<'py, PyAny>,
    intercept: bool,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let (py, design) = (x.py(), design(x, intercept)?);
    let posterior = Gaussian::new(&arrays::vector(mean)?, &arrays::matrix(covariance)?).map_err(invalid)?;
    let rows = direct(py, || Predictor::of_rows(&posterior, &design))?;
    let means: Option<Vec<f64>> = rows.iter().map(|own| own.exact(&Family::Poisson)).collect();
    let means = means.ok_or_else(|| PyValueError::new_err("the means of these counts are not known"))?;
    let variances: Vec<f64> = rows.iter().map(|own| own.variance).collect();
    Ok((arrays::array(py, &means), arrays::array(py, &variances)))
}
