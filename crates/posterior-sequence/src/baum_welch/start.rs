//! Where expectation maximisation begins.

use posterior_math::check::{self, DimensionError};
use rand::{Rng, RngExt};

use super::counts::Counts;
use super::problem::BaumWelch;
use crate::emission::{Emissions, LearnEmissions};
use crate::error::Error;
use crate::hmm::HiddenMarkovModel;

/// Runs of positions for each state, in a random start.
const RUNS: usize = 10;

impl<E, L> BaumWelch<'_, E, L>
where
    E: Emissions<Data: Sync> + Clone + Sync,
    L: LearnEmissions<E, Statistics: Send> + Sync,
{
    /// The model that fits sequences with these states best: counting. `like` has the topology, and the
    /// distributions of states that have no observation.
    ///
    /// With labels it is supervised learning, with a clustering of the observations a start.
    ///
    /// # Errors
    /// If there are not as many states as positions, a state is not below their number, or a first state or
    /// step is not possible in `like`.
    pub fn start_from_states(
        &self,
        states: &[Vec<usize>],
        like: &HiddenMarkovModel<E>,
    ) -> Result<HiddenMarkovModel<E>, Error> {
        let found = states.len();
        if found != self.sequences.len() {
            let what = "sequences of states";
            return Err(DimensionError::new(what, self.sequences.len(), found).into());
        }
        self.check(like)?;
        let mut counts = Counts::nothing(like.states(), self.learn.nothing(like.emissions()));
        for (sequence, path) in states.iter().enumerate() {
            check_path(path, E::length(self.sequences.as_slice()[sequence].data()), like)
                .map_err(|error| error.of_sequence(sequence))?;
            self.add_path(sequence, path, like, &mut counts).map_err(|error| error.of_sequence(sequence))?;
        }
        Ok(self.estimate(&counts, like)?.0)
    }

    /// A model whose states each have about ten runs of neighbouring positions, at random; π and A of `like`
    /// stay, and with them the topology.
    ///
    /// # Errors
    /// If observations do not go with `like`.
    pub fn random_start<R: Rng + ?Sized>(
        &self,
        like: &HiddenMarkovModel<E>,
        rng: &mut R,
    ) -> Result<HiddenMarkovModel<E>, Error> {
        self.check(like)?;
        let states = like.states();
        let mut statistics = self.learn.nothing(like.emissions());
        let run = (self.sequences.positions::<E>() / (RUNS * states)).max(1);
        let mut proportions = Vec::new();
        for (sequence, part) in self.sequences.as_slice().iter().enumerate() {
            let length = E::length(part.data());
            proportions.clear();
            proportions.resize(length * states, 0.0);
            let mut state = rng.random_range(0..states);
            for (t, row) in proportions.chunks_exact_mut(states).enumerate() {
                if rng.random_range(0..run) == 0 {
                    state = rng.random_range(0..states);
                }
                if !part.missing().is_some_and(|missing| missing[t]) {
                    row[state] = 1.0;
                }
            }
            self.learn
                .add(&mut statistics, like.emissions(), part.data(), 0..length, &proportions)
                .map_err(|error| error.of_sequence(sequence))?;
        }
        let (emissions, _) = self.learn.estimate(&statistics, like.emissions())?;
        HiddenMarkovModel::new(like.initial(), like.transition(), emissions)
    }

    /// Adds a sequence with known states, which are possible.
    pub(super) fn add_path(
        &self,
        sequence: usize,
        path: &[usize],
        model: &HiddenMarkovModel<E>,
        counts: &mut Counts<L::Statistics>,
    ) -> Result<(), Error> {
        let (states, part) = (model.states(), &self.sequences.as_slice()[sequence]);
        let Some(&first) = path.first() else { return Ok(()) };
        counts.initial[first] += 1.0;
        for step in path.windows(2) {
            counts.steps[step[0] * states + step[1]] += 1.0;
        }
        let mut proportions = vec![0.0; path.len() * states];
        for (t, &state) in path.iter().enumerate() {
            if !part.missing().is_some_and(|missing| missing[t]) {
                proportions[t * states + state] = 1.0;
            }
        }
        self.learn.add(&mut counts.emissions, model.emissions(), part.data(), 0..path.len(), &proportions)
    }
}

/// Whether a path is one of the topology; the number of the sequence is 0.
fn check_path<E>(path: &[usize], length: usize, like: &HiddenMarkovModel<E>) -> Result<(), Error> {
    check::dimension("states of a sequence", length, path.len())?;
    for (position, &state) in path.iter().enumerate() {
        let wrong = |message| Error::Observation { sequence: 0, position, message };
        if state >= like.states() {
            return Err(wrong(format!("state {state} of {}", like.states())));
        }
        let possible = match position {
            0 => like.initial()[state] > 0.0,
            _ => like.transition()[(path[position - 1], state)] > 0.0,
        };
        if !possible {
            return Err(wrong(format!("state {state} is not possible here in the model")));
        }
    }
    Ok(())
}
