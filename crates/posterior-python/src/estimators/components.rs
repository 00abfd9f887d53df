//! Principal components, and factors with noise.

use posterior_inference::em::EmOptions;
use posterior_latent::principal_components::{
    ComponentChoice, FactorModel, FactorOptions, NoiseModel, PcaOptions, fit, fit_factors,
};
use posterior_latent::{Error, Observations};
use pyo3::prelude::*;

use crate::arrays;
use crate::watched::{direct, left_behind, watched};

/// Principal components.
#[derive(IntoPyObject)]
pub(crate) struct Directions<'py> {
    mean: Bound<'py, PyAny>,
    /// A row for each component.
    components: Bound<'py, PyAny>,
    variances: Bound<'py, PyAny>,
    dropped: f64,
}

/// The components: so many, or those that have a proportion of the variance, or as many as the evidence says.
#[pyfunction]
#[pyo3(signature = (x, count=None, proportion=None))]
pub(crate) fn principal_components<'py>(
    x: &Bound<'py, PyAny>,
    count: Option<usize>,
    proportion: Option<f64>,
) -> PyResult<Directions<'py>> {
    let (py, values) = (x.py(), arrays::matrix(x)?);
    let choice = match (count, proportion) {
        (Some(count), _) => ComponentChoice::Count(count),
        (None, Some(proportion)) => ComponentChoice::Proportion(proportion),
        (None, None) => ComponentChoice::Evidence,
    };
    let options = PcaOptions { choice, ..PcaOptions::default() };
    let found = left_behind(py, move |_| fit(&Observations::new(&values)?, &options))?;
    Ok(Directions {
        mean: arrays::array(py, found.mean()),
        components: arrays::rows(py, &found.components().transpose())?,
        variances: arrays::array(py, found.variances()),
        dropped: found.dropped_variance(),
    })
}

/// Factors with noise.
#[derive(IntoPyObject)]
pub(crate) struct Factors<'py> {
    mean: Bound<'py, PyAny>,
    /// A row for each factor.
    loadings: Bound<'py, PyAny>,
    noise: Bound<'py, PyAny>,
    trace: Vec<f64>,
    converged: bool,
}

/// Factor analysis by EM: a variance of the noise for each column.
#[pyfunction]
pub(crate) fn factor_analysis<'py>(
    x: &Bound<'py, PyAny>,
    factors: usize,
    max_iterations: usize,
    tolerance: f64,
) -> PyResult<Factors<'py>> {
    let (py, values) = (x.py(), arrays::matrix(x)?);
    let em = EmOptions { max_iterations, tolerance };
    let options = FactorOptions { em, noise: NoiseModel::Diagonal, ..FactorOptions::new(factors) };
    let found = watched(py, |signals| fit_factors(&Observations::new(&values)?, &options, signals))?;
    Ok(Factors {
        mean: arrays::array(py, found.model.mean()),
        loadings: arrays::rows(py, &found.model.loadings().transpose())?,
        noise: arrays::array(py, found.model.noise()),
        converged: found.report.converged(),
        trace: found.report.trace,
    })
}

/// The model with these loadings, a row for each factor, and this noise of each column.
fn model(
    mean: &Bound<'_, PyAny>,
    loadings: &Bound<'_, PyAny>,
    noise: &Bound<'_, PyAny>,
) -> PyResult<FactorModel> {
    let (mean, noise) = (arrays::vector(mean)?, arrays::vector(noise)?);
    FactorModel::new(&mean, &arrays::matrix(loadings)?.transpose(), &noise).map_err(crate::watched::invalid)
}

/// The log density of each row.
#[pyfunction]
pub(crate) fn factor_densities<'py>(
    x: &Bound<'py, PyAny>,
    mean: &Bound<'py, PyAny>,
    loadings: &Bound<'py, PyAny>,
    noise: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let (values, model) = (arrays::matrix(x)?, model(mean, loadings, noise)?);
    let densities = direct::<_, Error>(x.py(), || model.ln_densities(&Observations::new(&values)?))?;
    Ok(arrays::array(x.py(), &densities))
}

/// The posterior mean of the factors of each row.
#[pyfunction]
pub(crate) fn factor_means<'py>(
    x: &Bound<'py, PyAny>,
    mean: &Bound<'py, PyAny>,
    loadings: &Bound<'py, PyAny>,
    noise: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let (values, model) = (arrays::matrix(x)?, model(mean, loadings, noise)?);
    let means = direct::<_, Error>(x.py(), || model.posterior_means(&Observations::new(&values)?))?;
    arrays::rows(x.py(), &means)
}
