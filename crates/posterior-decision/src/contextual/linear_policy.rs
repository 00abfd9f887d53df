//! LinUCB and linear Thompson sampling, an independent regression for each arm.

use posterior_math::check::{self, DimensionError};
use posterior_math::linalg::DVector;
use rand::Rng;

use super::linear_arm::LinearArm;
use crate::Error;
use crate::bandit::{Advice, Reason, largest};

/// How an arm is chosen by its regression.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum ArmChoice {
    /// By mean + width · standard deviation of the expected reward: LinUCB.
    UpperBound {
        /// Not negative.
        width: f64,
    },
    /// By a draw from the posterior: linear Thompson sampling.
    Draw {
        /// By how much the standard deviations of the weights are stretched: not negative; 1 is the
        /// posterior, the proofs want more.
        scale: f64,
    },
}

/// A policy for contexts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinearPolicy {
    /// How an arm is chosen.
    pub choice: ArmChoice,
    /// The standard deviation of each weight beforehand: positive; 1 by default.
    pub prior_sd: f64,
    /// The standard deviation of rewards about their expectation: positive; 1 by default, which is LinUCB as
    /// published.
    pub noise_sd: f64,
}

impl LinearPolicy {
    /// With weights and noise of standard deviation 1.
    pub const fn new(choice: ArmChoice) -> Self {
        Self { choice, prior_sd: 1.0, noise_sd: 1.0 }
    }

    /// Begins a game of so many arms, with so many features of each context; a constant, if wanted, is one of
    /// them.
    ///
    /// # Errors
    /// If there are no arms or features, or the policy has a parameter that it cannot have.
    pub fn start(&self, arms: usize, features: usize) -> Result<LinearAgent, Error> {
        let (ArmChoice::UpperBound { width: factor } | ArmChoice::Draw { scale: factor }) = self.choice;
        check::non_negative("LinearPolicy", "width or scale", factor)?;
        check::at_least_one("LinearPolicy", "arms", arms)?;
        let arm = LinearArm::new(features, self.prior_sd, self.noise_sd)?;
        Ok(LinearAgent { choice: self.choice, arms: vec![arm; arms] })
    }
}

/// A policy in the middle of a game.
#[derive(Debug, Clone, PartialEq)]
pub struct LinearAgent {
    choice: ArmChoice,
    arms: Vec<LinearArm>,
}

impl LinearAgent {
    /// The arm to play in this context, the first of several that are as good.
    ///
    /// # Errors
    /// If the context has another number of features, or one is not finite.
    pub fn choose<R: Rng + ?Sized>(&self, context: &[f64], rng: &mut R) -> Result<usize, Error> {
        Ok(self.advise(context, rng)?.choice)
    }

    /// What an arm gave in a context.
    ///
    /// # Errors
    /// If there is no such arm, the context has another number of features, or a number is not finite.
    pub fn observe(&mut self, arm: usize, context: &[f64], reward: f64) -> Result<(), Error> {
        let arms = self.arms.len();
        let arm = self.arms.get_mut(arm).ok_or(DimensionError::new("arms", arms, arm + 1))?;
        arm.observe(context, reward)
    }

    /// The regressions.
    pub fn arms(&self) -> &[LinearArm] {
        &self.arms
    }

    /// The arm to play in this context and the reasons: of each arm the mean of its expected reward, the
    /// standard deviation, and the upper bound or the draw as the index.
    ///
    /// # Errors
    /// If the context has another number of features, or one is not finite.
    pub fn advise<R: Rng + ?Sized>(&self, context: &[f64], rng: &mut R) -> Result<Advice, Error> {
        let mut reasons = Vec::with_capacity(self.arms.len());
        for (place, arm) in self.arms.iter().enumerate() {
            let [mean, sd] = arm.predict(context)?;
            let index = match self.choice {
                ArmChoice::UpperBound { width } => mean + width * sd,
                ArmChoice::Draw { scale } => arm.draw(scale, rng).dot(&DVector::from_column_slice(context)),
            };
            reasons.push(Reason { arm: place, plays: arm.plays(), mean: Some(mean), sd: Some(sd), index });
        }
        let choice = largest(reasons.iter().map(|reason| reason.index));
        Ok(Advice { reasons, choice, notes: Vec::new() })
    }
}
