//! Finite probability spaces: probabilities of events, and conditioning.

use std::error::Error;
use std::fmt;

use posterior_math::check::ParamError;

use super::event::Event;
use crate::discrete::Categorical;

/// Outcomes 0, 1, …, n - 1 with their probabilities.
///
/// Product rule P(A ∩ B) = P(A | B) P(B), sum rule P(A ∪ B) = P(A) + P(B) - P(A ∩ B).
/// The example of two children is in the [module](super).
#[derive(Debug, Clone, PartialEq)]
pub struct FiniteSpace {
    distribution: Categorical,
}

/// Conditioning on an event of probability zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ZeroEvidence {
    event: String,
}

impl ZeroEvidence {
    pub(super) fn of(event: &str) -> Self {
        Self { event: event.to_owned() }
    }

    /// The name of the event.
    pub fn event(&self) -> &str {
        &self.event
    }
}

impl fmt::Display for ZeroEvidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the evidence {:?} has probability 0", self.event)
    }
}

impl Error for ZeroEvidence {}

impl FiniteSpace {
    /// The outcomes are the categories of this distribution.
    pub const fn new(distribution: Categorical) -> Self {
        Self { distribution }
    }

    /// n equally likely outcomes.
    ///
    /// # Errors
    /// If there are none.
    pub fn uniform(outcomes: usize) -> Result<Self, ParamError> {
        Ok(Self { distribution: Categorical::from_weights(&vec![1.0; outcomes])? })
    }

    /// The distribution of the outcome.
    pub const fn distribution(&self) -> &Categorical {
        &self.distribution
    }

    /// The event of the outcomes for which the condition holds.
    pub fn event(&self, name: &str, contains: impl Fn(usize) -> bool) -> Event {
        Event::of(name, self.distribution.categories(), contains)
    }

    /// The probability of the event, P(A).
    pub fn probability(&self, event: &Event) -> f64 {
        self.sum(|outcome| event.contains(outcome)).min(1.0)
    }

    /// P(A | B) = P(A ∩ B) / P(B).
    ///
    /// # Errors
    /// If P(B) is zero.
    pub fn conditional(&self, event: &Event, evidence: &Event) -> Result<f64, ZeroEvidence> {
        let whole = self.sum(|outcome| evidence.contains(outcome));
        if whole > 0.0 {
            let both = self.sum(|outcome| evidence.contains(outcome) && event.contains(outcome));
            Ok(both / whole)
        } else {
            Err(ZeroEvidence::of(evidence.name()))
        }
    }

    /// The space in which B is known: P(outcome | B).
    ///
    /// # Errors
    /// If P(B) is zero.
    pub fn given(&self, evidence: &Event) -> Result<Self, ZeroEvidence> {
        let weight = |(outcome, &p): (usize, &f64)| if evidence.contains(outcome) { p } else { 0.0 };
        let weights: Vec<f64> = self.distribution.probabilities().iter().enumerate().map(weight).collect();
        match Categorical::from_weights(&weights) {
            Ok(distribution) => Ok(Self { distribution }),
            Err(_) => Err(ZeroEvidence::of(evidence.name())),
        }
    }

    fn sum(&self, contains: impl Fn(usize) -> bool) -> f64 {
        let probabilities = self.distribution.probabilities().iter().enumerate();
        probabilities.filter(|(outcome, _)| contains(*outcome)).map(|(_, p)| p).sum()
    }
}
