//! Rewards of other bounds.

use posterior_math::check::{self, ParamError};
use rand::Rng;

use super::policy::{Advice, Agent, Policy, Reason};

/// A policy for rewards in [0, 1], played with rewards in [low, high].
///
/// Means and standard deviations are reported in the units of the rewards; indices stay those of the policy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scaled<P> {
    policy: P,
    low: f64,
    width: f64,
}

impl<P: Policy> Scaled<P> {
    /// `policy` for rewards from `low` to `high`.
    ///
    /// # Errors
    /// If the bounds are not finite, or not in this order.
    pub fn new(policy: P, low: f64, high: f64) -> Result<Self, ParamError> {
        check::finite("Scaled", "low", low)?;
        let width = check::positive("Scaled", "high - low", high - low)?;
        Ok(Self { policy, low, width })
    }
}

impl<P: Policy> Policy for Scaled<P> {
    fn name(&self) -> String {
        self.policy.name()
    }

    fn start(&self, arms: usize) -> Result<Box<dyn Agent>, ParamError> {
        Ok(Box::new(Running { agent: self.policy.start(arms)?, low: self.low, width: self.width }))
    }
}

#[derive(Debug)]
struct Running {
    agent: Box<dyn Agent>,
    low: f64,
    width: f64,
}

impl Agent for Running {
    fn choose(&mut self, rng: &mut dyn Rng) -> usize {
        self.agent.choose(rng)
    }

    fn observe(&mut self, arm: usize, reward: f64) -> Result<(), ParamError> {
        let high = self.low + self.width;
        let inside = reward >= self.low && reward <= high;
        check::require(inside, "Scaled", "reward", reward, "within the bounds that were given")?;
        self.agent.observe(arm, ((reward - self.low) / self.width).min(1.0))
    }

    fn advise(&mut self, rng: &mut dyn Rng) -> Advice {
        let mut advice = self.agent.advise(rng);
        for reason in &mut advice.reasons {
            *reason = Reason {
                mean: reason.mean.map(|mean| self.low + self.width * mean),
                sd: reason.sd.map(|sd| self.width * sd),
                ..*reason
            };
        }
        advice
    }
}
