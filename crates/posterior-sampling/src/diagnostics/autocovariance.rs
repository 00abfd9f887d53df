//! Autocovariances by the fast Fourier transform.

use realfft::RealFftPlanner;

use super::Undefined;
use super::sample::{Sample, mean};

/// Σ (x_i - mean)(x_(i+t) - mean) / n for t = 0, ..., n - 1, the mean over the chains; each chain has its own
/// mean.
///
/// O(S log n) for S draws.
pub(super) fn mean_autocovariance(sample: &Sample) -> Vec<f64> {
    let len = sample.len();
    // As many zeros as draws: the ends of a chain do not meet.
    let padded = (2 * len).next_power_of_two();
    let mut planner = RealFftPlanner::<f64>::new();
    let (forward, inverse) = (planner.plan_fft_forward(padded), planner.plan_fft_inverse(padded));
    let (mut scratch, mut scratch_back) = (forward.make_scratch_vec(), inverse.make_scratch_vec());
    let (mut signal, mut spectrum) = (vec![0.0; padded], forward.make_output_vec());
    let mut power = forward.make_output_vec();
    for chain in sample.chains() {
        let mean = mean(chain);
        signal.fill(0.0);
        signal.iter_mut().zip(chain).for_each(|(place, x)| *place = x - mean);
        let done = forward.process_with_scratch(&mut signal, &mut spectrum, &mut scratch);
        debug_assert!(done.is_ok(), "the lengths are the plan's: {done:?}");
        power.iter_mut().zip(&spectrum).for_each(|(sum, term)| sum.re += term.norm_sqr());
    }
    let done = inverse.process_with_scratch(&mut power, &mut signal, &mut scratch_back);
    debug_assert!(done.is_ok(), "the spectrum of a power is real: {done:?}");
    signal.truncate(len);
    let scale = padded as f64 * len as f64 * sample.chains().len() as f64;
    for sum in &mut signal {
        *sum /= scale;
    }
    signal
}

/// The autocorrelations of a chain at the lags 0, 1, ..., `lags`, as far as the chain has such; the first
/// is 1.
///
/// O(n log n) for n draws.
///
/// # Errors
/// All draws the same, fewer than two, draws that are not finite.
pub fn autocorrelation(chain: &[f64], lags: usize) -> Result<Vec<f64>, Undefined> {
    let sample = Sample::new(&[chain], 2)?.standard()?.sample;
    let mut covariances = mean_autocovariance(&sample);
    covariances.truncate(lags.saturating_add(1));
    let variance = covariances[0];
    for covariance in &mut covariances {
        *covariance /= variance;
    }
    Ok(covariances)
}
