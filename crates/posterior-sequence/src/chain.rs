//! Positions in a row with K states each, a score for every state of a position and for every step: what
//! message passing along them gives.
//!
//! p(z) = exp(a(z_0) + Σ_t n_t(z_t) + Σ_t e_t(z_t, z_{t+1})) / Z. Hidden Markov models and linear-chain
//! conditional random fields are both this, given what was observed. Sums over all paths are the sum-product
//! algorithm on a chain; the best path is the same with the maximum in place of the sum.

#![expect(clippy::inline_always, reason = "only what is inlined is compiled for the vectors of the machine")]

pub(crate) mod best_path;
mod blocks;
mod decoding;
mod edge_sums;
mod forward_backward;
mod k_best;
mod lanes;
mod log_domain;
mod node_table;
mod path_distribution;
mod scaled;
mod transitions;
mod vectors;
mod weights;

use posterior_math::check::{self, DimensionError};

use crate::error::Error;

pub(crate) use blocks::{LongChain, WriteLnNodes};
pub use forward_backward::{FilteredChain, ForwardBackward, SmoothedChain};
pub use node_table::NodeTable;
pub use transitions::Transitions;

/// The scores of steps.
#[derive(Debug, Clone, Copy)]
pub enum Edges<'a> {
    /// The same at every step.
    Same(&'a Transitions),
    /// e_t(i, j) at index t K² + i K + j.
    Each(&'a [f64]),
}

/// The scores of nodes.
#[derive(Debug, Clone, Copy)]
enum Nodes<'a> {
    /// n_t(k) at index t K + k.
    Ln(&'a [f64]),
    /// Those of the kind of each position.
    Table(&'a NodeTable, &'a [usize]),
}

/// The scores of a chain.
#[derive(Debug, Clone, Copy)]
pub struct LinearChain<'a> {
    ln_initial: &'a [f64],
    edges: Edges<'a>,
    nodes: Nodes<'a>,
}

/// Whether there is a path, and what all of them weigh.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Score {
    /// ln Z; -∞ if no path is possible, 0 for no positions.
    pub ln_z: f64,
    /// The first position at which no path is left.
    pub impossible: Option<usize>,
}

/// Probabilities along a chain.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Marginals {
    /// ln Z.
    pub ln_z: f64,
    /// p(z_t = k) at index t K + k.
    pub nodes: Vec<f64>,
}

/// A path and its score.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Path {
    /// The state at each position.
    pub states: Vec<usize>,
    /// The score, of which ln Z is to be subtracted for its ln probability.
    pub score: f64,
}

impl<'a> LinearChain<'a> {
    /// The chain with these scores: K `ln_initial`, K `ln_nodes` for each position. -∞ is what cannot be.
    ///
    /// # Errors
    /// If there is no state, numbers of scores do not go together, or a score is NaN or +∞.
    pub fn new(ln_initial: &'a [f64], edges: Edges<'a>, ln_nodes: &'a [f64]) -> Result<Self, Error> {
        let states = ln_initial.len();
        let length = ln_nodes.len() / states.max(1);
        check::dimension("scores of nodes", length * states, ln_nodes.len())?;
        check_scores(ln_nodes, "score of a node")?;
        Self { ln_initial, edges, nodes: Nodes::Ln(ln_nodes) }.checked()
    }

    /// The chain whose positions have the scores of these kinds.
    ///
    /// # Errors
    /// If there is no state, numbers of scores do not go together, a score is NaN or +∞, or a kind is not in
    /// the table.
    pub fn with_table(
        ln_initial: &'a [f64],
        edges: Edges<'a>,
        table: &'a NodeTable,
        kinds: &'a [usize],
    ) -> Result<Self, Error> {
        check::dimension("states of the table", ln_initial.len(), table.states())?;
        if let Some(position) = kinds.iter().position(|&kind| kind >= table.kinds()) {
            return Err(Error::Observation {
                sequence: 0,
                position,
                message: format!("{} is none of {} kinds", kinds[position], table.kinds()),
            });
        }
        Self { ln_initial, edges, nodes: Nodes::Table(table, kinds) }.checked()
    }

    fn checked(self) -> Result<Self, Error> {
        let (states, length) = (self.ln_initial.len(), self.length());
        if states == 0 {
            return Err(DimensionError::new("states", 1, 0).into());
        }
        check_scores(self.ln_initial, "initial score")?;
        let (what, expected, found) = match self.edges {
            Edges::Same(transitions) => ("states of the transitions", states, transitions.states()),
            Edges::Each(scores) => {
                check_scores(scores, "score of a step")?;
                ("scores of steps", length.saturating_sub(1) * states * states, scores.len())
            }
        };
        if expected == found { Ok(self) } else { Err(DimensionError::new(what, expected, found).into()) }
    }

    /// The number of states, K.
    pub const fn states(&self) -> usize {
        self.ln_initial.len()
    }

    /// The number of positions, T.
    pub const fn length(&self) -> usize {
        match self.nodes {
            Nodes::Ln(ln) if self.ln_initial.is_empty() => ln.len(),
            Nodes::Ln(ln) => ln.len() / self.ln_initial.len(),
            Nodes::Table(_, kinds) => kinds.len(),
        }
    }

    /// n_t.
    fn node(&self, t: usize) -> &'a [f64] {
        match self.nodes {
            Nodes::Ln(ln) => &ln[t * self.states()..][..self.states()],
            Nodes::Table(table, kinds) => table.ln_row(kinds[t]),
        }
    }

    /// e_t(i, ·).
    fn edge_row(&self, t: usize, i: usize) -> &'a [f64] {
        let states = self.states();
        match self.edges {
            Edges::Same(transitions) => transitions.ln_row(i),
            Edges::Each(scores) => &scores[(t * states + i) * states..][..states],
        }
    }

    /// ln Z; -∞ if no path is possible, 0 for no positions.
    pub fn ln_z(&self) -> f64 {
        ForwardBackward::new().score(self).ln_z
    }

    /// The probabilities of states at each position, given everything. NaN nowhere: where no path is possible
    /// they are 0.
    pub fn marginals(&self) -> Marginals {
        let mut work = ForwardBackward::new();
        let smoothed = work.smooth(self);
        Marginals { ln_z: smoothed.score().ln_z, nodes: smoothed.marginals().to_vec() }
    }
}

/// Refuses NaN and +∞.
fn check_scores(scores: &[f64], parameter: &'static str) -> Result<(), Error> {
    let mut fine = true;
    for &score in scores {
        fine &= score < f64::INFINITY;
    }
    if fine {
        return Ok(());
    }
    for &score in scores {
        check::require(score < f64::INFINITY, "Chain", parameter, score, "a number below infinity")?;
    }
    Ok(())
}
