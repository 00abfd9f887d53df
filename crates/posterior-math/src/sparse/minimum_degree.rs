//! The order of least approximate degree, on the quotient graph of the elimination.
//!
//! P. R. Amestoy, T. A. Davis, I. S. Duff, An approximate minimum degree ordering algorithm, SIAM J. Matrix
//! Anal. Appl. 17 (1996).

use super::graph::Graph;

const NONE: u32 = u32::MAX;

/// An order of the nodes that keeps the fill low; nodes with very many neighbours come last.
pub(super) fn minimum_degree(graph: &Graph) -> Vec<u32> {
    let mut quotient = Quotient::new(graph);
    while let Some(pivot) = quotient.next_pivot() {
        let element = quotient.eliminate(pivot);
        quotient.measure_overlaps(&element);
        quotient.update_degrees(&element);
        quotient.merge_indistinguishable(&element);
        quotient.file_degrees(&element);
    }
    quotient.order()
}

/// A pivot and the variables of the element that its elimination makes.
struct Element {
    pivot: u32,
    members: Vec<u32>,
}

/// Variables that are left, with the elements and variables beside each, and elements with their variables.
struct Quotient {
    /// Where the list of each node begins in `lists`: of a variable its elements first, then its variables.
    start: Vec<usize>,
    length: Vec<u32>,
    /// How many of a variable's list are elements.
    elements: Vec<u32>,
    lists: Vec<u32>,
    /// When `lists` is compacted.
    limit: usize,
    /// Nodes that a variable stands for; 0 if another stands for it; negative while in the current element.
    weight: Vec<i32>,
    degree: Vec<u32>,
    /// Of elements: 0 if absorbed, else what is outside of the current element, plus `mark`.
    outside: Vec<i64>,
    mark: i64,
    /// Doubly linked lists of the variables of each degree.
    head: Vec<u32>,
    next: Vec<u32>,
    previous: Vec<u32>,
    least: usize,
    /// The variable or element that took a node in.
    parent: Vec<u32>,
    hash: Vec<u32>,
    /// When a node was last in a list that others were compared with.
    seen: Vec<u32>,
    stamp: u32,
    scratch: Vec<u32>,
    pivots: Vec<u32>,
    /// Nodes with too many neighbours.
    dense: Vec<u32>,
    left: u32,
}

impl Quotient {
    fn new(graph: &Graph) -> Self {
        let n = graph.size();
        let most = (10.0 * (n as f64).sqrt()).max(16.0) as usize;
        let mut quotient = Self {
            start: graph.starts[..n].to_vec(),
            length: (0..n).map(|i| graph.neighbours(i).len() as u32).collect(),
            elements: vec![0; n],
            lists: graph.adjacent.clone(),
            limit: 2 * graph.adjacent.len() + 4 * n,
            weight: vec![1; n],
            degree: (0..n).map(|i| graph.neighbours(i).len() as u32).collect(),
            outside: vec![1; n],
            mark: 2,
            head: vec![NONE; n + 1],
            next: vec![NONE; n],
            previous: vec![NONE; n],
            least: 0,
            parent: vec![NONE; n],
            hash: vec![0; n],
            seen: vec![0; n],
            stamp: 0,
            scratch: Vec::new(),
            pivots: Vec::with_capacity(n),
            dense: Vec::new(),
            left: n as u32,
        };
        for i in 0..n {
            if graph.neighbours(i).len() > most {
                quotient.weight[i] = 0;
                quotient.dense.push(i as u32);
                quotient.left -= 1;
            }
        }
        for i in (0..n as u32).rev().filter(|&i| graph.neighbours(i as usize).len() <= most) {
            quotient.file(i);
        }
        quotient
    }

    fn list(&self, i: u32) -> std::ops::Range<usize> {
        let start = self.start[i as usize];
        start..start + self.length[i as usize] as usize
    }

    fn file(&mut self, i: u32) {
        let degree = self.degree[i as usize] as usize;
        let old = self.head[degree];
        self.next[i as usize] = old;
        self.previous[i as usize] = NONE;
        if old != NONE {
            self.previous[old as usize] = i;
        }
        self.head[degree] = i;
        self.least = self.least.min(degree);
    }

    fn unfile(&mut self, i: u32) {
        let (before, after) = (self.previous[i as usize], self.next[i as usize]);
        if after != NONE {
            self.previous[after as usize] = before;
        }
        if before == NONE {
            self.head[self.degree[i as usize] as usize] = after;
        } else {
            self.next[before as usize] = after;
        }
    }

    fn next_pivot(&mut self) -> Option<u32> {
        if self.left == 0 {
            return None;
        }
        while self.head[self.least] == NONE {
            self.least += 1;
        }
        let pivot = self.head[self.least];
        self.unfile(pivot);
        Some(pivot)
    }

    /// Makes an element of a variable: its variables, and those of its elements, which are absorbed.
    fn eliminate(&mut self, pivot: u32) -> Element {
        let p = pivot as usize;
        self.pivots.push(pivot);
        self.left -= self.weight[p].unsigned_abs();
        self.weight[p] = -self.weight[p];
        let mut members = Vec::new();
        let list = self.list(pivot);
        let elements = self.elements[p] as usize;
        for at in list.clone().take(elements) {
            let e = self.lists[at];
            for at in self.list(e) {
                self.take(self.lists[at], &mut members);
            }
            self.parent[e as usize] = pivot;
            self.outside[e as usize] = 0;
            self.length[e as usize] = 0;
        }
        for at in list.skip(elements) {
            self.take(self.lists[at], &mut members);
        }
        Element { pivot, members }
    }

    fn take(&mut self, i: u32, members: &mut Vec<u32>) {
        let weight = self.weight[i as usize];
        if weight > 0 {
            self.weight[i as usize] = -weight;
            members.push(i);
            self.unfile(i);
        }
    }

    /// For each element beside the new one: how many of its nodes are outside of it.
    fn measure_overlaps(&mut self, element: &Element) {
        for &i in &element.members {
            let weight = i64::from(-self.weight[i as usize]);
            for at in self.list(i).take(self.elements[i as usize] as usize) {
                let e = self.lists[at] as usize;
                if self.outside[e] >= self.mark {
                    self.outside[e] -= weight;
                } else if self.outside[e] != 0 {
                    self.outside[e] = i64::from(self.degree[e]) + self.mark - weight;
                }
            }
        }
    }

    /// The approximate outer degree of each variable of the new element; what has none is eliminated along.
    fn update_degrees(&mut self, element: &Element) {
        let pivot = element.pivot;
        for &i in &element.members {
            let v = i as usize;
            let list = self.list(i);
            let split = list.start + self.elements[v] as usize;
            let mut kept = std::mem::take(&mut self.scratch);
            kept.clear();
            kept.push(pivot);
            let (mut degree, mut hash) = (0_u64, u64::from(pivot));
            for at in list.start..split {
                let e = self.lists[at];
                let outside = self.outside[e as usize];
                if outside > self.mark {
                    degree += (outside - self.mark) as u64;
                    hash += u64::from(e);
                    kept.push(e);
                } else if outside != 0 {
                    // Wholly within the new element.
                    self.parent[e as usize] = pivot;
                    self.outside[e as usize] = 0;
                    self.length[e as usize] = 0;
                }
            }
            let elements = kept.len();
            for at in split..list.end {
                let j = self.lists[at];
                let weight = self.weight[j as usize];
                if weight > 0 {
                    degree += weight as u64;
                    hash += u64::from(j);
                    kept.push(j);
                }
            }
            if degree == 0 {
                self.absorb(i, pivot);
                self.scratch = kept;
                continue;
            }
            self.degree[v] = u64::from(self.degree[v]).min(degree) as u32;
            self.hash[v] = (hash % self.start.len() as u64) as u32;
            self.elements[v] = elements as u32;
            self.store(i, &kept);
            self.scratch = kept;
        }
    }

    /// Eliminates a variable together with the pivot.
    fn absorb(&mut self, i: u32, pivot: u32) {
        let weight = -self.weight[i as usize];
        self.weight[pivot as usize] -= weight;
        self.left -= weight.unsigned_abs();
        self.weight[i as usize] = 0;
        self.length[i as usize] = 0;
        self.parent[i as usize] = pivot;
    }

    /// Writes a list in its old place if it fits, and at the end otherwise.
    fn store(&mut self, i: u32, list: &[u32]) {
        if list.len() > self.length[i as usize] as usize {
            if self.lists.len() + list.len() > self.limit {
                self.compact();
            }
            self.start[i as usize] = self.lists.len();
            self.lists.extend_from_slice(list);
        } else {
            let start = self.start[i as usize];
            self.lists[start..start + list.len()].copy_from_slice(list);
        }
        self.length[i as usize] = list.len() as u32;
    }

    fn compact(&mut self) {
        let mut lists = Vec::with_capacity(self.lists.len());
        for i in 0..self.start.len() {
            let list = self.list(i as u32);
            self.start[i] = lists.len();
            lists.extend_from_slice(&self.lists[list]);
        }
        self.limit = self.limit.max(2 * lists.len());
        self.lists = lists;
    }

    /// Variables with the same elements and variables beside them become one.
    fn merge_indistinguishable(&mut self, element: &Element) {
        let mut live: Vec<u32> =
            element.members.iter().copied().filter(|&i| self.weight[i as usize] < 0).collect();
        live.sort_unstable_by_key(|&i| (self.hash[i as usize], i));
        let largest = element.members.len() as u64 + u64::from(self.degree[element.pivot as usize]);
        self.mark += largest.saturating_add(self.start.len() as u64).cast_signed();
        for group in live.chunk_by(|&i, &j| self.hash[i as usize] == self.hash[j as usize]) {
            for (k, &i) in group.iter().enumerate().take(group.len() - 1) {
                if self.weight[i as usize] == 0 {
                    continue;
                }
                self.stamp += 1;
                for at in self.list(i) {
                    self.seen[self.lists[at] as usize] = self.stamp;
                }
                for &j in &group[k + 1..] {
                    if self.weight[j as usize] != 0 && self.same_list(i, j) {
                        self.weight[i as usize] += self.weight[j as usize];
                        self.weight[j as usize] = 0;
                        self.length[j as usize] = 0;
                        self.parent[j as usize] = i;
                    }
                }
            }
        }
    }

    /// Whether j has the list of i, whose entries are stamped.
    fn same_list(&self, i: u32, j: u32) -> bool {
        self.length[i as usize] == self.length[j as usize]
            && self.elements[i as usize] == self.elements[j as usize]
            && self.list(j).all(|at| self.seen[self.lists[at] as usize] == self.stamp)
    }

    fn file_degrees(&mut self, element: &Element) {
        let members = &element.members;
        let size: i64 = members.iter().map(|&i| i64::from(-self.weight[i as usize])).sum();
        let mut kept = Vec::with_capacity(members.len());
        for &i in members {
            let v = i as usize;
            let weight = -self.weight[v];
            if weight == 0 {
                continue;
            }
            self.weight[v] = weight;
            let degree = i64::from(self.degree[v]) + size - i64::from(weight);
            self.degree[v] = degree.min(i64::from(self.left) - i64::from(weight)).max(0) as u32;
            self.file(i);
            kept.push(i);
        }
        let p = element.pivot as usize;
        self.degree[p] = size as u32;
        self.weight[p] = -self.weight[p];
        self.elements[p] = 0;
        if kept.is_empty() {
            self.length[p] = 0;
            self.outside[p] = 0;
        } else {
            self.store(element.pivot, &kept);
        }
        // The weight of an element that was a variable must not be taken for a variable's.
        self.weight[p] = 0;
    }

    /// Pivots as they were eliminated, each with the variables for which it stands.
    fn order(self) -> Vec<u32> {
        let n = self.start.len();
        let mut time = vec![NONE; n];
        for (when, &pivot) in self.pivots.iter().enumerate() {
            time[pivot as usize] = when as u32;
        }
        let mut groups: Vec<Vec<u32>> = vec![Vec::new(); self.pivots.len()];
        for i in 0..n {
            let mut root = i;
            while time[root] == NONE && self.parent[root] != NONE {
                root = self.parent[root] as usize;
            }
            if time[root] != NONE {
                groups[time[root] as usize].push(i as u32);
            }
        }
        groups.into_iter().flatten().chain(self.dense).collect()
    }
}
