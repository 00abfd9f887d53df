//! The posterior of the parameters, for samplers.

use posterior_dist::target::{EvalError, GradTarget, Target};

use super::{HyperparameterOptions, Learnable, Prior};
use crate::Error;
use crate::kernel::KernelParameter;

/// ln p(y | θ) + ln p(θ) + ln |dθ/dφ| of the free parameters φ: what a sampler moves on.
///
/// Draws of φ become values by [`values`](Self::values). Predictions then are averages over draws, and no
/// longer as sure of themselves as those of the best parameters.
///
/// ```
/// use posterior_dist::Gamma;
/// use posterior_dist::target::{GradTarget, Target};
/// use posterior_gp::hyperparameters::{HyperparameterOptions, HyperparameterTarget, Prior, Regression};
/// use posterior_gp::{GaussianProcess, Kernel, Noise};
/// use posterior_math::linalg::DMatrix;
///
/// let x = DMatrix::from_column_slice(4, 1, &[0.0, 0.7, 1.1, 2.0]);
/// let prior = GaussianProcess::new(Kernel::rbf(1.0)?);
/// let problem = Regression::new(prior, Noise::known(0.01)?, &x, &[0.1, 0.7, 0.8, 0.9])?;
/// let options = HyperparameterOptions::default().with_prior("rbf.length_scale", Prior::distribution(Gamma::shape_rate(2.0, 1.0)?));
/// let target = HyperparameterTarget::new(problem, &options)?;
/// let mut gradient = [0.0];
/// assert_eq!(target.ln_density_grad(&[0.5], &mut gradient)?, target.ln_density(&[0.5])?);
/// assert_eq!(target.values(&[0.0]), [1.0]);
/// // posterior_sampling: Run::default().sample(&target, &Nuts::default(), &Start::default())
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct HyperparameterTarget<L> {
    problem: L,
    parameters: Vec<KernelParameter>,
    priors: Vec<Prior>,
}

impl<L: Learnable> HyperparameterTarget<L> {
    /// The posterior with the priors of these options.
    ///
    /// # Errors
    /// If a parameter has no prior: the evidence alone does not fall off to the sides, and is no density.
    pub fn new(problem: L, options: &HyperparameterOptions) -> Result<Self, Error> {
        let parameters = problem.parameters();
        let priors = options.priors_of(&parameters)?;
        let priors = priors
            .into_iter()
            .zip(&parameters)
            .map(|(prior, parameter)| prior.ok_or_else(|| Error::NoPrior { name: parameter.name.clone() }));
        Ok(Self { priors: priors.collect::<Result<_, _>>()?, problem, parameters })
    }

    /// The model and the data.
    pub const fn problem(&self) -> &L {
        &self.problem
    }

    /// The values of the parameters at free ones.
    pub fn values(&self, free: &[f64]) -> Vec<f64> {
        self.parameters.iter().zip(free).map(|(parameter, &free)| parameter.scale.value(free)).collect()
    }

    /// The names of the parameters.
    pub fn names(&self) -> Vec<String> {
        self.parameters.iter().map(|parameter| parameter.name.clone()).collect()
    }
}

impl<L: Learnable> Target for HyperparameterTarget<L> {
    fn dim(&self) -> usize {
        self.parameters.len()
    }

    fn ln_density(&self, free: &[f64]) -> Result<f64, EvalError> {
        let (_, mut density) = self.problem.model(free).map_err(EvalError::reject)?;
        for ((parameter, prior), &free) in self.parameters.iter().zip(&self.priors).zip(free) {
            density += prior.ln_density(parameter.scale.value(free)).0 + parameter.scale.slope(free).ln();
        }
        finite(density)
    }
}

impl<L: Learnable> GradTarget for HyperparameterTarget<L> {
    fn ln_density_grad(&self, free: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        let mut density = self.problem.ln_evidence(free, gradient).map_err(EvalError::reject)?;
        for (index, (parameter, prior)) in self.parameters.iter().zip(&self.priors).enumerate() {
            let slope = parameter.scale.slope(free[index]);
            let (ln_prior, prior_slope) = prior.ln_density(parameter.scale.value(free[index]));
            density += ln_prior + slope.ln();
            gradient[index] += prior_slope * slope + parameter.scale.ln_slope_derivative();
        }
        finite(density)
    }
}

/// A density that a sampler can take.
fn finite(density: f64) -> Result<f64, EvalError> {
    if density.is_finite() { Ok(density) } else { Err(EvalError::reject(format!("ln p is {density}"))) }
}
