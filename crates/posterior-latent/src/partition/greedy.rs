//! A partition that is made better observation by observation, against weighted draws.

use rand::Rng;
use rand::seq::SliceRandom;

use super::{Loss, Partition};

/// Draws of partitions with their weights, which add up to 1.
pub(super) struct Weighted<'a> {
    pub(super) draws: Vec<(&'a Partition, f64)>,
    pub(super) data: usize,
    /// g(0), …, g(n) of the loss.
    terms: Vec<f64>,
    /// Σ_b g(n_b) on average over the draws.
    own: f64,
}

impl<'a> Weighted<'a> {
    pub(super) fn new(draws: Vec<(&'a Partition, f64)>, data: usize, loss: Loss) -> Self {
        let terms = loss.terms(data);
        let of = |draw: &Partition| draw.sizes().iter().map(|&size| terms[size as usize]).sum::<f64>();
        let own = draws.iter().map(|&(draw, weight)| weight * of(draw)).sum();
        Self { draws, data, terms, own }
    }
}

/// A partition in the making, with the counts of what its blocks share with those of each draw.
pub(super) struct Allocation<'a> {
    weighted: &'a Weighted<'a>,
    /// Room for blocks; some are empty.
    room: usize,
    labels: Vec<Option<usize>>,
    sizes: Vec<u32>,
    /// For each draw and each of its blocks, how many data it shares with our blocks 0, …, room - 1.
    shared: Vec<Vec<u32>>,
    costs: Vec<f64>,
}

/// What is won must be more than this, for rounding to end.
const GAIN: f64 = 1e-13;

impl<'a> Allocation<'a> {
    /// Without an observation, in room for this many blocks.
    pub(super) fn empty(weighted: &'a Weighted<'a>, room: usize) -> Self {
        let shared = weighted.draws.iter().map(|(draw, _)| vec![0; draw.blocks() * room]).collect();
        Self {
            weighted,
            room,
            labels: vec![None; weighted.data],
            sizes: vec![0; room],
            shared,
            costs: vec![0.0; room],
        }
    }

    /// All data as in this partition, if there is room for its blocks.
    pub(super) fn from(weighted: &'a Weighted<'a>, room: usize, start: &Partition) -> Self {
        let mut allocation = Self::empty(weighted, room.max(start.blocks()));
        for (observation, &label) in start.labels().iter().enumerate() {
            allocation.put(observation, label as usize);
        }
        allocation
    }

    /// Another partition in the same room.
    pub(super) fn at(&self, partition: &Partition) -> Self {
        Self::from(self.weighted, self.room, partition)
    }

    pub(super) fn partition(&self) -> Partition {
        Partition::from_labels(&self.labels)
    }

    /// The mean loss over the draws.
    pub(super) fn expected_loss(&self) -> f64 {
        let Weighted { draws, terms, own, .. } = self.weighted;
        let term = |&count: &u32| terms[count as usize];
        let ours: f64 = self.sizes.iter().map(term).sum();
        let both = draws.iter().zip(&self.shared);
        let both: f64 = both.map(|((_, weight), counts)| weight * counts.iter().map(term).sum::<f64>()).sum();
        (ours + own - 2.0 * both).max(0.0)
    }

    /// Puts each observation into the best block, one after another in a random order; those that are in one
    /// already may move. Says whether one did.
    pub(super) fn sweep<R: Rng + ?Sized>(&mut self, rng: &mut R) -> bool {
        let mut order: Vec<usize> = (0..self.weighted.data).collect();
        order.shuffle(rng);
        let mut moved = false;
        for observation in order {
            moved |= self.improve(observation);
        }
        moved
    }

    /// Sweeps until nothing moves, `most` times at most.
    pub(super) fn descend<R: Rng + ?Sized>(&mut self, most: usize, rng: &mut R) {
        for _ in 0..most {
            if !self.sweep(rng) {
                break;
            }
        }
    }

    /// Takes a block apart and puts its members anew, in a random order.
    pub(super) fn dissolve<R: Rng + ?Sized>(&mut self, block: usize, rng: &mut R) {
        let members = |label: &Option<usize>| *label == Some(block);
        let mut members: Vec<usize> =
            (0..self.weighted.data).filter(|&observation| members(&self.labels[observation])).collect();
        members.shuffle(rng);
        for &observation in &members {
            self.take(observation, block);
        }
        for observation in members {
            self.improve(observation);
        }
    }

    /// Makes one block of the two that gain most by it. Says whether two gained.
    pub(super) fn merge(&mut self) -> bool {
        let occupied = self.occupied();
        let pairs =
            occupied.iter().enumerate().flat_map(|(i, &a)| occupied[..i].iter().map(move |&b| (a, b)));
        let changes = pairs.map(|(a, b)| (self.change_by_merging(a, b), a, b));
        let Some((change, from, to)) = changes.min_by(|one, other| one.0.total_cmp(&other.0)) else {
            return false;
        };
        if change >= -GAIN {
            return false;
        }
        for observation in 0..self.weighted.data {
            if self.labels[observation] == Some(from) {
                self.take(observation, from);
                self.put(observation, to);
            }
        }
        true
    }

    /// What the mean loss has more when two blocks are one.
    fn change_by_merging(&self, a: usize, b: usize) -> f64 {
        let Weighted { draws, terms, .. } = self.weighted;
        let change = |one: u32, other: u32| {
            terms[(one + other) as usize] - terms[one as usize] - terms[other as usize]
        };
        let of_draw = |counts: &Vec<u32>| -> f64 {
            counts.chunks_exact(self.room).map(|counts| change(counts[a], counts[b])).sum()
        };
        let both = draws.iter().zip(&self.shared).map(|((_, weight), counts)| weight * of_draw(counts));
        change(self.sizes[a], self.sizes[b]) - 2.0 * both.sum::<f64>()
    }

    /// The blocks that have members.
    pub(super) fn occupied(&self) -> Vec<usize> {
        (0..self.room).filter(|&block| self.sizes[block] > 0).collect()
    }

    fn improve(&mut self, observation: usize) -> bool {
        let before = self.labels[observation];
        if let Some(block) = before {
            self.take(observation, block);
        }
        self.weigh(observation);
        let mut best = before;
        let mut empty = None;
        for (block, &cost) in self.costs.iter().enumerate() {
            if self.sizes[block] == 0 {
                // One empty block is as good as another: the one it came from, or else the first.
                if empty.is_some() || before.is_some_and(|before| self.sizes[before] == 0 && block != before)
                {
                    continue;
                }
                empty = Some(block);
            }
            if best.is_none_or(|best| cost < self.costs[best] - GAIN) {
                best = Some(block);
            }
        }
        // There is room for one block at least.
        let block = best.unwrap_or(0);
        self.put(observation, block);
        before != Some(block)
    }

    /// What the observation adds to the mean loss in each block, up to what is the same in all.
    fn weigh(&mut self, observation: usize) {
        let Weighted { draws, terms, .. } = self.weighted;
        let step = |count: u32| terms[count as usize + 1] - terms[count as usize];
        for (cost, &size) in self.costs.iter_mut().zip(&self.sizes) {
            *cost = step(size);
        }
        for ((draw, weight), counts) in draws.iter().zip(&self.shared) {
            let theirs = draw.labels()[observation] as usize;
            let counts = &counts[theirs * self.room..][..self.room];
            for (cost, &count) in self.costs.iter_mut().zip(counts) {
                *cost -= 2.0 * weight * step(count);
            }
        }
    }

    fn put(&mut self, observation: usize, block: usize) {
        self.labels[observation] = Some(block);
        self.sizes[block] += 1;
        for ((draw, _), counts) in self.weighted.draws.iter().zip(&mut self.shared) {
            counts[draw.labels()[observation] as usize * self.room + block] += 1;
        }
    }

    fn take(&mut self, observation: usize, block: usize) {
        self.labels[observation] = None;
        self.sizes[block] -= 1;
        for ((draw, _), counts) in self.weighted.draws.iter().zip(&mut self.shared) {
            counts[draw.labels()[observation] as usize * self.room + block] -= 1;
        }
    }
}
