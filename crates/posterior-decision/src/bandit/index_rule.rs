//! Policies that play the arm with the largest index.

use std::fmt;

use posterior_math::check::ParamError;
use rand::Rng;

use super::arm::Arm;
use super::policy::{Advice, Agent, Policy, Reason, largest, unit_reward};
use super::rewards::Rewards;

/// How far a game is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Round {
    /// The number of arms.
    pub arms: usize,
    /// The number of plays so far, of all arms.
    pub plays: u64,
}

/// A number for each arm from its own rewards; the arm with the largest is played, the first of several.
///
/// ```
/// use posterior_decision::bandit::{Arm, IndexRule, Policy, Round};
/// use posterior_dist::stream::stream;
/// use rand::Rng;
///
/// /// Follow the leader, who may be wrong for ever.
/// #[derive(Debug, Clone)]
/// struct Greedy;
///
/// impl IndexRule for Greedy {
///     type Summary = ();
///
///     fn name(&self) -> String {
///         "greedy".to_owned()
///     }
///
///     fn summarize(&self, _: &Arm) -> Result<(), posterior_math::ParamError> {
///         Ok(())
///     }
///
///     fn index(&self, arm: &Arm, (): &(), _: &Round, _: &mut dyn Rng) -> f64 {
///         if arm.plays() == 0 { f64::INFINITY } else { arm.mean() }
///     }
/// }
///
/// let mut agent = Greedy.start(2)?;
/// agent.observe(0, 0.0)?;
/// assert_eq!(agent.choose(&mut stream(0, &[])), 1);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
pub trait IndexRule: Clone + fmt::Debug + Send + Sync + 'static {
    /// What is worth keeping of an arm between its plays, such as its posterior.
    type Summary: Clone + fmt::Debug + Send;

    /// The name, with its parameters.
    fn name(&self) -> String;

    /// What to keep of an arm; called after each of its plays, and once before, which is where parameters are
    /// checked.
    ///
    /// # Errors
    /// If the rule has a parameter that it cannot have.
    fn summarize(&self, arm: &Arm) -> Result<Self::Summary, ParamError>;

    /// The index of an arm.
    fn index(&self, arm: &Arm, summary: &Self::Summary, round: &Round, rng: &mut dyn Rng) -> f64;

    /// Whether a reward is one: from 0 to 1, if not said otherwise.
    ///
    /// # Errors
    /// If it is none.
    fn check_reward(&self, reward: f64) -> Result<(), ParamError> {
        unit_reward(reward)
    }

    /// Mean and standard deviation of what is known of the arm's mean, if that is more than the sample's.
    fn moments(&self, summary: &Self::Summary) -> Option<[f64; 2]> {
        let _ = summary;
        None
    }

    /// What to beware of.
    fn caution(&self, arm: &Arm, summary: &Self::Summary) -> Option<String> {
        let _ = (arm, summary);
        None
    }
}

impl<T: IndexRule> Policy for T {
    fn name(&self) -> String {
        IndexRule::name(self)
    }

    fn start(&self, arms: usize) -> Result<Box<dyn Agent>, ParamError> {
        let rewards = Rewards::new(arms)?;
        let summary = self.summarize(&Arm::new())?;
        Ok(Box::new(IndexAgent { rule: self.clone(), rewards, summaries: vec![summary; arms] }))
    }
}

#[derive(Debug)]
struct IndexAgent<T: IndexRule> {
    rule: T,
    rewards: Rewards,
    summaries: Vec<T::Summary>,
}

impl<T: IndexRule> IndexAgent<T> {
    fn indices<'a>(&'a self, rng: &'a mut dyn Rng) -> impl Iterator<Item = f64> + 'a {
        let round = Round { arms: self.summaries.len(), plays: self.rewards.plays };
        let each = self.rewards.arms.iter().zip(&self.summaries);
        each.map(move |(arm, summary)| self.rule.index(arm, summary, &round, rng))
    }
}

impl<T: IndexRule> Agent for IndexAgent<T> {
    fn choose(&mut self, rng: &mut dyn Rng) -> usize {
        largest(self.indices(rng))
    }

    fn observe(&mut self, arm: usize, reward: f64) -> Result<(), ParamError> {
        self.rule.check_reward(reward)?;
        self.rewards.push(arm, reward)?;
        self.summaries[arm] = self.rule.summarize(&self.rewards.arms[arm])?;
        Ok(())
    }

    fn advise(&mut self, rng: &mut dyn Rng) -> Advice {
        let reason = |(arm, index): (usize, f64)| {
            let of_sample = Reason::of_sample(arm, &self.rewards.arms[arm], index);
            match self.rule.moments(&self.summaries[arm]) {
                Some([mean, sd]) => Reason { mean: Some(mean), sd: Some(sd), ..of_sample },
                None => of_sample,
            }
        };
        let reasons = self.indices(rng).enumerate().map(reason).collect();
        let caution = |arm: usize| {
            let found = self.rule.caution(&self.rewards.arms[arm], &self.summaries[arm])?;
            Some(format!("arm {arm}: {found}"))
        };
        Advice::of_largest(reasons, (0..self.summaries.len()).filter_map(caution).collect())
    }
}
