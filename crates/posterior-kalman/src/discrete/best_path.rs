//! The most probable sequence of states: Viterbi's algorithm.

use posterior_math::linalg::DMatrix;

use super::DiscreteChain;
use crate::Error;

/// A sequence of states that no other exceeds in probability.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct BestPath {
    /// The state at each time.
    pub states: Vec<usize>,
    /// ln p(states, y).
    pub ln_probability: f64,
}

impl DiscreteChain {
    /// The most probable states given all observations; of several the one that is lowest from the end on.
    /// O(K²) a time, in logarithms. `ln_likelihoods` as for [`filter`](Self::filter).
    ///
    /// # Errors
    /// As [`filter`](Self::filter).
    pub fn best_path(&self, ln_likelihoods: &DMatrix<f64>) -> Result<BestPath, Error> {
        self.check(ln_likelihoods)?;
        let (states, length) = (self.states(), ln_likelihoods.nrows());
        let mut best: Vec<f64> = self.initial().iter().map(|p| p.ln()).collect();
        let mut origins = vec![0; states * length];
        for (t, row) in ln_likelihoods.row_iter().enumerate() {
            if t > 0 {
                let moves = self.transitions().matrix(t - 1).map(f64::ln);
                let reach = |j: usize| largest((0..states).map(|i| best[i] + moves[(i, j)]));
                let reached: Vec<(usize, f64)> = (0..states).map(reach).collect();
                origins[t * states..(t + 1) * states]
                    .copy_from_slice(&reached.iter().map(|&(from, _)| from).collect::<Vec<_>>());
                best = reached.into_iter().map(|(_, ln)| ln).collect();
            }
            best.iter_mut().zip(&row).for_each(|(ln, &seen)| *ln += seen);
            if largest(best.iter().copied()).1 == f64::NEG_INFINITY {
                return Err(Error::Impossible { time: t });
            }
        }
        let (mut state, ln_probability) = largest(best.into_iter());
        let mut path = vec![0; length];
        for t in (0..length).rev() {
            path[t] = state;
            state = origins[t * states + state];
        }
        Ok(BestPath { states: path, ln_probability: if length == 0 { 0.0 } else { ln_probability } })
    }
}

/// The largest of some values with its place, the first of several.
fn largest(values: impl Iterator<Item = f64>) -> (usize, f64) {
    values.enumerate().fold((0, f64::NEG_INFINITY), |most, own| if own.1 > most.1 { own } else { most })
}
