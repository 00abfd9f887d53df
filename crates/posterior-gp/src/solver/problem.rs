//! Regression by a route: a problem to condition on and to learn from.

use std::sync::Arc;

use posterior_dist::stream::stream;
use posterior_math::check;
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use rand::seq::index::sample;

use super::{AnyPosterior, Route, Solver};
use crate::hyperparameters::{FitReport, HyperparameterOptions, Learnable, Regression, WeakPrior, fit};
use crate::iterative::IterativePosterior;
use crate::kernel::KernelParameter;
use crate::markov::MarkovProcessPosterior;
use crate::sparse::{SparsePosterior, inducing_by_variance};
use crate::{Error, GaussianProcess, Noise};

/// A prior, noise and data, and the route by which they become a posterior.
#[derive(Debug, Clone)]
pub struct SolverRegression {
    regression: Regression,
    route: Route,
    /// Of the sparse route: chosen once, by the prior with its parameters to start from.
    inducing: Option<Arc<DMatrix<f64>>>,
}

impl SolverRegression {
    /// A prior process and noise with their parameters to start from, outputs at inputs, and the way to go.
    ///
    /// # Errors
    /// If the data can't be, as for [`GaussianProcess::condition`], or the route can't be taken, as for
    /// [`Solver::route`].
    pub fn new(
        process: GaussianProcess,
        noise: Noise,
        (inputs, outputs): (&DMatrix<f64>, &[f64]),
        solver: &Solver,
    ) -> Result<Self, Error> {
        let route = solver.route(&process, inputs, &noise)?;
        let regression = Regression::new(process, noise, inputs, outputs)?;
        let inducing = inducing(&route, &regression);
        Ok(Self { regression, route, inducing })
    }

    /// The route, and why it was chosen.
    pub const fn route(&self) -> &Route {
        &self.route
    }

    /// The prior, the noise and the data.
    pub const fn regression(&self) -> &Regression {
        &self.regression
    }

    /// The same with the parameters of most evidence in `count` of the observations, drawn at random, to
    /// start from: where one evidence of all is dear, the searches from many starts see a part. With the
    /// report of these searches, each of which is of an exact regression. Inducing inputs stay as they are.
    ///
    /// # Errors
    /// If there are fewer observations; those of [`fit`](crate::hyperparameters::fit()).
    pub fn begun_with_few(
        &self,
        count: usize,
        options: &HyperparameterOptions,
    ) -> Result<(Self, FitReport), Error> {
        let (inputs, outputs) = (self.regression.inputs(), self.regression.outputs());
        check::enough("observations", count, outputs.len())?;
        let mut rng = stream(options.seed, &[u64::MAX]);
        let mut rows = sample(&mut rng, outputs.len(), count).into_vec();
        rows.sort_unstable();
        let some: Vec<f64> = rows.iter().map(|&row| outputs[row]).collect();
        let (process, noise) = (self.regression.process().clone(), self.regression.noise());
        let few = Regression::new(process, noise.of_rows(&rows), &inputs.select_rows(&rows), &some)?;
        let report = fit(&few, options, &mut Silent)?.report;
        let free: Vec<f64> = report.parameters.iter().map(|own| own.free).collect();
        let (process, noise) = self.regression.at(&free)?;
        let regression = Regression::new(process, noise, inputs, outputs.as_slice())?;
        Ok((Self { regression, route: self.route.clone(), inducing: self.inducing.clone() }, report))
    }

    /// The posterior, with the parameters as they are.
    ///
    /// # Errors
    /// Those of the route: a covariance that is not positive semidefinite, an observation without noise where
    /// there must be some.
    pub fn condition(&self) -> Result<AnyPosterior, Error> {
        self.posterior(self.regression.process(), self.regression.noise())
    }

    fn posterior(&self, process: &GaussianProcess, noise: &Noise) -> Result<AnyPosterior, Error> {
        let data = (self.regression.inputs(), self.regression.outputs().as_slice());
        match (&self.route.solver, &self.inducing) {
            (Solver::Markov(options), _) => {
                let posterior = MarkovProcessPosterior::new(process, data, noise, options)?;
                Ok(AnyPosterior::Markov(Box::new(posterior)))
            }
            (Solver::Iterative(options), _) => {
                let posterior = IterativePosterior::new(process, data, noise, options)?;
                Ok(AnyPosterior::Iterative(Box::new(posterior)))
            }
            (Solver::Sparse { approximation, .. }, Some(inducing)) => {
                let posterior = SparsePosterior::new(process, data, noise, inducing, *approximation)?;
                Ok(AnyPosterior::Sparse(Box::new(posterior)))
            }
            _ => Ok(AnyPosterior::Dense(Box::new(process.condition(data.0, data.1, noise)?))),
        }
    }
}

/// The inducing inputs of a route that has some.
fn inducing(route: &Route, regression: &Regression) -> Option<Arc<DMatrix<f64>>> {
    let Solver::Sparse { inducing, .. } = route.solver else { return None };
    Some(Arc::new(inducing_by_variance(regression.process().kernel(), regression.inputs(), inducing)))
}

impl Learnable for SolverRegression {
    type Model = AnyPosterior;

    fn parameters(&self) -> Vec<KernelParameter> {
        self.regression.parameters()
    }

    fn model(&self, free: &[f64]) -> Result<(AnyPosterior, f64), Error> {
        let (process, noise) = self.regression.at(free)?;
        let posterior = self.posterior(&process, &noise)?;
        let ln_evidence = posterior.ln_evidence();
        Ok((posterior, ln_evidence))
    }

    fn ln_evidence(&self, free: &[f64], gradient: &mut [f64]) -> Result<f64, Error> {
        let (posterior, ln_evidence) = self.model(free)?;
        gradient.copy_from_slice(&posterior.gradient()?);
        Ok(ln_evidence)
    }

    fn scales(&self) -> Vec<f64> {
        self.regression.scales()
    }

    fn start_ranges(&self) -> Vec<(f64, f64)> {
        self.regression.start_ranges()
    }

    fn weak_priors(&self) -> Vec<WeakPrior> {
        self.regression.weak_priors()
    }

    fn observations(&self) -> usize {
        self.regression.observations()
    }
}
