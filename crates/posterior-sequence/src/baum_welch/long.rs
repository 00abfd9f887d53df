//! The E step on a long sequence, block by block, the last one first: room for √T K numbers.

use super::counts::Counts;
use super::expect::{Room, seen_shares};
use crate::emission::{Emissions, LearnEmissions, Sequence};
use crate::error::Error;
use crate::hmm::{HiddenMarkovModel, long_chain};

/// Adds what is expected of a sequence, and returns ln p of it.
pub(super) fn add_long<E: Emissions, L: LearnEmissions<E>>(
    model: &HiddenMarkovModel<E>,
    learn: &L,
    sequence: &Sequence<'_, E::Data>,
    room: &mut Room,
    counts: &mut Counts<L::Statistics>,
) -> Result<f64, Error> {
    let states = model.states();
    let Room { messages, shares, .. } = room;
    let score = messages.smooth_long(&long_chain(model, sequence), |range, smoothed| {
        if range.start == 0 {
            counts.initial.iter_mut().zip(smoothed.at(0)).for_each(|(sum, p)| *sum += p);
        }
        smoothed.add_edge_sums(&mut counts.steps);
        let marginals = &smoothed.marginals()[..range.len() * states];
        let seen = seen_shares(sequence, range.start, marginals, states, shares);
        learn.add(&mut counts.emissions, model.emissions(), sequence.data(), range, seen)
    })?;
    match score.impossible {
        Some(position) => Err(Error::Impossible { sequence: 0, position }),
        None => Ok(score.ln_z),
    }
}

#[cfg(test)]
mod tests;
