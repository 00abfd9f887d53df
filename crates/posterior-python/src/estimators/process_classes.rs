//! Classes by Gaussian processes: Laplace's approximation, of the log-odds of two or of a function for each
//! of several.

use std::sync::Arc;

use posterior_dist::stream::stream;
use posterior_gp::classification::{
    LaplaceEvidence, LaplaceFit, ModeOptions, ObservationModel, SoftmaxEvidence, SoftmaxLaplace,
    SoftmaxObservations,
};
use posterior_gp::hyperparameters::{HyperparameterOptions, Learnable, fit};
use posterior_gp::kernel::KernelParameter;
use posterior_gp::likelihood::LogisticLikelihood;
use posterior_gp::{Error, GaussianProcess, Kernel};
use posterior_math::iteration::Observer;
use posterior_math::linalg::DMatrix;
use pyo3::prelude::*;

use super::processes::process;
use crate::arrays;
use crate::watched::{invalid, left_behind};

/// Draws of the functions of several classes: a standard error of half a percent at most.
const DRAWS: usize = 10_000;

/// Functions, given the numbers of classes, from 0.
#[pyclass(frozen, module = "posterior_rs._core")]
#[derive(Debug)]
pub(crate) struct GaussianProcessClasses {
    fit: Arc<Classes>,
    kernel: String,
}

#[derive(Debug)]
enum Classes {
    Two(LaplaceFit<LogisticLikelihood>),
    Several(SoftmaxLaplace),
}

/// What a fit is made of again.
type Parts<'py> = (String, Bound<'py, PyAny>, Vec<usize>, usize);

/// What is to be fitted.
enum Problem {
    Two(LaplaceEvidence<LogisticLikelihood>),
    Several(SoftmaxEvidence),
}

impl Problem {
    fn new(process: GaussianProcess, x: DMatrix<f64>, y: &[usize], classes: usize) -> Result<Self, Error> {
        let options = ModeOptions::default();
        if classes > 2 {
            let observations = SoftmaxObservations::new(x, y, classes)?;
            return Ok(Self::Several(SoftmaxEvidence::new(
                vec![process.kernel().clone()],
                observations,
                options,
            )));
        }
        let signs: Vec<f64> = y.iter().map(|&class| if class == 1 { 1.0 } else { -1.0 }).collect();
        let observations = ObservationModel::new(x, &signs, LogisticLikelihood)?;
        Ok(Self::Two(LaplaceEvidence::new(process, observations, options)))
    }

    /// With the parameters that the kernel says, or those of most evidence.
    fn solve(
        &self,
        options: Option<&HyperparameterOptions>,
        observer: &mut (impl Observer + ?Sized),
    ) -> Result<Classes, Error> {
        Ok(match self {
            Self::Two(problem) => Classes::Two(model(problem, options, observer)?),
            Self::Several(problem) => Classes::Several(model(problem, options, observer)?),
        })
    }
}

fn model<L: Learnable>(
    problem: &L,
    options: Option<&HyperparameterOptions>,
    observer: &mut (impl Observer + ?Sized),
) -> Result<L::Model, Error> {
    if let Some(options) = options {
        return Ok(fit(problem, options, observer)?.model);
    }
    let free: Vec<f64> = problem.parameters().iter().map(KernelParameter::free).collect();
    Ok(problem.model(&free)?.0)
}

impl Classes {
    fn kernel(&self) -> &Kernel {
        match self {
            Self::Two(fit) => fit.prior().kernel(),
            Self::Several(fit) => fit.kernel(0),
        }
    }

    /// A row for each place, a column for each class.
    fn probabilities(&self, x: &DMatrix<f64>) -> Result<DMatrix<f64>, Error> {
        match self {
            Self::Two(fit) => {
                let second = fit.latent(x)?.mean_response(&LogisticLikelihood);
                Ok(DMatrix::from_fn(
                    x.nrows(),
                    2,
                    |i, class| if class == 1 { second[i] } else { 1.0 - second[i] },
                ))
            }
            Self::Several(fit) => fit.latent(x)?.mean_response(DRAWS, &mut stream(0, &[0])),
        }
    }
}

/// The fit of arrays.
fn found(
    kernel: &str,
    x: &Bound<'_, PyAny>,
    (y, classes): (&[usize], usize),
    options: Option<HyperparameterOptions>,
) -> PyResult<GaussianProcessClasses> {
    let problem = Problem::new(process(kernel)?, arrays::matrix(x)?, y, classes).map_err(invalid)?;
    let fit = left_behind::<_, Error>(x.py(), move |signals| problem.solve(options.as_ref(), signals))?;
    Ok(GaussianProcessClasses { kernel: fit.kernel().to_string(), fit: Arc::new(fit) })
}

#[pymethods]
impl GaussianProcessClasses {
    /// With the parameters that the kernel says.
    #[new]
    fn new(kernel: &str, x: &Bound<'_, PyAny>, y: Vec<usize>, classes: usize) -> PyResult<Self> {
        found(kernel, x, (&y, classes), None)
    }

    /// With the parameters of most evidence.
    #[staticmethod]
    fn learn(
        kernel: &str,
        x: &Bound<'_, PyAny>,
        y: Vec<usize>,
        classes: usize,
        restarts: usize,
        seed: u64,
    ) -> PyResult<Self> {
        let options = HyperparameterOptions { restarts, seed, ..HyperparameterOptions::default() };
        found(kernel, x, (&y, classes), Some(options))
    }

    /// The kernel with its parameters.
    #[getter]
    fn kernel(&self) -> &str {
        &self.kernel
    }

    /// ln p(y) by Laplace's method.
    #[getter]
    fn ln_evidence(&self) -> f64 {
        match &*self.fit {
            Classes::Two(fit) => fit.ln_evidence(),
            Classes::Several(fit) => fit.ln_evidence(),
        }
    }

    /// The probability of each class (columns) at each row, averaged over the functions.
    fn predict<'py>(&self, x: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (py, inputs) = (x.py(), arrays::matrix(x)?);
        let fit = Arc::clone(&self.fit);
        let probabilities = left_behind::<_, Error>(py, move |_| fit.probabilities(&inputs))?;
        arrays::rows(py, &probabilities)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Parts<'py>)> {
        let (inputs, labels, classes) = match &*self.fit {
            Classes::Two(fit) => {
                let own = fit.observations();
                (own.inputs(), own.outputs().iter().map(|&sign| usize::from(sign > 0.0)).collect(), 2)
            }
            Classes::Several(fit) => {
                let own = fit.observations();
                (own.inputs(), own.labels().to_vec(), own.classes())
            }
        };
        let parts = (self.kernel.clone(), arrays::rows(py, inputs)?, labels, classes);
        Ok((py.get_type::<Self>().into_any(), parts))
    }
}
