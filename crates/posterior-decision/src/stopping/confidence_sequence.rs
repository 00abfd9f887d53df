//! Intervals that hold at all times together.

use posterior_dist::Beta;
use posterior_math::check::{self, ParamError};
use posterior_math::log_space::x_ln_y;
use posterior_math::optimize::{RootOptions, find_root};
use posterior_math::special::ln_beta;

/// The radius of the mean of n observations that holds for all n ≥ 1 together with probability 1 - δ: 1.7 s
/// √((ln ln 2n + 0.72 ln(10.4/δ))/n).
///
/// For independent observations (or martingale differences) that are sub-Gaussian of scale s about their
/// mean: 1/2 for any in [0, 1], the standard deviation for normal ones. Shrinks as the law of the iterated
/// logarithm has it.
///
/// # References
/// S. Howard, A. Ramdas, J. McAuliffe, J. Sekhon, Time-uniform, nonparametric, nonasymptotic confidence
/// sequences, Annals of Statistics 49 (2021), equation 2.
///
/// # Errors
/// If there are no observations, s is not positive and finite, or δ is not strictly between 0 and 1.
pub fn stitched_radius(count: u64, scale: f64, delta: f64) -> Result<f64, ParamError> {
    let n = observations("stitched_radius", count, scale, delta)?;
    let budget = (2.0 * n).ln().ln() + 0.72 * (10.4 / delta).ln();
    // ln ln 2 is negative, but less than the other term.
    Ok(1.7 * scale * (budget / n).sqrt())
}

/// The radius of the mean of n observations that holds for all n ≥ 1 together with probability 1 - δ, by a
/// normal mixture: s √((n + ρ) ln((n + ρ)/(ρ δ²)))/n.
///
/// Of scale s as for [`stitched_radius`]; ρ is chosen so that the radius is nearly the smallest at
/// `tuned_for` observations, where it is some tenths wider than one that holds only then.
///
/// # References
/// H. Robbins, Annals of Mathematical Statistics 41 (1970); Howard and others, 2021, equation 14.
///
/// # Errors
/// If there are no observations, s is not positive and finite, δ is not strictly between 0 and 1, or
/// `tuned_for` is 0.
pub fn normal_mixture_radius(count: u64, scale: f64, delta: f64, tuned_for: u64) -> Result<f64, ParamError> {
    let n = observations("normal_mixture_radius", count, scale, delta)?;
    check::at_least_one("normal_mixture_radius", "tuned_for", tuned_for)?;
    let level = -2.0 * delta.ln();
    let rho = tuned_for as f64 / (level + level.ln_1p());
    // ln of (n + ρ)/(ρ δ²), which overflows for tiny δ.
    Ok(scale * ((n + rho) * ((n / rho).ln_1p() + level)).sqrt() / n)
}

fn observations(name: &'static str, count: u64, scale: f64, delta: f64) -> Result<f64, ParamError> {
    check::at_least_one(name, "count", count)?;
    check::positive(name, "scale", scale)?;
    check::open_probability(name, "delta", delta)?;
    Ok(count as f64)
}

/// The success probabilities that a coin's tosses leave, at all times together with probability 1 - δ.
///
/// Those θ whose likelihood is at least δ times the evidence under `prior`: their ratio is a martingale that
/// exceeds 1/δ once with probability at most δ, whatever the prior; the closer it is to the truth, the
/// shorter the interval. Far shorter than [`stitched_radius`] for probabilities next to 0 or 1.
///
/// # References
/// I. Waudby-Smith, A. Ramdas, Confidence sequences for sampling without replacement, NeurIPS 2020, section 2
/// (the prior-posterior ratio).
///
/// # Errors
/// If there are more successes than plays, or δ is not strictly between 0 and 1.
pub fn coin_confidence_sequence(
    successes: u64,
    plays: u64,
    prior: &Beta,
    delta: f64,
) -> Result<[f64; 2], ParamError> {
    let name = "coin_confidence_sequence";
    check::require(successes <= plays, name, "successes", successes as f64, "at most the plays")?;
    check::open_probability(name, "delta", delta)?;
    let (won, lost) = (successes as f64, (plays - successes) as f64);
    let (alpha, beta) = (prior.alpha(), prior.beta());
    let level = ln_beta(alpha + won, beta + lost) - ln_beta(alpha, beta) + delta.ln();
    let excess = |theta: f64| x_ln_y(won, theta) + x_ln_y(lost, 1.0 - theta) - level;
    if plays == 0 {
        return Ok([0.0, 1.0]);
    }
    let mode = won / plays as f64;
    let options = RootOptions::default();
    let low = if successes == 0 { 0.0 } else { find_root(excess, 0.0, mode, &options).point };
    let high = if successes == plays { 1.0 } else { find_root(excess, mode, 1.0, &options).point };
    Ok([low, high])
}
