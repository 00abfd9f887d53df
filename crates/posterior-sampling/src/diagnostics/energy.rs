//! The energies of a Hamiltonian sampler.

use super::Undefined;
use super::sample::{Sample, mean};

/// E-BFMI, the estimated Bayesian fraction of missing information (Betancourt 2016), of the energies of one
/// chain: Σ (E_t - E_(t-1))² / Σ (E_t - mean)².
///
/// Below 0.3 a new momentum changes the energy too little: the chain walks slowly through energies, and may
/// miss the tails.
///
/// # Errors
/// All energies the same, fewer than 4, energies that are not finite.
pub fn e_bfmi(energies: &[f64]) -> Result<f64, Undefined> {
    let sample = Sample::new(&[energies], 4)?.standard()?.sample;
    let values = sample.values();
    let mean = mean(values);
    let steps: f64 = values.windows(2).map(|pair| (pair[1] - pair[0]).powi(2)).sum();
    Ok(steps / values.iter().map(|x| (x - mean).powi(2)).sum::<f64>())
}
