//! The mean of draws that depend on each other.

use posterior_math::check::ParamError;
use posterior_math::streaming::MeanVariance;

use super::{Estimate, at_least, moments};

/// The mean over all draws of all chains, with the standard error from the means of batches of √n draws.
///
/// Means of long batches hardly depend on each other, whatever the draws in a batch do. The standard error is
/// consistent for chains that forget their start fast enough; it is too small as long as batches are shorter
/// than what the chain remembers. Take the columns of [`Draws::parameter`](crate::Draws::parameter).
///
/// # Errors
/// As [`batch_means_of_length`]; chains of fewer than four draws.
///
/// # References
/// G. Jones, M. Haran, B. Caffo, R. Neath, Fixed-width output analysis for Markov chain Monte Carlo, JASA
/// 101, 2006.
pub fn batch_means<C: AsRef<[f64]>>(chains: &[C]) -> Result<Estimate, ParamError> {
    let shortest = chains.iter().map(|chain| chain.as_ref().len()).min().unwrap_or_default();
    at_least(4, shortest, "batch_means", "draws of a chain", "at least 4")?;
    batch_means_of_length(chains, shortest.isqrt())
}

/// The mean over all draws of all chains, with the standard error from the means of batches of this length.
///
/// No batch goes across two chains. Draws at the start of a chain that fill no batch count for the mean
/// alone. With batches of one draw it is [`mean`](super::mean()).
///
/// # Errors
/// Fewer than two batches; a length of zero; a draw that is not finite, with its place in its chain.
pub fn batch_means_of_length<C: AsRef<[f64]>>(chains: &[C], length: usize) -> Result<Estimate, ParamError> {
    at_least(1, length, "batch_means", "length", "positive")?;
    let (mut all, mut batches) = (MeanVariance::new(), MeanVariance::new());
    for chain in chains {
        let chain = chain.as_ref();
        all.merge(&moments("batch_means", chain.iter().copied())?);
        for batch in chain.rchunks_exact(length) {
            batches.push(batch.iter().copied().collect::<MeanVariance>().mean());
        }
    }
    at_least(2, batches.weight() as usize, "batch_means", "batches", "at least 2")?;
    let variance = length as f64 * batches.sample_variance() / all.weight();
    Ok(Estimate { value: all.mean(), standard_error: variance.sqrt(), draws: all.weight() as usize })
}
