//! Mixtures of normal distributions by EM and by variational Bayes.

use posterior_dist::{Density, PitmanYor};
use posterior_gaussian::{Gaussian, MultivariateT};
use posterior_inference::em::EmOptions;
use posterior_inference::variational::AscentOptions;
use posterior_latent::gaussian_mixture::{
    CovarianceKind, GaussianMixtureOptions, GaussianMixtureProblem, fraley_raftery_prior,
};
use posterior_latent::variational::{BayesianMixture, MixtureAscent};
use posterior_latent::{Error, Observations};
use posterior_math::ParamError;
use posterior_math::linalg::DMatrix;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays;
use crate::watched::{direct, left_behind};

/// A mixture: of normal distributions, or with degrees of freedom of Student's.
#[derive(IntoPyObject)]
pub(crate) struct Mixture<'py> {
    weights: Bound<'py, PyAny>,
    means: Bound<'py, PyAny>,
    /// Of Student's distributions the matrices of their scales.
    covariances: Bound<'py, PyAny>,
    degrees_of_freedom: Bound<'py, PyAny>,
    trace: Vec<f64>,
    converged: bool,
}

/// The kind of covariance by the name that scikit-learn has for it.
fn kind(name: &str) -> PyResult<CovarianceKind> {
    match name {
        "full" => Ok(CovarianceKind::Full),
        "tied" => Ok(CovarianceKind::Tied),
        "diag" => Ok(CovarianceKind::Diagonal),
        "spherical" => Ok(CovarianceKind::Spherical),
        _ => {
            let kinds = "full, tied, diag or spherical";
            Err(PyValueError::new_err(format!("covariance_type: expected {kinds}, found {name:?}")))
        }
    }
}

/// The best of several starts of EM.
#[pyfunction]
pub(crate) fn mixture_fit<'py>(
    x: &Bound<'py, PyAny>,
    components: usize,
    covariance: &str,
    starts: usize,
    steps: (usize, f64),
    seed: u64,
) -> PyResult<Mixture<'py>> {
    let (py, values, covariance) = (x.py(), arrays::matrix(x)?, kind(covariance)?);
    let em = EmOptions { max_iterations: steps.0, tolerance: steps.1 };
    let options = GaussianMixtureOptions { covariance, em, ..GaussianMixtureOptions::default() };
    let found = left_behind(py, move |_| {
        let data = Observations::new(&values)?;
        GaussianMixtureProblem::new(&data, options)?.fit_short_runs(components, starts, seed)
    })?;
    let (mixture, report) = (found.best.model.mixture, found.best.report);
    let covariances: Vec<DMatrix<f64>> = (0..mixture.components()).map(|k| mixture.covariance(k)).collect();
    Ok(Mixture {
        weights: arrays::array(py, mixture.weights().probabilities()),
        means: arrays::rows(py, mixture.means())?,
        covariances: arrays::stack(py, &covariances)?,
        degrees_of_freedom: arrays::array(py, &vec![f64::INFINITY; components]),
        converged: report.converged(),
        trace: report.trace,
    })
}

/// Variational Bayes: what a new row has as its distribution, a mixture of Student's.
#[pyfunction]
pub(crate) fn variational_mixture_fit<'py>(
    x: &Bound<'py, PyAny>,
    components: usize,
    weights: (String, f64),
    starts: usize,
    steps: (usize, f64),
    seed: u64,
) -> PyResult<Mixture<'py>> {
    let (py, values) = (x.py(), arrays::matrix(x)?);
    let options = AscentOptions { max_iterations: steps.0, tolerance: steps.1, ..AscentOptions::default() };
    let sticks = match weights.0.as_str() {
        "dirichlet_process" => true,
        "dirichlet_distribution" => false,
        other => {
            let kinds = "dirichlet_process or dirichlet_distribution";
            let message = format!("weight_concentration_prior_type: expected {kinds}, found {other:?}");
            return Err(PyValueError::new_err(message));
        }
    };
    let width = values.ncols();
    let (predictive, report) = left_behind::<_, Error>(py, move |_| {
        let data = Observations::new(&values)?;
        let prior = fraley_raftery_prior(&data, components)?;
        let model = if sticks {
            let process = PitmanYor::chinese_restaurant(weights.1)?;
            BayesianMixture::<Gaussian, _>::process(process, components, prior, width)?
        } else {
            BayesianMixture::finite(components, weights.1, prior, width)?
        };
        let found = MixtureAscent::new(&model, &data)?.fit_best(starts, seed, &options)?.best;
        Ok((found.model.predictive()?, found.report))
    })?;
    let of_each = |f: &dyn Fn(&MultivariateT) -> Vec<f64>| -> Vec<f64> {
        predictive.components().iter().flat_map(f).collect()
    };
    let scales: Vec<DMatrix<f64>> = predictive.components().iter().map(|own| own.scale().clone()).collect();
    let means = of_each(&|own| own.location().to_vec());
    Ok(Mixture {
        weights: arrays::array(py, predictive.weights().probabilities()),
        means: arrays::shaped(py, means, &[predictive.components().len(), width])?,
        covariances: arrays::stack(py, &scales)?,
        degrees_of_freedom: arrays::array(py, &of_each(&|own| vec![own.degrees_of_freedom()])),
        converged: report.converged(),
        trace: report.trace,
    })
}

/// ln (weight density) of each row and component.
#[pyfunction]
pub(crate) fn mixture_densities<'py>(
    x: &Bound<'py, PyAny>,
    weights: &Bound<'py, PyAny>,
    means: &Bound<'py, PyAny>,
    covariances: &Bound<'py, PyAny>,
    degrees_of_freedom: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, values, means) = (x.py(), arrays::matrix(x)?.transpose(), arrays::matrix(means)?);
    let (weights, degrees) = (arrays::vector(weights)?, arrays::vector(degrees_of_freedom)?);
    let covariances = arrays::unstack(covariances)?;
    let densities = direct::<_, ParamError>(py, || {
        let mut densities = DMatrix::zeros(values.ncols(), weights.len());
        for (k, covariance) in covariances.iter().enumerate() {
            let mean: Vec<f64> = means.row(k).iter().copied().collect();
            let (normal, student) = if degrees[k] == f64::INFINITY {
                (Some(Gaussian::new(&mean, covariance)?), None)
            } else {
                (None, Some(MultivariateT::new(degrees[k], &mean, covariance)?))
            };
            for (row, x) in values.column_iter().enumerate() {
                let density = normal.as_ref().map(|own| own.ln_pdf(x.as_slice()));
                let density = density.or_else(|| student.as_ref().map(|own| own.ln_pdf(x.as_slice())));
                densities[(row, k)] = weights[k].ln() + density.unwrap_or(f64::NAN);
            }
        }
        Ok(densities)
    })?;
    arrays::rows(py, &densities)
}
