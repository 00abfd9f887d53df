//! A linear-Gaussian state-space model.

use crate::{Error, Initial, ObservationEquation, Series, TransitionEquation};
use posterior_math::check;

/// How a hidden state moves, what is seen of it, and where it starts.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "Unchecked"))]
pub struct StateSpace {
    transition: TransitionEquation,
    observation: ObservationEquation,
    initial: Initial,
}

/// Parts that may be of different numbers of states.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct Unchecked {
    transition: TransitionEquation,
    observation: ObservationEquation,
    initial: Initial,
}

#[cfg(feature = "serde")]
impl TryFrom<Unchecked> for StateSpace {
    type Error = Error;

    fn try_from(Unchecked { transition, observation, initial }: Unchecked) -> Result<Self, Error> {
        Self::new(transition, observation, initial)
    }
}

impl StateSpace {
    /// A model of these parts.
    ///
    /// # Errors
    /// If they are not of the same number of states.
    pub fn new(
        transition: TransitionEquation,
        observation: ObservationEquation,
        initial: Initial,
    ) -> Result<Self, Error> {
        check::dimension("columns of the observation matrix", transition.states(), observation.states())?;
        check::dimension("states of the start", transition.states(), initial.states())?;
        Ok(Self { transition, observation, initial })
    }

    /// The same that starts elsewhere.
    ///
    /// # Errors
    /// If the start is not one of as many states.
    pub fn with_initial(self, initial: Initial) -> Result<Self, Error> {
        Self::new(self.transition, self.observation, initial)
    }

    /// The number n of states.
    pub const fn states(&self) -> usize {
        self.transition.states()
    }

    /// The number m of outputs.
    pub const fn width(&self) -> usize {
        self.observation.width()
    }

    /// How the state moves.
    pub const fn transition(&self) -> &TransitionEquation {
        &self.transition
    }

    /// What is seen of it.
    pub const fn observation(&self) -> &ObservationEquation {
        &self.observation
    }

    /// Where it starts.
    pub const fn initial(&self) -> &Initial {
        &self.initial
    }

    /// The longest series it speaks of; `None` if any.
    pub fn times(&self) -> Option<usize> {
        let steps = self.transition.times().map(|steps| steps + 1);
        steps.into_iter().chain(self.observation.times()).min()
    }

    /// Whether it speaks of such a series.
    ///
    /// # Errors
    /// If the series has another width, or is longer than the matrices reach.
    pub fn check(&self, series: &Series) -> Result<(), Error> {
        check::dimension("components of an observation", self.width(), series.width())?;
        Ok(check::enough("times of the model", series.len(), self.times().unwrap_or(usize::MAX))?)
    }
}
