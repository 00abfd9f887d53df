//! Paths drawn from their distribution given the parameters: forward filtering, backward sampling.

use posterior_dist::Density;
use rand::Rng;

use super::parameters::ln_densities;
use super::{HmmParameters, Observed};
use crate::chain::{Edges, ForwardBackward, LinearChain, Transitions};
use crate::error::Error;

/// Draws all paths anew into `labels`, and returns ln p(data | parameters).
pub(crate) fn draw_paths<F: Density, R: Rng + ?Sized>(
    data: &Observed<'_, F::Point>,
    parameters: &HmmParameters<F>,
    labels: &mut [u32],
    rng: &mut R,
) -> Result<f64, Error> {
    let (mut messages, mut nodes) = (ForwardBackward::new(), Vec::new());
    let transitions = Transitions::from_ln(&parameters.ln_transitions)?;
    let mut ln_likelihood = 0.0;
    for sequence in 0..data.sequences() {
        ln_densities(data, sequence, &parameters.emissions, &mut nodes)?;
        let chain = LinearChain::new(&parameters.ln_initial, Edges::Same(&transitions), &nodes)?;
        let filtered = messages.filter(&chain);
        let score = filtered.score();
        let Some(path) = filtered.sample(rng) else {
            let position = score.impossible.unwrap_or_default();
            return Err(Error::Impossible { sequence, position });
        };
        ln_likelihood += score.ln_z;
        for (label, state) in labels[data.range(sequence)].iter_mut().zip(path) {
            *label = state as u32;
        }
    }
    Ok(ln_likelihood)
}
