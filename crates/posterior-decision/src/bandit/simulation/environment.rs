//! Arms, as they are in truth.

use posterior_math::check::{self, ParamError};
use rand::{Rng, RngExt};
use rand_distr::StandardNormal;

use crate::Error;

/// The distribution of an arm's rewards.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum RewardDistribution {
    /// 1 with this probability, else 0.
    Bernoulli(f64),
    /// Normal.
    Normal {
        /// The mean.
        mean: f64,
        /// The standard deviation.
        sd: f64,
    },
}

impl RewardDistribution {
    /// The expected reward.
    pub const fn mean(&self) -> f64 {
        match *self {
            Self::Bernoulli(mean) | Self::Normal { mean, .. } => mean,
        }
    }

    /// A reward.
    pub fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        match *self {
            Self::Bernoulli(success) => f64::from(u8::from(rng.random::<f64>() < success)),
            Self::Normal { mean, sd } => mean + sd * rng.sample::<f64, _>(StandardNormal),
        }
    }

    fn check(&self) -> Result<(), ParamError> {
        match *self {
            Self::Bernoulli(success) => {
                check::probability("RewardDistribution", "success", success)?;
            }
            Self::Normal { mean, sd } => {
                check::finite("RewardDistribution", "mean", mean)?;
                check::non_negative("RewardDistribution", "sd", sd)?;
            }
        }
        Ok(())
    }
}

/// From when on the arms have which distributions.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Epoch {
    /// The plays before it.
    pub(super) start: u64,
    pub(super) distributions: Vec<RewardDistribution>,
    /// The largest mean.
    pub(super) best: f64,
}

/// The arms of a game, which policies do not see: their distributions, and when these change.
///
/// ```
/// use posterior_decision::bandit::{Environment, RewardDistribution};
///
/// // The best arm changes after 500 plays.
/// let arms = Environment::bernoulli(&[0.9, 0.6])?
///     .then(500, vec![RewardDistribution::Bernoulli(0.3), RewardDistribution::Bernoulli(0.6)])?;
/// assert_eq!(arms.arms(), 2);
/// # Ok::<(), posterior_decision::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Environment {
    epochs: Vec<Epoch>,
}

impl Environment {
    /// Arms with these distributions.
    ///
    /// # Errors
    /// If there is none, or a distribution has a parameter that it cannot have.
    pub fn new(distributions: Vec<RewardDistribution>) -> Result<Self, Error> {
        check::at_least_one("Environment", "arms", distributions.len())?;
        Ok(Self { epochs: vec![epoch(0, distributions)?] })
    }

    /// Arms of zeros and ones.
    ///
    /// # Errors
    /// If there is none, or a probability is not in [0, 1].
    pub fn bernoulli(successes: &[f64]) -> Result<Self, Error> {
        Self::new(successes.iter().map(|&success| RewardDistribution::Bernoulli(success)).collect())
    }

    /// Arms with normal rewards of one standard deviation.
    ///
    /// # Errors
    /// If there is none, a mean is not finite, or the standard deviation is negative or not finite.
    pub fn normal(means: &[f64], sd: f64) -> Result<Self, Error> {
        Self::new(means.iter().map(|&mean| RewardDistribution::Normal { mean, sd }).collect())
    }

    /// The same arms, which have other distributions after so many plays.
    ///
    /// # Errors
    /// If that is not later than the changes so far, there is not a distribution for each arm, or one has a
    /// parameter that it cannot have.
    pub fn then(mut self, plays: u64, distributions: Vec<RewardDistribution>) -> Result<Self, Error> {
        check::dimension("distributions", self.arms(), distributions.len())?;
        let last = self.epochs.last().map_or(0, |epoch| epoch.start);
        check::require(
            plays > last,
            "Environment",
            "plays",
            plays as f64,
            "more than those of the change before",
        )?;
        self.epochs.push(epoch(plays, distributions)?);
        Ok(self)
    }

    /// The number of arms.
    pub fn arms(&self) -> usize {
        self.epochs.first().map_or(0, |epoch| epoch.distributions.len())
    }

    /// The distributions at the start.
    pub fn distributions(&self) -> &[RewardDistribution] {
        self.epochs.first().map_or(&[], |epoch| &epoch.distributions)
    }

    pub(super) fn epochs(&self) -> impl Iterator<Item = &Epoch> {
        self.epochs.iter()
    }
}

fn epoch(start: u64, distributions: Vec<RewardDistribution>) -> Result<Epoch, ParamError> {
    for distribution in &distributions {
        distribution.check()?;
    }
    let best = distributions.iter().map(RewardDistribution::mean).fold(f64::NEG_INFINITY, f64::max);
    Ok(Epoch { start, distributions, best })
}
