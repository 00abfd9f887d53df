//! Sampling with components that are drawn, and auxiliary ones for new blocks: no conjugacy is needed.

use posterior_dist::PitmanYor;
use posterior_math::check::{self, ParamError};
use rand::Rng;

use super::HyperPrior;
use crate::error::Error;
use crate::gibbs::{ClusterSampler, ClusterState, Components, fits};
use crate::partition::PartitionPrior;
use crate::pick::pick;

/// Gibbs sampling of a Dirichlet or Pitman-Yor mixture with components that are drawn (algorithm 8 of Neal
/// 2000).
///
/// Each observation in turn finds its block, or one of m auxiliary components from the prior, which stand for
/// all that there may be beside those in use; an observation alone keeps its own as the first of them. Then
/// the components of the blocks move ([`Components::update`]), and the process, where it is fitted.
#[derive(Debug, Clone)]
pub struct AuxiliaryGibbs<'a, C> {
    components: &'a C,
    process: PitmanYor,
    hyper_prior: Option<HyperPrior>,
    auxiliary: usize,
}

/// Where a chain of [`AuxiliaryGibbs`] is.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AuxiliaryState<L> {
    labels: Vec<u32>,
    sizes: Vec<u32>,
    distributions: Vec<L>,
    discount: f64,
    concentration: f64,
    ln_likelihood: f64,
}

impl<'a, C: Components> AuxiliaryGibbs<'a, C> {
    /// These data and components, the process, and three auxiliary components.
    pub const fn new(components: &'a C, process: PitmanYor) -> Self {
        Self { components, process, hyper_prior: None, auxiliary: 3 }
    }

    /// With so many auxiliary components: more mix better, and cost as many densities.
    ///
    /// # Errors
    /// If there are none.
    pub fn with_auxiliary(self, auxiliary: usize) -> Result<Self, ParamError> {
        check::require(auxiliary > 0, "AuxiliaryGibbs", "auxiliary", auxiliary as f64, "positive")?;
        Ok(Self { auxiliary, ..self })
    }

    /// With a process that is learned: of the one that was given the discount is used, unless it is fitted
    /// too.
    #[must_use]
    pub fn with_hyper_prior(self, prior: HyperPrior) -> Self {
        Self { hyper_prior: Some(prior), ..self }
    }

    /// One observation finds its block.
    fn seat<R: Rng + ?Sized>(
        &self,
        state: &mut AuxiliaryState<C::Component>,
        prior: &PartitionPrior,
        scratch: &mut Scratch<C::Component>,
        observation: usize,
        rng: &mut R,
    ) -> Result<(), Error> {
        let Scratch { weights, fresh } = scratch;
        fresh.clear();
        let home = state.labels[observation] as usize;
        state.sizes[home] -= 1;
        if state.sizes[home] == 0 {
            fresh.push(state.close(home));
        }
        while fresh.len() < self.auxiliary {
            fresh.push(self.components.draw_prior(rng)?);
        }
        weights.clear();
        for (distribution, &size) in state.distributions.iter().zip(&state.sizes) {
            weights.push(prior.ln_join(size) + self.components.ln_likelihood(distribution, observation));
        }
        let ln_proportion = prior.ln_open(state.distributions.len()) - (self.auxiliary as f64).ln();
        for distribution in &*fresh {
            weights.push(ln_proportion + self.components.ln_likelihood(distribution, observation));
        }
        let block = pick(weights, rng).ok_or(Error::NoBlock { observation })?;
        let label = block.min(state.distributions.len());
        if block >= state.distributions.len() {
            state.distributions.push(fresh.swap_remove(block - state.distributions.len()));
            state.sizes.push(0);
        }
        state.sizes[label] += 1;
        state.labels[observation] = label as u32;
        Ok(())
    }
}

/// Memory of one sweep.
struct Scratch<L> {
    weights: Vec<f64>,
    fresh: Vec<L>,
}

impl<C: Components> ClusterSampler for AuxiliaryGibbs<'_, C> {
    type State = AuxiliaryState<C::Component>;

    fn names(&self) -> &'static [&'static str] {
        &["ln_likelihood", "concentration", "discount"]
    }

    /// At a process, a partition and components from their priors.
    fn start<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<Self::State, Error> {
        let process = match self.hyper_prior {
            Some(prior) => prior.sample(&self.process, rng)?,
            None => self.process,
        };
        let partition = PartitionPrior::process(process).sample(self.components.len(), rng)?;
        let distributions = partition.sizes().iter().map(|_| self.components.draw_prior(rng));
        let mut state = AuxiliaryState {
            distributions: distributions.collect::<Result<_, Error>>()?,
            labels: partition.labels().to_vec(),
            sizes: partition.sizes().to_vec(),
            discount: process.discount(),
            concentration: process.concentration(),
            ln_likelihood: 0.0,
        };
        state.ln_likelihood = state.ln_likelihood_of(self.components);
        Ok(state)
    }

    fn sweep<R: Rng + ?Sized>(&self, state: &mut Self::State, rng: &mut R) -> Result<(), Error> {
        let sizes = [
            ("data of a state", self.components.len(), state.labels.len()),
            ("components of a state", state.sizes.len(), state.distributions.len()),
        ];
        fits(&sizes, &state.labels)?;
        state.sizes.fill(0);
        for &label in &state.labels {
            state.sizes[label as usize] += 1;
        }
        let process = state.process()?;
        let prior = PartitionPrior::process(process);
        let mut scratch = Scratch { weights: Vec::new(), fresh: Vec::new() };
        for observation in 0..state.labels.len() {
            self.seat(state, &prior, &mut scratch, observation, rng)?;
        }
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); state.distributions.len()];
        for (observation, &label) in state.labels.iter().enumerate() {
            members[label as usize].push(observation);
        }
        for (distribution, members) in state.distributions.iter_mut().zip(&members) {
            self.components.update(distribution, members, rng)?;
        }
        if let Some(prior) = self.hyper_prior {
            let process = prior.update(&process, &state.sizes, rng)?;
            (state.discount, state.concentration) = (process.discount(), process.concentration());
        }
        state.ln_likelihood = state.ln_likelihood_of(self.components);
        Ok(())
    }
}

impl<L> AuxiliaryState<L> {
    /// The components of the blocks.
    pub fn distributions(&self) -> &[L] {
        &self.distributions
    }

    /// How many data each block has.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// The process.
    ///
    /// # Errors
    /// If the state was read from a text that was not written by a sampler.
    pub fn process(&self) -> Result<PitmanYor, Error> {
        Ok(PitmanYor::new(self.discount, self.concentration)?)
    }

    /// ln p(data | labels, components).
    pub const fn ln_likelihood(&self) -> f64 {
        self.ln_likelihood
    }

    fn ln_likelihood_of<C: Components<Component = L>>(&self, components: &C) -> f64 {
        let labels = self.labels.iter().enumerate();
        labels
            .map(|(observation, &label)| {
                components.ln_likelihood(&self.distributions[label as usize], observation)
            })
            .sum()
    }

    /// Takes the component of a block without data: the last block takes its name.
    fn close(&mut self, block: usize) -> L {
        let last = (self.distributions.len() - 1) as u32;
        for label in &mut self.labels {
            *label = if *label == last { block as u32 } else { *label };
        }
        self.sizes.swap_remove(block);
        self.distributions.swap_remove(block)
    }
}

impl<L> ClusterState for AuxiliaryState<L> {
    fn labels(&self) -> &[u32] {
        &self.labels
    }

    fn write(&self, numbers: &mut Vec<f64>) {
        numbers.extend([self.ln_likelihood, self.concentration, self.discount]);
    }
}
