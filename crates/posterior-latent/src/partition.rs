//! Partitions of data: how alike two are, and one that stands for many.
//!
//! A clustering has no names for its clusters: a [`Partition`] is what is left of labels when their names are
//! forgotten. So are all summaries here: how often two data are in one block ([`CoClustering`]), how far
//! apart two partitions are ([`loss`], [`adjusted_rand_index`]), and the partition that is nearest to all
//! draws of a sampler ([`PartitionSearch`]).
//!
//! ```
//! use posterior_latent::partition::{Loss, Partition, adjusted_rand_index, loss};
//!
//! let (a, b) = (Partition::from_labels(&[7, 7, 2, 2]), Partition::from_labels(&[0, 0, 0, 5]));
//! assert_eq!(a.labels(), [0, 0, 1, 1]);
//! assert_eq!(adjusted_rand_index(&a, &b)?, 0.0);
//! assert_eq!(loss(Loss::Binder, &a, &b)?, 0.5); // three of six pairs are together in one of the two only
//! # Ok::<(), posterior_latent::Error>(())
//! ```

mod average_linkage;
mod co_clustering;
mod comparison;
mod enumeration;
mod greedy;
mod loss;
mod prior;
mod search;

pub use co_clustering::CoClustering;
pub use comparison::{adjusted_rand_index, matched_blocks, mutual_information};
pub use enumeration::{Partitions, all_partitions, bell_number};
pub use loss::{Loss, loss, rand_index};
pub use prior::PartitionPrior;
pub use search::{PartitionEstimate, PartitionSearch};

/// A partition of the data 0, …, n - 1 into blocks, numbered by their first members.
///
/// Two labellings that differ only in the names of the labels are the same partition.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "Vec<u32>", into = "Vec<u32>"))]
pub struct Partition {
    labels: Vec<u32>,
    sizes: Vec<u32>,
}

impl Partition {
    /// The partition with these labels, whatever their names are; O(n ln n).
    pub fn from_labels<L: Copy + Ord>(labels: &[L]) -> Self {
        let mut order: Vec<usize> = (0..labels.len()).collect();
        order.sort_by_key(|&observation| labels[observation]);
        // Ranks of the names, without their gaps.
        let mut ranks = vec![0_u32; labels.len()];
        for pair in order.windows(2) {
            let step = u32::from(labels[pair[0]] != labels[pair[1]]);
            ranks[pair[1]] = ranks[pair[0]] + step;
        }
        Self::from_ranks(ranks)
    }

    /// Of labels none of which is as large as their number.
    fn from_ranks(mut labels: Vec<u32>) -> Self {
        let mut names = vec![u32::MAX; labels.len()];
        let mut sizes = Vec::new();
        for label in &mut labels {
            let name = &mut names[*label as usize];
            if *name == u32::MAX {
                *name = sizes.len() as u32;
                sizes.push(0);
            }
            *label = *name;
            sizes[*label as usize] += 1;
        }
        Self { labels, sizes }
    }

    /// All n data in one block.
    pub fn one_block(data: usize) -> Self {
        Self::from_ranks(vec![0; data])
    }

    /// Each of n data in a block of its own.
    pub fn singletons(data: usize) -> Self {
        Self::from_ranks((0..data as u32).collect())
    }

    /// How many data.
    pub const fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there are no data.
    pub const fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// How many blocks.
    pub const fn blocks(&self) -> usize {
        self.sizes.len()
    }

    /// The block of each observation; blocks are numbered in the order of their first members.
    pub fn labels(&self) -> &[u32] {
        &self.labels
    }

    /// How many data each block has.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// The members of each block, in their order.
    pub fn members(&self) -> Vec<Vec<usize>> {
        let mut members: Vec<Vec<usize>> =
            self.sizes.iter().map(|&size| Vec::with_capacity(size as usize)).collect();
        for (observation, &label) in self.labels.iter().enumerate() {
            members[label as usize].push(observation);
        }
        members
    }

    /// Whether two data are in one block.
    ///
    /// # Panics
    /// If there is no such observation.
    #[track_caller]
    pub fn together(&self, one: usize, other: usize) -> bool {
        let n = self.len();
        assert!(one < n && other < n, "data {one} and {other} of {n}");
        self.labels[one] == self.labels[other]
    }
}

impl From<Vec<u32>> for Partition {
    fn from(labels: Vec<u32>) -> Self {
        Self::from_labels(&labels)
    }
}

impl From<Partition> for Vec<u32> {
    fn from(partition: Partition) -> Self {
        partition.labels
    }
}
