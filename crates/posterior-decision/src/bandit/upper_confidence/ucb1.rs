//! UCB1: Hoeffding's bound.

use posterior_math::check::{self, ParamError};
use rand::Rng;

use crate::bandit::arm::Arm;
use crate::bandit::index_rule::{IndexRule, Round};

/// Mean + c √(ln n/n_k), with c = √2 by default; every arm once first.
///
/// n counts the plays so far of all arms, n_k those of the arm. Rewards are in [0, 1]. With c = √2 the regret
/// is at most [`ucb1_bound`](crate::bandit::theory::ucb1_bound) (Auer, Cesa-Bianchi and Fischer, Machine
/// Learning 47, 2002, theorem 1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ucb1 {
    /// c: positive.
    pub width: f64,
}

impl Default for Ucb1 {
    fn default() -> Self {
        Self { width: std::f64::consts::SQRT_2 }
    }
}

impl IndexRule for Ucb1 {
    type Summary = ();

    fn name(&self) -> String {
        if *self == Self::default() { "ucb1".to_owned() } else { format!("ucb1:{}", self.width) }
    }

    fn summarize(&self, _: &Arm) -> Result<(), ParamError> {
        check::positive("Ucb1", "width", self.width)?;
        Ok(())
    }

    fn index(&self, arm: &Arm, (): &(), round: &Round, _: &mut dyn Rng) -> f64 {
        if arm.plays() == 0 {
            return f64::INFINITY;
        }
        arm.mean() + self.width * ((round.plays as f64).ln() / arm.plays() as f64).sqrt()
    }
}
