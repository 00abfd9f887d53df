//! The E step on one sequence.

use crate::chain::ForwardBackward;
use crate::emission::{Emissions, LearnEmissions, Sequence};
use crate::error::Error;
use crate::hmm::{HiddenMarkovModel, chain, long_chain};

use super::counts::Counts;

/// Numbers of a sequence, K for each position, beyond which it is worked on in blocks.
const LONG: usize = 1 << 22;

/// Room for the work on a sequence, used again for the next one.
#[derive(Debug, Default)]
pub(super) struct Room {
    pub(super) messages: ForwardBackward,
    pub(super) ln_nodes: Vec<f64>,
    pub(super) proportions: Vec<f64>,
}

/// Probabilities of states from position `first` on, where something was seen; 0 where not.
fn seen_proportions<'a, D: ?Sized>(
    sequence: &Sequence<'_, D>,
    first: usize,
    marginals: &'a [f64],
    states: usize,
    room: &'a mut Vec<f64>,
) -> &'a [f64] {
    let Some(missing) = sequence.missing() else { return marginals };
    room.clear();
    room.extend_from_slice(marginals);
    let unseen = room.chunks_exact_mut(states).zip(&missing[first..]).filter(|(_, missing)| **missing);
    unseen.for_each(|(row, _)| row.fill(0.0));
    room
}

const fn is_long(length: usize, states: usize) -> bool {
    length > LONG / states
}

/// Adds what is expected of a sequence, and returns ln p of it.
pub(super) fn add_sequence<E: Emissions, L: LearnEmissions<E>>(
    model: &HiddenMarkovModel<E>,
    learn: &L,
    sequence: &Sequence<'_, E::Data>,
    room: &mut Room,
    counts: &mut Counts<L::Statistics>,
) -> Result<f64, Error> {
    let (states, length) = (model.states(), E::length(sequence.data()));
    if length == 0 {
        return Ok(0.0);
    }
    if is_long(length, states) {
        return add_long(model, learn, sequence, room, counts);
    }
    let Room { messages, ln_nodes, proportions } = room;
    let chain = chain(model, sequence, ln_nodes)?;
    let smoothed = messages.smooth(&chain);
    let score = smoothed.score();
    if let Some(position) = score.impossible {
        return Err(Error::Impossible { sequence: 0, position });
    }
    counts.initial.iter_mut().zip(smoothed.at(0)).for_each(|(sum, p)| *sum += p);
    smoothed.add_edge_sums(&mut counts.steps);
    let marginals = seen_proportions(sequence, 0, smoothed.marginals(), states, proportions);
    learn.add(&mut counts.emissions, model.emissions(), sequence.data(), 0..length, marginals)?;
    Ok(score.ln_z)
}

/// ln p of a sequence.
pub(super) fn ln_likelihood<E: Emissions>(
    model: &HiddenMarkovModel<E>,
    sequence: &Sequence<'_, E::Data>,
    room: &mut Room,
) -> Result<f64, Error> {
    let Room { messages, ln_nodes, .. } = room;
    if is_long(E::length(sequence.data()), model.states()) {
        return Ok(messages.score_long(&long_chain(model, sequence))?.ln_z);
    }
    Ok(messages.score(&chain(model, sequence, ln_nodes)?).ln_z)
}

/// Adds what is expected of a long sequence, block by block, the last one first, in room for √T K numbers;
/// and returns ln p of it.
fn add_long<E: Emissions, L: LearnEmissions<E>>(
    model: &HiddenMarkovModel<E>,
    learn: &L,
    sequence: &Sequence<'_, E::Data>,
    room: &mut Room,
    counts: &mut Counts<L::Statistics>,
) -> Result<f64, Error> {
    let states = model.states();
    let Room { messages, proportions, .. } = room;
    let score = messages.smooth_long(&long_chain(model, sequence), |range, smoothed| {
        if range.start == 0 {
            counts.initial.iter_mut().zip(smoothed.at(0)).for_each(|(sum, p)| *sum += p);
        }
        smoothed.add_edge_sums(&mut counts.steps);
        let marginals = &smoothed.marginals()[..range.len() * states];
        let seen = seen_proportions(sequence, range.start, marginals, states, proportions);
        learn.add(&mut counts.emissions, model.emissions(), sequence.data(), range, seen)
    })?;
    match score.impossible {
        Some(position) => Err(Error::Impossible { sequence: 0, position }),
        None => Ok(score.ln_z),
    }
}

#[cfg(test)]
mod tests;
