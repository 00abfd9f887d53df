//! What a model is asked, and what it says.

use serde::Serialize;

use crate::args::DecodingKind;

/// What a model is asked of sequences.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked {
    pub(super) decoding: DecodingKind,
    /// How many of the most probable paths.
    pub(super) best: Option<usize>,
}

/// A path of states, and its probability given what was seen.
#[derive(Debug, Clone, Serialize)]
pub(super) struct WholePath {
    pub(super) probability: f64,
    pub(super) ln_probability: f64,
    pub(super) states: Vec<usize>,
}

/// What a model says of sequences.
#[derive(Debug)]
pub(super) struct Said {
    /// ln p of each sequence.
    pub(super) ln_likelihoods: Vec<f64>,
    /// The state of each row of each sequence.
    pub(super) states: Vec<Vec<usize>>,
    /// The probability of each state at each row, S numbers a row.
    pub(super) probabilities: Vec<Vec<f64>>,
    /// The most probable paths of each sequence, the best first, where they were asked for.
    pub(super) best: Option<Vec<Vec<WholePath>>>,
}

impl WholePath {
    pub(super) fn new(states: Vec<usize>, ln_probability: f64) -> Self {
        Self { probability: ln_probability.exp(), ln_probability, states }
    }
}
