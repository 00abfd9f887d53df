//! The elimination game, with fill counts that are kept up to date.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Heuristic;
use super::logarithm::log2;
use super::neighbour_lists::NeighbourLists;
use crate::adjacency::Adjacency;
use crate::marks::Marks;
use crate::{EliminationOrder, VarId};

/// What tells apart variables that the heuristic finds equal, or nearly so.
#[derive(Debug)]
pub(super) struct Taste {
    /// The least goes first among equals.
    pub(super) ties: Vec<u32>,
    /// Added to each variable's score, in 256ths of it.
    pub(super) surcharges: Vec<u8>,
}

/// What is left of a graph while its variables are eliminated.
pub(super) struct EliminationGame {
    heuristic: Heuristic,
    gone: Vec<bool>,
    neighbours: NeighbourLists,
    /// The weight of each variable in the fill: of an edge the product of its ends.
    weights: Vec<u64>,
    /// The weights of each variable's neighbours, added up.
    around: Vec<u64>,
    /// The weight of the edges that eliminating each variable adds.
    fill: Vec<u64>,
    /// What the heuristic adds up over neighbours: logarithms of numbers of states, or ones. Empty for fill
    /// heuristics.
    sizes: Vec<u64>,
    /// The sizes of each variable's neighbours, added up.
    size_around: Vec<u64>,
    /// Variables whose score may have changed, and whether each is among them.
    touched: Vec<u32>,
    is_touched: Vec<bool>,
    /// The last variable whose list each variable was seen in.
    seen: Vec<u32>,
    stamp: u32,
}

impl EliminationGame {
    pub(super) fn new(graph: &Adjacency, states: &[usize], heuristic: Heuristic) -> Self {
        let n = graph.len();
        let weights = match heuristic {
            Heuristic::WeightedMinFill => capped_weights(states),
            _ => vec![1; n],
        };
        let sizes = match heuristic {
            Heuristic::MinFill | Heuristic::WeightedMinFill => Vec::new(),
            Heuristic::MinWeight | Heuristic::MinMessage => states.iter().map(|&count| log2(count)).collect(),
            Heuristic::MinNeighbours => vec![1; n],
        };
        let sums = |of: &[u64]| -> Vec<u64> {
            let sum = |v| graph.of(VarId::new(v)).iter().map(|u| of[u.index()]).sum();
            if of.is_empty() { Vec::new() } else { (0..n).map(sum).collect() }
        };
        let (around, size_around) = (sums(&weights), sums(&sizes));
        let fill = count_fill(graph, &weights, &around);
        Self {
            heuristic,
            gone: vec![false; n],
            neighbours: NeighbourLists::new(graph),
            weights,
            around,
            fill,
            sizes,
            size_around,
            touched: Vec::new(),
            is_touched: vec![false; n],
            seen: vec![u32::MAX; n],
            stamp: 0,
        }
    }

    /// Eliminates all variables, those marked as late after all others.
    pub(super) fn play(mut self, taste: &Taste, late: &Marks) -> EliminationOrder {
        let n = self.gone.len();
        let entry = |key: u64, v: usize| {
            Reverse((u128::from(key) << 64) | (u128::from(taste.ties[v]) << 32) | v as u128)
        };
        let mut keys: Vec<u64> = (0..n).map(|v| self.key(v, taste, late)).collect();
        let mut queue: BinaryHeap<Reverse<u128>> = (0..n).map(|v| entry(keys[v], v)).collect();
        let mut order = Vec::with_capacity(n);
        while let Some(Reverse(least)) = queue.pop() {
            let (key, v) = ((least >> 64) as u64, least as u32 as usize);
            // Entries are not taken out when a score changes: they are old news.
            if self.gone[v] || key != keys[v] {
                continue;
            }
            order.push(VarId::new(v));
            self.eliminate(v);
            while let Some(u) = self.touched.pop() {
                let u = u as usize;
                self.is_touched[u] = false;
                let now = self.key(u, taste, late);
                if now != keys[u] && !self.gone[u] {
                    keys[u] = now;
                    queue.push(entry(now, u));
                }
            }
        }
        EliminationOrder::from_permutation(order)
    }

    /// Sorts by whether a variable is late, then by whether it needs fill, then by its score.
    fn key(&self, v: usize, taste: &Taste, late: &Marks) -> u64 {
        let score = match self.heuristic {
            Heuristic::MinFill | Heuristic::WeightedMinFill => self.fill[v],
            Heuristic::MinWeight => self.size_around[v] + self.sizes[v],
            Heuristic::MinMessage | Heuristic::MinNeighbours => self.size_around[v],
        };
        let surcharge = (u128::from(score) * u128::from(taste.surcharges[v])) >> 8;
        let is_late = u64::from(late.contains(VarId::new(v)));
        let needs_fill = u64::from(self.fill[v] != 0);
        (is_late << 63) | (needs_fill << 62) | (score + surcharge as u64)
    }

    /// Joins the neighbours of `v` and takes it away.
    fn eliminate(&mut self, v: usize) {
        let around = self.neighbours.prune(v, &self.gone).to_vec();
        if self.fill[v] != 0 {
            for (i, &a) in around.iter().enumerate() {
                self.join_with_rest(a as usize, &around[i + 1..]);
            }
        }
        // The neighbours are a clique now: what u has that v had not are its neighbours outside of it.
        self.gone[v] = true;
        let inside = self.around[v] + self.weights[v];
        for &u in &around {
            let u = u as usize;
            self.fill[u] -= self.weights[v] * (self.around[u] + self.weights[u] - inside);
            self.around[u] -= self.weights[v];
            if let Some(&size) = self.sizes.get(v) {
                self.size_around[u] -= size;
            }
            self.touch(u);
        }
    }

    /// Joins `a` with each of `others` that it is not joined with.
    fn join_with_rest(&mut self, a: usize, others: &[u32]) {
        self.stamp += 1;
        for &u in self.neighbours.prune(a, &self.gone) {
            self.seen[u as usize] = self.stamp;
        }
        for &b in others {
            if self.seen[b as usize] != self.stamp {
                self.join(a, b as usize);
                self.seen[b as usize] = self.stamp;
            }
        }
    }

    /// Adds the edge between a, whose neighbours are stamped, and b: their common neighbours have one edge
    /// less to add, and they have one neighbour more.
    fn join(&mut self, a: usize, b: usize) {
        let product = self.weights[a] * self.weights[b];
        let mut common = 0;
        for i in 0..self.neighbours.prune(b, &self.gone).len() {
            let c = self.neighbours.of(b)[i] as usize;
            if self.seen[c] == self.stamp {
                common += self.weights[c];
                self.fill[c] -= product;
                self.touch(c);
            }
        }
        for (u, other) in [(a, b), (b, a)] {
            let weight = self.weights[other];
            self.fill[u] += weight * (self.around[u] - common);
            self.around[u] += weight;
            if let Some(&size) = self.sizes.get(other) {
                self.size_around[u] += size;
            }
            self.neighbours.push(u, other as u32);
        }
    }

    fn touch(&mut self, v: usize) {
        if !self.is_touched[v] {
            self.is_touched[v] = true;
            self.touched.push(v as u32);
        }
    }
}

/// Numbers of states, capped so that the weight of all edges there can be stays below 2⁶¹, and below 2⁶²
/// with any surcharge.
fn capped_weights(states: &[usize]) -> Vec<u64> {
    let cap = ((1_u64 << 31) / states.len().max(1) as u64).max(1);
    states.iter().map(|&count| (count as u64).min(cap)).collect()
}

/// For each variable all pairs of neighbours, less those that are joined: each triangle joins the neighbours
/// of its corners.
fn count_fill(graph: &Adjacency, weights: &[u64], around: &[u64]) -> Vec<u64> {
    let n = graph.len();
    let squares = |v| graph.of(v).iter().map(|u| weights[u.index()] * weights[u.index()]).sum::<u64>();
    let mut fill: Vec<u64> = (0..n).map(|v| (around[v] * around[v] - squares(VarId::new(v))) / 2).collect();
    // Triangles once each, in O(m^1.5): edges point to the end of larger degree.
    let rank = |v: VarId| (graph.of(v).len(), v);
    let arrows = (0..n)
        .map(VarId::new)
        .flat_map(|a| graph.of(a).iter().filter(move |&&b| rank(a) < rank(b)).map(move |&b| (a, b)));
    let arrows = Adjacency::new(n, &arrows.collect::<Vec<_>>());
    let mut pointed_from = vec![n; n];
    for a in 0..n {
        for b in arrows.of(VarId::new(a)) {
            pointed_from[b.index()] = a;
        }
        for &b in arrows.of(VarId::new(a)) {
            for c in arrows.of(b) {
                if pointed_from[c.index()] == a {
                    let (b, c) = (b.index(), c.index());
                    fill[a] -= weights[b] * weights[c];
                    fill[b] -= weights[a] * weights[c];
                    fill[c] -= weights[a] * weights[b];
                }
            }
        }
    }
    fill
}
