//! How components are fitted to the observations that they are expected to have.

use posterior_dist::{Conjugate, ExponentialFamily, PriorDensity, Stats};
use posterior_math::check::{self, ParamError};

/// The M step of one component, and of the weights.
pub trait MaximizationStep<F: ExponentialFamily> {
    /// The distribution that fits these statistics best.
    ///
    /// # Errors
    /// If there is none.
    fn distribution(&self, stats: &Stats<F>) -> Result<F, ParamError>;

    /// ln p(θ) of a distribution; 0 without a prior.
    fn ln_prior(&self, distribution: &F) -> f64;

    /// α - 1 of the symmetric Dirichlet prior of the weights, what is added to each count; 0 without a prior.
    fn added_count(&self) -> f64;
}

/// Maximum likelihood.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MaximumLikelihood;

impl<F: ExponentialFamily> MaximizationStep<F> for MaximumLikelihood {
    fn distribution(&self, stats: &Stats<F>) -> Result<F, ParamError> {
        F::maximum_likelihood(stats)
    }

    fn ln_prior(&self, _: &F) -> f64 {
        0.0
    }

    fn added_count(&self) -> f64 {
        0.0
    }
}

/// The most probable parameters under the same conjugate prior for each component, and a symmetric Dirichlet
/// prior of the weights.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MostProbable<P> {
    component: P,
    added_count: f64,
}

impl<P> MostProbable<P> {
    /// With Dirichlet(α, …, α) weights; α = 1 is flat.
    ///
    /// # Errors
    /// If α is less than 1, where the most probable weights are on the edge, or not finite.
    pub fn new(component: P, alpha: f64) -> Result<Self, ParamError> {
        check::finite("MostProbable", "alpha", alpha)?;
        check::require(alpha >= 1.0, "MostProbable", "alpha", alpha, "at least 1")?;
        Ok(Self { component, added_count: alpha - 1.0 })
    }

    /// The prior of a component.
    pub const fn component(&self) -> &P {
        &self.component
    }
}

impl<F: Conjugate<P>, P: PriorDensity<F>> MaximizationStep<F> for MostProbable<P> {
    fn distribution(&self, stats: &Stats<F>) -> Result<F, ParamError> {
        let posterior = F::posterior(&self.component, stats)?;
        let distribution = F::most_probable(&posterior, stats.fixed())?;
        distribution
            .ok_or_else(|| ParamError::new("MostProbable", "weight", stats.weight(), "enough for a mode"))
    }

    fn ln_prior(&self, distribution: &F) -> f64 {
        self.component.ln_density_of(distribution)
    }

    fn added_count(&self) -> f64 {
        self.added_count
    }
}
