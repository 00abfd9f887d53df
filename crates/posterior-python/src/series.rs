//! Structural time series: fits, smoothed components, forecasts.

use posterior_kalman::learning::{MarginalTarget, MaximizeOptions, Status, fit};
use posterior_kalman::structural::{SeriesComponent, Structural};
use posterior_kalman::{Error, FilterOptions, Filtered, Series, StateSpace, filter, forecast};
use posterior_math::linalg::DMatrix;
use posterior_math::optimize::LbfgsOptions;
use pyo3::prelude::*;

use crate::arrays;
use crate::watched::{direct, invalid, watched};

/// Searches for the parameters, from different starts.
const STARTS: usize = 3;

/// The proportion of ln p by which the last step of a search may still raise it.
const TOLERANCE: f64 = 1e-9;

/// The model of a text, with the constant effects of inputs, a row for each step, as its last component.
fn structural(model: &str, inputs: Option<&Bound<'_, PyAny>>) -> PyResult<Structural> {
    let model: Structural = model.parse().map_err(|error| invalid(format!("model {model:?}: {error}")))?;
    let Some(inputs) = inputs else { return Ok(model) };
    let regression = SeriesComponent::regression(&arrays::matrix(inputs)?, 0.0).map_err(invalid)?;
    let components = model.components().iter().cloned().chain([regression]).collect();
    Structural::new(components, model.noise()).map_err(invalid)
}

/// The text of a model, without the effects of inputs.
fn text(model: &Structural, has_inputs: bool) -> Result<String, Error> {
    let components = model.components();
    let own = components[..components.len() - usize::from(has_inputs)].to_vec();
    Ok(Structural::new(own, model.noise())?.to_string())
}

/// NaN is a value that is missing.
fn series(values: &[f64]) -> Result<Series, Error> {
    Series::with_missing(&DMatrix::from_column_slice(values.len(), 1, values))
}

/// The model with its variances in the scale of the steps of the series: where a search starts.
fn started(model: &Structural, values: &[f64]) -> Structural {
    let there: Vec<f64> = values.iter().copied().filter(|own| own.is_finite()).collect();
    let count = there.len().saturating_sub(1).max(1) as f64;
    let spread = there.windows(2).map(|pair| (pair[1] - pair[0]).powi(2)).sum::<f64>() / count;
    let scale = if spread > 0.0 && spread.is_finite() { spread } else { 1.0 };
    let start = |own: &posterior_kalman::learning::Parameter| {
        let is_spread = own.name().ends_with("variance") || own.name().ends_with("intensity");
        own.start() * if is_spread { 0.25 * scale } else { 1.0 }
    };
    let starts: Vec<f64> = model.parameters().iter().map(start).collect();
    model.with_parameters(&starts).unwrap_or_else(|_| model.clone())
}

/// A model with the parameters of most probability.
#[derive(Debug, IntoPyObject)]
pub(crate) struct FittedSeries {
    /// With its parameters, as it is written.
    model: String,
    names: Vec<String>,
    values: Vec<f64>,
    /// NaN where there is none.
    standard_errors: Vec<f64>,
    at_boundary: Vec<bool>,
    ln_likelihood: f64,
    aic: f64,
    bic: f64,
    converged: bool,
}

/// Maximum likelihood, with these parameters fixed.
#[pyfunction]
pub(crate) fn series_fit(
    values: &Bound<'_, PyAny>,
    model: &str,
    inputs: Option<&Bound<'_, PyAny>>,
    fixed: Vec<(String, f64)>,
    seed: u64,
) -> PyResult<FittedSeries> {
    let (numbers, model) = (arrays::vector(values)?, structural(model, inputs)?);
    let has_inputs = inputs.is_some();
    let model = started(&model, &numbers);
    watched::<_, Error>(values.py(), |signals| {
        let series = [series(&numbers)?];
        let likelihood = MarginalTarget::new(&model, &series)?;
        let likelihood =
            fixed.iter().try_fold(likelihood, |own, (name, value)| own.with_fixed(name, *value))?;
        let search = LbfgsOptions { value_tolerance: TOLERANCE, ..LbfgsOptions::default() };
        let options = MaximizeOptions { search, starts: STARTS, seed, ..MaximizeOptions::default() };
        let found = fit(&likelihood, &options, signals)?;
        let free = likelihood.complete(&found.model.free);
        let natural = likelihood.parameters().iter().zip(&free);
        let best: Vec<f64> = natural.map(|(own, &free)| own.scale().natural(free)).collect();
        let own = &found.model.parameters;
        Ok(FittedSeries {
            model: text(&model.with_parameters(&best)?, has_inputs)?,
            names: own.iter().map(|own| own.name.clone()).collect(),
            values: own.iter().map(|own| own.value).collect(),
            standard_errors: own.iter().map(|own| own.standard_error.unwrap_or(f64::NAN)).collect(),
            at_boundary: own.iter().map(|own| own.status == Status::AtBoundary).collect(),
            ln_likelihood: found.model.ln_likelihood,
            aic: found.model.aic(),
            bic: found.model.bic(),
            converged: found.report.converged(),
        })
    })
}

/// The model of a text, and what it makes of a series.
fn filtered(values: &[f64], model: &Structural) -> Result<(StateSpace, Filtered), Error> {
    let states = model.state_space()?;
    let filtered = filter(&states, &series(values)?, &FilterOptions::default())?;
    Ok((states, filtered))
}

/// A column of means and one of variances.
type Moments<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>);

/// The components of a series given all of it, by name.
#[pyfunction]
pub(crate) fn series_components<'py>(
    values: &Bound<'py, PyAny>,
    model: &str,
    inputs: Option<&Bound<'py, PyAny>>,
) -> PyResult<Vec<(String, Moments<'py>)>> {
    let (py, numbers, model) = (values.py(), arrays::vector(values)?, structural(model, inputs)?);
    let parts = direct::<_, Error>(py, || {
        let (states, filtered) = filtered(&numbers, &model)?;
        model.extract(&filtered.smooth(&states)?)
    })?;
    let part = |own: &posterior_kalman::structural::Extracted| {
        (own.name().to_owned(), (arrays::array(py, own.mean()), arrays::array(py, own.variance())))
    };
    Ok(parts.iter().map(part).collect())
}

/// The next observations, noise included. Inputs have rows for their steps, too.
#[pyfunction]
pub(crate) fn series_forecast<'py>(
    values: &Bound<'py, PyAny>,
    model: &str,
    inputs: Option<&Bound<'py, PyAny>>,
    horizon: usize,
) -> PyResult<Moments<'py>> {
    let (py, numbers, model) = (values.py(), arrays::vector(values)?, structural(model, inputs)?);
    let found = direct::<_, Error>(py, || {
        let (states, filtered) = filtered(&numbers, &model)?;
        forecast(&states, &filtered, horizon)
    })?;
    let own = &found.observations;
    let means: Vec<f64> = own.iter().map(|own| own.mean()[0]).collect();
    let variances: Vec<f64> = own.iter().map(|own| own.covariance()[(0, 0)]).collect();
    Ok((arrays::array(py, &means), arrays::array(py, &variances)))
}
