//! The draws of a sampler of partitions, and what they say whatever the components are called.

use posterior_dist::{Density, PitmanYor};
use posterior_math::check;
use posterior_math::log_space::LnSumExp;
use posterior_sampling::Draws;
use posterior_sampling::diagnostics::{ChainSummary, Undefined, mcse_mean};

use crate::error::Error;
use crate::partition::{CoClustering, Partition, PartitionPrior, matched_blocks};

/// Draws of partitions, chain after chain, with quantities of each draw.
#[derive(Debug, Clone, PartialEq)]
pub struct Clusterings {
    partitions: Vec<Vec<Partition>>,
    draws: Draws,
}

/// How probable a number of blocks is.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct BlockCount {
    /// The number of blocks.
    pub blocks: usize,
    /// The proportion of the draws that have it.
    pub probability: f64,
    /// The standard error of the probability, of dependent draws; `None` where the draws are too few to say.
    pub standard_error: Option<f64>,
}

impl Clusterings {
    pub(super) fn new(partitions: Vec<Vec<Partition>>, draws: Draws) -> Result<Self, Error> {
        for chain in &partitions {
            check::dimension("draws of a chain", draws.len(), chain.len())?;
        }
        Ok(Self { partitions, draws })
    }

    /// The partitions of each chain.
    pub fn partitions(&self) -> &[Vec<Partition>] {
        &self.partitions
    }

    /// Quantities of each draw: `blocks`, `largest` (the proportion of the largest block), `entropy` (of the
    /// proportions, in nats), then those of the sampler.
    pub const fn draws(&self) -> &Draws {
        &self.draws
    }

    /// The process of a draw of a sampler that keeps its concentration and its discount, as a prior of
    /// partitions; `None` of another sampler, or if there is no such draw.
    pub fn process(&self, chain: usize, draw: usize) -> Option<PartitionPrior> {
        if chain >= self.draws.chains() || draw >= self.draws.len() {
            return None;
        }
        let numbers = self.draws.draw(chain, draw);
        let named = |name: &str| self.draws.names().iter().position(|own| own == name).map(|at| numbers[at]);
        let process = PitmanYor::new(named("discount")?, named("concentration")?).ok()?;
        Some(PartitionPrior::process(process))
    }

    /// The figures of all quantities, R̂ and effective sample sizes among them, with warnings.
    pub fn summary(&self) -> ChainSummary {
        self.draws.summary()
    }

    /// The posterior of the number of blocks, from 0 to the most that a draw has.
    pub fn blocks(&self) -> Vec<BlockCount> {
        let most = self.partitions.iter().flatten().map(Partition::blocks).max().unwrap_or(0);
        (0..=most).map(|blocks| self.block_count(blocks)).collect()
    }

    fn block_count(&self, blocks: usize) -> BlockCount {
        let has = |draw: &Partition| f64::from(u8::from(draw.blocks() == blocks));
        let chains: Vec<Vec<f64>> =
            self.partitions.iter().map(|chain| chain.iter().map(has).collect()).collect();
        let all: usize = chains.iter().map(Vec::len).sum();
        let probability = chains.iter().flatten().sum::<f64>() / all as f64;
        let standard_error = match mcse_mean(&chains) {
            Ok(error) => Some(error),
            Err(Undefined::Constant { .. }) => Some(0.0),
            Err(_) => None,
        };
        BlockCount { blocks, probability, standard_error }
    }

    /// How often two data are in one block.
    ///
    /// # Errors
    /// Without a draw.
    pub fn co_clustering(&self) -> Result<CoClustering, Error> {
        CoClustering::of(&self.partitions)
    }

    /// The probability of each observation's block in a partition: the proportion of the draws in which the
    /// observation is in the block that stands for it.
    ///
    /// Blocks have no names that last from draw to draw: those of each draw are matched with those of the
    /// partition ([`matched_blocks`]). O(n ln n) for each draw.
    ///
    /// # Errors
    /// A partition of another number of data.
    pub fn membership(&self, partition: &Partition) -> Result<Vec<f64>, Error> {
        let mut counts = vec![0_u32; partition.len()];
        for draw in self.partitions.iter().flatten() {
            let matched = matched_blocks(partition, draw)?;
            for ((count, &own), &other) in counts.iter_mut().zip(partition.labels()).zip(draw.labels()) {
                *count += u32::from(matched[own as usize] == Some(other));
            }
        }
        let draws = self.partitions.iter().map(Vec::len).sum::<usize>();
        Ok(counts.into_iter().map(|count| f64::from(count) / draws as f64).collect())
    }

    /// ln of the predictive density of a new point, averaged over the draws; `distribution` makes the
    /// distribution of the next point out of a draw, its chain and its place.
    ///
    /// # Errors
    /// Those of `distribution`.
    pub fn ln_predictive<L: Density>(
        &self,
        points: &[&L::Point],
        mut distribution: impl FnMut(&Partition, usize, usize) -> Result<L, Error>,
    ) -> Result<Vec<f64>, Error> {
        let mut sums = vec![LnSumExp::default(); points.len()];
        let mut count = 0;
        for (chain, draws) in self.partitions.iter().enumerate() {
            for (place, draw) in draws.iter().enumerate() {
                let distribution = distribution(draw, chain, place)?;
                for (sum, point) in sums.iter_mut().zip(points) {
                    sum.push(distribution.ln_pdf(point));
                }
                count += 1;
            }
        }
        Ok(sums.iter().map(|sum| sum.value() - f64::from(count).ln()).collect())
    }
}
