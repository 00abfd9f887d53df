//! Policies for arms whose rewards change.

mod discounted;
mod sliding_window;

pub use discounted::DiscountedUcb;
pub use sliding_window::SlidingWindowUcb;

use posterior_math::check::ParamError;

use super::policy::{Advice, Reason, check_arm, check_arms, largest, unit_reward};

/// What is remembered of an arm: a weight and a weighted sum of rewards.
#[derive(Debug, Clone, Copy, Default)]
struct Remembered {
    plays: u64,
    weight: f64,
    total: f64,
}

impl Remembered {
    /// Mean + 2 √(ξ ln n/weight); +∞ where nothing is remembered.
    fn index(&self, xi: f64, memory: f64) -> f64 {
        if self.weight > 0.0 {
            self.total / self.weight + 2.0 * (xi * memory.max(1.0).ln() / self.weight).sqrt()
        } else {
            f64::INFINITY
        }
    }

    fn reason(&self, arm: usize, index: f64) -> Reason {
        let known = self.weight > 0.0;
        // Of a reward in [0, 1] at most, for want of a better.
        let mean = known.then(|| self.total / self.weight);
        let sd = mean.map(|mean| (mean * (1.0 - mean) / self.weight).max(0.0).sqrt());
        Reason { arm, plays: self.plays, mean, sd, index }
    }
}

/// What is remembered of all arms, and ξ.
#[derive(Debug)]
struct Memory {
    arms: Vec<Remembered>,
    xi: f64,
}

impl Memory {
    fn new(arms: usize, xi: f64) -> Result<Self, ParamError> {
        check_arms(arms)?;
        Ok(Self { arms: vec![Remembered::default(); arms], xi })
    }

    fn indices(&self) -> impl Iterator<Item = f64> {
        let memory: f64 = self.arms.iter().map(|arm| arm.weight).sum();
        self.arms.iter().map(move |arm| arm.index(self.xi, memory))
    }

    fn largest(&self) -> usize {
        largest(self.indices())
    }

    fn check(&self, arm: usize, reward: f64) -> Result<(), ParamError> {
        unit_reward(reward)?;
        check_arm(arm, self.arms.len())
    }

    fn add(&mut self, arm: usize, reward: f64) {
        let known = &mut self.arms[arm];
        known.plays += 1;
        known.weight += 1.0;
        known.total += reward;
    }

    fn advise(&self) -> Advice {
        let each = self.arms.iter().zip(self.indices()).enumerate();
        Advice::of_largest(each.map(|(arm, (known, index))| known.reason(arm, index)).collect(), Vec::new())
    }
}
