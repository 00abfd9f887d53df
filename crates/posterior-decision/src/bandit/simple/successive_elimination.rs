//! Successive elimination: arms leave when another is surely better.

use posterior_math::check::{self, ParamError};
use rand::Rng;

use crate::bandit::arm::Arm;
use crate::bandit::policy::{Advice, Agent, Policy, Reason, largest, unit_reward};
use crate::bandit::rewards::Rewards;

/// The arms that are left in turn; an arm leaves for good when its interval is below that of another.
///
/// The intervals mean ± √(ln(4 K n_k²/δ)/(2 n_k)) hold at all times and for all arms together with
/// probability 1 - δ, by Hoeffding's inequality and Σ 1/n² < 2: so often the best arm is the last one left
/// (Even-Dar, Mannor, Mansour, JMLR 7, 2006). Rewards are in [0, 1].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SuccessiveElimination {
    /// δ: strictly between 0 and 1; 0.05 by default.
    pub delta: f64,
}

impl Default for SuccessiveElimination {
    fn default() -> Self {
        Self { delta: 0.05 }
    }
}

impl Policy for SuccessiveElimination {
    fn name(&self) -> String {
        format!("successive-elimination:{}", self.delta)
    }

    fn start(&self, arms: usize) -> Result<Box<dyn Agent>, ParamError> {
        check::open_probability("SuccessiveElimination", "delta", self.delta)?;
        Ok(Box::new(Running { delta: self.delta, rewards: Rewards::new(arms)?, left: vec![true; arms] }))
    }
}

#[derive(Debug)]
struct Running {
    delta: f64,
    rewards: Rewards,
    left: Vec<bool>,
}

impl Running {
    fn radius(&self, arm: &Arm) -> f64 {
        let (plays, arms) = (arm.plays() as f64, self.left.len() as f64);
        ((4.0 * arms * plays * plays / self.delta).ln() / (2.0 * plays)).sqrt()
    }

    /// For each arm that is left how few plays it had; -∞ for the others.
    fn turns(&self) -> impl Iterator<Item = f64> {
        let each = self.rewards.arms.iter().zip(&self.left);
        each.map(|(arm, &left)| if left { -(arm.plays() as f64) } else { f64::NEG_INFINITY })
    }
}

impl Agent for Running {
    fn choose(&mut self, _: &mut dyn Rng) -> usize {
        largest(self.turns())
    }

    fn observe(&mut self, arm: usize, reward: f64) -> Result<(), ParamError> {
        unit_reward(reward)?;
        self.rewards.push(arm, reward)?;
        // Only those that are left drive others out, so that one always stays: an arm that left may be played
        // on.
        let each = self.rewards.arms.iter().zip(&self.left);
        let played = each.filter(|(arm, left)| **left && arm.plays() > 0).map(|(arm, _)| arm);
        let floor = played.map(|arm| arm.mean() - self.radius(arm)).fold(f64::NEG_INFINITY, f64::max);
        for place in 0..self.left.len() {
            let known = &self.rewards.arms[place];
            if known.plays() > 0 && known.mean() + self.radius(known) < floor {
                self.left[place] = false;
            }
        }
        Ok(())
    }

    fn advise(&mut self, rng: &mut dyn Rng) -> Advice {
        let reason = |(arm, known): (usize, &Arm)| {
            let index = match (self.left[arm], known.plays()) {
                (false, _) => f64::NEG_INFINITY,
                (true, 0) => f64::INFINITY,
                (true, _) => known.mean() + self.radius(known),
            };
            Reason::of_sample(arm, known, index)
        };
        let reasons = self.rewards.arms.iter().enumerate().map(reason).collect();
        let left: Vec<String> =
            (0..self.left.len()).filter(|&arm| self.left[arm]).map(|arm| arm.to_string()).collect();
        let note = format!("arms left: {}; the one with the fewest plays is next", left.join(", "));
        Advice { reasons, choice: self.choose(rng), notes: vec![note] }
    }
}
