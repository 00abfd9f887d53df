//! What a sequence says about its segments.

use super::backward::{Backward, backward};
use super::forward::{Distributions, Forward, forward};
use super::model::SemiMarkovModel;
use crate::chain::best_path::first_largest;
use crate::emission::{Emissions, Sequence};
use crate::error::Error;

/// Probabilities of states and of borders, given a sequence.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct SegmentPosterior {
    /// ln p of the sequence.
    pub ln_likelihood: f64,
    /// The probability of state k at position t, at t K + k; those of a position add up to one.
    pub states: Vec<f64>,
    /// The probability that a segment of state k begins at position t, at t K + k. Of the first position:
    /// that the sequence begins in it.
    pub begins: Vec<f64>,
}

impl<E: Emissions> SemiMarkovModel<E> {
    /// The most probable state of each position by itself, of equal ones the first. O(T K).
    pub fn posterior_decoding(&self, posterior: &SegmentPosterior) -> Vec<usize> {
        posterior.states.chunks_exact(self.states()).map(|row| first_largest(row).0).collect()
    }

    /// ln p of a sequence; -∞ of one that cannot be. O(T K (K + D)).
    ///
    /// # Errors
    /// If the emissions do not take the data.
    pub fn ln_likelihood(&self, sequence: &Sequence<'_, E::Data>) -> Result<f64, Error> {
        Ok(forward(&Distributions::of(self), &self.ln_nodes(sequence)?).ln_z)
    }

    /// The probabilities of states and borders at each position: O(T K (K + D)), and about 8 T K numbers.
    ///
    /// # Errors
    /// If the emissions do not take the data, or no segmentation explains them ([`Error::Impossible`], of
    /// sequence 0).
    pub fn posterior(&self, sequence: &Sequence<'_, E::Data>) -> Result<SegmentPosterior, Error> {
        let distributions = Distributions::of(self);
        let pass = possible(&distributions, &self.ln_nodes(sequence)?)?;
        let after = backward(&distributions, &pass, |_, _, _, _| ());
        let begins = begin_probabilities(&pass, &after, distributions.states);
        let states = state_probabilities(&pass, &after, &begins, distributions.states);
        Ok(SegmentPosterior { ln_likelihood: pass.ln_z, states, begins })
    }

    /// K log-densities for each position.
    pub(super) fn ln_nodes(&self, sequence: &Sequence<'_, E::Data>) -> Result<Vec<f64>, Error> {
        sequence.check(&self.emissions)?;
        let (positions, states) = (E::length(sequence.data()), self.states());
        let mut nodes = vec![0.0; positions * states];
        sequence.ln_densities(&self.emissions, 0..positions, &mut nodes);
        match nodes.iter().position(|node| !(*node < f64::INFINITY)) {
            None => Ok(nodes),
            Some(place) => {
                let message = format!("state {} has no finite density there", place % states);
                Err(Error::Observation { sequence: 0, position: place / states, message })
            }
        }
    }
}

/// The pass forward over a sequence that is possible.
pub(super) fn possible(distributions: &Distributions<'_>, ln_nodes: &[f64]) -> Result<Forward, Error> {
    let pass = forward(distributions, ln_nodes);
    match pass.impossible {
        Some(position) => Err(Error::Impossible { sequence: 0, position }),
        None => Ok(pass),
    }
}

/// p(a segment of state k begins at t), at t K + k.
pub(super) fn begin_probabilities(pass: &Forward, after: &Backward, states: usize) -> Vec<f64> {
    let mut begins = vec![0.0; states * pass.positions];
    for t in 0..pass.positions {
        for k in 0..states {
            let ln = pass.begins[k * pass.positions + t] + after.after_begin[k * pass.positions + t];
            begins[t * states + k] = (ln - pass.ln_scaled).exp().min(1.0);
        }
    }
    // Some state begins the sequence: what rounding of large scores has added.
    if let Some(first) = begins.get_mut(..states) {
        let total: f64 = first.iter().sum();
        for own in first.iter_mut() {
            *own /= total;
        }
    }
    begins
}

/// p(state k at t), at t K + k: what began less what ended.
pub(super) fn state_probabilities(
    pass: &Forward,
    after: &Backward,
    begins: &[f64],
    states: usize,
) -> Vec<f64> {
    let mut probabilities = begins.to_vec();
    for t in 1..pass.positions {
        let (before, own) = probabilities.split_at_mut(t * states);
        let own = &mut own[..states];
        for (k, own) in own.iter_mut().enumerate() {
            let place = k * (pass.positions + 1) + t;
            let ended = (pass.ends[place] + after.after_end[place] - pass.ln_scaled).exp();
            *own = (before[(t - 1) * states + k] + (*own - ended)).max(0.0);
        }
        let total: f64 = own.iter().sum();
        for own in own.iter_mut() {
            *own /= total;
        }
    }
    probabilities
}
