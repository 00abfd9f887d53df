//! The states given what was seen, as a chain.

use std::ops::Range;

use super::HiddenMarkovModel;
use crate::chain::{Edges, LinearChain, LongChain, WriteLnNodes};
use crate::emission::{Emissions, Sequence};
use crate::error::Error;

/// The chain of states given a sequence that was checked; its scores are looked up, or in `ln_nodes`, which
/// is filled.
pub(crate) fn chain<'a, E: Emissions>(
    model: &'a HiddenMarkovModel<E>,
    sequence: &'a Sequence<'_, E::Data>,
    ln_nodes: &'a mut Vec<f64>,
) -> Result<LinearChain<'a>, Error> {
    let edges = Edges::Same(model.transitions());
    if let Some((table, kinds)) = model.emissions().table(sequence.data()).filter(|_| sequence.is_plain()) {
        return LinearChain::with_table(model.ln_initial(), edges, table, kinds);
    }
    let (states, length) = (model.states(), E::length(sequence.data()));
    ln_nodes.resize(length * states, 0.0);
    write_ln_densities(model, sequence, 0..length, ln_nodes)?;
    LinearChain::new(model.ln_initial(), edges, ln_nodes)
}

/// The same chain for a long sequence, of which densities are computed where they are wanted.
pub(crate) fn long_chain<'a, E: Emissions>(
    model: &'a HiddenMarkovModel<E>,
    sequence: &'a Sequence<'_, E::Data>,
) -> LongChain<'a, impl WriteLnNodes<Error>> {
    LongChain {
        ln_initial: model.ln_initial(),
        edges: Edges::Same(model.transitions()),
        length: E::length(sequence.data()),
        ln_nodes: |range: Range<usize>, out: &mut [f64]| write_ln_densities(model, sequence, range, out),
    }
}

/// K ln densities for each position of the range; refuses NaN and +∞.
fn write_ln_densities<E: Emissions>(
    model: &HiddenMarkovModel<E>,
    sequence: &Sequence<'_, E::Data>,
    range: Range<usize>,
    out: &mut [f64],
) -> Result<(), Error> {
    let first = range.start;
    sequence.ln_densities(model.emissions(), range, out);
    let mut fine = true;
    for &ln_density in &*out {
        fine &= ln_density < f64::INFINITY;
    }
    if fine {
        return Ok(());
    }
    let wrong = out.iter().position(|&ln_density| !(ln_density < f64::INFINITY)).unwrap_or(0);
    let states = model.states();
    let message = format!("its density in state {} is {}", wrong % states, out[wrong].exp());
    Err(Error::Observation { sequence: 0, position: first + wrong / states, message })
}
