//! The distribution of each state given all observations, and of each pair of neighbours.

use posterior_math::check;
use posterior_math::linalg::DMatrix;

use super::{DiscreteChain, FilteredStates};
use crate::Error;

/// For each time the distribution of the state given all observations.
#[derive(Debug, Clone, PartialEq)]
pub struct SmoothedStates {
    smoothed: Vec<Vec<f64>>,
    pairs: Vec<DMatrix<f64>>,
    ln_likelihood: f64,
}

impl FilteredStates {
    /// The distributions of the states given all observations.
    ///
    /// Backwards: p(x(t) | y) = p(x(t) | y(0..=t)) Σ p(x(t+1) | x(t)) p(x(t+1) | y) / p(x(t+1) | y(0..=t)).
    ///
    /// # Errors
    /// If `chain` is not of the same size and length.
    pub fn smooth(&self, chain: &DiscreteChain) -> Result<SmoothedStates, Error> {
        check::dimension("states of the chain", self.states(), chain.states())?;
        let length = self.len();
        chain.reaches(length.saturating_sub(1))?;
        let mut smoothed: Vec<Vec<f64>> = Vec::with_capacity(length);
        let mut pairs = Vec::with_capacity(length.saturating_sub(1));
        for t in (0..length).rev() {
            let Some(next) = smoothed.last() else {
                smoothed.push(self.probabilities(t).to_vec());
                continue;
            };
            let ahead = self.predicted(t + 1);
            let (moves, now) = (chain.transitions().matrix(t), self.probabilities(t));
            // now * moves is a part of ahead: divided first, the smallest probability cannot overflow.
            let pair = DMatrix::from_fn(chain.states(), chain.states(), |i, j| {
                if next[j] > 0.0 { now[i] * moves[(i, j)] / ahead[j] * next[j] } else { 0.0 }
            });
            smoothed.push(pair.column_sum().as_slice().to_vec());
            pairs.push(pair);
        }
        smoothed.reverse();
        pairs.reverse();
        Ok(SmoothedStates { smoothed, pairs, ln_likelihood: self.ln_likelihood() })
    }
}

impl SmoothedStates {
    /// How many times.
    pub const fn len(&self) -> usize {
        self.smoothed.len()
    }

    /// Whether there is no time.
    pub const fn is_empty(&self) -> bool {
        self.smoothed.is_empty()
    }

    /// p(x(t) | y).
    ///
    /// # Panics
    /// At a time after the last, as all that take a time.
    #[track_caller]
    pub fn probabilities(&self, t: usize) -> &[f64] {
        &self.smoothed[t]
    }

    /// p(x(t) = i, x(t+1) = j | y) at (i, j).
    #[track_caller]
    pub fn pair(&self, t: usize) -> &DMatrix<f64> {
        &self.pairs[t]
    }

    /// ln p(y).
    pub const fn ln_likelihood(&self) -> f64 {
        self.ln_likelihood
    }
}
