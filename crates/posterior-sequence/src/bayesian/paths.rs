//! Paths drawn from their law given the parameters: forward filtering, backward sampling.

use posterior_dist::Density;
use rand::Rng;

use super::parameters::ln_densities;
use super::{HmmParameters, Messages, Observed, Scores};
use crate::error::Error;

/// Draws paths; it keeps the memory for it.
#[derive(Debug)]
pub(crate) struct PathSampler {
    messages: Messages,
    nodes: Vec<f64>,
}

impl PathSampler {
    pub(crate) fn new() -> Self {
        Self { messages: Messages::new(), nodes: Vec::new() }
    }

    /// Draws all paths anew into `labels`, and returns ln p(data | parameters).
    pub(crate) fn draw<F: Density, R: Rng + ?Sized>(
        &mut self,
        data: &Observed<'_, F::Point>,
        parameters: &HmmParameters<F>,
        labels: &mut [u32],
        rng: &mut R,
    ) -> Result<f64, Error> {
        let steps = parameters.steps();
        let mut ln_likelihood = 0.0;
        for sequence in 0..data.sequences() {
            ln_densities(data, sequence, &parameters.emissions, &mut self.nodes)?;
            let scores = Scores { initial: &parameters.ln_initial, steps: &steps, nodes: &self.nodes };
            let filtered = self.messages.filter(scores);
            ln_likelihood += filtered.map_err(|position| Error::Impossible { sequence, position })?;
            self.messages.sample(scores, &mut labels[data.range(sequence)], rng);
        }
        Ok(ln_likelihood)
    }
}
