//! Mixtures of spanning trees.

use posterior_math::log_space::ln_sum_exp;

use super::messages::Reparametrized;
use super::pairwise::Pairwise;

/// How many trees a cover has at least.
const FEWEST: usize = 16;

/// A spanning forest: its edges, each from a variable to the one that is nearer to the root, the farthest
/// first, and the roots.
#[derive(Debug, Clone)]
struct Tree {
    weight: f64,
    /// Variable, edge and place of the variable in the edge.
    steps: Vec<(usize, usize, usize)>,
    roots: Vec<usize>,
}

/// Spanning forests with weights that add up to one.
#[derive(Debug, Clone)]
pub(super) struct Trees {
    trees: Vec<Tree>,
    edges: usize,
}

impl Trees {
    /// Trees in which every edge appears, about equally often.
    pub(super) fn cover(model: &Pairwise) -> Self {
        let mut counts = vec![0_usize; model.edges.len()];
        let mut trees: Vec<Tree> = Vec::new();
        while trees.is_empty() || counts.contains(&0) || trees.len() < FEWEST {
            let mut order: Vec<usize> = (0..model.edges.len()).collect();
            order.sort_by_key(|&e| counts[e]);
            let tree = spanning(model, &order);
            for &(_, e, _) in &tree.steps {
                counts[e] += 1;
            }
            let all = tree.steps.len() == model.edges.len();
            trees.push(tree);
            if all {
                break;
            }
        }
        let weight = 1.0 / trees.len() as f64;
        for tree in &mut trees {
            tree.weight = weight;
        }
        Self { trees, edges: model.edges.len() }
    }

    /// Whether one tree has all edges.
    pub(super) fn is_forest(&self) -> bool {
        self.trees[0].steps.len() == self.edges
    }

    /// The weight of the trees that have each edge.
    pub(super) fn appearances(&self) -> Vec<f64> {
        let mut appearances = vec![0.0; self.edges];
        for tree in &self.trees {
            for &(_, e, _) in &tree.steps {
                appearances[e] += tree.weight;
            }
        }
        appearances
    }

    /// Gives this proportion of the weight to the spanning tree with the greatest sum of `values` (Kruskal).
    pub(super) fn add_greatest(&mut self, model: &Pairwise, values: &[f64], proportion: f64) {
        let mut order: Vec<usize> = (0..model.edges.len()).collect();
        order.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
        for tree in &mut self.trees {
            tree.weight *= 1.0 - proportion;
        }
        let mut tree = spanning(model, &order);
        tree.weight = proportion;
        self.trees.push(tree);
    }

    /// ∑ weight · ln Z of every tree.
    pub(super) fn bound(&self, model: &Pairwise, parts: &Reparametrized) -> f64 {
        self.trees.iter().map(|tree| tree.weight * ln_z(tree, model, parts)).sum()
    }
}

/// ln Z of the part of the model on a tree, from the leaves to the roots.
fn ln_z(tree: &Tree, model: &Pairwise, parts: &Reparametrized) -> f64 {
    let mut heard = parts.locals.clone();
    let mut terms = Vec::new();
    for &(v, e, place) in &tree.steps {
        let own = std::mem::take(&mut heard[v]);
        let parent = &mut heard[model.edges[e].ends[1 - place]];
        let card = parent.len();
        for (state, sum) in parent.iter_mut().enumerate() {
            terms.clear();
            terms.extend(own.iter().enumerate().map(|(i, &h)| {
                h + parts.edges[e][if place == 0 { i * card + state } else { state * own.len() + i }]
            }));
            *sum += ln_sum_exp(&terms);
        }
    }
    tree.roots.iter().map(|&root| ln_sum_exp(&heard[root])).sum()
}

/// The spanning forest that takes edges in this order unless they close a loop.
fn spanning(model: &Pairwise, order: &[usize]) -> Tree {
    let n = model.locals.len();
    let mut leader: Vec<usize> = (0..n).collect();
    let mut chosen: Vec<Vec<(usize, usize)>> = vec![Vec::new(); n];
    for &e in order {
        let [a, b] = model.edges[e].ends;
        let (x, y) = (find(&mut leader, a), find(&mut leader, b));
        if x != y {
            leader[x.max(y)] = x.min(y);
            chosen[a].push((e, 0));
            chosen[b].push((e, 1));
        }
    }
    let mut tree = Tree { weight: 0.0, steps: Vec::new(), roots: Vec::new() };
    let mut seen = vec![false; n];
    for root in (0..n).filter(|&v| !model.locals[v].is_empty()) {
        if seen[root] {
            continue;
        }
        seen[root] = true;
        tree.roots.push(root);
        let mut open = vec![root];
        while let Some(v) = open.pop() {
            for &(e, place) in &chosen[v] {
                let u = model.edges[e].ends[1 - place];
                if !seen[u] {
                    seen[u] = true;
                    tree.steps.push((u, e, 1 - place));
                    open.push(u);
                }
            }
        }
    }
    tree.steps.reverse();
    tree
}

/// The least known variable of the component, with shorter ways to it.
fn find(leader: &mut [usize], mut v: usize) -> usize {
    while leader[v] != v {
        leader[v] = leader[leader[v]];
        v = leader[v];
    }
    v
}
