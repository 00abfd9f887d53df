//! What every component of a series can do.

use posterior_math::autodiff::Real;
use posterior_math::check::ParamError;

use super::arma::Arma;
use super::cycle::Cycle;
use super::markov::Markov;
use super::regression::Regression;
use super::seasonal::{Dummies, Waves};
use super::trend::{Level, Trend};
use crate::continuous::block::Block;
use crate::learning::ParameterScale;

/// Whether time goes in steps of one, or in steps of any length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Timing {
    Regular,
    Irregular,
}

/// A component as a function of the values of its parameters.
pub(super) trait Part {
    /// What it is called where nothing else is said.
    fn name(&self) -> &'static str;

    /// Names and scales of its parameters.
    fn parameters(&self) -> Vec<(String, ParameterScale)>;

    /// How many numbers it keeps.
    fn states(&self, timing: Timing) -> usize;

    /// Writes what is seen of them at the observation number `t`.
    fn write_row(&self, t: usize, row: &mut [f64]);

    /// Whether the row depends on the time, and then for how many there is one.
    fn times(&self) -> Option<usize> {
        None
    }

    /// Names and rows of what is worth looking at.
    fn signals(&self, _states: usize) -> Vec<(String, Option<usize>)> {
        vec![(self.name().to_owned(), None)]
    }

    /// Whether it makes sense with steps of any length.
    fn check(&self, _timing: Timing) -> Result<(), ParamError> {
        Ok(())
    }

    /// The first time at which there is such a component.
    fn origin(&self) -> f64 {
        f64::NEG_INFINITY
    }

    /// Whether steps of one length are alike.
    fn has_even_steps(&self) -> bool {
        true
    }

    /// Writes A and Q of a step that starts at a time, with a length; the blocks are zero before.
    fn step<R: Real>(
        &self,
        values: &[R],
        timing: Timing,
        step: (f64, f64),
        transition: &mut Block<'_, R>,
        noise: &mut Block<'_, R>,
    );

    /// Writes the covariance at a time, and says whether there is none: the start is then diffuse, and the
    /// block stays zero.
    fn start<R: Real>(&self, values: &[R], time: f64, covariance: &mut Block<'_, R>) -> Start;
}

/// What is known of a component at the first time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    /// Its covariance.
    Known,
    /// Nothing.
    Diffuse,
}

/// Any component.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    Level(Level),
    Trend(Trend),
    Dummies(Dummies),
    Waves(Waves),
    Cycle(Cycle),
    Arma(Arma),
    Regression(Regression),
    Markov(Markov),
}

impl Part for Kind {
    fn name(&self) -> &'static str {
        match self {
            Self::Level(part) => part.name(),
            Self::Trend(part) => part.name(),
            Self::Dummies(part) => part.name(),
            Self::Waves(part) => part.name(),
            Self::Cycle(part) => part.name(),
            Self::Arma(part) => part.name(),
            Self::Regression(part) => part.name(),
            Self::Markov(part) => part.name(),
        }
    }

    fn parameters(&self) -> Vec<(String, ParameterScale)> {
        match self {
            Self::Level(part) => part.parameters(),
            Self::Trend(part) => part.parameters(),
            Self::Dummies(part) => part.parameters(),
            Self::Waves(part) => part.parameters(),
            Self::Cycle(part) => part.parameters(),
            Self::Arma(part) => part.parameters(),
            Self::Regression(part) => part.parameters(),
            Self::Markov(part) => part.parameters(),
        }
    }

    fn states(&self, timing: Timing) -> usize {
        match self {
            Self::Level(part) => part.states(timing),
            Self::Trend(part) => part.states(timing),
            Self::Dummies(part) => part.states(timing),
            Self::Waves(part) => part.states(timing),
            Self::Cycle(part) => part.states(timing),
            Self::Arma(part) => part.states(timing),
            Self::Regression(part) => part.states(timing),
            Self::Markov(part) => part.states(timing),
        }
    }

    fn write_row(&self, t: usize, row: &mut [f64]) {
        match self {
            Self::Level(part) => part.write_row(t, row),
            Self::Trend(part) => part.write_row(t, row),
            Self::Dummies(part) => part.write_row(t, row),
            Self::Waves(part) => part.write_row(t, row),
            Self::Cycle(part) => part.write_row(t, row),
            Self::Arma(part) => part.write_row(t, row),
            Self::Regression(part) => part.write_row(t, row),
            Self::Markov(part) => part.write_row(t, row),
        }
    }

    fn times(&self) -> Option<usize> {
        match self {
            Self::Regression(part) => part.times(),
            _ => None,
        }
    }

    fn signals(&self, states: usize) -> Vec<(String, Option<usize>)> {
        match self {
            Self::Trend(part) => part.signals(states),
            Self::Regression(part) => part.signals(states),
            Self::Markov(part) => part.signals(states),
            _ => vec![(self.name().to_owned(), None)],
        }
    }

    fn check(&self, timing: Timing) -> Result<(), ParamError> {
        match self {
            Self::Dummies(part) => part.check(timing),
            Self::Arma(part) => part.check(timing),
            Self::Markov(part) => part.check(timing),
            _ => Ok(()),
        }
    }

    fn origin(&self) -> f64 {
        match self {
            Self::Markov(part) => part.origin(),
            _ => f64::NEG_INFINITY,
        }
    }

    fn has_even_steps(&self) -> bool {
        match self {
            Self::Markov(part) => part.has_even_steps(),
            _ => true,
        }
    }

    fn step<R: Real>(
        &self,
        values: &[R],
        timing: Timing,
        step: (f64, f64),
        transition: &mut Block<'_, R>,
        noise: &mut Block<'_, R>,
    ) {
        match self {
            Self::Level(part) => part.step(values, timing, step, transition, noise),
            Self::Trend(part) => part.step(values, timing, step, transition, noise),
            Self::Dummies(part) => part.step(values, timing, step, transition, noise),
            Self::Waves(part) => part.step(values, timing, step, transition, noise),
            Self::Cycle(part) => part.step(values, timing, step, transition, noise),
            Self::Arma(part) => part.step(values, timing, step, transition, noise),
            Self::Regression(part) => part.step(values, timing, step, transition, noise),
            Self::Markov(part) => part.step(values, timing, step, transition, noise),
        }
    }

    fn start<R: Real>(&self, values: &[R], time: f64, covariance: &mut Block<'_, R>) -> Start {
        match self {
            Self::Level(part) => part.start(values, time, covariance),
            Self::Trend(part) => part.start(values, time, covariance),
            Self::Dummies(part) => part.start(values, time, covariance),
            Self::Waves(part) => part.start(values, time, covariance),
            Self::Cycle(part) => part.start(values, time, covariance),
            Self::Arma(part) => part.start(values, time, covariance),
            Self::Regression(part) => part.start(values, time, covariance),
            Self::Markov(part) => part.start(values, time, covariance),
        }
    }
}
