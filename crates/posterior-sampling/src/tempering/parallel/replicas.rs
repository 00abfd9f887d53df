//! Where all levels are, and what their exchanges did.

use posterior_dist::target::Target;

use super::super::Tempered;
use crate::composite::names::{Names, joined};
use crate::evaluation::at_proposal;
use crate::{DivergentTransition, Error, Info, State};

/// Where all levels are. The chain is where the first one is.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Replicas<S> {
    levels: Vec<S>,
    /// ln likelihood of each level, -∞ where it has no value.
    #[cfg_attr(feature = "serde", serde(with = "crate::any_float"))]
    ln_likelihoods: Vec<f64>,
    /// Which point each level holds, as numbered at the start.
    points: Vec<usize>,
    /// Of each point, whether it was at the last level since it was at the first.
    was_last: Vec<bool>,
    round_trips: u64,
    steps: usize,
}

/// A step of all levels.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Swapped<I> {
    /// The last step of each kernel.
    pub levels: Vec<I>,
    /// The probability of each exchange, of levels k and k + 1; NaN where none was tried.
    pub exchange_rates: Vec<f64>,
    /// Points that have come from the last level to the first.
    pub round_trips: u64,
}

/// ln likelihood; -∞ where it has no value.
pub(super) fn ln_likelihood<P: Target, L: Target>(target: &Tempered<P, L>, x: &[f64]) -> Result<f64, Error> {
    let value = at_proposal(target.likelihood(), x)?;
    Ok(if value.is_nan() { f64::NEG_INFINITY } else { value })
}

impl<S: State> Replicas<S> {
    pub(super) fn new<P: Target, L: Target>(target: &Tempered<P, L>, levels: Vec<S>) -> Result<Self, Error> {
        let n = levels.len();
        let ln_likelihoods =
            levels.iter().map(|level| ln_likelihood(target, level.position())).collect::<Result<_, _>>()?;
        let (points, was_last) = ((0..n).collect(), vec![false; n]);
        Ok(Self { levels, ln_likelihoods, points, was_last, round_trips: 0, steps: 0 })
    }

    /// The states of the levels, the kept one first.
    pub fn levels(&self) -> &[S] {
        &self.levels
    }

    /// Points that have come from the last level to the first.
    pub const fn round_trips(&self) -> u64 {
        self.round_trips
    }

    /// Steps taken.
    pub(super) const fn steps(&self) -> usize {
        self.steps
    }

    pub(super) fn ln_likelihood(&self, level: usize) -> f64 {
        self.ln_likelihoods[level]
    }

    pub(super) fn level_mut(&mut self, level: usize) -> &mut S {
        &mut self.levels[level]
    }

    pub(super) const fn parts(&mut self) -> (&mut Vec<S>, &mut Vec<f64>) {
        (&mut self.levels, &mut self.ln_likelihoods)
    }

    /// Records that levels k and k + 1 hold each other's points, which `here` and `there` are already at.
    pub(super) fn exchange(&mut self, k: usize, here: S, there: S) {
        self.levels[k] = here;
        self.levels[k + 1] = there;
        self.ln_likelihoods.swap(k, k + 1);
        self.points.swap(k, k + 1);
    }

    /// Counts a step, and the round trips that it ended.
    pub(super) fn count(&mut self) {
        self.steps += 1;
        if let (Some(&first), Some(&last)) = (self.points.first(), self.points.last()) {
            self.was_last[last] = true;
            self.round_trips += u64::from(std::mem::take(&mut self.was_last[first]));
        }
    }
}

impl<S: State> State for Replicas<S> {
    fn position(&self) -> &[f64] {
        self.levels[0].position()
    }

    fn ln_density(&self) -> f64 {
        self.levels[0].ln_density()
    }
}

impl<I: Info> Swapped<I> {
    const OWN: &'static [&'static str] = &["swap_rate", "round_trips"];
    const JOINED: Names = joined(I::NAMES, Self::OWN);

    /// The mean probability of the exchanges that were tried; NaN if none was.
    pub fn swap_rate(&self) -> f64 {
        let tried = self.exchange_rates.iter().filter(|rate| !rate.is_nan());
        tried.clone().sum::<f64>() / tried.count() as f64
    }
}

impl<I: Info> Info for Swapped<I> {
    const NAMES: &'static [&'static str] = Self::JOINED.0.split_at(Self::JOINED.1).0;

    fn write(&self, numbers: &mut [f64]) {
        numbers.fill(f64::NAN);
        let kernel = I::NAMES.len();
        if let Some(first) = self.levels.first() {
            first.write(&mut numbers[..kernel]);
        }
        // A kernel that is itself a ladder has these names already.
        for (number, own) in numbers[kernel..].iter_mut().zip([self.swap_rate(), self.round_trips as f64]) {
            *number = own;
        }
    }

    fn take_divergence(&mut self) -> Option<DivergentTransition> {
        self.levels.first_mut().and_then(Info::take_divergence)
    }
}
