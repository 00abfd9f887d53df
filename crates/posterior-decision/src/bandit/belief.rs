//! What is believed of an arm's mean, before and after its rewards.

use posterior_dist::{
    Beta, Conjugate, Moments, Normal, NormalInverseGamma, NormalKnownVariance, Stats, StudentT, Univariate,
};
use posterior_math::check::{self, ParamError};
use rand::distr::Distribution;
use rand::{Rng, RngExt};

use super::arm::Arm;
use super::policy::unit_reward;

/// The model of an arm's rewards, with the prior of its parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum ArmModel {
    /// Zeros and ones (or anything between: a reward of 0.3 counts as three tenths of a success), with a Beta
    /// prior.
    Bernoulli(Beta),
    /// The limit of the Beta prior with α, β → 0: mean m/n and variance m(n - m)/(n²(n + 1)).
    ///
    /// A distribution only if 0 < m < n. An arm whose rewards are all 0 or all 1 has the standard deviation
    /// 0, so that a policy that lives by it stops to explore: it may never play a good arm again that failed
    /// once. [`Advice::notes`](super::Advice::notes) warns.
    BernoulliLimit,
    /// Normal rewards of a known variance.
    NormalKnownVariance {
        /// The prior of the mean.
        prior: Normal,
        /// The variance of a reward.
        variance: f64,
    },
    /// Normal rewards of an unknown variance.
    Normal(NormalInverseGamma),
}

/// The posterior of an arm's mean reward.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Marginal {
    /// Of a probability.
    Beta(Beta),
    /// Nothing but mean and standard deviation are known; both are NaN before the first play.
    Limit {
        /// m/n.
        mean: f64,
        /// √(m(n - m)/(n²(n + 1))).
        sd: f64,
    },
    /// Of a mean, for a known variance.
    Normal(Normal),
    /// Of a mean, for an unknown variance.
    StudentT(StudentT),
}

impl Default for ArmModel {
    /// Zeros and ones with a uniform prior.
    fn default() -> Self {
        Self::Bernoulli(Beta::new(1.0, 1.0).expect("invariant: one is positive"))
    }
}

impl ArmModel {
    /// The posterior of the mean after the rewards of `arm`.
    ///
    /// # Errors
    /// If a parameter of the posterior overflows, or the known variance is not positive and finite.
    pub fn marginal(&self, arm: &Arm) -> Result<Marginal, ParamError> {
        let (plays, total) = (arm.plays() as f64, arm.total());
        match *self {
            Self::Bernoulli(prior) => {
                // The rest of a sum of fractions may be negative by rounding.
                let failures = (plays - total).max(0.0);
                Beta::new(prior.alpha() + total, prior.beta() + failures).map(Marginal::Beta)
            }
            Self::BernoulliLimit => {
                let mean = arm.mean();
                Ok(Marginal::Limit { mean, sd: (mean * (1.0 - mean) / (plays + 1.0)).clamp(0.0, 1.0).sqrt() })
            }
            Self::NormalKnownVariance { prior, variance } => {
                check::positive("Belief", "variance", variance)?;
                let mut stats = Stats::<NormalKnownVariance>::new(variance);
                if plays > 0.0 {
                    // Of the rewards only their number and their mean matter here.
                    stats.push_weighted(&arm.statistic().mean(), plays)?;
                }
                NormalKnownVariance::posterior(&prior, &stats).map(Marginal::Normal)
            }
            Self::Normal(prior) => {
                let after = prior.updated(arm.statistic())?;
                let scale = (after.scale() / (after.shape() * after.kappa())).sqrt();
                StudentT::new(2.0 * after.shape(), after.location(), scale).map(Marginal::StudentT)
            }
        }
    }

    /// Whether a reward is one.
    pub(super) fn check_reward(&self, reward: f64) -> Result<(), ParamError> {
        match self {
            Self::Bernoulli(_) | Self::BernoulliLimit => unit_reward(reward),
            Self::NormalKnownVariance { .. } | Self::Normal(_) => {
                check::finite("Agent", "reward", reward)?;
                Ok(())
            }
        }
    }
}

impl Marginal {
    /// The mean; NaN where it does not exist.
    pub fn mean(&self) -> f64 {
        match self {
            Self::Beta(distribution) => distribution.mean().unwrap_or(f64::NAN),
            Self::Limit { mean, .. } => *mean,
            Self::Normal(distribution) => distribution.mean().unwrap_or(f64::NAN),
            Self::StudentT(distribution) => distribution.mean().unwrap_or(f64::NAN),
        }
    }

    /// The standard deviation; infinite or NaN where it does not exist.
    pub fn sd(&self) -> f64 {
        let variance = match self {
            Self::Beta(distribution) => distribution.variance(),
            Self::Limit { sd, .. } => return *sd,
            Self::Normal(distribution) => distribution.variance(),
            Self::StudentT(distribution) => distribution.variance(),
        };
        variance.unwrap_or(f64::NAN).sqrt()
    }

    /// What the mean exceeds with probability q; of the limit that of a normal distribution.
    pub fn upper_quantile(&self, q: f64) -> f64 {
        match self {
            Self::Beta(distribution) => distribution.upper_quantile(q),
            Self::Limit { mean, sd } => mean + sd * posterior_math::special::normal_upper_quantile(q),
            Self::Normal(distribution) => distribution.upper_quantile(q),
            Self::StudentT(distribution) => distribution.upper_quantile(q),
        }
    }

    /// A draw; of the limit that of a normal distribution.
    pub fn draw(&self, rng: &mut dyn Rng) -> f64 {
        match self {
            Self::Beta(distribution) => distribution.sample(rng),
            Self::Limit { mean, sd } => mean + sd * rng.sample::<f64, _>(rand_distr::StandardNormal),
            Self::Normal(distribution) => distribution.sample(rng),
            Self::StudentT(distribution) => distribution.sample(rng),
        }
    }
}
