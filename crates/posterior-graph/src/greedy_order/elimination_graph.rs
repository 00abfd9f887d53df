//! The graph of the elimination game, with fill counts that are kept up to date.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Heuristic;
use super::score::key;
use crate::marks::Marks;
use crate::{EliminationOrder, UnGraph, VarId};

/// Weights in the fill are capped here, so that their sums fit in 128 bits.
const LARGEST_WEIGHT: u128 = u32::MAX as u128;

/// What is left of a graph while its variables are eliminated.
pub(super) struct EliminationGraph<'a> {
    states: &'a [usize],
    heuristic: Heuristic,
    /// Sorted neighbours of those that are left.
    neighbours: Vec<Vec<u32>>,
    /// The weight of each variable in the fill: of an edge the product of its ends.
    weights: Vec<u128>,
    /// The weights of each variable's neighbours, added up.
    around: Vec<u128>,
    /// The weight of the edges that eliminating each variable adds.
    fill: Vec<u128>,
    /// Variables whose score may have changed, and whether each is among them.
    touched: Vec<u32>,
    is_touched: Vec<bool>,
}

impl<'a> EliminationGraph<'a> {
    pub(super) fn new(graph: &UnGraph, states: &'a [usize], heuristic: Heuristic) -> Self {
        let n = graph.len();
        let neighbours: Vec<Vec<u32>> = graph
            .variables()
            .map(|v| graph.neighbours(v).iter().map(|u| u.index() as u32).collect())
            .collect();
        let weights: Vec<u128> = match heuristic {
            Heuristic::WeightedMinFill => states.iter().map(|&s| (s as u128).min(LARGEST_WEIGHT)).collect(),
            _ => vec![1; n],
        };
        let around = neighbours.iter().map(|list| list.iter().map(|&u| weights[u as usize]).sum()).collect();
        let mut new = Self {
            states,
            heuristic,
            neighbours,
            weights,
            around,
            fill: Vec::new(),
            touched: Vec::new(),
            is_touched: vec![false; n],
        };
        new.fill = new.count_fill();
        new
    }

    /// Eliminates all variables, those marked as late after all others.
    pub(super) fn eliminate_all(mut self, ties: &[u32], late: &Marks) -> EliminationOrder {
        let n = ties.len();
        let mut keys: Vec<u64> = (0..n).map(|v| self.key(v, late.contains(VarId::new(v)))).collect();
        let mut queue: BinaryHeap<Reverse<(u64, u32, u32)>> =
            (0..n).map(|v| Reverse((keys[v], ties[v], v as u32))).collect();
        let mut order = Vec::with_capacity(n);
        let mut gone = vec![false; n];
        while let Some(Reverse((key, _, v))) = queue.pop() {
            let v = v as usize;
            // Entries are not taken out when a score changes: they are old news.
            if gone[v] || key != keys[v] {
                continue;
            }
            gone[v] = true;
            order.push(VarId::new(v));
            self.eliminate(v);
            for i in 0..self.touched.len() {
                let u = self.touched[i] as usize;
                self.is_touched[u] = false;
                let now = self.key(u, late.contains(VarId::new(u)));
                if !gone[u] && now != keys[u] {
                    keys[u] = now;
                    queue.push(Reverse((now, ties[u], u as u32)));
                }
            }
            self.touched.clear();
        }
        EliminationOrder::from_permutation(order)
    }

    fn key(&self, v: usize, late: bool) -> u64 {
        let cells_around = || {
            let factors = self.neighbours[v].iter().map(|&u| self.states[u as usize] as u128);
            factors.fold(1_u128, u128::saturating_mul)
        };
        let score = match self.heuristic {
            Heuristic::MinFill | Heuristic::WeightedMinFill => self.fill[v],
            Heuristic::MinWeight => cells_around().saturating_mul(self.states[v] as u128),
            Heuristic::MinMessage => cells_around(),
            Heuristic::MinNeighbours => self.neighbours[v].len() as u128,
        };
        key(late, self.fill[v] != 0, score)
    }

    /// All pairs of neighbours, less those that are joined: each triangle joins the neighbours of its three corners.
    fn count_fill(&self) -> Vec<u128> {
        let weight = |v: u32| self.weights[v as usize];
        let mut fill: Vec<u128> = self
            .neighbours
            .iter()
            .zip(&self.around)
            .map(|(list, &sum)| (sum * sum - list.iter().map(|&u| weight(u) * weight(u)).sum::<u128>()) / 2)
            .collect();
        // Triangles once each, in O(m^1.5): edges point to the end of larger degree.
        let points = |&(a, b): &(u32, u32)| {
            (self.neighbours[a as usize].len(), a) < (self.neighbours[b as usize].len(), b)
        };
        let targets: Vec<Vec<u32>> = (0..self.neighbours.len() as u32)
            .map(|a| self.neighbours[a as usize].iter().copied().filter(|&b| points(&(a, b))).collect())
            .collect();
        for (a, list) in targets.iter().enumerate() {
            for &b in list {
                for_each_common(list, &targets[b as usize], |c| {
                    fill[a] -= weight(b) * weight(c);
                    fill[b as usize] -= self.weights[a] * weight(c);
                    fill[c as usize] -= self.weights[a] * weight(b);
                });
            }
        }
        fill
    }

    /// Joins the neighbours of `v` and takes it away.
    fn eliminate(&mut self, v: usize) {
        let around = std::mem::take(&mut self.neighbours[v]);
        if self.fill[v] != 0 {
            for (i, &a) in around.iter().enumerate() {
                for &b in &around[i + 1..] {
                    if self.neighbours[a as usize].binary_search(&b).is_err() {
                        self.join(a, b);
                    }
                }
            }
        }
        // The neighbours are a clique now: what u has that v had not are its neighbours outside of it.
        for &u in &around {
            let u = u as usize;
            let outside = self.around[u] - self.weights[v] - (self.around[v] - self.weights[u]);
            self.fill[u] -= self.weights[v] * outside;
            self.around[u] -= self.weights[v];
            if let Ok(place) = self.neighbours[u].binary_search(&(v as u32)) {
                self.neighbours[u].remove(place);
            }
            self.touch(u);
        }
    }

    /// Adds the edge between a and b: their common neighbours have one edge less to add, and they have one neighbour more.
    fn join(&mut self, a: u32, b: u32) {
        let (list_a, list_b) = (
            std::mem::take(&mut self.neighbours[a as usize]),
            std::mem::take(&mut self.neighbours[b as usize]),
        );
        let product = self.weights[a as usize] * self.weights[b as usize];
        let mut common = 0;
        for_each_common(&list_a, &list_b, |c| {
            common += self.weights[c as usize];
            self.fill[c as usize] -= product;
            self.touch(c as usize);
        });
        for (u, other, mut list) in [(a, b, list_a), (b, a, list_b)] {
            let weight = self.weights[other as usize];
            let place = list.partition_point(|&w| w < other);
            list.insert(place, other);
            let u = u as usize;
            self.fill[u] += weight * (self.around[u] - common);
            self.around[u] += weight;
            self.neighbours[u] = list;
        }
    }

    fn touch(&mut self, v: usize) {
        if !self.is_touched[v] {
            self.is_touched[v] = true;
            self.touched.push(v as u32);
        }
    }
}

/// Calls `f` with each number that two sorted lists have in common.
fn for_each_common(mut a: &[u32], mut b: &[u32], mut f: impl FnMut(u32)) {
    while let (Some(&x), Some(&y)) = (a.first(), b.first()) {
        if x == y {
            f(x);
        }
        if x <= y {
            a = &a[1..];
        }
        if y <= x {
            b = &b[1..];
        }
    }
}
