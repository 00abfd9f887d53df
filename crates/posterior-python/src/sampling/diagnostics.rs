//! Diagnostics of anybody's draws.

use posterior_math::linalg::DMatrix;
use posterior_sampling::diagnostics::{self, Undefined};
use posterior_sampling::{Draws, importance};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays;
use crate::watched::{direct, invalid, left_behind, pool};

/// The numbers of an array of chains, draws and columns, by chain.
fn chains(values: &Bound<'_, PyAny>) -> PyResult<(Vec<Vec<f64>>, usize)> {
    let numbers = arrays::numbers(values)?;
    let &[.., columns] = &arrays::shape_of(&numbers)[..] else {
        return Err(PyValueError::new_err("draws: expected chains, draws and parameters"));
    };
    let all = numbers.as_array();
    Ok((all.outer_iter().map(|own| own.iter().copied().collect()).collect(), columns))
}

/// The draws of one column, by chain.
fn column(chains: &[Vec<f64>], columns: usize, column: usize) -> Vec<Vec<f64>> {
    chains.iter().map(|own| own.iter().skip(column).step_by(columns).copied().collect()).collect()
}

/// A figure of each column of an array of chains, draws and columns; NaN where all draws are the same.
#[pyfunction]
#[pyo3(signature = (figure, values, p=0.5))]
pub(crate) fn diagnose<'py>(figure: &str, values: &Bound<'py, PyAny>, p: f64) -> PyResult<Bound<'py, PyAny>> {
    let (chains, columns) = chains(values)?;
    let figure = figure.to_owned();
    let found = left_behind(values.py(), move |_| {
        let of = |own: &[Vec<f64>]| match figure.as_str() {
            "rhat" => diagnostics::rhat(own),
            "ess_bulk" => diagnostics::ess_bulk(own),
            "ess_tail" => diagnostics::ess_tail(own),
            "ess_mean" => diagnostics::ess_mean(own),
            "mcse_sd" => diagnostics::mcse_sd(own),
            "mcse_quantile" => diagnostics::mcse_quantile(own, p),
            _ => diagnostics::mcse_mean(own),
        };
        let one = |at| match of(&column(&chains, columns, at)) {
            Err(Undefined::Constant { .. } | Undefined::Alike) => Ok(f64::NAN),
            other => other,
        };
        (0..columns).map(one).collect::<Result<Vec<f64>, _>>()
    })?;
    Ok(arrays::array(values.py(), &found))
}

/// Draws as Python has them.
#[derive(FromPyObject)]
pub(crate) struct Kept<'py> {
    names: Vec<String>,
    values: Bound<'py, PyAny>,
    statistic_names: Vec<String>,
    statistics: Bound<'py, PyAny>,
}

impl Kept<'_> {
    fn draws(&self) -> PyResult<Draws> {
        let draws = Draws::new(self.names.clone(), chains(&self.values)?.0).map_err(invalid)?;
        if self.statistic_names.is_empty() {
            return Ok(draws);
        }
        let statistics = chains(&self.statistics)?.0;
        draws.with_statistics(self.statistic_names.clone(), statistics).map_err(invalid)
    }
}

/// A table of draws, and what is to be said of them.
#[derive(Debug, IntoPyObject)]
pub(crate) struct Summary {
    name: Vec<String>,
    /// Columns by name; NaN where the draws determine no figure.
    columns: Vec<(&'static str, Vec<f64>)>,
    warnings: Vec<String>,
}

/// The mean of each parameter, its spread, an interval of this level, and how far the figures may be off.
#[pyfunction]
pub(crate) fn draws_summary(py: Python<'_>, kept: Kept<'_>, level: f64) -> PyResult<Summary> {
    let draws = kept.draws()?;
    let pool = pool()?;
    let found = left_behind(py, move |_| pool.install(|| draws.summary_of_level(level)))?;
    let own = &found.parameters;
    let of = |figure: fn(&diagnostics::ParameterSummary) -> Result<f64, Undefined>| {
        own.iter().map(|own| figure(own).unwrap_or(f64::NAN)).collect()
    };
    Ok(Summary {
        name: own.iter().map(|own| own.name.clone()).collect(),
        columns: vec![
            ("mean", of(|own| own.mean)),
            ("sd", of(|own| own.sd)),
            ("low", of(|own| own.low)),
            ("median", of(|own| own.q50)),
            ("high", of(|own| own.high)),
            ("mcse", of(|own| own.mcse)),
            ("ess_bulk", of(|own| own.ess_bulk)),
            ("ess_tail", of(|own| own.ess_tail)),
            ("rhat", of(|own| own.rhat)),
        ],
        warnings: found.warnings.iter().map(ToString::to_string).collect(),
    })
}

/// The groups of ArviZ as JSON.
#[pyfunction]
pub(crate) fn draws_arviz(py: Python<'_>, kept: Kept<'_>) -> PyResult<String> {
    let draws = kept.draws()?;
    let bytes = direct(py, || {
        let mut bytes = Vec::new();
        draws.arviz().write_json(&mut bytes).map(|()| bytes)
    })?;
    String::from_utf8(bytes).map_err(invalid)
}

/// Leave-one-out cross-validation by smoothed weights.
#[derive(IntoPyObject)]
pub(crate) struct LeaveOneOut<'py> {
    elpd: f64,
    se: f64,
    p_loo: f64,
    pointwise: Bound<'py, PyAny>,
    pareto_k: Bound<'py, PyAny>,
    threshold: f64,
}

/// Leave-one-out cross-validation of ln p by draws, rows, and observations, columns.
#[pyfunction]
pub(crate) fn leave_one_out<'py>(
    ln_likelihood: &Bound<'py, PyAny>,
    relative_efficiency: f64,
) -> PyResult<LeaveOneOut<'py>> {
    let (py, rows): (_, DMatrix<f64>) = (ln_likelihood.py(), arrays::matrix(ln_likelihood)?);
    let found = left_behind(py, move |_| importance::leave_one_out(&rows, relative_efficiency))?;
    Ok(LeaveOneOut {
        elpd: found.elpd.value,
        se: found.elpd.standard_error,
        p_loo: found.effective_parameters,
        pointwise: arrays::array(py, &found.pointwise),
        pareto_k: arrays::array(py, &found.shapes),
        threshold: found.threshold,
    })
}
