//! Epsilon-greedy: mostly the leader, now and then any arm.

use posterior_math::check::{self, ParamError};
use rand::{Rng, RngExt};

use crate::bandit::policy::{Advice, Agent, Policy, Reason, largest};
use crate::bandit::rewards::Rewards;

/// How often any arm is played.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Exploration {
    /// With probability ε at every play, for ever: regret grows in proportion to the plays.
    Constant(f64),
    /// With probability min(1, cK/(d² t)) at play t: logarithmic regret, if d is at most the distance from
    /// the best arm to the next and c is large enough (Auer, Cesa-Bianchi and Fischer, 2002, theorem 3).
    Decreasing {
        /// c: positive.
        c: f64,
        /// d: in (0, 1].
        gap: f64,
    },
}

/// The arm with the largest mean so far, or with a small probability any.
///
/// Arms that were not played yet lead, in their order. Rewards are any finite numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EpsilonGreedy {
    /// How often any arm is played; ε = 0.1 by default.
    pub exploration: Exploration,
}

impl Default for EpsilonGreedy {
    fn default() -> Self {
        Self { exploration: Exploration::Constant(0.1) }
    }
}

impl Policy for EpsilonGreedy {
    fn name(&self) -> String {
        match self.exploration {
            Exploration::Constant(epsilon) => format!("epsilon-greedy:{epsilon}"),
            Exploration::Decreasing { c, gap } => format!("epsilon-decreasing:{c}:{gap}"),
        }
    }

    fn start(&self, arms: usize) -> Result<Box<dyn Agent>, ParamError> {
        match self.exploration {
            Exploration::Constant(epsilon) => {
                check::probability("EpsilonGreedy", "epsilon", epsilon)?;
            }
            Exploration::Decreasing { c, gap } => {
                check::positive("EpsilonGreedy", "c", c)?;
                check::require(gap > 0.0 && gap <= 1.0, "EpsilonGreedy", "gap", gap, "in (0, 1]")?;
            }
        }
        Ok(Box::new(Running { exploration: self.exploration, rewards: Rewards::new(arms)? }))
    }
}

#[derive(Debug)]
struct Running {
    exploration: Exploration,
    rewards: Rewards,
}

impl Running {
    /// The probability of any arm at the next play.
    fn epsilon(&self) -> f64 {
        match self.exploration {
            Exploration::Constant(epsilon) => epsilon,
            Exploration::Decreasing { c, gap } => {
                let next = (self.rewards.plays + 1) as f64;
                (c * self.rewards.arms.len() as f64 / (gap * gap * next)).min(1.0)
            }
        }
    }
}

impl Agent for Running {
    fn choose(&mut self, rng: &mut dyn Rng) -> usize {
        if rng.random::<f64>() < self.epsilon() {
            rng.random_range(0..self.rewards.arms.len())
        } else {
            largest(self.rewards.means())
        }
    }

    fn observe(&mut self, arm: usize, reward: f64) -> Result<(), ParamError> {
        check::finite("Agent", "reward", reward)?;
        self.rewards.push(arm, reward)
    }

    fn advise(&mut self, rng: &mut dyn Rng) -> Advice {
        let means = self.rewards.arms.iter().zip(self.rewards.means());
        let reasons =
            means.enumerate().map(|(arm, (known, mean))| Reason::of_sample(arm, known, mean)).collect();
        let leader = largest(self.rewards.means());
        let choice = self.choose(rng);
        let note = (choice != leader).then(|| format!("arm {choice} by chance: the leader is arm {leader}"));
        Advice { reasons, choice, notes: note.into_iter().collect() }
    }
}
