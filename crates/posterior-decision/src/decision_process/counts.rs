//! Transitions that were counted: what is not known of the process.

use posterior_dist::Dirichlet;
use posterior_math::check;
use posterior_math::streaming::MeanVariance;
use rand::Rng;

use super::{DecisionProcess, ProcessAction};
use crate::Error;

/// What may follow an action: a next state, and the reward on the way.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ProcessOutcome {
    /// The next state.
    pub next: usize,
    /// The reward.
    pub reward: f64,
    /// How often it was seen.
    pub count: f64,
}

/// A process whose probabilities are not known: the outcomes of each action of each state with their counts,
/// under a Dirichlet prior with the same weight for each outcome.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ProcessCounts {
    outcomes: Vec<Vec<Vec<ProcessOutcome>>>,
    prior: f64,
}

/// What is known of the value of an action, if all later actions are best.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ActionBelief {
    /// The mean of the value.
    pub mean: f64,
    /// Its standard deviation.
    pub sd: f64,
    /// The probability that no other action of the state is better.
    pub best: f64,
}

impl ProcessCounts {
    /// Outcomes of each action of each state. The prior is the weight of an outcome before any was seen: 0.5
    /// is Jeffreys', 1 the uniform.
    ///
    /// # Errors
    /// If there are no states, an action has no outcomes, a next state is none of the states, a reward is not
    /// finite, a count negative, or the prior not positive.
    pub fn new(outcomes: Vec<Vec<Vec<ProcessOutcome>>>, prior: f64) -> Result<Self, Error> {
        const NAME: &str = "ProcessCounts";
        check::positive(NAME, "prior", prior)?;
        for action in outcomes.iter().flatten() {
            check::at_least_one(NAME, "outcomes", action.len())?;
            for own in action {
                check::finite(NAME, "reward", own.reward)?;
                check::non_negative(NAME, "count", own.count)?;
            }
        }
        let counts = Self { outcomes, prior };
        counts.mean()?;
        Ok(counts)
    }

    /// One outcome more of an action.
    ///
    /// # Errors
    /// If there is no such state, action or outcome.
    pub fn observe(&mut self, state: usize, action: usize, outcome: usize) -> Result<(), Error> {
        let own = self.outcomes.get_mut(state).and_then(|all| all.get_mut(action));
        let own = own.and_then(|all| all.get_mut(outcome)).ok_or(Error::Impossible)?;
        own.count += 1.0;
        Ok(())
    }

    /// A process with these probabilities of the outcomes of each action.
    fn process(
        &self,
        mut of: impl FnMut(&[f64]) -> Result<Vec<f64>, Error>,
    ) -> Result<DecisionProcess, Error> {
        let mut action = |all: &Vec<ProcessOutcome>| {
            let weights: Vec<f64> = all.iter().map(|own| self.prior + own.count).collect();
            let probabilities = of(&weights)?;
            let pairs = || all.iter().zip(&probabilities);
            let reward = pairs().map(|(own, p)| p * own.reward).sum();
            ProcessAction::new(reward, pairs().map(|(own, p)| (own.next, *p)).collect())
        };
        let mut state = |all: &Vec<Vec<ProcessOutcome>>| all.iter().map(&mut action).collect();
        DecisionProcess::new(self.outcomes.iter().map(&mut state).collect::<Result<_, Error>>()?)
    }

    /// The process with the mean of each probability. Its best values are what is best for somebody who
    /// learns nothing more, and not the means of the best values.
    ///
    /// # Errors
    /// If a next state is none of the states.
    pub fn mean(&self) -> Result<DecisionProcess, Error> {
        self.process(|weights| {
            let sum: f64 = weights.iter().sum();
            Ok(weights.iter().map(|own| own / sum).collect())
        })
    }

    /// A process from the posterior distribution, as posterior sampling for reinforcement learning plays it.
    ///
    /// # Errors
    /// Never, once the counts were accepted.
    pub fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<DecisionProcess, Error> {
        self.process(|weights| {
            let drawn: Vec<f64> = Dirichlet::new(weights)?.sample_ln(rng).into_iter().map(f64::exp).collect();
            let sum: f64 = drawn.iter().sum();
            Ok(drawn.into_iter().map(|own| own / sum).collect())
        })
    }

    /// What is known of the value of each action, by so many draws of the process, each solved by
    /// [`policy_iteration`](DecisionProcess::policy_iteration).
    ///
    /// # Errors
    /// If there are no draws, or a drawn process cannot be solved.
    pub fn beliefs<R: Rng + ?Sized>(
        &self,
        discount: f64,
        draws: usize,
        rng: &mut R,
    ) -> Result<Vec<Vec<ActionBelief>>, Error> {
        check::at_least_one("ProcessCounts", "draws", draws)?;
        let empty = |all: &Vec<Vec<ProcessOutcome>>| vec![(MeanVariance::new(), 0_usize); all.len()];
        let mut seen: Vec<Vec<(MeanVariance, usize)>> = self.outcomes.iter().map(empty).collect();
        for _ in 0..draws {
            let solved = self.draw(rng)?.policy_iteration(discount)?;
            for (seen, worth) in seen.iter_mut().zip(&solved.action_values) {
                let most = worth.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                for ((moments, best), &value) in seen.iter_mut().zip(worth) {
                    moments.push(value);
                    *best += usize::from(value >= most);
                }
            }
        }
        let belief = |(moments, best): &(MeanVariance, usize)| ActionBelief {
            mean: moments.mean(),
            sd: moments.variance().sqrt(),
            best: *best as f64 / draws as f64,
        };
        Ok(seen.iter().map(|all| all.iter().map(belief).collect()).collect())
    }
}
