//! How many plays it takes.

use posterior_math::check;
use posterior_math::special::normal_upper_quantile;

use super::best_allocation;
use crate::Error;
use crate::concentration::bernoulli_divergence;

/// How many plays any procedure needs in expectation that finds the best of these arms of zeros and ones with
/// probability 1 - δ, whatever the means are: T* KL(δ‖1 - δ).
///
/// [`TrackAndStop`](super::TrackAndStop) comes close to it for small δ (Garivier and Kaufmann, COLT 2016,
/// theorem 1).
///
/// # Errors
/// As for [`best_allocation`], and if δ is not in (0, 1/2).
pub fn least_plays(means: &[f64], delta: f64) -> Result<f64, Error> {
    check::require(delta > 0.0 && delta < 0.5, "least_plays", "delta", delta, "in (0, 1/2)")?;
    Ok(best_allocation(means)?.characteristic_time * bernoulli_divergence(delta, 1.0 - delta))
}

/// Plays of each of two arms, fixed beforehand, for a two-sided test of level α to tell their success
/// probabilities apart with this power.
///
/// The normal approximation without correction (Fleiss, Levin, Paik, Statistical Methods for Rates and
/// Proportions, 2003, equation 4.14).
///
/// ```
/// use posterior_decision::stopping::plays_per_arm;
///
/// assert_eq!(plays_per_arm(0.6, 0.5, 0.05, 0.8)?, 388);
/// # Ok::<(), posterior_decision::Error>(())
/// ```
///
/// # Errors
/// If a probability is not in [0, 1], both are equal, or α or the power is not strictly between 0 and 1.
pub fn plays_per_arm(first: f64, second: f64, alpha: f64, power: f64) -> Result<u64, Error> {
    check::probability("plays_per_arm", "first", first)?;
    check::probability("plays_per_arm", "second", second)?;
    check::open_probability("plays_per_arm", "alpha", alpha)?;
    check::open_probability("plays_per_arm", "power", power)?;
    let gap = first - second;
    check::require(gap != 0.0, "plays_per_arm", "second", second, "another probability than the first")?;
    let middle = first.midpoint(second);
    let spread = (first * (1.0 - first) + second * (1.0 - second)).sqrt();
    let under_equality = normal_upper_quantile(0.5 * alpha) * (2.0 * middle * (1.0 - middle)).sqrt();
    // Less power than α/2 is had for nothing.
    let root = (under_equality + normal_upper_quantile(1.0 - power) * spread).max(0.0) / gap.abs();
    let plays = root * root;
    check::require(plays < 1e15, "plays_per_arm", "plays", plays, "below 10^15: the arms are too alike")?;
    Ok((plays.ceil() as u64).max(1))
}
