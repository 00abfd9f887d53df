//! Regression by a Gaussian process, with kernels as they are written.

use std::sync::Arc;

use posterior_gp::hyperparameters::{HyperparameterOptions, Learnable, Regression, fit};
use posterior_gp::kernel::Kernel;
use posterior_gp::regression::{GaussianProcess, GaussianProcessPosterior};
use posterior_gp::{Error, Noise};
use posterior_math::linalg::DMatrix;
use pyo3::prelude::*;

use crate::arrays;
use crate::watched::{invalid, left_behind};

/// A function given values with noise.
#[pyclass(frozen, module = "posterior_rs._core")]
#[derive(Debug)]
pub(crate) struct GaussianProcessFit {
    posterior: Arc<GaussianProcessPosterior>,
    kernel: String,
    noise: f64,
}

/// What a fit is made of again.
type Parts<'py> = (String, f64, Bound<'py, PyAny>, Bound<'py, PyAny>);

/// The process of mean 0 with a kernel as it is written.
pub(super) fn process(kernel: &str) -> PyResult<GaussianProcess> {
    let kernel: Kernel = kernel.parse().map_err(|error| invalid(format!("kernel {kernel:?}: {error}")))?;
    Ok(GaussianProcess::new(kernel))
}

#[pymethods]
impl GaussianProcessFit {
    /// With the parameters that the kernel says, and this variance of the noise.
    #[new]
    fn new(kernel: &str, noise: f64, x: &Bound<'_, PyAny>, y: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (process, inputs, outputs) = (process(kernel)?, arrays::matrix(x)?, arrays::vector(y)?);
        let posterior =
            left_behind(x.py(), move |_| process.condition(&inputs, &outputs, &Noise::known(noise)?))?;
        Ok(Self { kernel: posterior.prior().kernel().to_string(), posterior: Arc::new(posterior), noise })
    }

    /// With the parameters of most evidence.
    #[staticmethod]
    fn learn(
        kernel: &str,
        noise: f64,
        x: &Bound<'_, PyAny>,
        y: &Bound<'_, PyAny>,
        restarts: usize,
        seed: u64,
    ) -> PyResult<Self> {
        let (process, inputs, outputs) = (process(kernel)?, arrays::matrix(x)?, arrays::vector(y)?);
        let options = HyperparameterOptions { restarts, seed, ..HyperparameterOptions::default() };
        let posterior = left_behind::<_, Error>(x.py(), move |signals| {
            let problem = Regression::new(process, Noise::variance(noise)?, &inputs, &outputs)?;
            let free: Vec<f64> =
                fit(&problem, &options, signals)?.report.parameters.iter().map(|own| own.free).collect();
            Ok(problem.model(&free)?.0)
        })?;
        let noise = posterior.noise().learned().unwrap_or(noise);
        Ok(Self { kernel: posterior.prior().kernel().to_string(), posterior: Arc::new(posterior), noise })
    }

    /// The kernel with its parameters.
    #[getter]
    fn kernel(&self) -> &str {
        &self.kernel
    }

    /// The variance of the noise.
    #[getter]
    const fn noise(&self) -> f64 {
        self.noise
    }

    /// ln p(y).
    #[getter]
    fn ln_evidence(&self) -> f64 {
        self.posterior.ln_evidence()
    }

    /// The mean and the variance of the function at each row.
    fn predict<'py>(&self, x: &Bound<'py, PyAny>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let (py, inputs) = (x.py(), arrays::matrix(x)?);
        let posterior = Arc::clone(&self.posterior);
        let found = left_behind(py, move |_| posterior.latent(&inputs))?;
        Ok((arrays::array(py, found.mean.as_slice()), arrays::array(py, found.variance.as_slice())))
    }

    /// The covariance matrix of the function at these rows.
    fn covariance<'py>(&self, x: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (py, inputs): (_, DMatrix<f64>) = (x.py(), arrays::matrix(x)?);
        let posterior = Arc::clone(&self.posterior);
        arrays::rows(py, &left_behind(py, move |_| posterior.covariance(&inputs))?)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Parts<'py>)> {
        let x = arrays::rows(py, self.posterior.inputs())?;
        let y = arrays::array(py, self.posterior.outputs().as_slice());
        Ok((py.get_type::<Self>().into_any(), (self.kernel.clone(), self.noise, x, y)))
    }
}
