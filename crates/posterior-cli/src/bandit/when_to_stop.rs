//! Whether enough is known to choose for good.

use posterior::decision::bandit::History;
use posterior::decision::stopping::{Judgement, coin_confidence_sequence, judge, stitched_radius};
use posterior::dist::Beta;

use crate::failure::Failure;

/// What is known of each arm, in the units of the rewards.
#[derive(Debug)]
pub(super) struct Standing {
    pub(super) judgement: Judgement,
    /// Intervals for the mean of each arm that hold at all times and for all arms together with probability 95 %.
    pub(super) intervals: Vec<[f64; 2]>,
}

/// The share of games in which one of the intervals is ever wrong.
const DELTA: f64 = 0.05;

impl Standing {
    /// From rewards of these bounds. Between the bounds a reward counts as a part of a success.
    pub(super) fn of(history: &History, [low, high]: [f64; 2]) -> Result<Self, Failure> {
        let width = high - low;
        let wrong = |error: &dyn std::fmt::Display| Failure::data(error.to_string());
        let coins = history.plays().iter().all(|play| play.reward == low || play.reward == high);
        // Plays and successes of each arm.
        let mut known = vec![(0_u64, 0.0_f64); history.arms()];
        for play in history.plays() {
            known[play.arm].0 += 1;
            known[play.arm].1 += ((play.reward - low) / width).clamp(0.0, 1.0);
        }
        let posterior =
            |&(plays, won): &(u64, f64)| Beta::new(1.0 + won, 1.0 + (plays as f64 - won).max(0.0));
        let laws =
            known.iter().map(posterior).collect::<Result<Vec<_>, _>>().map_err(|error| wrong(&error))?;
        let mut judgement = judge(&laws).map_err(|error| wrong(&error))?;
        for loss in &mut judgement.expected_loss {
            *loss *= width;
        }
        let delta = DELTA / history.arms() as f64;
        let prior = Beta::new(0.5, 0.5).map_err(|error| wrong(&error))?;
        let interval = |&(plays, won): &(u64, f64)| {
            let mean = won / plays as f64;
            let ends = match plays {
                0 => Ok([0.0, 1.0]),
                _ if coins => coin_confidence_sequence(won.round() as u64, plays, &prior, delta),
                _ => stitched_radius(plays, 0.5, delta).map(|r| [(mean - r).max(0.0), (mean + r).min(1.0)]),
            };
            ends.map(|ends| ends.map(|end| low + width * end)).map_err(|error| wrong(&error))
        };
        let intervals = known.iter().map(interval).collect::<Result<Vec<_>, Failure>>()?;
        Ok(Self { judgement, intervals })
    }
}
