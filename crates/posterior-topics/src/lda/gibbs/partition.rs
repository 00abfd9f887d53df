//! Sharing documents and words out over groups of about equal weight.

use std::cmp::Reverse;

/// Items (documents or words) shared out over groups: item `i` is number `local[i]` of group `group[i]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Partition {
    pub(super) group: Vec<u32>,
    pub(super) local: Vec<u32>,
    /// The items of each group, by local number.
    pub(super) members: Vec<Vec<u32>>,
}

impl Partition {
    /// Longest first, each item to the group that is lightest so far. Ties go to the lower number, so the
    /// result is a function of the weights alone.
    pub(super) fn balanced(weights: &[u64], groups: usize) -> Self {
        let mut order: Vec<usize> = (0..weights.len()).collect();
        order.sort_by_key(|&item| Reverse(weights[item]));
        let mut load = vec![0_u64; groups];
        let mut group = vec![0; weights.len()];
        for item in order {
            let lightest = (0..groups).min_by_key(|&g| load[g]).unwrap_or(0);
            // One more than the weight, so that weightless items spread out as well.
            load[lightest] += weights[item] + 1;
            group[item] = lightest as u32;
        }
        let mut members = vec![Vec::new(); groups];
        let mut local = Vec::with_capacity(weights.len());
        for (item, &g) in group.iter().enumerate() {
            local.push(members[g as usize].len() as u32);
            members[g as usize].push(item as u32);
        }
        Self { group, local, members }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_balanced_and_numbered_without_gaps() {
        let weights: Vec<u64> = (0..100).map(|i| i * i % 37).collect();
        let partition = Partition::balanced(&weights, 7);
        let loads: Vec<u64> = partition
            .members
            .iter()
            .map(|members| members.iter().map(|&i| weights[i as usize]).sum())
            .collect();
        let (least, most) = (loads.iter().min().unwrap(), loads.iter().max().unwrap());
        assert!(most - least <= 37, "{loads:?}");
        for (item, (&g, &l)) in partition.group.iter().zip(&partition.local).enumerate() {
            assert_eq!(partition.members[g as usize][l as usize] as usize, item);
        }
    }
}
