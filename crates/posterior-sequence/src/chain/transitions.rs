//! Scores of steps that are the same everywhere.

use posterior_math::check;
use posterior_math::linalg::DMatrix;

use crate::error::Error;

/// The scores of steps from state to state, prepared for passing many messages.
#[derive(Debug, Clone, PartialEq)]
pub struct Transitions {
    states: usize,
    ln: Vec<f64>,
}

impl Transitions {
    /// ln scores: rows are where a step begins. -∞ is what cannot be.
    ///
    /// # Errors
    /// If the matrix is not square, has no row, or holds NaN or +∞.
    pub fn from_ln(ln: &DMatrix<f64>) -> Result<Self, Error> {
        let states = ln.nrows();
        if states == 0 || ln.ncols() != states {
            return Err(Error::Dimension {
                what: "columns of the transitions",
                expected: states.max(1),
                found: ln.ncols(),
            });
        }
        for &score in ln {
            check::require(
                score < f64::INFINITY,
                "Transitions",
                "ln score",
                score,
                "a number below infinity",
            )?;
        }
        Ok(Self { states, ln: ln.transpose().as_slice().to_vec() })
    }

    /// K.
    pub const fn states(&self) -> usize {
        self.states
    }

    /// The ln scores of the steps from state i.
    pub fn ln_row(&self, i: usize) -> &[f64] {
        &self.ln[i * self.states..][..self.states]
    }
}
