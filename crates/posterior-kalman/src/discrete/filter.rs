//! The distribution of the state given what was seen so far, scaled at each time.

use posterior_math::linalg::DMatrix;

use super::DiscreteChain;
use crate::Error;

/// For each time the distribution of the state before and after the observation, and what the observation
/// said.
#[derive(Debug, Clone, PartialEq)]
pub struct FilteredStates {
    states: usize,
    predicted: Vec<f64>,
    filtered: Vec<f64>,
    ln_likelihoods: Vec<f64>,
}

impl DiscreteChain {
    /// The distribution of the state at each time, given the observations up to it.
    ///
    /// Entry (t, i) of `ln_likelihoods` is ln p(y(t) | state i): any real number, or -∞ where the state
    /// excludes the observation. A row of zeros is an observation that is missing. Probabilities below 1e-308
    /// of the largest count as zero. O(K²) a time.
    ///
    /// # Errors
    /// If the sizes do not agree, a likelihood is NaN or +∞, or all states that are left exclude an
    /// observation.
    pub fn filter(&self, ln_likelihoods: &DMatrix<f64>) -> Result<FilteredStates, Error> {
        self.check(ln_likelihoods)?;
        let (states, length) = (self.states(), ln_likelihoods.nrows());
        let mut found = FilteredStates {
            states,
            predicted: Vec::with_capacity(states * length),
            filtered: Vec::with_capacity(states * length),
            ln_likelihoods: Vec::with_capacity(length),
        };
        let mut distribution = self.initial().to_vec();
        for (t, row) in ln_likelihoods.row_iter().enumerate() {
            if t > 0 {
                distribution = self.step(&distribution, t - 1);
            }
            found.predicted.extend_from_slice(&distribution);
            let possible = distribution.iter().zip(&row).filter(|(p, _)| **p > 0.0);
            let most = possible.map(|(_, &ln)| ln).fold(f64::NEG_INFINITY, f64::max);
            if most == f64::NEG_INFINITY {
                return Err(Error::Impossible { time: t });
            }
            // A state of probability zero may explain the observation ever so well.
            distribution.iter_mut().zip(&row).for_each(|(p, &ln)| *p *= (ln - most).min(0.0).exp());
            let sum: f64 = distribution.iter().sum();
            for p in &mut distribution {
                *p /= sum;
            }
            found.filtered.extend_from_slice(&distribution);
            found.ln_likelihoods.push(most + sum.ln());
        }
        Ok(found)
    }
}

impl FilteredStates {
    /// How many times.
    pub const fn len(&self) -> usize {
        self.ln_likelihoods.len()
    }

    /// Whether there is no time.
    pub const fn is_empty(&self) -> bool {
        self.ln_likelihoods.is_empty()
    }

    /// The number K of states.
    pub const fn states(&self) -> usize {
        self.states
    }

    /// p(x(t) | y(0), …, y(t)).
    ///
    /// # Panics
    /// At a time after the last, as all that take a time.
    #[track_caller]
    pub fn probabilities(&self, t: usize) -> &[f64] {
        &self.filtered[t * self.states..(t + 1) * self.states]
    }

    /// p(x(t) | y(0), …, y(t-1)).
    #[track_caller]
    pub fn predicted(&self, t: usize) -> &[f64] {
        &self.predicted[t * self.states..(t + 1) * self.states]
    }

    /// ln p(y).
    pub fn ln_likelihood(&self) -> f64 {
        self.ln_likelihoods.iter().sum()
    }

    /// ln p(y(t) | y(0), …, y(t-1)) for each t.
    pub fn ln_likelihood_terms(&self) -> &[f64] {
        &self.ln_likelihoods
    }
}
