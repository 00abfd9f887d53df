//! How alike two partitions are.

use posterior_math::check;
use posterior_math::log_space::x_ln_x;

use super::Partition;
use crate::error::Error;

/// How many data each block of one partition shares with each block of another: the counts that are not 0.
///
/// O(n ln n) time, and memory for no more than n counts, however many blocks there are.
pub(super) fn shared_counts(one: &Partition, other: &Partition) -> Result<Vec<u32>, Error> {
    Ok(shared(one, other)?.into_iter().map(|(count, _)| count).collect())
}

/// How many data two blocks share, and which two.
type Shared = (u32, (u32, u32));

/// The same with the two blocks of each count, in their order.
fn shared(one: &Partition, other: &Partition) -> Result<Vec<Shared>, Error> {
    check::dimension("data of a partition", one.len(), other.len())?;
    let mut pairs: Vec<(u32, u32)> =
        one.labels().iter().copied().zip(other.labels().iter().copied()).collect();
    pairs.sort_unstable();
    Ok(pairs.chunk_by(|a, b| a == b).map(|equal| (equal.len() as u32, equal[0])).collect())
}

/// For each block of one partition the block of another that stands for it, if one does.
///
/// Blocks are matched one to one: of all pairs that are free, the pair with the most data in common comes
/// first, and the first of equal pairs. O(n ln n).
///
/// # Errors
/// Partitions of different numbers of data.
pub fn matched_blocks(one: &Partition, other: &Partition) -> Result<Vec<Option<u32>>, Error> {
    let mut all = shared(one, other)?;
    all.sort_by_key(|&(count, _)| std::cmp::Reverse(count));
    let (mut matched, mut taken) = (vec![None; one.blocks()], vec![false; other.blocks()]);
    for (_, (own, partner)) in all {
        if matched[own as usize].is_none() && !taken[partner as usize] {
            matched[own as usize] = Some(partner);
            taken[partner as usize] = true;
        }
    }
    Ok(matched)
}

/// n (n - 1) / 2.
pub(super) fn pairs(count: u32) -> f64 {
    0.5 * f64::from(count) * (f64::from(count) - 1.0)
}

/// The Rand index, adjusted for chance: 1 for equal partitions, 0 on average for partitions with these sizes
/// drawn at random; at least -1/2.
///
/// (S - E) / (M - E) with the pairs S that are together in both, their expectation E, and the mean M of the
/// pairs together in one and in the other (Hubert and Arabie 1985). Two partitions that are both one block,
/// or both singletons, are equal, and the index is 1.
///
/// # Errors
/// Partitions of different numbers of data.
pub fn adjusted_rand_index(one: &Partition, other: &Partition) -> Result<f64, Error> {
    let both: f64 = shared_counts(one, other)?.into_iter().map(pairs).sum();
    let within = |partition: &Partition| partition.sizes().iter().map(|&size| pairs(size)).sum::<f64>();
    let (first, second) = (within(one), within(other));
    let all = pairs(one.len() as u32);
    if first == second && (first == 0.0 || first == all) {
        return Ok(1.0);
    }
    let expected = first / all * second;
    Ok((both - expected) / (0.5 * (first + second) - expected))
}

/// What one partition says of the other, in nats: Σ p_ab ln (p_ab / (p_a p_b)) of an observation drawn at
/// random.
///
/// # Errors
/// Partitions of different numbers of data, or of none.
pub fn mutual_information(one: &Partition, other: &Partition) -> Result<f64, Error> {
    let counts = shared_counts(one, other)?;
    let n = positive_len(one)?;
    let entropy = |sizes: &[u32]| -sizes.iter().map(|&size| x_ln_x(f64::from(size) / n)).sum::<f64>();
    Ok((entropy(one.sizes()) + entropy(other.sizes()) - entropy(&counts)).max(0.0))
}

pub(super) fn positive_len(partition: &Partition) -> Result<f64, Error> {
    check::enough("data of a partition", 1, partition.len())?;
    Ok(partition.len() as f64)
}
