//! Two classes by a Gaussian process: Laplace's approximation.

use std::sync::Arc;

use posterior_gp::Error;
use posterior_gp::classification::{LaplaceEvidence, LaplaceFit, ModeOptions, ObservationModel, laplace};
use posterior_gp::hyperparameters::{HyperparameterOptions, Learnable, fit};
use posterior_gp::likelihood::LogisticLikelihood;
use pyo3::prelude::*;

use super::processes::process;
use crate::arrays;
use crate::watched::left_behind;

/// The log-odds as a function, given classes: -1 and 1.
#[pyclass(frozen, module = "posterior_rs._core")]
#[derive(Debug)]
pub(crate) struct GaussianProcessClasses {
    fit: Arc<LaplaceFit<LogisticLikelihood>>,
    kernel: String,
}

/// What a fit is made of again.
type Parts<'py> = (String, Bound<'py, PyAny>, Vec<f64>);

fn observed(x: &Bound<'_, PyAny>, y: &[f64]) -> PyResult<ObservationModel<LogisticLikelihood>> {
    ObservationModel::new(arrays::matrix(x)?, y, LogisticLikelihood).map_err(crate::watched::invalid)
}

fn with_kernel(fit: LaplaceFit<LogisticLikelihood>) -> GaussianProcessClasses {
    GaussianProcessClasses { kernel: fit.prior().kernel().to_string(), fit: Arc::new(fit) }
}

#[pymethods]
impl GaussianProcessClasses {
    /// With the parameters that the kernel says.
    #[new]
    fn new(kernel: &str, x: &Bound<'_, PyAny>, y: Vec<f64>) -> PyResult<Self> {
        let (process, observations) = (process(kernel)?, observed(x, &y)?);
        let options = ModeOptions::default();
        let fit = left_behind(x.py(), move |signals| laplace(&observations, &process, &options, signals))?;
        Ok(with_kernel(fit.model))
    }

    /// With the parameters of most evidence.
    #[staticmethod]
    fn learn(kernel: &str, x: &Bound<'_, PyAny>, y: Vec<f64>, restarts: usize, seed: u64) -> PyResult<Self> {
        let (process, observations) = (process(kernel)?, observed(x, &y)?);
        let options = HyperparameterOptions { restarts, seed, ..HyperparameterOptions::default() };
        let found = left_behind::<_, Error>(x.py(), move |signals| {
            let problem = LaplaceEvidence::new(process, observations, ModeOptions::default());
            let free: Vec<f64> =
                fit(&problem, &options, signals)?.report.parameters.iter().map(|own| own.free).collect();
            Ok(problem.model(&free)?.0)
        })?;
        Ok(with_kernel(found))
    }

    /// The kernel with its parameters.
    #[getter]
    fn kernel(&self) -> &str {
        &self.kernel
    }

    /// ln p(y) by Laplace's method.
    #[getter]
    fn ln_evidence(&self) -> f64 {
        self.fit.ln_evidence()
    }

    /// The probability of the second class at each row, averaged over the function.
    fn predict<'py>(&self, x: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (py, inputs) = (x.py(), arrays::matrix(x)?);
        let fit = Arc::clone(&self.fit);
        let probabilities = left_behind::<_, Error>(py, move |_| {
            Ok(fit.latent(&inputs)?.mean_response(&LogisticLikelihood))
        })?;
        Ok(arrays::array(py, probabilities.as_slice()))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Parts<'py>)> {
        let observations = self.fit.observations();
        let x = arrays::rows(py, observations.inputs())?;
        let parts = (self.kernel.clone(), x, observations.outputs().to_vec());
        Ok((py.get_type::<Self>().into_any(), parts))
    }
}
