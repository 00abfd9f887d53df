//! Whether enough is known to choose for good.

#[cfg(test)]
mod tests;

use posterior::decision::bandit::History;
use posterior::decision::stopping::{Judgement, coin_confidence_sequence, judge, stitched_radius};
use posterior::dist::{Beta, NormalInverseGamma, StudentT, Truncated};
use posterior::math::streaming::MeanVariance;

use crate::failure::{Failure, refused};
use crate::level::Level;

/// What is known of each arm, in the units of the rewards.
#[derive(Debug)]
pub(super) struct Standing {
    pub(super) judgement: Judgement,
    /// Whether every reward is the least or the largest that there can be.
    pub(super) coins: bool,
    /// Intervals for the mean reward of each arm that hold at all times and for all arms together with
    /// probability [`level`].
    pub(super) intervals: Vec<[f64; 2]>,
}

/// The probability that none of the intervals is ever wrong.
pub(super) fn level() -> f64 {
    Level::default().probability()
}

/// Observations that the common variance of the arms counts for in that of each.
const COMMON: f64 = 3.0;

impl Standing {
    /// From rewards of these bounds: coins if all are at the bounds, else numbers whose mean and variance are
    /// unknown.
    pub(super) fn of(history: &History, bounds: [f64; 2]) -> Result<Self, Failure> {
        let [low, high] = bounds;
        let width = high - low;
        let coins = history.plays().iter().all(|play| play.reward == low || play.reward == high);
        // In units of the bounds.
        let mut known = vec![MeanVariance::new(); history.arms()];
        for play in history.plays() {
            known[play.arm].push(((play.reward - low) / width).clamp(0.0, 1.0));
        }
        let mut judgement =
            if coins { judge(&coin_posteriors(&known)?) } else { judge(&number_posteriors(&known)?) }
                .map_err(refused)?;
        for loss in &mut judgement.expected_loss {
            *loss *= width;
        }
        let delta = (1.0 - level()) / history.arms() as f64;
        let prior = Beta::new(0.5, 0.5).map_err(refused)?;
        let interval = |own: &MeanVariance| {
            let (plays, mean) = (own.weight() as u64, own.mean());
            let ends = match plays {
                0 => Ok([0.0, 1.0]),
                _ if coins => coin_confidence_sequence(won(own).round() as u64, plays, &prior, delta),
                _ => stitched_radius(plays, 0.5, delta).map(|r| [(mean - r).max(0.0), (mean + r).min(1.0)]),
            };
            ends.map(|ends| ends.map(|end| low + width * end)).map_err(refused)
        };
        let intervals = known.iter().map(interval).collect::<Result<Vec<_>, Failure>>()?;
        Ok(Self { judgement, coins, intervals })
    }
}

/// The sum of the rewards.
fn won(own: &MeanVariance) -> f64 {
    if own.weight() > 0.0 { own.weight() * own.mean() } else { 0.0 }
}

/// The success probabilities after uniform priors.
fn coin_posteriors(known: &[MeanVariance]) -> Result<Vec<Beta>, Failure> {
    let posterior = |own: &MeanVariance| {
        // Whole, but for the rounding of a mean.
        let won = won(own).round();
        Beta::new(1.0 + won, 1.0 + own.weight() - won)
    };
    known.iter().map(posterior).collect::<Result<_, _>>().map_err(refused)
}

/// The mean rewards after uniform priors between the bounds, rewards being normal with a variance of each arm
/// that is near the common one.
///
/// The common variance counts for up to [`COMMON`] observations of each arm, and half as many as it was
/// learned from; without two different rewards of an arm it is that of the uniform distribution.
fn number_posteriors(known: &[MeanVariance]) -> Result<Vec<Truncated<StudentT>>, Failure> {
    let played = || known.iter().filter(|own| own.weight() > 0.0);
    let squares: f64 = played().map(MeanVariance::sum_of_squares).sum();
    let degrees: f64 = played().map(|own| own.weight() - 1.0).sum();
    let (variance, count) = if squares > 0.0 {
        (squares / degrees, (0.5 * degrees).clamp(0.5 * COMMON, COMMON))
    } else {
        (1.0 / 12.0, COMMON)
    };
    // A normal prior of the mean that is flat between the bounds, ten widths of them; it uses up one degree
    // of freedom.
    let kappa = 0.01 * variance;
    let posterior = |own: &MeanVariance| {
        let prior = NormalInverseGamma::new(0.5, kappa, 0.5 * (count - 1.0), 0.5 * count * variance)?;
        let found = prior.updated(own)?;
        let scale = (found.scale() / (found.shape() * found.kappa())).sqrt();
        Truncated::new(StudentT::new(2.0 * found.shape(), found.location(), scale)?, 0.0, 1.0)
    };
    let all: Result<Vec<_>, posterior::math::ParamError> = known.iter().map(posterior).collect();
    all.map_err(refused)
}
