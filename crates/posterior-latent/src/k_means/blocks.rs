//! The blocks that rows are worked on in: the same for any number of threads.

#[cfg(feature = "rayon")]
use rayon::prelude::*;

/// The most blocks that data are cut into.
const MOST: usize = 64;

/// The fewest rows of a block.
const FEWEST: usize = 1024;

/// Some rows that follow one another.
#[derive(Debug)]
pub(super) struct Block<'a> {
    /// The first one.
    pub(super) first: usize,
    /// The centres of the rows.
    pub(super) labels: &'a mut [u32],
    /// Their bounds, where there are any.
    pub(super) lower: &'a mut [f64],
}

/// How many rows a block has: as many that the sums of all blocks take no more room than a quarter of the
/// data.
fn length(rows: usize, clusters: usize) -> usize {
    let most = (rows / (4 * clusters)).clamp(1, MOST);
    rows.div_ceil(most).max(FEWEST)
}

/// `task` with each block, in order; on the threads of the pool with the feature `rayon`.
pub(super) fn map<'a, R: Send>(
    labels: &'a mut [u32],
    lower: &'a mut [f64],
    clusters: usize,
    task: impl Fn(Block<'a>) -> R + Sync + Send,
) -> Vec<R> {
    let length = length(labels.len(), clusters);
    let mut bounds = lower.chunks_mut(length);
    let blocks: Vec<Block<'a>> = labels
        .chunks_mut(length)
        .enumerate()
        .map(|(index, labels)| Block {
            first: index * length,
            labels,
            lower: bounds.next().unwrap_or_default(),
        })
        .collect();
    #[cfg(feature = "rayon")]
    return blocks.into_par_iter().map(task).collect();
    #[cfg(not(feature = "rayon"))]
    return blocks.into_iter().map(task).collect();
}
