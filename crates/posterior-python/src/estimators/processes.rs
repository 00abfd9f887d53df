//! Regression by a Gaussian process, with kernels as they are written.

use std::sync::Arc;

use posterior_gp::hyperparameters::{FitReport, HyperparameterOptions, Learnable as _, fit};
use posterior_gp::iterative::IterativeOptions;
use posterior_gp::kernel::Kernel;
use posterior_gp::markov::MarkovOptions;
use posterior_gp::regression::GaussianProcess;
use posterior_gp::solver::{AnyPosterior, Solver, SolverRegression};
use posterior_gp::sparse::SparseApproximation;
use posterior_gp::{Error, Noise};
use posterior_math::linalg::DMatrix;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays;
use crate::watched::{invalid, left_behind};

/// Rows that searches from several starts see, of more than twice as many.
const FEW: usize = 500;

/// A function given values with noise.
#[pyclass(frozen, module = "posterior_rs._core")]
#[derive(Debug)]
pub(crate) struct GaussianProcessFit {
    /// The kernel and the noise that were given.
    start: (String, f64),
    solver: (String, usize),
    problem: Arc<SolverRegression>,
    /// The parameters that were learned, on the scale of a search.
    free: Option<Vec<f64>>,
    posterior: Arc<AnyPosterior>,
}

/// What a fit is made of again: kernel and noise, the data, the solver, and what was learned.
type Parts<'py> = (String, f64, Bound<'py, PyAny>, Bound<'py, PyAny>, (String, usize), Option<Vec<f64>>);

/// The process of mean 0 with a kernel as it is written.
pub(super) fn process(kernel: &str) -> PyResult<GaussianProcess> {
    let kernel: Kernel = kernel.parse().map_err(|error| invalid(format!("kernel {kernel:?}: {error}")))?;
    Ok(GaussianProcess::new(kernel))
}

/// The solver of a name, with so many inducing inputs where it has some.
pub(super) fn solver(name: &str, inducing: usize) -> PyResult<Solver> {
    match name {
        "auto" => Ok(Solver::Auto),
        "exact" => Ok(Solver::Dense),
        "markov" => Ok(Solver::Markov(MarkovOptions::default())),
        "sparse" => Ok(Solver::Sparse { inducing, approximation: SparseApproximation::Variational }),
        "iterative" => Ok(Solver::Iterative(IterativeOptions::default())),
        _ => {
            let expected = "auto, exact, markov, sparse or iterative";
            Err(PyValueError::new_err(format!("solver: expected {expected}, found {name:?}")))
        }
    }
}

/// The problem of arrays, with a noise to learn or a known one.
fn problem(
    (kernel, noise): (&str, f64),
    (x, y): (&Bound<'_, PyAny>, &Bound<'_, PyAny>),
    (name, inducing): (&str, usize),
    learned: bool,
) -> PyResult<SolverRegression> {
    let (process, solver) = (process(kernel)?, solver(name, inducing)?);
    let (inputs, outputs) = (arrays::matrix(x)?, arrays::vector(y)?);
    let noise = if learned { Noise::variance(noise) } else { Noise::known(noise) };
    SolverRegression::new(process, noise.map_err(invalid)?, (&inputs, &outputs), &solver).map_err(invalid)
}

fn free(report: &FitReport) -> Vec<f64> {
    report.parameters.iter().map(|own| own.free).collect()
}

#[pymethods]
impl GaussianProcessFit {
    /// With the parameters that kernel and noise say, or those that were learned from there.
    #[new]
    #[pyo3(signature = (kernel, noise, x, y, solver, free=None))]
    fn new(
        kernel: &str,
        noise: f64,
        x: &Bound<'_, PyAny>,
        y: &Bound<'_, PyAny>,
        solver: (String, usize),
        free: Option<Vec<f64>>,
    ) -> PyResult<Self> {
        let problem = problem((kernel, noise), (x, y), (&solver.0, solver.1), free.is_some())?;
        let (problem, posterior, free) = left_behind::<_, Error>(x.py(), move |_| {
            let posterior = match &free {
                None => problem.condition()?,
                Some(free) => problem.model(free)?.0,
            };
            Ok((problem, posterior, free))
        })?;
        let start = (kernel.to_owned(), noise);
        Ok(Self { start, solver, problem: Arc::new(problem), free, posterior: Arc::new(posterior) })
    }

    /// With the parameters of most evidence.
    #[staticmethod]
    fn learn(
        start: (String, f64),
        x: &Bound<'_, PyAny>,
        y: &Bound<'_, PyAny>,
        solver: (String, usize),
        restarts: usize,
        seed: u64,
    ) -> PyResult<Self> {
        let problem = problem((&start.0, start.1), (x, y), (&solver.0, solver.1), true)?;
        let (problem, posterior, free) = left_behind::<_, Error>(x.py(), move |signals| {
            let mut options = HyperparameterOptions { restarts, seed, ..HyperparameterOptions::default() };
            let mut problem = problem;
            if problem.regression().inputs().nrows() > 2 * FEW && restarts > 0 {
                problem = problem.begun_with_few(FEW, &options)?.0;
                options.restarts = 0;
            }
            let free = free(&fit(&problem, &options, signals)?.report);
            let posterior = problem.model(&free)?.0;
            Ok((problem, posterior, free))
        })?;
        let (problem, posterior) = (Arc::new(problem), Arc::new(posterior));
        Ok(Self { start, solver, problem, free: Some(free), posterior })
    }

    /// The kernel with its parameters.
    #[getter]
    fn kernel(&self) -> String {
        self.posterior.prior().kernel().to_string()
    }

    /// The variance of the noise.
    #[getter]
    fn noise(&self) -> f64 {
        self.posterior.noise().of_new_observation().unwrap_or(self.start.1)
    }

    /// The way that was taken.
    #[getter]
    fn solver(&self) -> &'static str {
        match self.problem.route().name() {
            "dense" => "exact",
            other => other,
        }
    }

    /// ln p(y), or a bound of it from below.
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
        let found = left_behind::<_, Error>(py, move |_| {
            Ok(match &*posterior {
                AnyPosterior::Dense(own) => Some(own.covariance(&inputs)?),
                AnyPosterior::Sparse(own) => Some(own.covariance(&inputs)?),
                _ => None,
            })
        })?;
        let found = found.ok_or_else(|| {
            let solver = self.solver();
            invalid(format!("covariances between rows: solver={solver:?} has none, exact and sparse have"))
        })?;
        arrays::rows(py, &found)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Parts<'py>)> {
        let own = self.problem.regression();
        let x = arrays::rows(py, own.inputs())?;
        let y = arrays::array(py, own.outputs().as_slice());
        let (kernel, noise) = self.start.clone();
        let parts = (kernel, noise, x, y, self.solver.clone(), self.free.clone());
        Ok((py.get_type::<Self>().into_any(), parts))
    }
}
