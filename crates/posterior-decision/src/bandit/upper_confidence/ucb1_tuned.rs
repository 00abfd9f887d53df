//! UCB1-tuned: with the variance of the rewards.

use posterior_math::check::ParamError;
use rand::Rng;

use crate::bandit::arm::Arm;
use crate::bandit::index_rule::{IndexRule, Round};

/// Mean + √(ln n/n_k · min(1/4, V_k)), V_k = variance + √(2 ln n/n_k); every arm once first.
///
/// Better than [`Ucb1`](super::Ucb1) as a rule, without a bound (Auer, Cesa-Bianchi and Fischer, 2002,
/// section 4).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Ucb1Tuned;

impl IndexRule for Ucb1Tuned {
    type Summary = ();

    fn name(&self) -> String {
        "ucb1-tuned".to_owned()
    }

    fn summarize(&self, _: &Arm) -> Result<(), ParamError> {
        Ok(())
    }

    fn index(&self, arm: &Arm, (): &(), round: &Round, _: &mut dyn Rng) -> f64 {
        if arm.plays() == 0 {
            return f64::INFINITY;
        }
        let budget = (round.plays as f64).ln() / arm.plays() as f64;
        let variance = arm.variance() + (2.0 * budget).sqrt();
        arm.mean() + (budget * variance.min(0.25)).sqrt()
    }
}
