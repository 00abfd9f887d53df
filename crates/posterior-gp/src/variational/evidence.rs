//! The bounds, as functions of the parameters of kernel, mean function and likelihood: what
//! [`fit`](crate::hyperparameters::fit) climbs.

use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;

use super::{NaturalGradientOptions, VariationalInducing, VariationalMarkov};
use super::{variational_inducing, variational_markov};
use crate::classification::{LearnedPrior, ObservationModel};
use crate::hyperparameters::{Learnable, WeakPrior};
use crate::kernel::KernelParameter;
use crate::likelihood::{Likelihood, LogConcave};
use crate::markov::MarkovOptions;
use crate::{Error, GaussianProcess};

/// A prior, observations and inducing inputs, whose parameters are to be learned by the bound of
/// [`variational_inducing`] over all observations; the inducing inputs stay where they are.
#[derive(Debug, Clone)]
pub struct InducingEvidence<L: Likelihood> {
    start: LearnedPrior<L>,
    inducing: DMatrix<f64>,
    options: NaturalGradientOptions,
}

/// A prior and observations of one input, whose parameters are to be learned by the bound of
/// [`variational_markov`].
#[derive(Debug, Clone)]
pub struct MarkovEvidence<L: LogConcave> {
    start: LearnedPrior<L>,
    markov: MarkovOptions,
    options: NaturalGradientOptions,
}

impl<L: Likelihood> InducingEvidence<L> {
    /// With the parameters to start from. Mini-batches among the options are left out: a search needs the
    /// bound itself.
    pub const fn new(
        prior: GaussianProcess,
        observations: ObservationModel<L>,
        inducing: DMatrix<f64>,
        options: NaturalGradientOptions,
    ) -> Self {
        let options = NaturalGradientOptions { batches: None, ..options };
        Self { start: LearnedPrior { prior, observations }, inducing, options }
    }
}

impl<L: LogConcave> MarkovEvidence<L> {
    /// With the parameters to start from.
    pub const fn new(
        prior: GaussianProcess,
        observations: ObservationModel<L>,
        markov: MarkovOptions,
        options: NaturalGradientOptions,
    ) -> Self {
        Self { start: LearnedPrior { prior, observations }, markov, options }
    }
}

impl<L: Likelihood> Learnable for InducingEvidence<L> {
    type Model = VariationalInducing<L>;

    fn parameters(&self) -> Vec<KernelParameter> {
        self.start.parameters()
    }

    fn model(&self, free: &[f64]) -> Result<(Self::Model, f64), Error> {
        let LearnedPrior { prior, observations } = self.start.moved(free)?;
        let fitted = variational_inducing(&observations, &prior, &self.inducing, &self.options, &mut Silent)?;
        let bound = fitted.model.ln_bound();
        Ok((fitted.model, bound))
    }

    fn ln_evidence(&self, free: &[f64], gradient: &mut [f64]) -> Result<f64, Error> {
        let (model, bound) = self.model(free)?;
        gradient.copy_from_slice(&model.gradient().concat());
        Ok(bound)
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

impl<L: LogConcave> Learnable for MarkovEvidence<L> {
    type Model = VariationalMarkov<L>;

    fn parameters(&self) -> Vec<KernelParameter> {
        self.start.parameters()
    }

    fn model(&self, free: &[f64]) -> Result<(Self::Model, f64), Error> {
        let LearnedPrior { prior, observations } = self.start.moved(free)?;
        let fitted = variational_markov(&observations, &prior, &self.markov, &self.options, &mut Silent)?;
        let bound = fitted.model.ln_bound();
        Ok((fitted.model, bound))
    }

    fn ln_evidence(&self, free: &[f64], gradient: &mut [f64]) -> Result<f64, Error> {
        let (model, bound) = self.model(free)?;
        gradient.copy_from_slice(&model.gradient()?.concat());
        Ok(bound)
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
