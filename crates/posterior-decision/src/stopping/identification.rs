//! Finding the best arm of zeros and ones with a stated certainty, when regret on the way does not count.

mod allocation;
mod top_two;
mod track_and_stop;

pub use allocation::{Allocation, best_allocation};
pub use top_two::TopTwoThompson;
pub use track_and_stop::TrackAndStop;

use posterior_math::check;

use crate::Error;
use crate::bandit::Arm;
use crate::concentration::bernoulli_divergence;

/// What the rewards say for the leader against its nearest rival: the ln of the likelihood ratio, in nats.
///
/// min over the others b of n_a KL(μ_a‖m) + n_b KL(μ_b‖m), m being the mean of both together; 0 if leaders
/// tie or an arm was not played. Stop when it exceeds [`evidence_threshold`]: the leader is then best with
/// probability at least 1 - δ, at whatever play.
///
/// # Errors
/// If there are fewer than two arms, or rewards are not in [0, 1].
pub fn evidence_for_leader(arms: &[Arm]) -> Result<f64, Error> {
    check::require(arms.len() > 1, "evidence_for_leader", "arms", arms.len() as f64, "at least 2")?;
    if arms.iter().any(|arm| arm.plays() == 0) {
        return Ok(0.0);
    }
    for (place, arm) in arms.iter().enumerate() {
        check::probability("evidence_for_leader", "mean", arm.mean()).map_err(|error| error.at(place))?;
    }
    let leader = leader(arms);
    let against = |rival: &Arm| {
        let (own, other) = (&arms[leader], rival);
        let both = (own.total() + other.total()) / (own.plays() + other.plays()) as f64;
        let term = |arm: &Arm| arm.plays() as f64 * bernoulli_divergence(arm.mean(), both);
        term(own) + term(other)
    };
    let rivals = arms.iter().enumerate().filter(|(place, _)| *place != leader);
    Ok(rivals.map(|(_, rival)| against(rival)).fold(f64::INFINITY, f64::min))
}

/// The evidence that makes a leader of K arms of zeros and ones the best with probability 1 - δ after n
/// plays: ln(2n(K - 1)/δ).
///
/// # References
/// A. Garivier, E. Kaufmann, Optimal best arm identification with fixed confidence, COLT 2016, theorem 10.
///
/// # Errors
/// If there are fewer than two arms, no plays, or δ is not strictly between 0 and 1.
pub fn evidence_threshold(arms: usize, plays: u64, delta: f64) -> Result<f64, Error> {
    check::require(arms > 1, "evidence_threshold", "arms", arms as f64, "at least 2")?;
    check::at_least_one("evidence_threshold", "plays", plays)?;
    check::open_probability("evidence_threshold", "delta", delta)?;
    Ok((2.0 * plays as f64 * (arms - 1) as f64).ln() - delta.ln())
}

/// The arm with the largest mean, the first of several.
fn leader(arms: &[Arm]) -> usize {
    (1..arms.len()).fold(0, |best, arm| if arms[arm].mean() > arms[best].mean() { arm } else { best })
}
