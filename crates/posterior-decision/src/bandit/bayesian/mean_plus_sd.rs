//! Posterior mean plus some standard deviations: learning by doing.

use posterior_math::check::{self, ParamError};
use rand::Rng;

use crate::bandit::arm::Arm;
use crate::bandit::belief::{ArmModel, Marginal};
use crate::bandit::index_rule::{IndexRule, Round};

/// How many standard deviations, after n plays.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Width {
    /// The same number c of standard deviations in every round.
    Constant(f64),
    /// c √(ln n), as UCB1 has it.
    RootLn(f64),
    /// c nᵖ, with p below 1/2: faster growth would explore for ever.
    Power {
        /// c.
        factor: f64,
        /// p.
        exponent: f64,
    },
}

impl Width {
    fn after(&self, plays: u64) -> f64 {
        let n = plays as f64;
        match *self {
            Self::Constant(c) => c,
            Self::RootLn(c) => c * n.max(1.0).ln().sqrt(),
            Self::Power { factor, exponent } => factor * n.powf(exponent),
        }
    }
}

/// Posterior mean + c sd.
///
/// With a constant c an arm may be given up for ever, the best one too; one that grows slower than √n comes
/// back to every arm and still mostly plays the best. Before the first play of an arm the prior speaks for
/// it.
///
/// ```
/// use posterior_decision::bandit::{History, MeanPlusSd, advise};
/// use posterior_dist::stream::stream;
///
/// let mut history = History::new(3)?;
/// for (arm, successes, plays) in [(0, 6, 10), (1, 3, 6), (2, 1, 4)] {
///     for play in 0..plays {
///         history.push(arm, f64::from(u8::from(play < successes)))?;
///     }
/// }
/// let advice = advise(&MeanPlusSd::default(), &history, &mut stream(0, &[]))?;
/// let indices: Vec<f64> = advice.reasons.iter().map(|reason| reason.index).collect();
/// assert!((indices[0] - 0.72006878).abs() < 1e-8 && (indices[1] - 2.0 / 3.0).abs() < 1e-8);
/// # Ok::<(), posterior_decision::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeanPlusSd {
    /// c: not negative; 1 by default.
    pub width: Width,
    /// The model of the rewards; zeros and ones with a uniform prior by default.
    pub belief: ArmModel,
}

impl Default for MeanPlusSd {
    fn default() -> Self {
        Self { width: Width::Constant(1.0), belief: ArmModel::default() }
    }
}

impl IndexRule for MeanPlusSd {
    type Summary = [f64; 2];

    fn name(&self) -> String {
        match self.width {
            Width::Constant(c) => format!("ucb-sd:{c}"),
            Width::RootLn(c) => format!("ucb-sd-ln:{c}"),
            Width::Power { factor, exponent } => format!("ucb-sd-power:{factor}:{exponent}"),
        }
    }

    fn summarize(&self, arm: &Arm) -> Result<[f64; 2], ParamError> {
        let c = match self.width {
            Width::Constant(c) | Width::RootLn(c) => c,
            Width::Power { factor, exponent } => {
                let slow = (0.0..0.5).contains(&exponent);
                check::require(slow, "Width", "exponent", exponent, "at least 0 and below 1/2")?;
                factor
            }
        };
        check::non_negative("Width", "factor", c)?;
        let distribution = self.belief.marginal(arm)?;
        Ok([distribution.mean(), distribution.sd()])
    }

    fn index(&self, _: &Arm, &[mean, sd]: &[f64; 2], round: &Round, _: &mut dyn Rng) -> f64 {
        // What has no moments yet is tried first.
        if mean.is_nan() || !(sd < f64::INFINITY) {
            return f64::INFINITY;
        }
        mean + self.width.after(round.plays) * sd
    }

    fn check_reward(&self, reward: f64) -> Result<(), ParamError> {
        self.belief.check_reward(reward)
    }

    fn moments(&self, &[mean, sd]: &[f64; 2]) -> Option<[f64; 2]> {
        (mean.is_finite() && sd.is_finite()).then_some([mean, sd])
    }

    fn caution(&self, _: &Arm, &[_, sd]: &[f64; 2]) -> Option<String> {
        locked_in(&self.belief, sd)
    }
}

/// Where the limit of the prior takes itself for certain.
pub(super) fn locked_in(belief: &ArmModel, sd: f64) -> Option<String> {
    let limit = matches!(belief, ArmModel::BernoulliLimit);
    (limit && sd == 0.0).then(|| {
        "all rewards alike: without a prior the standard deviation is 0, and it is not explored any more"
            .to_owned()
    })
}

/// The moments of a posterior, where it has both.
pub(super) fn moments(distribution: &Marginal) -> Option<[f64; 2]> {
    let (mean, sd) = (distribution.mean(), distribution.sd());
    (mean.is_finite() && sd.is_finite()).then_some([mean, sd])
}
