//! Scores of steps that are the same everywhere.

use posterior_math::check::{self, DimensionError};
use posterior_math::linalg::DMatrix;

use super::lanes::{LANES, Lane, Matrix, width};
use super::weights;
use crate::error::Error;

/// The scores of steps from state to state, prepared for passing many messages.
#[derive(Debug, Clone, PartialEq)]
pub struct Transitions {
    states: usize,
    ln: Vec<f64>,
    ln_scale: f64,
    smallest: f64,
    /// Column by column, -∞ behind the last state.
    ln_columns: Vec<Lane>,
    ln_matrix: Matrix,
    forward: Matrix,
    backward: Matrix,
}

impl Transitions {
    /// ln scores: rows are where a step begins. -∞ is what cannot be.
    ///
    /// # Errors
    /// If the matrix is not square, has no row, or holds NaN or +∞.
    pub fn from_ln(ln: &DMatrix<f64>) -> Result<Self, Error> {
        Self::check_size(ln)?;
        for &score in ln {
            check::require(
                score < f64::INFINITY,
                "Transitions",
                "ln score",
                score,
                "a number below infinity",
            )?;
        }
        let ln = ln.transpose().as_slice().to_vec();
        let mut linear = Vec::new();
        let ln_scale = weights::of_scores(&ln, &mut linear);
        Ok(Self::prepared(ln, linear.as_flattened(), ln_scale))
    }

    /// Probabilities, or numbers up to 1 in proportion to them: rows are where a step begins. 0 is what
    /// cannot be.
    ///
    /// # Errors
    /// If the matrix is not square, has no row, or holds what is no probability.
    pub fn from_probabilities(probabilities: &DMatrix<f64>) -> Result<Self, Error> {
        Self::check_size(probabilities)?;
        for &probability in probabilities {
            check::probability("Transitions", "probability", probability)?;
        }
        if probabilities.max() < 0.5 / probabilities.nrows() as f64 {
            // No rows of probabilities: the largest weight has to be near 1.
            return Self::from_ln(&probabilities.map(f64::ln));
        }
        let linear = probabilities.transpose().as_slice().to_vec();
        let ln = linear.iter().map(|weight| weight.ln()).collect();
        Ok(Self::prepared(ln, &linear, 0.0))
    }

    fn check_size(matrix: &DMatrix<f64>) -> Result<(), Error> {
        let states = matrix.nrows();
        if states > 0 && matrix.ncols() == states {
            return Ok(());
        }
        Err(DimensionError::new("columns of the transitions", states.max(1), matrix.ncols()).into())
    }

    /// With ln scores, and weights that are to be multiplied by e to the power of the scale, both row by row.
    fn prepared(ln: Vec<f64>, linear: &[f64], ln_scale: f64) -> Self {
        let states = ln.len().isqrt();
        Self {
            states,
            ln_columns: columns(&ln, states),
            ln_matrix: Matrix::from_fn(states, |i, j| ln[i * states + j]),
            ln,
            ln_scale,
            smallest: linear[..states * states].iter().copied().fold(f64::INFINITY, f64::min),
            forward: Matrix::from_fn(states, |i, j| linear[i * states + j]),
            backward: Matrix::from_fn(states, |j, i| linear[i * states + j]),
        }
    }

    /// Number K of states.
    pub const fn states(&self) -> usize {
        self.states
    }

    /// The ln scores of the steps from state i.
    ///
    /// # Panics
    /// If there is no such state.
    #[track_caller]
    pub fn ln_row(&self, i: usize) -> &[f64] {
        &self.ln[i * self.states..][..self.states]
    }

    /// The ln scores of the steps to state j.
    pub(super) fn ln_column(&self, j: usize) -> &[f64] {
        let width = width(self.states);
        &self.ln_columns[j * width..][..width].as_flattened()[..self.states]
    }

    /// The ln scores of the steps to each state, -∞ behind the last state they come from.
    pub(super) fn ln_columns(&self) -> &[Lane] {
        &self.ln_columns
    }

    /// The ln scores of steps, 0 behind the last state.
    pub(super) const fn ln_matrix(&self) -> &Matrix {
        &self.ln_matrix
    }

    /// The weights of steps, of which the largest is about 1: rows are where a step begins.
    pub(super) const fn forward(&self) -> &Matrix {
        &self.forward
    }

    /// The same transposed.
    pub(super) const fn backward(&self) -> &Matrix {
        &self.backward
    }

    /// The ln of what weights are to be multiplied by.
    pub(super) const fn ln_scale(&self) -> f64 {
        self.ln_scale
    }

    /// The smallest weight.
    pub(super) const fn smallest(&self) -> f64 {
        self.smallest
    }
}

/// The columns of a matrix whose rows come one after the other, -∞ behind the last row.
fn columns(rows: &[f64], states: usize) -> Vec<Lane> {
    let mut columns = vec![[f64::NEG_INFINITY; LANES]; states * width(states)];
    for (j, column) in columns.chunks_exact_mut(width(states)).enumerate() {
        for (number, row) in column.as_flattened_mut().iter_mut().zip(rows.chunks_exact(states)) {
            *number = row[j];
        }
    }
    columns
}
