//! The parameters of a hidden Markov model, as a sampler draws them.

use posterior_dist::Density;
use posterior_math::linalg::DMatrix;

use super::Observed;
use crate::chain::{Edges, ForwardBackward, LinearChain, Transitions};
use crate::error::Error;

/// Initial distribution, transitions and emissions; probabilities as logarithms, because draws may be smaller
/// than f64 has numbers.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct HmmParameters<F> {
    /// Logarithms of the probabilities π of the first state.
    pub ln_initial: Vec<f64>,
    /// ln A: rows are where a step begins.
    pub ln_transitions: DMatrix<f64>,
    /// The distribution of the observations of each state.
    pub emissions: Vec<F>,
}

impl<F> HmmParameters<F> {
    /// Number K of hidden states.
    pub const fn states(&self) -> usize {
        self.emissions.len()
    }

    /// Probabilities π of the first state.
    pub fn initial(&self) -> Vec<f64> {
        self.ln_initial.iter().map(|ln| ln.exp()).collect()
    }

    /// Matrix A of transition probabilities, a row for each state before.
    pub fn transitions(&self) -> DMatrix<f64> {
        self.ln_transitions.map(f64::exp)
    }

    /// The same parameters under other names: state k is what was `order[k]`.
    pub(crate) fn reordered(&self, order: &[usize]) -> Self
    where
        F: Clone,
    {
        let entry = |i: usize, j: usize| self.ln_transitions[(order[i], order[j])];
        Self {
            ln_initial: order.iter().map(|&k| self.ln_initial[k]).collect(),
            ln_transitions: DMatrix::from_fn(order.len(), order.len(), entry),
            emissions: order.iter().map(|&k| self.emissions[k].clone()).collect(),
        }
    }
}

impl<F: Density> HmmParameters<F> {
    /// ln p of each sequence given these parameters; -∞ of one that cannot be. O(T K²).
    ///
    /// # Errors
    /// If a density is infinite or NaN at a point.
    pub fn ln_likelihoods(&self, data: &Observed<'_, F::Point>) -> Result<Vec<f64>, Error> {
        let transitions = Transitions::from_ln(&self.ln_transitions)?;
        let mut messages = ForwardBackward::new();
        let mut nodes = Vec::new();
        let score = |sequence: usize| {
            ln_densities(data, sequence, &self.emissions, &mut nodes)?;
            let chain = LinearChain::new(&self.ln_initial, Edges::Same(&transitions), &nodes)?;
            Ok(messages.score(&chain).ln_z)
        };
        (0..data.sequences()).map(score).collect()
    }
}

/// K log-densities for each position of a sequence; 0 where nothing was seen.
pub(crate) fn ln_densities<F: Density>(
    data: &Observed<'_, F::Point>,
    sequence: usize,
    distributions: &[F],
    out: &mut Vec<f64>,
) -> Result<(), Error> {
    let points = data.points(sequence);
    out.clear();
    out.resize(points.len() * distributions.len(), 0.0);
    for (position, (point, scores)) in
        points.iter().zip(out.chunks_exact_mut(distributions.len())).enumerate()
    {
        let Some(point) = point else { continue };
        for (score, distribution) in scores.iter_mut().zip(distributions) {
            *score = distribution.ln_pdf(point);
            if !(*score < f64::INFINITY) {
                let message = "a state has no finite density there".to_owned();
                return Err(Error::Observation { sequence, position, message });
            }
        }
    }
    Ok(())
}
