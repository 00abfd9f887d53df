//! Positions in a row with K states each, a score for every state of a position and for every step: what message passing along
//! them gives.
//!
//! p(z) = exp(a(z_0) + Σ_t n_t(z_t) + Σ_t e_t(z_t, z_{t+1})) / Z. Hidden Markov models and linear-chain conditional random fields
//! are both this, given what was observed.

mod log_domain;
mod transitions;

use crate::error::Error;

pub use transitions::Transitions;

/// The scores of steps.
#[derive(Debug, Clone, Copy)]
pub enum Edges<'a> {
    /// The same at every step.
    Same(&'a Transitions),
    /// e_t(i, j) at index t K² + i K + j.
    Each(&'a [f64]),
}

/// The scores of a chain.
#[derive(Debug, Clone, Copy)]
pub struct Chain<'a> {
    ln_initial: &'a [f64],
    edges: Edges<'a>,
    ln_nodes: &'a [f64],
}

/// Probabilities along a chain.
#[derive(Debug, Clone, PartialEq)]
pub struct Marginals {
    /// ln Z.
    pub ln_z: f64,
    /// p(z_t = k) at index t K + k.
    pub nodes: Vec<f64>,
}

/// A path and its score.
#[derive(Debug, Clone, PartialEq)]
pub struct Path {
    /// The state at each position.
    pub states: Vec<usize>,
    /// The score, of which ln Z is to be subtracted for its ln probability.
    pub score: f64,
}

impl<'a> Chain<'a> {
    /// The chain with these scores: K `ln_initial`, K `ln_nodes` for each position. -∞ is what cannot be.
    ///
    /// # Errors
    /// If there is no state, or numbers of scores do not go together. Scores are not looked at: NaN and +∞ must not be among them.
    pub fn new(ln_initial: &'a [f64], edges: Edges<'a>, ln_nodes: &'a [f64]) -> Result<Self, Error> {
        let states = ln_initial.len();
        if states == 0 {
            return Err(Error::Dimension { what: "states", expected: 1, found: 0 });
        }
        let length = ln_nodes.len() / states;
        if length * states != ln_nodes.len() {
            return Err(Error::Dimension {
                what: "scores of nodes",
                expected: length * states,
                found: ln_nodes.len(),
            });
        }
        let (what, expected, found) = match edges {
            Edges::Same(transitions) => ("states of the transitions", states, transitions.states()),
            Edges::Each(scores) => {
                ("scores of steps", length.saturating_sub(1) * states * states, scores.len())
            }
        };
        if expected == found {
            Ok(Self { ln_initial, edges, ln_nodes })
        } else {
            Err(Error::Dimension { what, expected, found })
        }
    }

    /// K.
    pub const fn states(&self) -> usize {
        self.ln_initial.len()
    }

    /// T.
    pub const fn length(&self) -> usize {
        self.ln_nodes.len() / self.ln_initial.len()
    }

    /// n_t.
    fn node(&self, t: usize) -> &'a [f64] {
        &self.ln_nodes[t * self.states()..][..self.states()]
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
        log_domain::ln_z(self)
    }

    /// The probabilities of states at each position, given everything. NaN nowhere: where no path is possible they are 0.
    pub fn marginals(&self) -> Marginals {
        log_domain::marginals(self)
    }
}
