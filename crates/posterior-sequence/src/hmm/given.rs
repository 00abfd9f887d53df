//! The states given what was seen, as a chain.

use super::HiddenMarkovModel;
use crate::chain::{Chain, Edges};
use crate::emission::{Emissions, Sequence};
use crate::error::Error;

/// The chain of states given a sequence that was checked; its scores are looked up, or in `ln_nodes`, which is filled.
pub(crate) fn chain<'a, E: Emissions>(
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
