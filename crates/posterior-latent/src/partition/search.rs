//! One partition that stands for many: the one with the least expected loss that a search finds.

use posterior_dist::stream::stream;
use posterior_math::check;
use posterior_math::linalg::DMatrix;
use rand_pcg::Pcg64;

use super::average_linkage::cuts;
use super::greedy::{Allocation, Weighted};
use super::{CoClustering, Loss, Partition};
use crate::error::Error;

/// Up to this many data the cuts of a tree by average linkage are candidates.
const TREE_UP_TO: usize = 2000;

/// So many of the draws themselves, the best, are improved further.
const BEST_DRAWS: usize = 8;

/// The stream of the first start.
const STARTS: u64 = 0;

/// The stream in which candidates are improved.
const CANDIDATES: u64 = 1;

/// How a partition is sought whose expected loss under the draws is small.
///
/// Candidates are the draws, the cuts of a tree by average linkage of the co-clustering matrix (up to 2,000
/// data), and, `starts` times, partitions that grow observation by observation in random order. The best
/// draws, the best cut and all that grow are improved observation by observation until no move of one
/// observation helps, then block by block, each of which is taken apart and put together anew, and then by
/// making one block of two. To find the least of all is NP-hard: the loss of what is found is exact, that no
/// partition is better is not promised.
///
/// # References
/// D. B. Dahl, D. J. Johnson, P. Müller, Search algorithms and loss functions for Bayesian clustering, J.
/// Comput. Graph. Stat. 31 (2022).
///
/// ```
/// use posterior_latent::partition::{Partition, PartitionSearch};
///
/// let draws = [[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, 2]].map(|labels| Partition::from_labels(&labels));
/// let found = PartitionSearch::default().run(&[draws.to_vec()])?;
/// assert_eq!(found.partition.labels(), [0, 0, 1, 1]);
/// # Ok::<(), posterior_latent::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PartitionSearch {
    /// The loss whose mean is to be small.
    pub loss: Loss,
    /// Partitions grown from nothing.
    pub starts: usize,
    /// The most blocks; `None` for the most that a draw has.
    pub most_blocks: Option<usize>,
    /// The most sweeps over the data in one descent.
    pub sweeps: usize,
    /// The seed of the orders.
    pub seed: u64,
}

/// A partition, and its mean loss over the draws.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PartitionEstimate {
    /// The partition.
    pub partition: Partition,
    /// The mean of its loss over the draws.
    pub expected_loss: f64,
}

impl Default for PartitionSearch {
    /// The variation of information, 16 starts, 100 sweeps, seed 0.
    fn default() -> Self {
        Self { loss: Loss::default(), starts: 16, most_blocks: None, sweeps: 100, seed: 0 }
    }
}

impl PartitionSearch {
    /// The best partition that is found, given the draws of several chains.
    ///
    /// A sweep costs O(n S K) for S different draws and K blocks; the matrix and its tree O(n² S).
    ///
    /// # Errors
    /// No draw, draws of different numbers of data, or no block allowed.
    pub fn run(&self, chains: &[Vec<Partition>]) -> Result<PartitionEstimate, Error> {
        let matrix = CoClustering::of(chains)?;
        let data = matrix.len();
        let weighted = Weighted::new(with_weights(chains), data, self.loss);
        let most = weighted.draws.iter().map(|(draw, _)| draw.blocks()).max().unwrap_or(1).max(1);
        let room = self.most_blocks.unwrap_or(most);
        check::require(room > 0, "Search", "most_blocks", room as f64, "positive")?;
        // Of no data there is one partition.
        let room = room.max(1).min(data.max(1));
        let mut best =
            PartitionEstimate { partition: Partition::one_block(data), expected_loss: f64::INFINITY };
        let mut keep = |allocation: &Allocation<'_>| {
            let expected_loss = allocation.expected_loss();
            if expected_loss < best.expected_loss {
                best = PartitionEstimate { partition: allocation.partition(), expected_loss };
            }
        };
        for start in candidates(&weighted, &matrix, room) {
            let mut allocation = Allocation::from(&weighted, room, &start);
            keep(&allocation);
            self.polish(&mut allocation, &mut stream(self.seed, &[CANDIDATES]), &mut keep);
        }
        for start in 0..self.starts as u64 {
            let mut rng = stream(self.seed, &[STARTS, start]);
            let mut allocation = Allocation::empty(&weighted, room);
            self.polish(&mut allocation, &mut rng, &mut keep);
        }
        Ok(best)
    }

    /// Descends, then takes the blocks apart one after another as long as that helps, and puts two together
    /// as long as that does.
    fn polish(
        &self,
        allocation: &mut Allocation<'_>,
        rng: &mut Pcg64,
        keep: &mut impl FnMut(&Allocation<'_>),
    ) {
        // Where no sweep is asked for, each observation needs a place all the same.
        allocation.descend(self.sweeps.max(1), rng);
        keep(allocation);
        let mut least = allocation.expected_loss();
        for block in allocation.occupied() {
            let before = allocation.partition();
            allocation.dissolve(block, rng);
            allocation.descend(self.sweeps, rng);
            let loss = allocation.expected_loss();
            if loss < least {
                least = loss;
                keep(allocation);
            } else {
                *allocation = allocation.at(&before);
            }
        }
        while allocation.merge() {
            allocation.descend(self.sweeps, rng);
            keep(allocation);
        }
    }
}

/// The different draws, with the proportion that each has.
fn with_weights(chains: &[Vec<Partition>]) -> Vec<(&Partition, f64)> {
    let mut all: Vec<&Partition> = chains.iter().flatten().collect();
    all.sort_unstable();
    let proportion = 1.0 / all.len() as f64;
    all.chunk_by(|a, b| a == b).map(|equal| (equal[0], proportion * equal.len() as f64)).collect()
}

/// The best draws and the best cut of the tree, of those that have room.
fn candidates(weighted: &Weighted<'_>, matrix: &CoClustering, room: usize) -> Vec<Partition> {
    let loss = |partition: &Partition| Allocation::from(weighted, room, partition).expected_loss();
    let ranked = |partitions: Vec<Partition>| {
        let mut ranked: Vec<(f64, Partition)> =
            partitions.into_iter().map(|partition| (loss(&partition), partition)).collect();
        ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
        ranked.into_iter().map(|(_, partition)| partition)
    };
    // By weight first: to rank all draws would take time in the square of their number.
    let mut draws: Vec<_> = weighted.draws.iter().filter(|(draw, _)| draw.blocks() <= room).collect();
    draws.sort_by(|a, b| b.1.total_cmp(&a.1));
    let draws = draws.into_iter().take(8 * BEST_DRAWS).map(|(draw, _)| (*draw).clone()).collect();
    let mut starts: Vec<Partition> = ranked(draws).take(BEST_DRAWS).collect();
    if (1..=TREE_UP_TO).contains(&matrix.len()) {
        let n = matrix.len();
        let distances = DMatrix::from_fn(n, n, |i, j| 1.0 - matrix.probability(i, j));
        starts.extend(ranked(cuts(distances, room)).take(1));
    }
    starts
}
