//! Scores of positions that come from a table.

use posterior_math::check::{self, DimensionError};
use posterior_math::linalg::DMatrix;

use super::lanes::{LANES, Lane, width};
use super::weights;
use crate::error::Error;

/// Kinds of positions, with the scores of the K states for each kind: what is seen is one of a few symbols.
///
/// Made once, it saves K exponentials and logarithms for each position of a chain.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeTable {
    states: usize,
    ln: Vec<f64>,
    /// The same in lanes, -∞ behind the last state.
    ln_lanes: Vec<Lane>,
    weights: Vec<Lane>,
    ln_scales: Vec<f64>,
}

impl NodeTable {
    /// ln scores: kinds of positions are rows, states are columns. -∞ is what cannot be.
    ///
    /// # Errors
    /// If there is no state, or a score is NaN or +∞.
    pub fn from_ln(ln: &DMatrix<f64>) -> Result<Self, Error> {
        let states = ln.ncols();
        if states == 0 {
            return Err(DimensionError::new("states", 1, 0).into());
        }
        for &score in ln {
            check::require(score < f64::INFINITY, "NodeTable", "ln score", score, "a number below infinity")?;
        }
        let ln = ln.transpose().as_slice().to_vec();
        let mut rows = Vec::new();
        let mut ln_scales = Vec::with_capacity(ln.len() / states);
        weights::rows(&ln, states, &mut rows, |largest| ln_scales.push(largest));
        let mut ln_lanes = vec![[f64::NEG_INFINITY; LANES]; rows.len()];
        for (lanes, ln) in ln_lanes.chunks_exact_mut(width(states)).zip(ln.chunks_exact(states)) {
            lanes.as_flattened_mut()[..states].copy_from_slice(ln);
        }
        Ok(Self { states, ln, ln_lanes, weights: rows, ln_scales })
    }

    /// Number K of states.
    pub const fn states(&self) -> usize {
        self.states
    }

    /// The number of kinds of positions.
    pub const fn kinds(&self) -> usize {
        self.ln_scales.len()
    }

    /// The ln scores of a kind.
    ///
    /// # Panics
    /// If there is no such kind.
    #[track_caller]
    pub fn ln_row(&self, kind: usize) -> &[f64] {
        &self.ln[kind * self.states..][..self.states]
    }

    /// The ln scores of a kind, -∞ behind the last state.
    #[inline(always)]
    pub(super) fn ln_lanes(&self, kind: usize) -> &[Lane] {
        let width = width(self.states);
        &self.ln_lanes[kind * width..][..width]
    }

    /// The weights of a kind, of which the largest is 1.
    #[inline(always)]
    pub(super) fn row(&self, kind: usize) -> &[Lane] {
        let width = width(self.states);
        &self.weights[kind * width..][..width]
    }

    /// The ln of what the weights of a kind are to be multiplied by.
    #[inline(always)]
    pub(super) fn ln_scale(&self, kind: usize) -> f64 {
        self.ln_scales[kind]
    }
}
