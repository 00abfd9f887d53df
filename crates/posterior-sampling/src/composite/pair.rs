//! The states of two kernels, and the numbers of their steps.

use super::names::{Names, joined};
use crate::{DivergentTransition, Error, Info, State, Transition};

/// The states of two kernels. The chain is where the one that moved last is; the other one follows when it
/// moves next.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pair<S, U> {
    pub(super) first: S,
    pub(super) second: U,
    pub(super) latest: Latest,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Latest {
    First,
    Second,
}

impl<S: State, U: State> State for Pair<S, U> {
    fn position(&self) -> &[f64] {
        match self.latest {
            Latest::First => self.first.position(),
            Latest::Second => self.second.position(),
        }
    }

    fn ln_density(&self) -> f64 {
        match self.latest {
            Latest::First => self.first.ln_density(),
            Latest::Second => self.second.ln_density(),
        }
    }
}

/// Puts a kernel where another one is.
pub(super) fn follow<T: ?Sized, K: Transition<T>>(
    kernel: &K,
    target: &T,
    state: &mut K::State,
    leader: &impl State,
) -> Result<(), Error> {
    if state.position() == leader.position() {
        return Ok(());
    }
    kernel.relocate(target, state, leader.position(), leader.ln_density())
}

/// The steps of two kernels, or of one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Both<I, J> {
    /// That of the first kernel, if it took one.
    pub first: Option<I>,
    /// That of the second kernel, if it took one.
    pub second: Option<J>,
}

impl<I: Info, J: Info> Both<I, J> {
    const JOINED: Names = joined(I::NAMES, J::NAMES);
}

impl<I: Info, J: Info> Info for Both<I, J> {
    const NAMES: &'static [&'static str] = Self::JOINED.0.split_at(Self::JOINED.1).0;

    fn write(&self, numbers: &mut [f64]) {
        numbers.fill(f64::NAN);
        if let Some(first) = &self.first {
            first.write(&mut numbers[..I::NAMES.len()]);
        }
        if let Some(second) = &self.second {
            let mut own = vec![f64::NAN; J::NAMES.len()];
            second.write(&mut own);
            for (name, number) in J::NAMES.iter().zip(own) {
                let place = Self::NAMES.iter().position(|other| other == name);
                if let Some(held) = place.and_then(|place| numbers.get_mut(place)) {
                    *held = if held.is_nan() { number } else { 0.5 * (*held + number) };
                }
            }
        }
    }

    fn take_divergence(&mut self) -> Option<DivergentTransition> {
        let first = self.first.as_mut().and_then(Info::take_divergence);
        first.or_else(|| self.second.as_mut().and_then(Info::take_divergence))
    }
}
