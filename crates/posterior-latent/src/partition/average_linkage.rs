//! Average linkage: a tree of blocks, cut at every height.

use posterior_math::linalg::DMatrix;

use super::Partition;

/// The partitions into 1, …, `most` blocks that one gets by joining, again and again, the two blocks with the
/// least mean distance.
///
/// By chains of nearest neighbours, O(n²); average linkage is reducible, so the joins are the right ones in
/// the order of their heights.
///
/// # References
/// F. Murtagh, A survey of recent advances in hierarchical clustering algorithms, Comput. J. 26 (1983).
pub(super) fn cuts(mut distances: DMatrix<f64>, most: usize) -> Vec<Partition> {
    let n = distances.nrows();
    let joins = joins(&mut distances);
    let mut parents: Vec<usize> = (0..n).collect();
    let mut partitions = Vec::new();
    for (done, &(one, other, _)) in joins.iter().enumerate() {
        if n - done <= most {
            partitions.push(of_roots(&parents));
        }
        let (one, other) = (root(&parents, one), root(&parents, other));
        parents[one.max(other)] = one.min(other);
    }
    partitions.push(of_roots(&parents));
    partitions
}

/// The joins of two members each, with their heights in rising order.
fn joins(distances: &mut DMatrix<f64>) -> Vec<(usize, usize, f64)> {
    let n = distances.nrows();
    let mut alive: Vec<usize> = (0..n).collect();
    let mut sizes = vec![1.0; n];
    let mut chain: Vec<usize> = Vec::new();
    let mut joins = Vec::with_capacity(n.saturating_sub(1));
    while alive.len() > 1 {
        let tip = *chain.last().unwrap_or(&alive[0]);
        if chain.is_empty() {
            chain.push(tip);
        }
        let before = chain.len().checked_sub(2).map(|place| chain[place]);
        let near = nearest(distances, &alive, tip, before);
        if Some(near) != before {
            chain.push(near);
            continue;
        }
        chain.truncate(chain.len() - 2);
        joins.push((tip, near, distances[(tip, near)]));
        let total: f64 = sizes[tip] + sizes[near];
        alive.retain(|&block| block != near);
        for &block in alive.iter().filter(|&&block| block != tip) {
            let mean =
                (sizes[tip] * distances[(tip, block)] + sizes[near] * distances[(near, block)]) / total;
            distances[(tip, block)] = mean;
            distances[(block, tip)] = mean;
        }
        sizes[tip] = total;
    }
    joins.sort_by(|a, b| a.2.total_cmp(&b.2));
    joins
}

/// The block nearest to `tip`; of several, `before`, so that chains come to an end.
fn nearest(distances: &DMatrix<f64>, alive: &[usize], tip: usize, before: Option<usize>) -> usize {
    let mut best = before.map(|block| (distances[(block, tip)], block));
    for &block in alive.iter().filter(|&&block| block != tip) {
        let distance = distances[(block, tip)];
        if best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, block));
        }
    }
    best.map_or(tip, |(_, block)| block)
}

fn root(parents: &[usize], mut observation: usize) -> usize {
    while parents[observation] != observation {
        observation = parents[observation];
    }
    observation
}

fn of_roots(parents: &[usize]) -> Partition {
    Partition::from_labels(
        &(0..parents.len()).map(|observation| root(parents, observation)).collect::<Vec<_>>(),
    )
}
