//! Sliding-window UCB: what is long ago counts nothing.

use std::collections::VecDeque;

use posterior_math::check::{self, ParamError};
use rand::Rng;

use super::Remembered;
use crate::bandit::history::Play;
use crate::bandit::policy::{Advice, Agent, Policy, check_arm, check_arms, largest, unit_reward};

/// UCB on the last W plays: mean there + 2 √(ξ ln min(n, W)/N_k(W)).
///
/// For rewards that change now and then, in [0, 1] (Garivier and Moulines, ALT 2011; for B changes in N plays
/// they take W = 2 √(N ln N/B)).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SlidingWindowUcb {
    /// W: positive; 1000 by default.
    pub window: usize,
    /// ξ: positive; 0.6 by default, more than the 1/2 of the proof.
    pub xi: f64,
}

impl Default for SlidingWindowUcb {
    fn default() -> Self {
        Self { window: 1000, xi: 0.6 }
    }
}

impl Policy for SlidingWindowUcb {
    fn name(&self) -> String {
        format!("sliding-window-ucb:{}", self.window)
    }

    fn start(&self, arms: usize) -> Result<Box<dyn Agent>, ParamError> {
        check::at_least_one("SlidingWindowUcb", "window", self.window)?;
        check::positive("SlidingWindowUcb", "xi", self.xi)?;
        check_arms(arms)?;
        Ok(Box::new(Running { rule: *self, arms: vec![Remembered::default(); arms], last: VecDeque::new() }))
    }
}

#[derive(Debug)]
struct Running {
    rule: SlidingWindowUcb,
    arms: Vec<Remembered>,
    last: VecDeque<Play>,
}

impl Running {
    fn indices(&self) -> impl Iterator<Item = f64> {
        let memory = self.last.len() as f64;
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
        if self.last.len() == self.rule.window
            && let Some(old) = self.last.pop_front()
        {
            let known = &mut self.arms[old.arm];
            known.weight -= 1.0;
            // Fractions leave rounding behind.
            known.total = if known.weight == 0.0 { 0.0 } else { (known.total - old.reward).max(0.0) };
        }
        self.last.push_back(Play { arm, reward });
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
