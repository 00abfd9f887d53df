//! Explore, then commit.

use posterior_math::check::{self, ParamError};
use rand::Rng;

use crate::bandit::policy::{Advice, Agent, Policy, Reason, largest};
use crate::bandit::rewards::Rewards;

/// Every arm so many times, in turn; then for ever the one with the largest mean, the first of several.
///
/// What a trial followed by a decision is. Rewards are any finite numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExploreThenCommit {
    /// Plays of each arm before the decision: positive; 10 by default.
    pub plays_each: u64,
}

impl Default for ExploreThenCommit {
    fn default() -> Self {
        Self { plays_each: 10 }
    }
}

impl Policy for ExploreThenCommit {
    fn name(&self) -> String {
        format!("explore-then-commit:{}", self.plays_each)
    }

    fn start(&self, arms: usize) -> Result<Box<dyn Agent>, ParamError> {
        check::at_least_one("ExploreThenCommit", "plays_each", self.plays_each)?;
        Ok(Box::new(Running { plays_each: self.plays_each, rewards: Rewards::new(arms)?, committed: None }))
    }
}

#[derive(Debug)]
struct Running {
    plays_each: u64,
    rewards: Rewards,
    committed: Option<usize>,
}

impl Agent for Running {
    fn choose(&mut self, _: &mut dyn Rng) -> usize {
        let fewest = || largest(self.rewards.arms.iter().map(|arm| -(arm.plays() as f64)));
        self.committed.unwrap_or_else(fewest)
    }

    fn observe(&mut self, arm: usize, reward: f64) -> Result<(), ParamError> {
        check::finite("Agent", "reward", reward)?;
        self.rewards.push(arm, reward)?;
        let explored = self.rewards.arms.iter().all(|arm| arm.plays() >= self.plays_each);
        if self.committed.is_none() && explored {
            self.committed = Some(largest(self.rewards.means()));
        }
        Ok(())
    }

    fn advise(&mut self, rng: &mut dyn Rng) -> Advice {
        let means = self.rewards.arms.iter().zip(self.rewards.means());
        let reasons =
            means.enumerate().map(|(arm, (known, mean))| Reason::of_sample(arm, known, mean)).collect();
        let note = match self.committed {
            Some(arm) => format!("committed to arm {arm}"),
            None => format!("exploring until every arm has {} plays", self.plays_each),
        };
        Advice { reasons, choice: self.choose(rng), notes: vec![note] }
    }
}
