//! Discounted UCB: what is long ago counts less.

use posterior_math::check::{self, ParamError};
use rand::Rng;

use super::Remembered;
use crate::bandit::policy::{Advice, Agent, Policy, check_arm, check_arms, largest, unit_reward};

/// UCB with a weight of γᵃᵍᵉ for each reward: discounted mean + 2 √(ξ ln n(γ)/N_k(γ)).
///
/// N_k(γ) is the discounted number of plays of the arm, n(γ) that of all. For rewards that change now and
/// then, in [0, 1] (Garivier and Moulines, ALT 2011; for B changes in N plays they take γ = 1 - √(B/N)/4).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DiscountedUcb {
    /// γ: in (0, 1]; 0.99 by default.
    pub discount: f64,
    /// ξ: positive; 0.6 by default, more than the 1/2 of the proof.
    pub xi: f64,
}

impl Default for DiscountedUcb {
    fn default() -> Self {
        Self { discount: 0.99, xi: 0.6 }
    }
}

impl Policy for DiscountedUcb {
    fn name(&self) -> String {
        format!("discounted-ucb:{}", self.discount)
    }

    fn start(&self, arms: usize) -> Result<Box<dyn Agent>, ParamError> {
        let usable = self.discount > 0.0 && self.discount <= 1.0;
        check::require(usable, "DiscountedUcb", "discount", self.discount, "in (0, 1]")?;
        check::positive("DiscountedUcb", "xi", self.xi)?;
        check_arms(arms)?;
        Ok(Box::new(Running { rule: *self, arms: vec![Remembered::default(); arms] }))
    }
}

#[derive(Debug)]
struct Running {
    rule: DiscountedUcb,
    arms: Vec<Remembered>,
}

impl Running {
    fn indices(&self) -> impl Iterator<Item = f64> {
        let memory: f64 = self.arms.iter().map(|arm| arm.weight).sum();
        self.arms.iter().map(move |arm| arm.index(self.rule.xi, memory))
    }
}

impl Agent for Running {
    fn choose(&mut self, _: &mut dyn Rng) -> usize {
        largest(self.indices())
    }

    fn observe(&mut self, arm: usize, reward: f64) -> Result<(), ParamError> {
        unit_reward(reward)?;
        check_arm(arm, self.arms.len())?;
        for known in &mut self.arms {
            known.weight *= self.rule.discount;
            known.total *= self.rule.discount;
        }
        let known = &mut self.arms[arm];
        known.plays += 1;
        known.weight += 1.0;
        known.total += reward;
        Ok(())
    }

    fn advise(&mut self, _: &mut dyn Rng) -> Advice {
        let each = self.arms.iter().zip(self.indices()).enumerate();
        Advice::of_largest(each.map(|(arm, (known, index))| known.reason(arm, index)).collect(), Vec::new())
    }
}
