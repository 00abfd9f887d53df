//! KL-UCB: Chernoff's bound.

use posterior_math::check::{self, ParamError};
use rand::Rng;

use crate::bandit::arm::Arm;
use crate::bandit::index_rule::{IndexRule, Round};
use crate::concentration::upper_divergence_bound;

/// The largest q with n_k KL(mean‖q) ≤ ln n + c ln ln n; every arm once first.
///
/// For zeros and ones its regret grows with the least constant that any policy can have,
/// [`lai_robbins`](crate::bandit::theory::lai_robbins) (Garivier and Cappé, COLT 2011: proved for c = 3,
/// played with c = 0, the default).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct KlUcb {
    /// c: not negative, 0 by default.
    pub c: f64,
}

impl IndexRule for KlUcb {
    type Summary = ();

    fn name(&self) -> String {
        if self.c == 0.0 { "kl-ucb".to_owned() } else { format!("kl-ucb:{}", self.c) }
    }

    fn summarize(&self, _: &Arm) -> Result<(), ParamError> {
        check::non_negative("KlUcb", "c", self.c)?;
        Ok(())
    }

    fn index(&self, arm: &Arm, (): &(), round: &Round, _: &mut dyn Rng) -> f64 {
        if arm.plays() == 0 {
            return f64::INFINITY;
        }
        let ln_plays = (round.plays as f64).ln();
        // ln ln n is negative for the first plays, and the budget must not be.
        let budget = if self.c == 0.0 { ln_plays } else { ln_plays + self.c * ln_plays.max(1.0).ln() };
        upper_divergence_bound(arm.mean().min(1.0), budget / arm.plays() as f64)
    }
}
