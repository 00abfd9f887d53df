//! MOSS: minimax optimal.

use posterior_math::check::{self, ParamError};
use rand::Rng;

use crate::bandit::arm::Arm;
use crate::bandit::index_rule::{IndexRule, Round};

/// Mean + √(max(0, ln(N/(K n_k)))/n_k) with the horizon N; every arm once first.
///
/// Its regret is at most a constant times √(KN) whatever the means are, which nothing beats in the worst case
/// (Audibert and Bubeck, COLT 2009). Without a horizon the plays so far stand for it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Moss {
    /// N, if it is known; positive.
    pub horizon: Option<u64>,
}

impl IndexRule for Moss {
    type Summary = ();

    fn name(&self) -> String {
        self.horizon.map_or_else(|| "moss".to_owned(), |horizon| format!("moss:{horizon}"))
    }

    fn summarize(&self, _: &Arm) -> Result<(), ParamError> {
        check::require(self.horizon != Some(0), "Moss", "horizon", 0.0, "at least 1")?;
        Ok(())
    }

    fn index(&self, arm: &Arm, (): &(), round: &Round, _: &mut dyn Rng) -> f64 {
        if arm.plays() == 0 {
            return f64::INFINITY;
        }
        let (own, horizon) = (arm.plays() as f64, self.horizon.unwrap_or(round.plays) as f64);
        let budget = (horizon / (round.arms as f64 * own)).ln().max(0.0);
        arm.mean() + (budget / own).sqrt()
    }
}
