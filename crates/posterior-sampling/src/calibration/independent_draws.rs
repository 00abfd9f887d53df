//! Draws as if independent, out of chains.

use super::simulations::evenly_spaced;
use crate::diagnostics::{ess_bulk, ess_tail};
use crate::{Draws, Error};

/// As many evenly spaced draws, chain after chain, of chains whose draws are worth that many independent ones
/// for every parameter: the least of bulk and tail effective sample sizes.
///
/// This is how calibration needs them, for it ranks single draws. An estimate takes all draws, for thinning
/// loses some of what they know.
///
/// # Errors
/// [`Error::TooDependent`] with the parameter that has the fewest effective draws: run the chains longer, in
/// proportion.
pub fn nearly_independent(draws: &Draws, count: usize) -> Result<Draws, Error> {
    let mut least = (f64::INFINITY, 0);
    for parameter in 0..draws.names().len() {
        let chains = draws.parameter(parameter);
        let effective = ess_bulk(&chains).and_then(|bulk| Ok(bulk.min(ess_tail(&chains)?)));
        let Ok(effective) = effective else { return Err(too_dependent(draws, parameter, None, count)) };
        if effective < least.0 {
            least = (effective, parameter);
        }
    }
    if least.0 < count as f64 {
        return Err(too_dependent(draws, least.1, Some(least.0), count));
    }
    let rows = evenly_spaced(draws, count)?.flat_map(|(chain, draw)| draws.draw(chain, draw).iter().copied());
    Draws::new(draws.names().to_vec(), vec![rows.collect()])
}

fn too_dependent(draws: &Draws, parameter: usize, effective: Option<f64>, needed: usize) -> Error {
    Error::TooDependent { parameter: draws.names()[parameter].clone(), effective, needed }
}
