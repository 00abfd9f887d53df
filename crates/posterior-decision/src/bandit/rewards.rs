//! Statistics of all arms, and how far the game is.

use posterior_math::check::ParamError;

use super::arm::Arm;
use super::policy::{check_arm, check_arms};

/// The rewards so far.
#[derive(Debug, Clone)]
pub(crate) struct Rewards {
    pub(crate) arms: Vec<Arm>,
    pub(crate) plays: u64,
}

impl Rewards {
    pub(crate) fn new(arms: usize) -> Result<Self, ParamError> {
        check_arms(arms)?;
        Ok(Self { arms: vec![Arm::new(); arms], plays: 0 })
    }

    /// Adds a reward that was checked.
    pub(crate) fn push(&mut self, arm: usize, reward: f64) -> Result<(), ParamError> {
        check_arm(arm, self.arms.len())?;
        self.arms[arm].push(reward);
        self.plays += 1;
        Ok(())
    }

    /// The mean of each arm; +∞ of those that were not played.
    pub(crate) fn means(&self) -> impl Iterator<Item = f64> {
        self.arms.iter().map(|arm| if arm.plays() == 0 { f64::INFINITY } else { arm.mean() })
    }
}
