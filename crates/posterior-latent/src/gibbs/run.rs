//! Several chains of a sampler of partitions, each with its own stream of random numbers.

use posterior_dist::stream::stream;
use posterior_math::check::{self, DimensionError};
use posterior_sampling::{Draws, Run};
use rand::Rng;
use rand_pcg::Pcg64;
#[cfg(feature = "rayon")]
use rayon::prelude::*;

use super::Clusterings;
use crate::error::Error;
use crate::partition::Partition;

/// A Markov chain on labels of data, and on whatever comes with them.
pub trait ClusterSampler: Sync {
    /// Where a chain is.
    type State: ClusterState + Send;

    /// The names of the numbers that a state writes: they should not depend on the names of the components.
    fn names(&self) -> &'static [&'static str];

    /// Where a chain may begin: drawn, so that chains begin apart.
    ///
    /// # Errors
    /// Draws beyond the range of f64; a model that does not fit its data.
    fn start<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<Self::State, Error>;

    /// Moves the chain by a kernel that leaves the posterior alone.
    ///
    /// # Errors
    /// [`Error::NoBlock`], or a posterior beyond the range of f64.
    fn sweep<R: Rng + ?Sized>(&self, state: &mut Self::State, rng: &mut R) -> Result<(), Error>;
}

/// Where a chain is: labels, and numbers that are kept beside them.
pub trait ClusterState {
    /// The label of each observation.
    fn labels(&self) -> &[u32];

    /// Appends a number for each name of the sampler.
    fn write(&self, numbers: &mut Vec<f64>);
}

/// A chain in the middle of its work.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PartitionChain<S> {
    state: S,
    rng: Pcg64,
    sweeps: usize,
    partitions: Vec<Partition>,
    numbers: Vec<f64>,
}

/// The chains of a run in the middle of their work: stop anywhere, write them down (feature `serde`), go on
/// to the same bits.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PartitionChains<S> {
    run: Run,
    names: Vec<String>,
    all: Vec<PartitionChain<S>>,
}

/// Runs all chains to their end.
///
/// With the feature `rayon` the chains run on the threads of the pool; their draws are the same on any number
/// of threads. A draw keeps a label of four bytes for each observation: thin where there are many data.
///
/// # Errors
/// Options that can't be; an error of the sampler: of several chains, that of the first.
pub fn sample<K: ClusterSampler>(sampler: &K, run: &Run) -> Result<Clusterings, Error> {
    let mut chains = PartitionChains::start(sampler, run)?;
    chains.advance(sampler, usize::MAX)?;
    chains.finish()
}

impl<S: ClusterState + Send> PartitionChains<S> {
    /// The chains at their starts.
    ///
    /// # Errors
    /// No chain, no draw, or no sweep for a draw; an error of the sampler.
    pub fn start<K: ClusterSampler<State = S>>(sampler: &K, run: &Run) -> Result<Self, Error> {
        for (name, value) in [("chains", run.chains), ("draws", run.draws), ("thin", run.thin)] {
            check::require(value > 0, "Run", name, value as f64, "positive")?;
        }
        let begin = |chain: usize| {
            let mut rng = stream(run.seed, &[chain as u64]);
            let state = sampler.start(&mut rng)?;
            Ok(PartitionChain { state, rng, sweeps: 0, partitions: Vec::new(), numbers: Vec::new() })
        };
        let names = ["blocks", "largest", "entropy"].iter().chain(sampler.names());
        Ok(Self {
            run: run.clone(),
            names: names.map(|&name| name.to_owned()).collect(),
            all: (0..run.chains).map(begin).collect::<Result<_, Error>>()?,
        })
    }

    /// Each chain takes up to `sweeps` sweeps, no more than it has left.
    ///
    /// # Errors
    /// An error of the sampler: of several chains, that of the first.
    pub fn advance<K: ClusterSampler<State = S>>(&mut self, sampler: &K, sweeps: usize) -> Result<(), Error> {
        let Self { run, all, .. } = self;
        let total = run.warm_up.saturating_add(run.draws.saturating_mul(run.thin));
        let advance = |chain: &mut PartitionChain<S>| {
            let left = total.saturating_sub(chain.sweeps);
            (0..sweeps.min(left)).try_for_each(|_| chain.step(sampler, run))
        };
        #[cfg(feature = "rayon")]
        let outcomes: Vec<Result<(), Error>> = all.par_iter_mut().map(advance).collect();
        #[cfg(not(feature = "rayon"))]
        let outcomes: Vec<Result<(), Error>> = all.iter_mut().map(advance).collect();
        outcomes.into_iter().collect()
    }

    /// Where the chains are.
    pub fn states(&self) -> impl Iterator<Item = &S> {
        self.all.iter().map(|chain| &chain.state)
    }

    /// The draws so far.
    ///
    /// # Errors
    /// After an error of [`advance`](Self::advance), where some chains stopped before others.
    pub fn finish(self) -> Result<Clusterings, Error> {
        let (partitions, numbers) =
            self.all.into_iter().map(|chain| (chain.partitions, chain.numbers)).unzip();
        Clusterings::new(partitions, Draws::new(self.names, numbers)?)
    }
}

impl<S: ClusterState> PartitionChain<S> {
    fn step<K: ClusterSampler<State = S>>(&mut self, sampler: &K, run: &Run) -> Result<(), Error> {
        sampler.sweep(&mut self.state, &mut self.rng)?;
        self.sweeps += 1;
        if self.sweeps > run.warm_up && (self.sweeps - run.warm_up).is_multiple_of(run.thin) {
            let partition = Partition::from_labels(self.state.labels());
            self.numbers.extend(sizes_in_numbers(&partition));
            self.state.write(&mut self.numbers);
            self.partitions.push(partition);
        }
        Ok(())
    }
}

/// The number of blocks, the proportion of the largest one, and the entropy of the proportions in nats.
fn sizes_in_numbers(partition: &Partition) -> [f64; 3] {
    let proportion = |&size: &u32| f64::from(size) / partition.len() as f64;
    let proportions = partition.sizes().iter().map(proportion);
    let largest = proportions.clone().fold(0.0, f64::max);
    [
        partition.blocks() as f64,
        largest,
        -proportions.map(|proportion| proportion * proportion.ln()).sum::<f64>(),
    ]
}

/// Whether a state, which may have been read from a text, is one of this sampler: what was counted, what is
/// expected and found; and the labels, below the last number that is expected.
pub(crate) fn fits(sizes: &[(&'static str, usize, usize)], labels: &[u32]) -> Result<(), Error> {
    if let Some(&(what, expected, found)) = sizes.iter().find(|(_, expected, found)| expected != found) {
        return Err(DimensionError::new(what, expected, found).into());
    }
    let blocks = sizes.last().map_or(0, |&(_, expected, _)| expected);
    match labels.iter().find(|&&label| label as usize >= blocks) {
        Some(&label) => Err(DimensionError::new("blocks of a state", blocks, label as usize + 1).into()),
        None => Ok(()),
    }
}
