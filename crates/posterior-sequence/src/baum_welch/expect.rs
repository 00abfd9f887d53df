//! The E step on one sequence.

use crate::chain::{Chain, Edges, ForwardBackward};
use crate::emission::{Emissions, LearnEmissions, Sequence};
use crate::error::Error;
use crate::hmm::HiddenMarkovModel;

use super::counts::Counts;

/// Room for the work on a sequence, used again for the next one.
#[derive(Debug, Default)]
pub(super) struct Room {
    messages: ForwardBackward,
    ln_nodes: Vec<f64>,
    shares: Vec<f64>,
}

/// The scores of positions: looked up, or in `ln_nodes`, which is filled.
pub(super) fn chain<'a, E: Emissions>(
    model: &'a HiddenMarkovModel<E>,
    sequence: &'a Sequence<'_, E::Data>,
    ln_nodes: &'a mut Vec<f64>,
) -> Result<Chain<'a>, Error> {
    let edges = Edges::Same(model.transitions());
    if let Some((table, kinds)) = model.emissions().table(sequence.data()).filter(|_| sequence.is_plain()) {
        return Chain::with_table(model.ln_initial(), edges, table, kinds);
    }
    let (states, length) = (model.states(), E::length(sequence.data()));
    ln_nodes.resize(length * states, 0.0);
    sequence.ln_densities(model.emissions(), 0..length, ln_nodes);
    let mut fine = true;
    for &ln_density in &*ln_nodes {
        fine &= ln_density < f64::INFINITY;
    }
    if !fine {
        let wrong = ln_nodes.iter().position(|&ln_density| !(ln_density < f64::INFINITY)).unwrap_or(0);
        let message = format!("its density in state {} is {}", wrong % states, ln_nodes[wrong].exp());
        return Err(Error::Observation { sequence: 0, position: wrong / states, message });
    }
    Chain::new(model.ln_initial(), edges, ln_nodes)
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
    let Room { messages, ln_nodes, shares } = room;
    let chain = chain(model, sequence, ln_nodes)?;
    let smoothed = messages.smooth(&chain);
    let score = smoothed.score();
    if let Some(position) = score.impossible {
        return Err(Error::Impossible { sequence: 0, position });
    }
    counts.initial.iter_mut().zip(smoothed.at(0)).for_each(|(sum, p)| *sum += p);
    smoothed.add_edge_sums(&mut counts.steps);
    let marginals = match sequence.missing() {
        None => smoothed.marginals(),
        Some(missing) => {
            shares.clear();
            shares.extend_from_slice(smoothed.marginals());
            let unseen = shares.chunks_exact_mut(states).zip(missing).filter(|(_, missing)| **missing);
            unseen.for_each(|(row, _)| row.fill(0.0));
            &shares[..]
        }
    };
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
    Ok(messages.score(&chain(model, sequence, ln_nodes)?).ln_z)
}
