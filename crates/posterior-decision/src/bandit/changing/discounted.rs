//! Discounted UCB: what is long ago counts less.

use posterior_math::check::{self, ParamError};
use rand::Rng;

use super::Memory;
use crate::bandit::policy::{Advice, Agent, Policy};

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
        Ok(Box::new(Running { discount: self.discount, memory: Memory::new(arms, self.xi)? }))
    }
}

#[derive(Debug)]
struct Running {
    discount: f64,
    memory: Memory,
}

impl Agent for Running {
    fn choose(&mut self, _: &mut dyn Rng) -> usize {
        self.memory.largest()
    }

    fn observe(&mut self, arm: usize, reward: f64) -> Result<(), ParamError> {
        self.memory.check(arm, reward)?;
        for known in &mut self.memory.arms {
            known.weight *= self.discount;
            known.total *= self.discount;
        }
        self.memory.add(arm, reward);
        Ok(())
    }

    fn advise(&mut self, _: &mut dyn Rng) -> Advice {
        self.memory.advise()
    }
}
