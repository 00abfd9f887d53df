//! Policies for arms whose rewards change.

mod discounted;
mod sliding_window;

pub use discounted::DiscountedUcb;
pub use sliding_window::SlidingWindowUcb;

use super::policy::Reason;

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
