//! Top-two Thompson sampling.

use posterior_dist::{Beta, Moments};
use posterior_math::check::{self, ParamError};
use rand::distr::Distribution;
use rand::{Rng, RngExt};

use crate::bandit::{Advice, Agent, Policy, Reason, Rewards, largest, unit_reward};

/// How often a rival is sought by new draws; then it is the second of the last draw.
const DRAWS: usize = 1000;

/// A draw from the posterior of each arm's mean; with probability β its best arm, else that of the first new
/// draw with another best.
///
/// Thompson sampling plays the leader nearly always, and so finds out late that it is none; this one
/// proportions its plays with the rivals (Russo, Operations Research 68, 2020). Rewards are in [0, 1], priors
/// uniform.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TopTwoThompson {
    /// β: strictly between 0 and 1; 1/2 by default, which costs at most twice the plays of the best β.
    pub leader_proportion: f64,
}

impl Default for TopTwoThompson {
    fn default() -> Self {
        Self { leader_proportion: 0.5 }
    }
}

impl Policy for TopTwoThompson {
    fn name(&self) -> String {
        format!("top-two-thompson:{}", self.leader_proportion)
    }

    fn start(&self, arms: usize) -> Result<Box<dyn Agent>, ParamError> {
        check::open_probability("TopTwoThompson", "leader_proportion", self.leader_proportion)?;
        let prior = Beta::new(1.0, 1.0)?;
        Ok(Box::new(Running { rule: *self, rewards: Rewards::new(arms)?, distributions: vec![prior; arms] }))
    }
}

#[derive(Debug)]
struct Running {
    rule: TopTwoThompson,
    rewards: Rewards,
    distributions: Vec<Beta>,
}

impl Running {
    fn draw(&self, rng: &mut dyn Rng) -> Vec<f64> {
        self.distributions.iter().map(|distribution| distribution.sample(rng)).collect()
    }
}

impl Agent for Running {
    fn choose(&mut self, rng: &mut dyn Rng) -> usize {
        let mut draw = self.draw(rng);
        let leader = largest(draw.iter().copied());
        if self.distributions.len() == 1 || rng.random::<f64>() < self.rule.leader_proportion {
            return leader;
        }
        for _ in 0..DRAWS {
            draw = self.draw(rng);
            let rival = largest(draw.iter().copied());
            if rival != leader {
                return rival;
            }
        }
        draw[leader] = f64::NEG_INFINITY;
        largest(draw.into_iter())
    }

    fn observe(&mut self, arm: usize, reward: f64) -> Result<(), ParamError> {
        unit_reward(reward)?;
        self.rewards.push(arm, reward)?;
        let known = &self.rewards.arms[arm];
        self.distributions[arm] =
            Beta::new(1.0 + known.total(), 1.0 + (known.plays() as f64 - known.total()).max(0.0))?;
        Ok(())
    }

    fn advise(&mut self, rng: &mut dyn Rng) -> Advice {
        let reason = |(arm, distribution): (usize, &Beta)| {
            let mean = distribution.mean().unwrap_or(f64::NAN);
            let sd = distribution.variance().map(f64::sqrt);
            Reason { mean: Some(mean), sd, ..Reason::of_sample(arm, &self.rewards.arms[arm], mean) }
        };
        let reasons = self.distributions.iter().enumerate().map(reason).collect();
        let notes = vec!["the best of a draw, or of another draw with another best".to_owned()];
        Advice { reasons, choice: self.choose(rng), notes }
    }
}
