//! Collapsed Gibbs sampling: each observation in turn finds its block anew, given the blocks of all others.

use posterior_math::check::{self, DimensionError};
use rand::Rng;

use super::{ClusterSampler, ClusterState, Clusters, Collapsible, Home};
use crate::error::Error;
use crate::partition::{Partition, PartitionPrior};
use crate::pick::{normalize, pick};

/// Collapsed Gibbs sampling of the partition of a mixture: weights and components are integrated out.
///
/// A sweep draws, for each observation in its order, its block given the others, P(block k) ∝ (weight of
/// block k) · p(xᵢ | the others in it). That is the usual sampler of a finite mixture, and algorithm 3 of
/// Neal (2000) of a process.
#[derive(Debug, Clone)]
pub struct CollapsedGibbs<'a, C> {
    components: &'a C,
    prior: PartitionPrior,
}

/// Where a chain of [`CollapsedGibbs`] is.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CollapsedState {
    labels: Vec<u32>,
    ln_joint: f64,
}

impl<'a, C: Collapsible> CollapsedGibbs<'a, C> {
    /// These data and components, and the prior of their partition.
    pub const fn new(components: &'a C, prior: PartitionPrior) -> Self {
        Self { components, prior }
    }

    /// A chain that begins with this partition.
    ///
    /// # Errors
    /// A partition of other data, or one that the prior excludes.
    pub fn start_at(&self, partition: &Partition) -> Result<CollapsedState, Error> {
        let seating = Seating::new(self.components, self.prior, partition.labels())?;
        Ok(CollapsedState { ln_joint: seating.ln_joint()?, labels: seating.labels })
    }

    /// The distribution of the block of an observation, given a partition of all: the probabilities of its
    /// blocks in their order, of which that of the observation may be its own, and last that of a new block,
    /// if the observation is not alone.
    ///
    /// # Errors
    /// As [`start_at`](Self::start_at); no such observation.
    pub fn conditional(&self, partition: &Partition, observation: usize) -> Result<Vec<f64>, Error> {
        let mut seating = Seating::new(self.components, self.prior, partition.labels())?;
        check::enough("data of a partition", observation + 1, partition.len())?;
        seating.weigh(observation)?;
        match normalize(&mut seating.weights) {
            Some(()) => Ok(seating.weights),
            None => Err(Error::NoBlock { observation }),
        }
    }
}

impl<C: Collapsible> ClusterSampler for CollapsedGibbs<'_, C> {
    type State = CollapsedState;

    fn names(&self) -> &'static [&'static str] {
        &["ln_joint"]
    }

    /// At a partition from its prior.
    fn start<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<CollapsedState, Error> {
        self.start_at(&self.prior.sample(self.components.len(), rng)?)
    }

    fn sweep<R: Rng + ?Sized>(&self, state: &mut CollapsedState, rng: &mut R) -> Result<(), Error> {
        let mut seating = Seating::new(self.components, self.prior, &state.labels)?;
        seating.sweep(rng)?;
        *state = CollapsedState { ln_joint: seating.ln_joint()?, labels: seating.labels };
        Ok(())
    }
}

impl CollapsedState {
    /// ln p(partition, data).
    pub const fn ln_joint(&self) -> f64 {
        self.ln_joint
    }
}

impl ClusterState for CollapsedState {
    fn labels(&self) -> &[u32] {
        &self.labels
    }

    fn write(&self, numbers: &mut Vec<f64>) {
        numbers.push(self.ln_joint);
    }
}

/// Data in their blocks, in the middle of a sweep.
pub(crate) struct Seating<'a, C: Collapsible + 'a> {
    pub(crate) components: &'a C,
    pub(crate) prior: PartitionPrior,
    pub(crate) clusters: C::Clusters<'a>,
    pub(crate) labels: Vec<u32>,
    pub(crate) sizes: Vec<u32>,
    /// Of each block ln of the weight with which another observation joins it.
    ln_joins: Vec<f64>,
    weights: Vec<f64>,
}

impl<'a, C: Collapsible + 'a> Seating<'a, C> {
    /// All data in the blocks of their labels, of which each from 0 to the largest is there.
    pub(crate) fn new(components: &'a C, prior: PartitionPrior, labels: &[u32]) -> Result<Self, Error> {
        let (expected, found) = (components.len(), labels.len());
        check::dimension("data of a partition", expected, found)?;
        let blocks = labels.iter().max().map_or(0, |&most| most as usize + 1);
        if let Some(most) = prior.most_blocks().filter(|&most| blocks > most) {
            return Err(DimensionError::new("blocks of a partition", most, blocks).into());
        }
        let mut seating = Self {
            components,
            prior,
            clusters: components.clusters(),
            labels: labels.to_vec(),
            sizes: vec![0; blocks],
            ln_joins: Vec::new(),
            weights: Vec::new(),
        };
        for _ in 0..blocks {
            seating.clusters.open();
        }
        for (observation, &label) in labels.iter().enumerate() {
            seating.clusters.insert(observation, label as usize)?;
            seating.sizes[label as usize] += 1;
        }
        seating.ln_joins = seating.sizes.iter().map(|&size| prior.ln_join(size)).collect();
        Ok(seating)
    }

    /// Each observation in turn finds its block.
    pub(crate) fn sweep<R: Rng + ?Sized>(&mut self, rng: &mut R) -> Result<(), Error> {
        for observation in 0..self.labels.len() {
            self.weigh(observation)?;
            let Some(block) = pick(&mut self.weights, rng) else {
                return Err(Error::NoBlock { observation });
            };
            self.put(observation, block)?;
        }
        Ok(())
    }

    /// ln of the weights of all blocks for an observation, and of a new one, last, unless the observation is
    /// alone: its block is the new one then.
    fn weigh(&mut self, observation: usize) -> Result<(), Error> {
        let home = self.labels[observation] as usize;
        let blocks = self.sizes.len();
        self.weights.resize(blocks, 0.0);
        let mut others = others(&self.labels, observation);
        let at_home = Home { block: home, others: &mut others };
        self.clusters.ln_predictive(observation, Some(at_home), &mut self.weights)?;
        for (weight, ln_join) in self.weights.iter_mut().zip(&self.ln_joins) {
            *weight += ln_join;
        }
        let fresh = self.components.ln_prior_predictive(observation);
        if self.sizes[home] == 1 {
            self.weights[home] = self.prior.ln_open(blocks - 1) + fresh;
        } else {
            self.weights[home] += self.prior.ln_join(self.sizes[home] - 1) - self.ln_joins[home];
            self.weights.push(self.prior.ln_open(blocks) + fresh);
        }
        Ok(())
    }

    /// Moves an observation into a block; the number of blocks stands for a new one.
    pub(crate) fn put(&mut self, observation: usize, block: usize) -> Result<(), Error> {
        let home = self.labels[observation] as usize;
        if block == home {
            return Ok(());
        }
        if block == self.sizes.len() {
            self.clusters.open();
            self.sizes.push(0);
            self.ln_joins.push(0.0);
        }
        if self.sizes[home] > 1 {
            let mut others = others(&self.labels, observation);
            self.clusters.remove(observation, Home { block: home, others: &mut others })?;
        }
        self.clusters.insert(observation, block)?;
        self.labels[observation] = block as u32;
        self.resize(block, self.sizes[block] + 1);
        self.resize(home, self.sizes[home] - 1);
        if self.sizes[home] == 0 {
            self.close(home);
        }
        Ok(())
    }

    fn resize(&mut self, block: usize, size: u32) {
        self.sizes[block] = size;
        self.ln_joins[block] = self.prior.ln_join(size);
    }

    /// Forgets a block without data: the last one takes its name.
    fn close(&mut self, block: usize) {
        let last = (self.sizes.len() - 1) as u32;
        self.clusters.close(block);
        self.sizes.swap_remove(block);
        self.ln_joins.swap_remove(block);
        for label in &mut self.labels {
            *label = if *label == last { block as u32 } else { *label };
        }
    }

    /// ln p(partition, data).
    pub(crate) fn ln_joint(&self) -> Result<f64, Error> {
        let evidence = |block: usize| self.clusters.ln_evidence(block);
        let evidence: f64 = (0..self.sizes.len()).map(evidence).sum::<Result<f64, Error>>()?;
        Ok(self.prior.ln_partition(&self.sizes) + evidence)
    }
}

/// The others in the block of an observation.
fn others(labels: &[u32], observation: usize) -> impl Iterator<Item = usize> {
    let home = labels[observation];
    let with_it =
        labels.iter().enumerate().filter(move |&(other, &label)| label == home && other != observation);
    with_it.map(|(other, _)| other)
}
