//! What is known of an arm.

use posterior_math::streaming::MeanVariance;

/// The rewards of one arm so far: how many, their sum, their spread.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Arm {
    plays: u64,
    total: f64,
    seen: MeanVariance,
}

impl Arm {
    /// An arm that was not played.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a reward.
    pub fn push(&mut self, reward: f64) {
        self.plays += 1;
        self.total += reward;
        self.seen.push(reward);
    }

    /// How often it was played.
    pub const fn plays(&self) -> u64 {
        self.plays
    }

    /// The sum of its rewards: of zeros and ones the number of successes, exactly.
    pub const fn total(&self) -> f64 {
        self.total
    }

    /// The mean of its rewards; NaN if there are none.
    pub fn mean(&self) -> f64 {
        self.total / self.plays as f64
    }

    /// Σ (r - mean)²/n; NaN if there are no rewards.
    pub fn variance(&self) -> f64 {
        self.seen.variance()
    }

    /// The standard error of the mean, by the variance with n - 1 below; NaN for fewer than two rewards.
    pub fn standard_error(&self) -> f64 {
        (self.seen.sample_variance() / self.plays as f64).sqrt()
    }

    /// The statistic of the rewards, for posteriors.
    pub const fn statistic(&self) -> &MeanVariance {
        &self.seen
    }
}

impl Extend<f64> for Arm {
    fn extend<I: IntoIterator<Item = f64>>(&mut self, rewards: I) {
        for reward in rewards {
            self.push(reward);
        }
    }
}

impl FromIterator<f64> for Arm {
    fn from_iter<I: IntoIterator<Item = f64>>(rewards: I) -> Self {
        let mut arm = Self::new();
        arm.extend(rewards);
        arm
    }
}
