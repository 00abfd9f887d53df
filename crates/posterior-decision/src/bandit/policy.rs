//! What a policy is, and what it says.

use std::fmt;

use posterior_math::check::{self, ParamError};
use rand::Rng;

use super::arm::Arm;
use super::history::History;
use crate::Error;

/// How to choose arms: a value that may play many games.
///
/// Most policies give each arm a number from its statistics and play the largest: implement
/// [`IndexRule`](super::IndexRule) for them, and this follows. This trait is for those that keep more.
pub trait Policy: fmt::Debug + Send + Sync {
    /// The name, with its parameters.
    fn name(&self) -> String;

    /// Begins a game.
    ///
    /// # Errors
    /// If there are no arms, or the policy has a parameter that it cannot have.
    fn start(&self, arms: usize) -> Result<Box<dyn Agent>, ParamError>;
}

impl Policy for Box<dyn Policy> {
    fn name(&self) -> String {
        self.as_ref().name()
    }

    fn start(&self, arms: usize) -> Result<Box<dyn Agent>, ParamError> {
        self.as_ref().start(arms)
    }
}

/// A policy in the middle of a game.
pub trait Agent: fmt::Debug + Send {
    /// The arm to play next.
    fn choose(&mut self, rng: &mut dyn Rng) -> usize;

    /// What an arm gave: as a rule, but not of necessity, the one that was chosen.
    ///
    /// # Errors
    /// If there is no such arm, or the reward is none for this policy.
    fn observe(&mut self, arm: usize, reward: f64) -> Result<(), ParamError>;

    /// The arm to play next and the reasons; [`choose`](Self::choose) with the same random numbers chooses
    /// the same.
    fn advise(&mut self, rng: &mut dyn Rng) -> Advice;
}

/// Which arm is next, and why.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Advice {
    /// For each arm what spoke for it.
    pub reasons: Vec<Reason>,
    /// The arm to play.
    pub choice: usize,
    /// What to beware of.
    pub notes: Vec<String>,
}

/// What speaks for an arm.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Reason {
    /// The arm.
    pub arm: usize,
    /// How often it was played.
    pub plays: u64,
    /// Its mean reward: of the posterior, if the policy has one, else of the sample; `None` if there is none
    /// yet.
    pub mean: Option<f64>,
    /// How uncertain that mean is: the standard deviation of the posterior, else the standard error; `None`
    /// if there is none yet.
    pub sd: Option<f64>,
    /// By which it was judged: the larger the better; +∞ for an arm that must be tried first. Of policies
    /// that choose at random by given probabilities, the probability.
    pub index: f64,
}

impl Advice {
    /// The arm with the largest index, the first of several.
    pub(super) fn of_largest(reasons: Vec<Reason>, notes: Vec<String>) -> Self {
        let choice = largest(reasons.iter().map(|reason| reason.index));
        Self { reasons, choice, notes }
    }
}

impl Reason {
    /// With the mean and the standard error of the rewards.
    pub(crate) fn of_sample(arm: usize, statistic: &Arm, index: f64) -> Self {
        let known = |value: f64| (!value.is_nan()).then_some(value);
        Self {
            arm,
            plays: statistic.plays(),
            mean: known(statistic.mean()),
            sd: known(statistic.standard_error()),
            index,
        }
    }
}

/// The place of the largest number, the first of several.
pub(crate) fn largest(indices: impl Iterator<Item = f64>) -> usize {
    let mut best = (0, f64::NEG_INFINITY);
    for (arm, index) in indices.enumerate() {
        if index > best.1 {
            best = (arm, index);
        }
    }
    best.0
}

/// An arm among so many.
pub(crate) fn check_arm(arm: usize, arms: usize) -> Result<(), ParamError> {
    check::require(arm < arms, "Agent", "arm", arm as f64, "one of the arms, from 0")?;
    Ok(())
}

/// At least one arm.
pub(crate) fn check_arms(arms: usize) -> Result<(), ParamError> {
    check::at_least_one("Policy", "arms", arms)?;
    Ok(())
}

/// A reward in [0, 1].
pub(crate) fn unit_reward(reward: f64) -> Result<(), ParamError> {
    check::require(
        (0.0..=1.0).contains(&reward),
        "Agent",
        "reward",
        reward,
        "in [0, 1]; `Scaled` brings rewards of other bounds there",
    )?;
    Ok(())
}

/// Which arm `policy` would play after `history`, and why.
///
/// The history need not be one that the policy would have played. Only policies that choose at random use
/// `rng`.
///
/// # Errors
/// If the policy has a parameter that it cannot have, or a reward of the history is none for it.
pub fn advise<R: Rng>(policy: &dyn Policy, history: &History, rng: &mut R) -> Result<Advice, Error> {
    let mut agent = policy.start(history.arms())?;
    for play in history.plays() {
        agent.observe(play.arm, play.reward)?;
    }
    Ok(agent.advise(rng))
}
