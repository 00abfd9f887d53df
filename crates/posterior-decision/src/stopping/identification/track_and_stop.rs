//! Track-and-stop: the best proportions for the means as they seem.

use posterior_math::check::ParamError;
use rand::Rng;

use super::allocation::best_allocation;
use crate::bandit::{Advice, Agent, Policy, Reason, Rewards, largest, unit_reward};

/// Plays the arm that is furthest behind its best proportion, the means so far being taken for the truth;
/// arms with fewer than √n - K/2 plays come first.
///
/// With the rule of [`evidence_for_leader`](super::evidence_for_leader) it needs the fewest plays there can
/// be, as δ → 0 (Garivier and Kaufmann, COLT 2016, D-tracking). Rewards are in [0, 1]. Means are those of
/// half a success and half a failure more, so that none is 0 or 1; while leaders tie, the arm with the fewest
/// plays is next.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TrackAndStop;

impl Policy for TrackAndStop {
    fn name(&self) -> String {
        "track-and-stop".to_owned()
    }

    fn start(&self, arms: usize) -> Result<Box<dyn Agent>, ParamError> {
        Ok(Box::new(Running { rewards: Rewards::new(arms)? }))
    }
}

#[derive(Debug)]
struct Running {
    rewards: Rewards,
}

impl Running {
    /// How many plays each arm is behind.
    fn behind(&self) -> Vec<f64> {
        let arms = &self.rewards.arms;
        let n = self.rewards.plays as f64;
        let fewest = arms.iter().map(|arm| -(arm.plays() as f64));
        let forced = n.sqrt() - 0.5 * arms.len() as f64;
        if arms.iter().any(|arm| arm.plays() == 0 || (arm.plays() as f64) < forced) {
            return fewest.collect();
        }
        let means: Vec<f64> =
            arms.iter().map(|arm| (arm.total() + 0.5) / (arm.plays() as f64 + 1.0)).collect();
        match best_allocation(&means) {
            Ok(best) => best
                .proportions
                .iter()
                .zip(fewest)
                .map(|(proportion, fewest)| n * proportion + fewest)
                .collect(),
            // Two arms seem best, or there is one only.
            Err(_) => fewest.collect(),
        }
    }
}

impl Agent for Running {
    fn choose(&mut self, _: &mut dyn Rng) -> usize {
        largest(self.behind().into_iter())
    }

    fn observe(&mut self, arm: usize, reward: f64) -> Result<(), ParamError> {
        unit_reward(reward)?;
        self.rewards.push(arm, reward)
    }

    fn advise(&mut self, rng: &mut dyn Rng) -> Advice {
        let each = self.rewards.arms.iter().zip(self.behind()).enumerate();
        let reasons = each.map(|(arm, (known, behind))| Reason::of_sample(arm, known, behind)).collect();
        let notes = vec!["the index is how many plays an arm is behind its best proportion".to_owned()];
        Advice { reasons, choice: self.choose(rng), notes }
    }
}
