//! All partitions of a few data.

use super::Partition;

/// Every partition of `data` data once, as growth strings in their lexicographic order: from one block to
/// singletons.
///
/// There are [`bell_number`] of them: 877 of seven data, 115,975 of ten. Of no data there is one, the empty
/// one.
///
/// ```
/// use posterior_latent::partition::{all_partitions, bell_number};
///
/// assert_eq!(all_partitions(7).count(), 877);
/// assert_eq!(bell_number(7), Some(877));
/// ```
pub fn all_partitions(data: usize) -> Partitions {
    Partitions { next: Some(vec![0; data]) }
}

/// The partitions of some data, one after another.
///
/// # References
/// D. E. Knuth, The Art of Computer Programming 4A, algorithm 7.2.1.5 H: restricted growth strings.
#[derive(Debug, Clone)]
pub struct Partitions {
    next: Option<Vec<u32>>,
}

impl Iterator for Partitions {
    type Item = Partition;

    fn next(&mut self) -> Option<Partition> {
        let labels = self.next.take()?;
        self.next = successor(&labels);
        Some(Partition::from_ranks(labels))
    }
}

/// The next string in which each label is at most one more than all before it: the last one that may grow
/// does, and those after it begin anew.
fn successor(labels: &[u32]) -> Option<Vec<u32>> {
    let most: Vec<u32> = labels
        .iter()
        .scan(0, |most, &label| {
            let before = *most;
            *most = before.max(label + 1);
            Some(before)
        })
        .collect();
    let place = (1..labels.len()).rev().find(|&place| labels[place] < most[place])?;
    let mut next = labels.to_vec();
    next[place] += 1;
    next[place + 1..].fill(0);
    Some(next)
}

/// How many partitions n data have; `None` from 43 data on, which have more than a `u128` holds.
///
/// By the triangle of Aitken: O(n²) additions.
pub fn bell_number(data: usize) -> Option<u128> {
    let mut row = vec![1_u128];
    for _ in 1..data.max(1) {
        let mut next = vec![*row.last()?];
        for &entry in &row {
            next.push(next.last()?.checked_add(entry)?);
        }
        row = next;
    }
    row.last().copied()
}
