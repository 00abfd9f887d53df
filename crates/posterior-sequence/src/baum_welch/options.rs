//! How a hidden Markov model is fitted.

use posterior_inference::em::EmOptions;
use posterior_math::check::DimensionError;

use super::prior::DirichletPrior;
use crate::error::Error;

/// The M step of π.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum InitialUpdate {
    /// It is fitted.
    #[default]
    Learned,
    /// It stays.
    Fixed,
}

/// The M step of A.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum StepUpdate {
    /// Each row is fitted.
    #[default]
    Learned,
    /// It stays.
    Fixed,
    /// States with the same number share a row, which is learned from all of them: a number for each state.
    /// Equal rows at the start.
    Tied(Vec<usize>),
}

/// Options of the fit of a hidden Markov model.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BaumWelchOptions {
    /// The rule that stops the fit.
    pub em: EmOptions,
    /// The M step of π.
    pub initial: InitialUpdate,
    /// The M step of A.
    pub steps: StepUpdate,
    /// The prior of π; flat by default.
    pub initial_prior: DirichletPrior,
    /// The prior of the rows of A; flat by default.
    pub step_prior: DirichletPrior,
}

impl BaumWelchOptions {
    /// Whether they go with so many states.
    pub(super) fn check(&self, states: usize) -> Result<(), Error> {
        self.initial_prior.check(1, states)?;
        self.step_prior.check(states, states)?;
        match &self.steps {
            StepUpdate::Tied(groups) if groups.len() != states => {
                Err(DimensionError::new("numbers of tied rows", states, groups.len()).into())
            }
            _ => Ok(()),
        }
    }
}
