//! Which node is in which layer, and the chains of the arrows that pass layers.

/// Nodes, and behind them the passages of long arrows, in layers.
#[derive(Debug)]
pub(super) struct Layers {
    /// The layer of each node and passage.
    pub(super) layer: Vec<usize>,
    /// Nodes and passages of each layer, from left to right.
    pub(super) rows: Vec<Vec<usize>>,
    /// For each arrow its start, its passages, and its end.
    pub(super) chains: Vec<Vec<usize>>,
    pub(super) above: Vec<Vec<usize>>,
    pub(super) below: Vec<Vec<usize>>,
}

impl Layers {
    /// Puts each of n nodes below all that point at it.
    pub(super) fn new(n: usize, arrows: &[(usize, usize)]) -> Self {
        let layer = layers(n, arrows);
        let mut layers = Self {
            layer,
            rows: Vec::new(),
            chains: Vec::with_capacity(arrows.len()),
            above: vec![Vec::new(); n],
            below: vec![Vec::new(); n],
        };
        for &(from, to) in arrows {
            layers.add_chain(from, to);
        }
        let depth = layers.layer.iter().map(|&layer| layer + 1).max().unwrap_or(0);
        layers.rows = vec![Vec::new(); depth];
        for i in layers.depth_first() {
            layers.rows[layers.layer[i]].push(i);
        }
        layers
    }

    /// How many nodes and passages there are.
    pub(super) const fn len(&self) -> usize {
        self.layer.len()
    }

    fn add_chain(&mut self, from: usize, to: usize) {
        let mut chain = vec![from];
        for layer in self.layer[from] + 1..self.layer[to] {
            chain.push(self.layer.len());
            self.layer.push(layer);
            self.above.push(Vec::new());
            self.below.push(Vec::new());
        }
        chain.push(to);
        for pair in chain.windows(2) {
            self.below[pair[0]].push(pair[1]);
            self.above[pair[1]].push(pair[0]);
        }
        self.chains.push(chain);
    }

    /// Neighbours one after the other: a start with few crossings.
    fn depth_first(&self) -> Vec<usize> {
        let mut met = vec![false; self.len()];
        let mut order = Vec::with_capacity(self.len());
        for root in 0..self.len() {
            let mut waiting = vec![root];
            while let Some(i) = waiting.pop() {
                if !std::mem::replace(&mut met[i], true) {
                    order.push(i);
                    waiting.extend(self.above[i].iter().rev().chain(self.below[i].iter().rev()));
                }
            }
        }
        order
    }
}

/// The layer of each node: below its parents, no layer being much wider than the picture is high.
fn layers(n: usize, arrows: &[(usize, usize)]) -> Vec<usize> {
    let most = ((n as f64).sqrt() * 1.25).ceil().max(5.0) as usize;
    let (mut parents, mut children) = (vec![Vec::new(); n], vec![Vec::new(); n]);
    for &(from, to) in arrows {
        parents[to].push(from);
        children[from].push(to);
    }
    let order = topological(&parents, &children);
    let mut height = vec![0; n];
    for &i in order.iter().rev() {
        height[i] = children[i].iter().map(|&child| height[child] + 1).max().unwrap_or(0);
    }
    let mut layer = vec![0; n];
    let mut counts: Vec<usize> = Vec::new();
    let mut left = order.clone();
    // Those with the longest way below them go first, after all their parents.
    let mut placed = vec![false; n];
    while !left.is_empty() {
        let ready = left.iter().enumerate().filter(|&(_, &i)| parents[i].iter().all(|&p: &usize| placed[p]));
        let Some((at, _)) = ready.max_by_key(|&(at, &i)| (height[i], std::cmp::Reverse(at))) else { break };
        let i = left.remove(at);
        let mut own = parents[i].iter().map(|&p| layer[p] + 1).max().unwrap_or(0);
        while counts.get(own).is_some_and(|&count| count >= most) {
            own += 1;
        }
        counts.resize(counts.len().max(own + 1), 0);
        counts[own] += 1;
        layer[i] = own;
        placed[i] = true;
    }
    lower(&mut layer, &mut counts, most, &order, &parents, &children);
    layer
}

/// Moves nodes down to their children, where that shortens more arrows than it lengthens.
fn lower(
    layer: &mut [usize],
    counts: &mut [usize],
    most: usize,
    order: &[usize],
    parents: &[Vec<usize>],
    children: &[Vec<usize>],
) {
    for &i in order.iter().rev() {
        let Some(lowest) = children[i].iter().map(|&child| layer[child] - 1).min() else { continue };
        if children[i].len() <= parents[i].len() {
            continue;
        }
        if let Some(own) = (layer[i] + 1..=lowest).rev().find(|&own| counts[own] < most) {
            counts[layer[i]] -= 1;
            counts[own] += 1;
            layer[i] = own;
        }
    }
}

/// Every node after its parents, the lower number first.
fn topological(parents: &[Vec<usize>], children: &[Vec<usize>]) -> Vec<usize> {
    let mut missing: Vec<usize> = parents.iter().map(Vec::len).collect();
    let mut ready: std::collections::BTreeSet<usize> =
        (0..missing.len()).filter(|&i| missing[i] == 0).collect();
    let mut order = Vec::with_capacity(missing.len());
    while let Some(i) = ready.pop_first() {
        order.push(i);
        for &child in &children[i] {
            missing[child] -= 1;
            if missing[child] == 0 {
                ready.insert(child);
            }
        }
    }
    order
}
