//! The weights of the components: a Dirichlet distribution, or a broken stick.

use posterior_dist::{Categorical, Conjugate, Dirichlet, Entropy, KlDivergence, Stats};
use posterior_inference::variational::ConjugateFactor;
use posterior_math::check::ParamError;

use super::sticks::{StickFactor, StickPrior};

/// The prior of the weights.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum MixtureWeightPrior {
    /// Of finitely many weights.
    Dirichlet(Dirichlet),
    /// Of the first weights of a Dirichlet or Pitman-Yor process.
    Sticks(StickPrior),
}

/// The factor q(π) of the weights, with its prior.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum WeightFactor {
    /// Of finitely many weights.
    Dirichlet(ConjugateFactor<Categorical, Dirichlet>),
    /// Of the first weights of a Dirichlet or Pitman-Yor process.
    Sticks(StickFactor),
}

impl MixtureWeightPrior {
    /// The number of components.
    pub fn components(&self) -> usize {
        match self {
            Self::Dirichlet(distribution) => distribution.concentration().len(),
            Self::Sticks(distribution) => distribution.truncation(),
        }
    }

    /// Whether a concentration is fitted.
    pub(super) const fn learns_concentration(&self) -> bool {
        matches!(self, Self::Sticks(sticks) if sticks.concentration().is_some())
    }

    /// The factor before any data.
    pub(super) fn factor(&self) -> Result<WeightFactor, ParamError> {
        Ok(match self {
            Self::Dirichlet(distribution) => WeightFactor::Dirichlet(ConjugateFactor::new(
                distribution.clone(),
                distribution.concentration().len(),
            )?),
            Self::Sticks(distribution) => WeightFactor::Sticks(distribution.factor()?),
        })
    }
}

impl WeightFactor {
    /// E π_k, which sum to one.
    pub fn expected(&self) -> Vec<f64> {
        match self {
            Self::Dirichlet(factor) => {
                let distribution = factor.posterior();
                distribution.concentration().iter().map(|alpha| alpha / distribution.total()).collect()
            }
            Self::Sticks(factor) => factor.expected(),
        }
    }

    /// E ln π_k.
    pub fn expected_ln(&self) -> Vec<f64> {
        match self {
            Self::Dirichlet(factor) => factor.posterior().expected_ln(),
            Self::Sticks(factor) => factor.expected_ln(),
        }
    }

    /// Updates q(π) with expected counts; of sticks, with the concentration as it is.
    pub(super) fn update(&mut self, counts: &[f64]) -> Result<(), ParamError> {
        match self {
            Self::Dirichlet(factor) => factor.update(labels(counts)?),
            Self::Sticks(factor) => factor.update_sticks(counts),
        }
    }

    /// Updates a concentration that is fitted.
    pub(super) fn update_concentration(&mut self) -> Result<(), ParamError> {
        match self {
            Self::Dirichlet(_) => Ok(()),
            Self::Sticks(factor) => factor.update_concentration(),
        }
    }

    /// E ln p(z | π) - KL(q(π) ‖ p(π)), of counts that q(π) would have if it were updated with them: without
    /// terms of the size of the counts that cancel.
    pub(super) fn ln_evidence(&self, counts: &[f64]) -> Result<f64, ParamError> {
        match self {
            Self::Dirichlet(factor) => Categorical::ln_evidence(factor.prior(), &labels(counts)?),
            Self::Sticks(factor) => factor.ln_evidence(counts),
        }
    }

    /// KL(q(π) ‖ p(π)), with that of a fitted concentration.
    pub(super) fn divergence(&self) -> Result<f64, ParamError> {
        match self {
            Self::Dirichlet(factor) => Ok(factor.posterior().kl_divergence(factor.prior())),
            Self::Sticks(factor) => factor.divergence(),
        }
    }

    /// The entropy of q(π), with that of a fitted concentration.
    pub(super) fn entropy(&self) -> f64 {
        match self {
            Self::Dirichlet(factor) => factor.posterior().entropy(),
            Self::Sticks(factor) => factor.entropy(),
        }
    }

    /// E ln p(z | π) = Σ N_k E ln π_k; a component without points adds nothing, improbable as it may be.
    pub(super) fn expected_ln_assignments(&self, counts: &[f64]) -> f64 {
        let term = |(&count, &ln): (&f64, &f64)| if count == 0.0 { 0.0 } else { count * ln };
        counts.iter().zip(&self.expected_ln()).map(term).sum()
    }
}

/// Expected labels as statistics.
fn labels(counts: &[f64]) -> Result<Stats<Categorical>, ParamError> {
    Stats::from_totals(counts.len(), counts.to_vec(), counts.iter().sum(), 0.0)
}
