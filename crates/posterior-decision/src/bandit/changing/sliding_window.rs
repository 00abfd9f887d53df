//! Sliding-window UCB: what is long ago counts nothing.

use std::collections::VecDeque;

use posterior_math::check::{self, ParamError};
use rand::Rng;

use super::Memory;
use crate::bandit::history::Play;
use crate::bandit::policy::{Advice, Agent, Policy};

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
        let memory = Memory::new(arms, self.xi)?;
        Ok(Box::new(Running { window: self.window, memory, last: VecDeque::new() }))
    }
}

#[derive(Debug)]
struct Running {
    window: usize,
    memory: Memory,
    last: VecDeque<Play>,
}

impl Agent for Running {
    fn choose(&mut self, _: &mut dyn Rng) -> usize {
        self.memory.largest()
    }

    fn observe(&mut self, arm: usize, reward: f64) -> Result<(), ParamError> {
        self.memory.check(arm, reward)?;
        if self.last.len() == self.window
            && let Some(old) = self.last.pop_front()
        {
            let known = &mut self.memory.arms[old.arm];
            known.weight -= 1.0;
            // Fractions leave rounding behind.
            known.total = if known.weight == 0.0 { 0.0 } else { (known.total - old.reward).max(0.0) };
        }
        self.last.push_back(Play { arm, reward });
        self.memory.add(arm, reward);
        Ok(())
    }

    fn advise(&mut self, _: &mut dyn Rng) -> Advice {
        self.memory.advise()
    }
}
