//! One chain, step by step: a value that can be written down and resumed to the bit.

use rand_pcg::Pcg64;

use crate::{DivergentTransition, Started, State};

/// A chain in the middle of its work: its transition `K`, its state `S`, what its tuning has fitted `P`, its
/// random numbers, and its draws.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Chain<K, S, P> {
    pub(crate) at: Started<K, S, P>,
    pub(crate) rng: Pcg64,
    pub(crate) iteration: usize,
    /// The points that are kept.
    pub(crate) rows: Vec<f64>,
    /// For each of them ln p, then the numbers of [`Info`].
    #[cfg_attr(feature = "serde", serde(with = "crate::any_float"))]
    pub(crate) statistics: Vec<f64>,
    pub(crate) divergences: Vec<DivergentTransition>,
}

/// What became of a chain.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ChainReport<K> {
    /// The transition after the warm-up.
    pub tuned: K,
    /// All divergences, those of the warm-up too, in their order.
    pub divergences: Vec<DivergentTransition>,
    /// Where the chain ended: a start for another run.
    pub last: Vec<f64>,
}

impl<K, S: State, P> Chain<K, S, P> {
    /// Steps taken, the warm-up counted.
    pub const fn iteration(&self) -> usize {
        self.iteration
    }

    /// Divergences so far, those of the warm-up too.
    pub fn divergences(&self) -> &[DivergentTransition] {
        &self.divergences
    }

    /// Where the chain is.
    pub fn position(&self) -> &[f64] {
        self.at.state.position()
    }

    pub(crate) fn report(self) -> ChainReport<K> {
        let last = self.at.state.position().to_vec();
        ChainReport { tuned: self.at.tuned, divergences: self.divergences, last }
    }
}
