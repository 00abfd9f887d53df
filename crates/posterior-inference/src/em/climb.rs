//! A model with what its E step found, and how the objective may move from one to the next.

use super::problem::{Expected, Problem};

/// A model, the statistics that it expects, and its objective.
pub(super) struct Place<P: Problem + ?Sized> {
    pub(super) model: P::Model,
    pub(super) statistics: P::Statistics,
    pub(super) objective: f64,
}

impl<P: Problem + ?Sized> Place<P> {
    /// The E step at `model`.
    pub(super) fn at(problem: &P, model: P::Model) -> Result<Self, P::Error> {
        let Expected { statistics, ln_likelihood } = problem.e_step(&model)?;
        let objective = ln_likelihood + problem.ln_prior(&model);
        Ok(Self { model, statistics, objective })
    }

    /// The M step, and the E step at what it returns.
    pub(super) fn next(&self, problem: &P) -> Result<Self, P::Error> {
        Self::at(problem, problem.m_step(&self.statistics, &self.model)?)
    }
}
