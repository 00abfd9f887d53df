//! Games that were played.

use posterior_math::check;

use super::arm::Arm;
use crate::Error;

/// One play: which arm, and what it gave.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Play {
    /// The arm.
    pub arm: usize,
    /// The reward.
    pub reward: f64,
}

/// The plays of a game, in their order: all that a policy needs to go on.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "Unchecked"))]
pub struct History {
    arms: usize,
    plays: Vec<Play>,
}

/// As it stands in a file, to be checked.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct Unchecked {
    arms: usize,
    plays: Vec<Play>,
}

#[cfg(feature = "serde")]
impl TryFrom<Unchecked> for History {
    type Error = Error;

    fn try_from(raw: Unchecked) -> Result<Self, Error> {
        let mut history = Self::new(raw.arms)?;
        for play in raw.plays {
            history.push(play.arm, play.reward)?;
        }
        Ok(history)
    }
}

impl History {
    /// A game of this many arms that has not begun.
    ///
    /// # Errors
    /// If there are no arms.
    pub fn new(arms: usize) -> Result<Self, Error> {
        check::at_least_one("History", "arms", arms)?;
        Ok(Self { arms, plays: Vec::new() })
    }

    /// Adds a play.
    ///
    /// # Errors
    /// If there is no such arm, or the reward is not finite.
    pub fn push(&mut self, arm: usize, reward: f64) -> Result<(), Error> {
        check::require(arm < self.arms, "History", "arm", arm as f64, "one of the arms, from 0")?;
        check::finite("History", "reward", reward)?;
        self.plays.push(Play { arm, reward });
        Ok(())
    }

    /// The number of arms.
    pub const fn arms(&self) -> usize {
        self.arms
    }

    /// The plays in their order.
    pub fn plays(&self) -> &[Play] {
        &self.plays
    }

    /// What is known of each arm.
    pub fn statistics(&self) -> Vec<Arm> {
        let mut arms = vec![Arm::new(); self.arms];
        for play in &self.plays {
            arms[play.arm].push(play.reward);
        }
        arms
    }
}
