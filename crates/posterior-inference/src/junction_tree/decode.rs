//! From the roots to the leaves, state by state: the best joint state, and random ones.

use posterior_dist::choose;
use posterior_pgm::{LogSumProduct, MaxProduct, MaxSum, SumProduct};
use rand::{Rng, RngExt};

use super::arithmetic::Arithmetic;
use super::core::Core;
use super::kernel::for_each_block;
use super::messages::{Compiled, Failure, Messages, Units};
use crate::Error;

/// A possible cell of a clique: the number of its block, its lane, and its weight.
type Cell = (usize, usize, f64);

impl Core {
    /// A joint state of greatest weight, for the variables that are not known. Of several the first one in
    /// the order of the cells of each clique, from the roots.
    pub(super) fn best_state(&mut self, states: &mut [usize]) -> Result<(), Error> {
        let best = |core: &mut Self, states: &mut [usize]| -> Result<(), Failure> {
            let compiled = Compiled { tree: &core.tree, potentials: &core.potentials };
            let mut messages = Messages::new(core.tree.nodes.len());
            if core.uses_logarithms {
                messages.collect::<MaxSum>(compiled, &core.findings, Units::Sent)?;
                core.decode::<MaxSum>(&messages, states, first_best)
            } else {
                messages.collect::<MaxProduct>(compiled, &core.findings, Units::Sent)?;
                core.decode::<MaxProduct>(&messages, states, first_best)
            }
        };
        self.with_rescue(|core| best(core, states))
    }

    /// A draw from the posterior.
    pub(super) fn draw<R: Rng + ?Sized>(&mut self, rng: &mut R, states: &mut [usize]) -> Result<(), Error> {
        self.collect()?;
        let mut draw = |cells: &[Cell], is_log: bool| {
            let mut weights: Vec<f64> = cells.iter().map(|cell| cell.2).collect();
            let is_possible = if is_log {
                LogSumProduct::probabilities(&mut weights)
            } else {
                SumProduct::probabilities(&mut weights)
            };
            let target = rng.random();
            is_possible.then(|| choose(&weights, target)).flatten()
        };
        if self.uses_logarithms {
            self.decode::<LogSumProduct>(&self.messages, states, |cells| draw(cells, true))?;
        } else {
            self.decode::<SumProduct>(&self.messages, states, |cells| draw(cells, false))?;
        }
        Ok(())
    }

    /// Chooses a cell of each clique, among those that agree with its parent's.
    fn decode<S: Arithmetic>(
        &self,
        messages: &Messages,
        states: &mut [usize],
        mut choose: impl FnMut(&[Cell]) -> Option<usize>,
    ) -> Result<(), Failure> {
        let mut cells = Vec::new();
        for (c, potential) in self.potentials.cliques.iter().enumerate() {
            let place = potential.links[0].layout.place(states).ok_or(Failure::Impossible)?;
            self.cells_at::<S>(messages, c, place, &mut cells);
            let (number, lane, _) = cells[choose(&cells).ok_or(Failure::Impossible)?];
            let places = &potential.places[number * potential.links.len()..][..potential.links.len()];
            for (link, &at) in potential.links.iter().zip(places) {
                link.layout.read(at as usize + if link.is_vector { lane } else { 0 }, states);
            }
        }
        Ok(())
    }

    /// The cells of clique `c` at this place of its separator, weighted with everything below.
    fn cells_at<S: Arithmetic>(&self, messages: &Messages, c: usize, place: usize, cells: &mut Vec<Cell>) {
        cells.clear();
        let potential = &self.potentials.cliques[c];
        let inputs = messages.inputs(&self.tree, &self.findings, c, None);
        let mut block = vec![S::ZERO; potential.lanes];
        let is_vector = potential.links[0].is_vector;
        for_each_block::<S>(potential, &inputs, &mut block, |number, places, block| {
            let at = places[0] as usize;
            if is_vector {
                if (at..at + block.len()).contains(&place) {
                    cells.push((number, place - at, block[place - at]));
                }
            } else if at == place {
                cells.extend(block.iter().enumerate().map(|(lane, &weight)| (number, lane, weight)));
            }
        });
    }
}

/// The first of the cells of greatest weight.
fn first_best(cells: &[Cell]) -> Option<usize> {
    let mut best: Option<usize> = None;
    for (i, cell) in cells.iter().enumerate() {
        if best.is_none_or(|best| cell.2 > cells[best].2) {
            best = Some(i);
        }
    }
    best
}
