//! Which points satisfy the constraints of outcomes.

use super::{Learned, Optimizer, Trial};
use crate::Error;
use crate::optimization::{OutcomeNoise, Surrogate};

impl Optimizer {
    /// What is believed of each outcome with a bound after the trials that did not fail, without pending
    /// ones.
    ///
    /// # Errors
    /// [`Error::NoValue`] if there is no value yet; or a process cannot be fitted.
    pub fn constraint_surrogates(&self) -> Result<Vec<Surrogate>, Error> {
        self.fitted_constraints(self.learned.as_ref())
    }

    pub(super) fn fitted_constraints(&self, learned: Option<&Learned>) -> Result<Vec<Surrogate>, Error> {
        let known: Vec<&Trial> = self.trials.iter().filter(|trial| trial.value().is_some()).collect();
        if known.is_empty() {
            return Err(Error::NoValue);
        }
        let points: Vec<&[f64]> = known.iter().map(|trial| trial.point.as_slice()).collect();
        let of = |(index, noise): (usize, OutcomeNoise)| {
            let values: Vec<f64> = known.iter().map(|trial| trial.constrained[index]).collect();
            let learned = learned.and_then(|learned| learned.constraints.get(index)).map(Vec::as_slice);
            Surrogate::new(&self.space, &points, &values, learned, noise, &self.options)
        };
        self.options.constraints.iter().map(|constraint| constraint.noise).enumerate().map(of).collect()
    }

    /// Whether the outcomes of a trial kept their bounds, noise and all. One that failed has none.
    pub(super) fn keeps_bounds(&self, trial: &Trial) -> bool {
        let constraints = &self.options.constraints;
        trial.constrained.len() == constraints.len()
            && trial.constrained.iter().zip(constraints).all(|(own, constraint)| *own <= constraint.bound)
    }

    /// Whether each trial, and then each pending point, satisfies the constraints: by its outcomes where they
    /// are exact, else by what is expected of them.
    pub(super) fn feasible(&self, constraints: &[Surrogate]) -> Result<Vec<bool>, Error> {
        let trials = self.trials.iter().map(|trial| trial.value().is_some() || constraints.is_empty());
        let mut feasible: Vec<bool> = trials.chain(self.pending.iter().map(|_| true)).collect();
        let tried = self.trials.iter().map(|trial| &trial.point);
        let points: Vec<Vec<f64>> = tried.chain(&self.pending).cloned().collect();
        for (index, surrogate) in constraints.iter().enumerate() {
            let constraint = &self.options.constraints[index];
            let expected = surrogate.predict(&points)?.mean;
            for (row, feasible) in feasible.iter_mut().enumerate() {
                let exact = self.trials.get(row).filter(|_| constraint.noise == OutcomeNoise::None);
                let outcome = exact.and_then(|trial| trial.constrained.get(index));
                *feasible &= *outcome.unwrap_or(&expected[row]) <= constraint.bound;
            }
        }
        Ok(feasible)
    }
}
