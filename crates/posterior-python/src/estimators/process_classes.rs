//! Classes by Gaussian processes: of two the log-odds by Laplace's approximation, by inducing values or as a
//! Markov process; of several a function for each by Laplace's approximation.

use std::sync::Arc;

use posterior_dist::stream::stream;
use posterior_gp::classification::{
    LaplaceEvidence, LaplaceFit, ModeOptions, ObservationModel, SoftmaxEvidence, SoftmaxLaplace,
    SoftmaxObservations,
};
use posterior_gp::hyperparameters::{HyperparameterOptions, Learnable, fit};
use posterior_gp::kernel::KernelParameter;
use posterior_gp::likelihood::LogisticLikelihood;
use posterior_gp::solver::Solver;
use posterior_gp::sparse::inducing_by_variance;
use posterior_gp::variational::{
    InducingEvidence, MarkovEvidence, NaturalGradientOptions, VariationalInducing, VariationalMarkov,
};
use posterior_gp::{Error, GaussianProcess, Kernel, Noise};
use posterior_math::iteration::Observer;
use posterior_math::linalg::DMatrix;
use pyo3::prelude::*;

use super::processes::{process, solver};
use crate::arrays;
use crate::watched::{invalid, left_behind};

/// Draws of the functions of several classes: a standard error of half a percent at most.
const DRAWS: usize = 10_000;

/// Functions, given the numbers of classes, from 0.
#[pyclass(frozen, module = "posterior_rs._core")]
#[derive(Debug)]
pub(crate) struct GaussianProcessClasses {
    /// The kernel that was given.
    start: String,
    solver: (String, usize),
    /// The parameters that were learned, on the scale of a search.
    free: Option<Vec<f64>>,
    fit: Arc<Classes>,
}

#[derive(Debug)]
enum Classes {
    Two(LaplaceFit<LogisticLikelihood>),
    Inducing(VariationalInducing<LogisticLikelihood>),
    Markov(VariationalMarkov<LogisticLikelihood>),
    Several(SoftmaxLaplace),
}

/// What a fit is made of again: the kernel, the data, the solver, and what was learned.
type Parts<'py> = (String, Bound<'py, PyAny>, (Vec<usize>, usize), (String, usize), Option<Vec<f64>>);

/// What is to be fitted.
#[derive(Debug)]
enum Problem {
    Two(LaplaceEvidence<LogisticLikelihood>),
    Inducing(InducingEvidence<LogisticLikelihood>),
    Markov(MarkovEvidence<LogisticLikelihood>),
    Several(SoftmaxEvidence),
}

impl Problem {
    fn new(
        process: GaussianProcess,
        x: DMatrix<f64>,
        (y, classes): (&[usize], usize),
        solver: &Solver,
    ) -> Result<Self, Error> {
        let options = ModeOptions::default();
        let route = solver.route(&process, &x, &Noise::variance(1.0)?)?;
        if classes > 2 {
            let observations = SoftmaxObservations::new(x, y, classes)?;
            let kernels = vec![process.kernel().clone()];
            return Ok(Self::Several(SoftmaxEvidence::new(kernels, observations, options)));
        }
        let signs: Vec<f64> = y.iter().map(|&class| if class == 1 { 1.0 } else { -1.0 }).collect();
        let inducing = match *route.solver() {
            Solver::Sparse { inducing, .. } => Some(inducing_by_variance(process.kernel(), &x, inducing)),
            _ => None,
        };
        let observations = ObservationModel::new(x, &signs, LogisticLikelihood)?;
        let steps = NaturalGradientOptions::default();
        Ok(match (route.solver(), inducing) {
            (Solver::Markov(markov), _) => {
                Self::Markov(MarkovEvidence::new(process, observations, *markov, steps))
            }
            (_, Some(inducing)) => {
                Self::Inducing(InducingEvidence::new(process, observations, inducing, steps))
            }
            _ => Self::Two(LaplaceEvidence::new(process, observations, options)),
        })
    }

    /// The parameters of most evidence, on the scale of the search.
    fn learned(
        &self,
        options: &HyperparameterOptions,
        observer: &mut (impl Observer + ?Sized),
    ) -> Result<Vec<f64>, Error> {
        let report = match self {
            Self::Two(own) => fit(own, options, observer)?.report,
            Self::Inducing(own) => fit(own, options, observer)?.report,
            Self::Markov(own) => fit(own, options, observer)?.report,
            Self::Several(own) => fit(own, options, observer)?.report,
        };
        Ok(report.parameters.iter().map(|own| own.free).collect())
    }

    /// With the parameters that the kernel says, or these.
    fn solve(&self, free: Option<&[f64]>) -> Result<Classes, Error> {
        fn model<L: Learnable>(problem: &L, free: Option<&[f64]>) -> Result<L::Model, Error> {
            let given = || problem.parameters().iter().map(KernelParameter::free).collect();
            Ok(problem.model(&free.map_or_else(given, <[f64]>::to_vec))?.0)
        }
        Ok(match self {
            Self::Two(own) => Classes::Two(model(own, free)?),
            Self::Inducing(own) => Classes::Inducing(model(own, free)?),
            Self::Markov(own) => Classes::Markov(model(own, free)?),
            Self::Several(own) => Classes::Several(model(own, free)?),
        })
    }
}

impl Classes {
    fn kernel(&self) -> &Kernel {
        match self {
            Self::Two(fit) => fit.prior().kernel(),
            Self::Inducing(fit) => fit.prior().kernel(),
            Self::Markov(fit) => fit.prior().kernel(),
            Self::Several(fit) => fit.kernel(0),
        }
    }

    /// ln p(y) by Laplace's method, or a bound of it from below.
    fn ln_evidence(&self) -> f64 {
        match self {
            Self::Two(fit) => fit.ln_evidence(),
            Self::Inducing(fit) => fit.ln_bound(),
            Self::Markov(fit) => fit.ln_bound(),
            Self::Several(fit) => fit.ln_evidence(),
        }
    }

    /// The rows that it is of, and their classes.
    fn data(&self) -> (&DMatrix<f64>, Vec<usize>, usize) {
        let two = |own: &ObservationModel<LogisticLikelihood>| {
            own.outputs().iter().map(|&sign| usize::from(sign > 0.0)).collect()
        };
        match self {
            Self::Two(fit) => (fit.observations().inputs(), two(fit.observations()), 2),
            Self::Inducing(fit) => (fit.observations().inputs(), two(fit.observations()), 2),
            Self::Markov(fit) => (fit.observations().inputs(), two(fit.observations()), 2),
            Self::Several(fit) => {
                let own = fit.observations();
                (own.inputs(), own.labels().to_vec(), own.classes())
            }
        }
    }

    /// A row for each place, a column for each class.
    fn probabilities(&self, x: &DMatrix<f64>) -> Result<DMatrix<f64>, Error> {
        let latent = match self {
            Self::Two(fit) => fit.latent(x)?,
            Self::Inducing(fit) => fit.latent(x)?,
            Self::Markov(fit) => fit.latent(x)?,
            Self::Several(fit) => return fit.latent(x)?.mean_response(DRAWS, &mut stream(0, &[0])),
        };
        let second = latent.mean_response(&LogisticLikelihood);
        let of_class = |i: usize, class| if class == 1 { second[i] } else { 1.0 - second[i] };
        Ok(DMatrix::from_fn(x.nrows(), 2, of_class))
    }
}

#[pymethods]
impl GaussianProcessClasses {
    /// With the parameters that the kernel says, or those that were learned from there.
    #[new]
    #[pyo3(signature = (kernel, x, y, solver, free=None))]
    fn new(
        kernel: String,
        x: &Bound<'_, PyAny>,
        y: (Vec<usize>, usize),
        solver: (String, usize),
        free: Option<Vec<f64>>,
    ) -> PyResult<Self> {
        let problem = problem(&kernel, x, (&y.0, y.1), &solver)?;
        let (free, fit) = left_behind::<_, Error>(x.py(), move |_| {
            let fit = problem.solve(free.as_deref())?;
            Ok((free, fit))
        })?;
        Ok(Self { start: kernel, solver, free, fit: Arc::new(fit) })
    }

    /// With the parameters of most evidence.
    #[staticmethod]
    fn learn(
        kernel: String,
        x: &Bound<'_, PyAny>,
        y: (Vec<usize>, usize),
        solver: (String, usize),
        restarts: usize,
        seed: u64,
    ) -> PyResult<Self> {
        let problem = problem(&kernel, x, (&y.0, y.1), &solver)?;
        let (free, fit) = left_behind::<_, Error>(x.py(), move |signals| {
            let options = HyperparameterOptions { restarts, seed, ..HyperparameterOptions::default() };
            let free = problem.learned(&options, signals)?;
            let fit = problem.solve(Some(&free))?;
            Ok((free, fit))
        })?;
        Ok(Self { start: kernel, solver, free: Some(free), fit: Arc::new(fit) })
    }

    /// The kernel with its parameters.
    #[getter]
    fn kernel(&self) -> String {
        self.fit.kernel().to_string()
    }

    /// The way that was taken.
    #[getter]
    fn solver(&self) -> &'static str {
        match *self.fit {
            Classes::Two(_) | Classes::Several(_) => "exact",
            Classes::Inducing(_) => "sparse",
            Classes::Markov(_) => "markov",
        }
    }

    /// ln p(y) by Laplace's method, or a bound of it from below.
    #[getter]
    fn ln_evidence(&self) -> f64 {
        self.fit.ln_evidence()
    }

    /// The probability of each class (columns) at each row, averaged over the functions.
    fn predict<'py>(&self, x: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (py, inputs) = (x.py(), arrays::matrix(x)?);
        let fit = Arc::clone(&self.fit);
        let probabilities = left_behind::<_, Error>(py, move |_| fit.probabilities(&inputs))?;
        arrays::rows(py, &probabilities)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Parts<'py>)> {
        let (inputs, labels, classes) = self.fit.data();
        let x = arrays::rows(py, inputs)?;
        let parts = (self.start.clone(), x, (labels, classes), self.solver.clone(), self.free.clone());
        Ok((py.get_type::<Self>().into_any(), parts))
    }
}

/// The problem of arrays.
fn problem(
    kernel: &str,
    x: &Bound<'_, PyAny>,
    (y, classes): (&[usize], usize),
    (name, inducing): &(String, usize),
) -> PyResult<Problem> {
    let expected = if classes > 2 { &["auto", "exact"][..] } else { &["auto", "exact", "markov", "sparse"] };
    if !expected.contains(&name.as_str()) {
        let expected = expected.join(", ");
        return Err(invalid(format!(
            "solver: expected one of {expected} for {classes} classes, found {name:?}"
        )));
    }
    // No other way takes several classes, and this one says how many rows are too many.
    let solver = if classes > 2 { Solver::Dense } else { solver(name, *inducing)? };
    Problem::new(process(kernel)?, arrays::matrix(x)?, (y, classes), &solver).map_err(invalid)
}
