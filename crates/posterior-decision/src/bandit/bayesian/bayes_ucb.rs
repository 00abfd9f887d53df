//! Bayes-UCB: an upper quantile of the posterior.

use posterior_math::check::{self, ParamError};
use rand::Rng;

use super::mean_plus_sd::{locked_in, moments};
use crate::bandit::arm::Arm;
use crate::bandit::belief::{ArmModel, Marginal};
use crate::bandit::index_rule::{IndexRule, Round};

/// What the arm's mean exceeds with probability 1/(t (ln N)ᶜ) under its posterior, at play t of N.
///
/// For zeros and ones its regret has the least constant there is (Kaufmann, Cappé, Garivier, AISTATS 2012:
/// proved for c = 5, played with c = 0, the default, which needs no horizon).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct BayesUcb {
    /// The model of the rewards; zeros and ones with a uniform prior by default.
    pub belief: ArmModel,
    /// c, not negative, and N, at least 3; `None` by default, for c = 0.
    pub horizon: Option<(f64, u64)>,
}

impl IndexRule for BayesUcb {
    type Summary = Marginal;

    fn name(&self) -> String {
        self.horizon.map_or_else(|| "bayes-ucb".to_owned(), |(c, horizon)| format!("bayes-ucb:{c}:{horizon}"))
    }

    fn summarize(&self, arm: &Arm) -> Result<Marginal, ParamError> {
        if let Some((c, horizon)) = self.horizon {
            check::non_negative("BayesUcb", "c", c)?;
            check::require(horizon > 2, "BayesUcb", "horizon", horizon as f64, "at least 3")?;
        }
        self.belief.marginal(arm)
    }

    fn index(&self, arm: &Arm, distribution: &Marginal, round: &Round, _: &mut dyn Rng) -> f64 {
        // Without a distribution yet.
        if matches!(distribution, Marginal::Limit { .. }) && arm.plays() == 0 {
            return f64::INFINITY;
        }
        let power = self.horizon.map_or(1.0, |(c, horizon)| (horizon as f64).ln().powf(c));
        distribution.upper_quantile(((round.plays + 1) as f64 * power).recip())
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
