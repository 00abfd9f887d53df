//! The evidences, as functions of the parameters of kernel, mean function and likelihood: what
//! [`fit`](crate::hyperparameters::fit) climbs.

use posterior_math::check;
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;

use super::expectation_propagation::{ExpectationPropagation, PropagationOptions, expectation_propagation};
use super::laplace::{LaplaceFit, ModeOptions, laplace};
use super::observations::ObservationModel;
use super::softmax::{SoftmaxLaplace, SoftmaxObservations, softmax};
use crate::hyperparameters::{Learnable, WeakPrior, start};
use crate::kernel::KernelParameter;
use crate::likelihood::{Likelihood, LogConcave};
use crate::{Error, GaussianProcess, Kernel};

/// A prior and observations, whose parameters are to be learned by Laplace's evidence.
///
/// With enough amplitude, classes that can be separated are explained by ever larger functions: the evidence
/// may have no maximum, and a parameter then ends at a limit.
///
/// ```
/// use posterior_gp::classification::{LaplaceEvidence, ModeOptions, ObservationModel};
/// use posterior_gp::hyperparameters::{HyperparameterOptions, fit};
/// use posterior_gp::likelihood::PoissonLikelihood;
/// use posterior_gp::{GaussianProcess, Kernel, Mean};
/// use posterior_math::iteration::Silent;
/// use posterior_math::linalg::DMatrix;
///
/// let counts = [3, 5, 4, 9, 14, 19, 13, 8, 5, 2].map(Into::into);
/// let observations = ObservationModel::new(DMatrix::from_fn(10, 1, |i, _| i as f64), &counts, PoissonLikelihood)?;
/// let prior = GaussianProcess::new(1.0 * Kernel::rbf(1.0)?).with_mean(Mean::constant(1.0)?);
/// let problem = LaplaceEvidence::new(prior, observations, ModeOptions::default());
/// let fitted = fit(&problem, &HyperparameterOptions::default(), &mut Silent)?;
/// assert!(fitted.report.search.converged());
/// assert!(fitted.model.ln_evidence() > -29.0);
/// # Ok::<(), posterior_gp::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct LaplaceEvidence<L: Likelihood> {
    start: LearnedPrior<L>,
    options: ModeOptions,
}

/// A prior and observations, whose parameters are to be learned by the evidence of expectation propagation.
#[derive(Debug, Clone)]
pub struct PropagationEvidence<L: LogConcave> {
    start: LearnedPrior<L>,
    options: PropagationOptions,
}

/// Kernels and observed classes, whose parameters are to be learned by the evidence of the softmax.
///
/// One kernel that all classes share, or one for each: the names of their parameters then begin with
/// `class[0].`, and so on.
#[derive(Debug, Clone)]
pub struct SoftmaxEvidence {
    kernels: Vec<Kernel>,
    observations: SoftmaxObservations,
    options: ModeOptions,
}

impl<L: Likelihood> LaplaceEvidence<L> {
    /// With the parameters to start from.
    pub const fn new(
        prior: GaussianProcess,
        observations: ObservationModel<L>,
        options: ModeOptions,
    ) -> Self {
        Self { start: LearnedPrior { prior, observations }, options }
    }
}

impl<L: LogConcave> PropagationEvidence<L> {
    /// With the parameters to start from.
    pub const fn new(
        prior: GaussianProcess,
        observations: ObservationModel<L>,
        options: PropagationOptions,
    ) -> Self {
        Self { start: LearnedPrior { prior, observations }, options }
    }
}

impl SoftmaxEvidence {
    /// With the parameters to start from.
    pub const fn new(kernels: Vec<Kernel>, observations: SoftmaxObservations, options: ModeOptions) -> Self {
        Self { kernels, observations, options }
    }
}

impl<L: Likelihood> Learnable for LaplaceEvidence<L> {
    type Model = LaplaceFit<L>;

    fn parameters(&self) -> Vec<KernelParameter> {
        self.start.parameters()
    }

    fn model(&self, free: &[f64]) -> Result<(LaplaceFit<L>, f64), Error> {
        let LearnedPrior { prior, observations } = self.start.moved(free)?;
        let model = laplace(&observations, &prior, &self.options, &mut Silent)?.model;
        let ln_evidence = model.ln_evidence();
        Ok((model, ln_evidence))
    }

    fn ln_evidence(&self, free: &[f64], gradient: &mut [f64]) -> Result<f64, Error> {
        let (model, ln_evidence) = self.model(free)?;
        gradient.copy_from_slice(&model.gradient().concat());
        Ok(ln_evidence)
    }

    fn start_ranges(&self) -> Vec<(f64, f64)> {
        self.start.ranges()
    }

    fn weak_priors(&self) -> Vec<WeakPrior> {
        self.start.weak_priors()
    }

    fn observations(&self) -> usize {
        self.start.observations.len()
    }
}

impl<L: LogConcave> Learnable for PropagationEvidence<L> {
    type Model = ExpectationPropagation<L>;

    fn parameters(&self) -> Vec<KernelParameter> {
        self.start.parameters()
    }

    fn model(&self, free: &[f64]) -> Result<(ExpectationPropagation<L>, f64), Error> {
        let LearnedPrior { prior, observations } = self.start.moved(free)?;
        let model = expectation_propagation(&observations, &prior, &self.options, &mut Silent)?.model;
        let ln_evidence = model.ln_evidence();
        Ok((model, ln_evidence))
    }

    fn ln_evidence(&self, free: &[f64], gradient: &mut [f64]) -> Result<f64, Error> {
        let (model, ln_evidence) = self.model(free)?;
        gradient.copy_from_slice(&model.gradient().concat());
        Ok(ln_evidence)
    }

    fn start_ranges(&self) -> Vec<(f64, f64)> {
        self.start.ranges()
    }

    fn weak_priors(&self) -> Vec<WeakPrior> {
        self.start.weak_priors()
    }

    fn observations(&self) -> usize {
        self.start.observations.len()
    }
}

impl Learnable for SoftmaxEvidence {
    type Model = SoftmaxLaplace;

    fn parameters(&self) -> Vec<KernelParameter> {
        let several = self.kernels.len() > 1;
        let of_class = |(class, kernel): (usize, &Kernel)| {
            let named = move |parameter: KernelParameter| {
                let name =
                    if several { format!("class[{class}].{}", parameter.name) } else { parameter.name };
                KernelParameter { name, ..parameter }
            };
            kernel.parameters().into_iter().map(named).collect::<Vec<_>>()
        };
        self.kernels.iter().enumerate().flat_map(of_class).collect()
    }

    fn model(&self, free: &[f64]) -> Result<(SoftmaxLaplace, f64), Error> {
        check_count(free, self.parameters().len())?;
        let mut rest = free;
        let mut kernels = Vec::with_capacity(self.kernels.len());
        for kernel in &self.kernels {
            let (own, others) = rest.split_at(kernel.parameters().len());
            kernels.push(kernel.with_free_parameters(own)?);
            rest = others;
        }
        let model = softmax(&self.observations, &kernels, &self.options, &mut Silent)?.model;
        let ln_evidence = model.ln_evidence();
        Ok((model, ln_evidence))
    }

    fn ln_evidence(&self, free: &[f64], gradient: &mut [f64]) -> Result<f64, Error> {
        let (model, ln_evidence) = self.model(free)?;
        gradient.copy_from_slice(&model.gradient().concat());
        Ok(ln_evidence)
    }

    fn start_ranges(&self) -> Vec<(f64, f64)> {
        ranges(&self.parameters(), self.observations.inputs(), 1.0)
    }

    fn weak_priors(&self) -> Vec<WeakPrior> {
        weak_priors(&self.parameters(), self.observations.inputs(), 1.0)
    }

    fn observations(&self) -> usize {
        self.observations.labels().len()
    }
}

/// A prior and observations with the parameters to start from.
#[derive(Debug, Clone)]
pub(crate) struct LearnedPrior<L: Likelihood> {
    pub(crate) prior: GaussianProcess,
    pub(crate) observations: ObservationModel<L>,
}

impl<L: Likelihood> LearnedPrior<L> {
    pub(crate) fn parameters(&self) -> Vec<KernelParameter> {
        let mut parameters = self.prior.kernel().parameters();
        parameters.extend(self.prior.mean().parameters());
        parameters.extend(self.observations.likelihood().parameters());
        parameters
    }

    /// The variance of where the likelihoods of the observations have their modes; 1 where some have none, as
    /// those of classes.
    fn spread(&self) -> f64 {
        let outputs = self.observations.outputs().iter();
        let modes: Option<Vec<f64>> =
            outputs.map(|&own| Some(self.observations.likelihood().matched_gaussian(own)?.0)).collect();
        modes.map_or(1.0, |modes| start::variance(&modes))
    }

    /// Ranges for starts.
    pub(crate) fn ranges(&self) -> Vec<(f64, f64)> {
        ranges(&self.parameters(), self.observations.inputs(), self.spread())
    }

    /// What is assumed where parameters are integrated out.
    pub(crate) fn weak_priors(&self) -> Vec<WeakPrior> {
        weak_priors(&self.parameters(), self.observations.inputs(), self.spread())
    }

    /// The same with other parameters.
    pub(crate) fn moved(&self, free: &[f64]) -> Result<Self, Error> {
        let parameters = self.parameters();
        check_count(free, parameters.len())?;
        let values: Vec<f64> =
            parameters.iter().zip(free).map(|(parameter, &free)| parameter.scale.value(free)).collect();
        let (kernel, rest) = values.split_at(self.prior.kernel().parameters().len());
        let (mean, likelihood) = rest.split_at(self.prior.mean().parameters().len());
        let prior = GaussianProcess::new(self.prior.kernel().with_parameters(kernel)?)
            .with_mean(self.prior.mean().with_parameters(mean)?);
        let likelihood = self.observations.likelihood().with_parameters(likelihood)?;
        Ok(Self { prior, observations: self.observations.clone().with_likelihood(likelihood) })
    }
}

/// Ranges for starts, of functions with about this variance.
fn ranges(parameters: &[KernelParameter], inputs: &DMatrix<f64>, spread: f64) -> Vec<(f64, f64)> {
    start::ranges(parameters, &vec![1.0; parameters.len()], inputs, spread)
}

/// Weak priors of the same.
fn weak_priors(parameters: &[KernelParameter], inputs: &DMatrix<f64>, spread: f64) -> Vec<WeakPrior> {
    start::weak_priors(parameters, &vec![1.0; parameters.len()], inputs, spread)
}

fn check_count(free: &[f64], expected: usize) -> Result<(), Error> {
    Ok(check::dimension("free parameters", expected, free.len())?)
}
