//! Collapsed sampling of the mixture of a process.

use posterior_dist::PitmanYor;
use rand::Rng;

use super::{HyperPrior, SplitMerge};
use crate::error::Error;
use crate::gibbs::{ClusterSampler, ClusterState, Collapsible, Seating};
use crate::partition::{Partition, PartitionPrior};

/// Collapsed Gibbs sampling of a Dirichlet or Pitman-Yor mixture, with splits and merges, and a process that
/// may be fitted.
///
/// A sweep is `scans` Gibbs scans (algorithm 3 of Neal 2000), the proposals of [`SplitMerge`], and a move of
/// the process given the sizes of the blocks. Each of them leaves the posterior alone.
#[derive(Debug, Clone)]
pub struct ProcessGibbs<'a, C> {
    components: &'a C,
    process: PitmanYor,
    hyper_prior: Option<HyperPrior>,
    scans: usize,
    split_merge: SplitMerge,
}

/// Where a chain of [`ProcessGibbs`] is.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ProcessState {
    labels: Vec<u32>,
    discount: f64,
    concentration: f64,
    ln_joint: f64,
    proposed: u64,
    accepted: u64,
}

impl<'a, C: Collapsible> ProcessGibbs<'a, C> {
    /// These data and components, and the process: one scan and one proposal of a split or a merge in a
    /// sweep.
    pub fn new(components: &'a C, process: PitmanYor) -> Self {
        Self { components, process, hyper_prior: None, scans: 1, split_merge: SplitMerge::default() }
    }

    /// With a process that is learned: of the one that was given the discount is used, unless it is fitted
    /// too.
    #[must_use]
    pub fn with_hyper_prior(self, prior: HyperPrior) -> Self {
        Self { hyper_prior: Some(prior), ..self }
    }

    /// With so many Gibbs scans in a sweep.
    #[must_use]
    pub fn with_scans(self, scans: usize) -> Self {
        Self { scans, ..self }
    }

    /// With these proposals of splits and merges.
    #[must_use]
    pub fn with_split_merge(self, split_merge: SplitMerge) -> Self {
        Self { split_merge, ..self }
    }

    /// A chain that begins with this partition and this process.
    ///
    /// # Errors
    /// A partition of other data.
    pub fn start_at(&self, partition: &Partition, process: &PitmanYor) -> Result<ProcessState, Error> {
        let prior = PartitionPrior::process(*process);
        let seating = Seating::new(self.components, prior, partition.labels())?;
        let ln_joint = seating.ln_joint()? + self.ln_hyper_prior(process);
        Ok(ProcessState {
            labels: seating.labels,
            discount: process.discount(),
            concentration: process.concentration(),
            ln_joint,
            proposed: 0,
            accepted: 0,
        })
    }

    fn ln_hyper_prior(&self, process: &PitmanYor) -> f64 {
        self.hyper_prior.map_or(0.0, |prior| prior.ln_pdf(process))
    }
}

impl<C: Collapsible> ClusterSampler for ProcessGibbs<'_, C> {
    type State = ProcessState;

    fn names(&self) -> &'static [&'static str] {
        &["ln_joint", "concentration", "discount"]
    }

    /// At a process and a partition from their priors.
    fn start<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<ProcessState, Error> {
        let process = match self.hyper_prior {
            Some(prior) => prior.sample(&self.process, rng)?,
            None => self.process,
        };
        let partition = PartitionPrior::process(process).sample(self.components.len(), rng)?;
        self.start_at(&partition, &process)
    }

    fn sweep<R: Rng + ?Sized>(&self, state: &mut ProcessState, rng: &mut R) -> Result<(), Error> {
        let mut process = state.process()?;
        let mut seating = Seating::new(self.components, PartitionPrior::process(process), &state.labels)?;
        for _ in 0..self.scans {
            seating.sweep(rng)?;
        }
        let mut accepted = 0;
        for _ in 0..self.split_merge.proposals {
            accepted += u64::from(self.split_merge.step(&mut seating, rng)?);
        }
        if let Some(prior) = self.hyper_prior {
            process = prior.update(&process, &seating.sizes, rng)?;
            seating.prior = PartitionPrior::process(process);
        }
        *state = ProcessState {
            ln_joint: seating.ln_joint()? + self.ln_hyper_prior(&process),
            labels: seating.labels,
            discount: process.discount(),
            concentration: process.concentration(),
            proposed: state.proposed + self.split_merge.proposals as u64,
            accepted: state.accepted + accepted,
        };
        Ok(())
    }
}

impl ProcessState {
    /// The process.
    ///
    /// # Errors
    /// If the state was read from a text that was not written by a sampler.
    pub fn process(&self) -> Result<PitmanYor, Error> {
        Ok(PitmanYor::new(self.discount, self.concentration)?)
    }

    /// ln p(partition, data), with the density of the process where it is fitted.
    pub const fn ln_joint(&self) -> f64 {
        self.ln_joint
    }

    /// How many splits and merges were proposed, and how many accepted.
    pub const fn split_merges(&self) -> (u64, u64) {
        (self.proposed, self.accepted)
    }
}

impl ClusterState for ProcessState {
    fn labels(&self) -> &[u32] {
        &self.labels
    }

    fn write(&self, numbers: &mut Vec<f64>) {
        numbers.extend([self.ln_joint, self.concentration, self.discount]);
    }
}
