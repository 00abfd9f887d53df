//! Thompson sampling.

use posterior_math::check::ParamError;
use rand::Rng;

use super::mean_plus_sd::{locked_in, moments};
use crate::bandit::arm::Arm;
use crate::bandit::belief::{ArmModel, Marginal};
use crate::bandit::index_rule::{IndexRule, Round};

/// A draw from the posterior of each arm's mean; the largest is played.
///
/// An arm is chosen with the probability that it is the best. For zeros and ones its regret has the least
/// constant there is (Thompson, Biometrika 25, 1933; Kaufmann, Korda, Munos, ALT 2012). For normal rewards of
/// unknown variance the proofs want a prior with α below 0 (Honda and Takemura, AISTATS 2014), which is no
/// distribution and is not offered.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Thompson {
    /// The model of the rewards; zeros and ones with a uniform prior by default.
    pub belief: ArmModel,
}

impl IndexRule for Thompson {
    type Summary = Marginal;

    fn name(&self) -> String {
        "thompson".to_owned()
    }

    fn summarize(&self, arm: &Arm) -> Result<Marginal, ParamError> {
        self.belief.marginal(arm)
    }

    fn index(&self, arm: &Arm, distribution: &Marginal, _: &Round, rng: &mut dyn Rng) -> f64 {
        if matches!(distribution, Marginal::Limit { .. }) && arm.plays() == 0 {
            return f64::INFINITY;
        }
        distribution.draw(rng)
    }

    fn check_reward(&self, reward: f64) -> Result<(), ParamError> {
        self.belief.check_reward(reward)
    }

    fn moments(&self, distribution: &Marginal) -> Option<[f64; 2]> {
        moments(distribution)
    }

    fn caution(&self, _: &Arm, distribution: &Marginal) -> Option<String> {
        locked_in(&self.belief, distribution.sd())
    }
}
