//! The model: priors of the weights and of the components.

use posterior_dist::{Conjugate, Dirichlet, Gamma, PitmanYor};
use posterior_inference::variational::ConjugateFactor;
use posterior_math::check::ParamError;

use super::sticks::StickPrior;
use super::weights::MixtureWeightPrior;

/// A mixture of distributions of a family `F`, whose parameters have one prior `P`, and its weights a prior
/// too.
#[derive(Debug, Clone, PartialEq)]
pub struct BayesianMixture<F: Conjugate<P>, P> {
    weights: MixtureWeightPrior,
    /// A component without data.
    component: ConjugateFactor<F, P>,
}

impl<F: Conjugate<P>, P> BayesianMixture<F, P> {
    /// Weights and components with these priors; `fixed` is what the family holds fixed (`()`, a dimension,
    /// …).
    ///
    /// # Errors
    /// If what is fixed does not fit the prior.
    pub fn new(weights: MixtureWeightPrior, component: P, fixed: F::Fixed) -> Result<Self, ParamError> {
        Ok(Self { weights, component: ConjugateFactor::new(component, fixed)? })
    }

    /// `components` of them, with weights of the distribution Dirichlet(α, …, α). With α below 1 components
    /// that are not needed lose their points.
    ///
    /// # Errors
    /// If there are no components, α is not positive and finite, or what is fixed does not fit the prior.
    pub fn finite(components: usize, alpha: f64, component: P, fixed: F::Fixed) -> Result<Self, ParamError> {
        Self::new(MixtureWeightPrior::Dirichlet(Dirichlet::symmetric(components, alpha)?), component, fixed)
    }

    /// A Dirichlet or Pitman-Yor process, whose posterior has at most `truncation` components.
    ///
    /// # Errors
    /// If the truncation is zero, or what is fixed does not fit the prior.
    pub fn process(
        process: PitmanYor,
        truncation: usize,
        component: P,
        fixed: F::Fixed,
    ) -> Result<Self, ParamError> {
        Self::new(MixtureWeightPrior::Sticks(StickPrior::new(process, truncation)?), component, fixed)
    }

    /// A Dirichlet process with a concentration that is fitted.
    ///
    /// # Errors
    /// If the truncation is zero, or what is fixed does not fit the prior.
    pub fn learning_concentration(
        concentration: Gamma,
        truncation: usize,
        component: P,
        fixed: F::Fixed,
    ) -> Result<Self, ParamError> {
        let sticks = StickPrior::learning_concentration(concentration, truncation)?;
        Self::new(MixtureWeightPrior::Sticks(sticks), component, fixed)
    }

    /// The prior of the weights.
    pub const fn weights(&self) -> &MixtureWeightPrior {
        &self.weights
    }

    /// The prior of a component's parameters.
    pub const fn component(&self) -> &P {
        self.component.prior()
    }

    /// What the family holds fixed.
    pub const fn fixed(&self) -> &F::Fixed {
        self.component.statistics().fixed()
    }

    /// The number of components.
    pub fn components(&self) -> usize {
        self.weights.components()
    }

    /// A component without data.
    pub(super) const fn empty(&self) -> &ConjugateFactor<F, P> {
        &self.component
    }
}
