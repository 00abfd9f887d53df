//! Blocked Gibbs sampling: labels, weights and components in turn.

use posterior_math::log_space::ln_sum_exp;
use rand::Rng;

use super::{ClusterSampler, ClusterState, Components, MixtureWeights, fits};
use crate::error::Error;
use crate::pick::pick;

/// Blocked Gibbs sampling of a mixture: weights and components given the labels, then all labels at once
/// given them.
///
/// It needs no conjugacy ([`Components::update`] may be any kernel), and the labels do not depend on each
/// other; it mixes more slowly than [`CollapsedGibbs`](super::CollapsedGibbs). With the sticks of a process
/// it is the sampler of Ishwaran and James (2001) of the truncated process.
#[derive(Debug, Clone)]
pub struct BlockedGibbs<'a, C> {
    components: &'a C,
    weights: MixtureWeights,
}

/// Where a chain of [`BlockedGibbs`] is.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BlockedState<L> {
    labels: Vec<u32>,
    distributions: Vec<L>,
    ln_weights: Vec<f64>,
    ln_likelihood: f64,
}

impl<'a, C: Components> BlockedGibbs<'a, C> {
    /// These data and components, and the prior of the weights.
    pub const fn new(components: &'a C, weights: MixtureWeights) -> Self {
        Self { components, weights }
    }

    /// The labels given weights and components, and ln p(data | them).
    fn label<R: Rng + ?Sized>(
        &self,
        state: &mut BlockedState<C::Component>,
        rng: &mut R,
    ) -> Result<(), Error> {
        let BlockedState { labels, distributions, ln_weights, ln_likelihood } = state;
        let mut joint = vec![0.0; distributions.len()];
        *ln_likelihood = 0.0;
        for (observation, label) in labels.iter_mut().enumerate() {
            for ((joint, distribution), ln_weight) in joint.iter_mut().zip(&*distributions).zip(&*ln_weights)
            {
                *joint = ln_weight + self.components.ln_likelihood(distribution, observation);
            }
            *ln_likelihood += ln_sum_exp(&joint);
            *label = pick(&mut joint, rng).ok_or(Error::NoBlock { observation })? as u32;
        }
        Ok(())
    }
}

impl<C: Components> ClusterSampler for BlockedGibbs<'_, C> {
    type State = BlockedState<C::Component>;

    fn names(&self) -> &'static [&'static str] {
        &["ln_likelihood"]
    }

    /// At weights and components from their priors.
    fn start<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<Self::State, Error> {
        let count = self.weights.components();
        let ln_weights = self.weights.draw_ln(&vec![0; count], rng)?;
        let distributions =
            (0..count).map(|_| self.components.draw_prior(rng)).collect::<Result<_, Error>>()?;
        let labels = vec![0; self.components.len()];
        let mut state = BlockedState { labels, distributions, ln_weights, ln_likelihood: 0.0 };
        self.label(&mut state, rng)?;
        Ok(state)
    }

    fn sweep<R: Rng + ?Sized>(&self, state: &mut Self::State, rng: &mut R) -> Result<(), Error> {
        let names = "components of a state";
        let sizes = [
            ("data of a state", self.components.len(), state.labels.len()),
            (names, self.weights.components(), state.distributions.len()),
            (names, self.weights.components(), state.ln_weights.len()),
        ];
        fits(&sizes, &state.labels)?;
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); state.distributions.len()];
        for (observation, &label) in state.labels.iter().enumerate() {
            members[label as usize].push(observation);
        }
        let counts: Vec<u32> = members.iter().map(|members| members.len() as u32).collect();
        state.ln_weights = self.weights.draw_ln(&counts, rng)?;
        for (distribution, members) in state.distributions.iter_mut().zip(&members) {
            if members.is_empty() {
                *distribution = self.components.draw_prior(rng)?;
            } else {
                self.components.update(distribution, members, rng)?;
            }
        }
        self.label(state, rng)
    }
}

impl<L> BlockedState<L> {
    /// The components.
    pub fn distributions(&self) -> &[L] {
        &self.distributions
    }

    /// ln of the weights of the components.
    pub fn ln_weights(&self) -> &[f64] {
        &self.ln_weights
    }

    /// ln p(data | weights, components).
    pub const fn ln_likelihood(&self) -> f64 {
        self.ln_likelihood
    }
}

impl<L> ClusterState for BlockedState<L> {
    fn labels(&self) -> &[u32] {
        &self.labels
    }

    fn write(&self, numbers: &mut Vec<f64>) {
        numbers.push(self.ln_likelihood);
    }
}
