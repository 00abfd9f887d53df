//! How the cells of a clique are laid out: which variables are walked through, and which lie side by side.

use posterior_pgm::VarId;

use crate::junction_tree::potential::{Axis, Layout, Link};
use crate::junction_tree::tree::{Tree, cells};

/// Fewer possible cells than this proportion are kept one by one.
const SPARSE: f64 = 0.3;
/// So few cells are not worth a thought.
const FEW: u64 = 64;
/// Lanes beyond this number gain nothing more.
const ENOUGH_LANES: usize = 512;

/// The layout of a clique.
pub(super) struct Shape {
    /// The variables that are walked through, the slowest first.
    pub(super) outer: Vec<VarId>,
    /// The variables whose joint states are neighbours: each link has all of them or none.
    pub(super) leaf: Vec<VarId>,
    /// Whether a block holds all of them, or one cell.
    pub(super) is_sparse: bool,
    /// As if no cell were missing.
    pub(super) links: Vec<Link>,
}

impl Shape {
    /// Of clique `c`, of whose cells about this proportion is possible.
    pub(super) fn new(tree: &Tree, c: usize, ranks: &[usize], density: f64) -> Self {
        let node = &tree.nodes[c];
        let mut scopes: Vec<&[VarId]> = vec![&node.separator];
        scopes.extend(node.children.iter().map(|&child| tree.nodes[child].separator.as_slice()));
        if !node.private.is_empty() {
            scopes.push(&node.private);
        }
        let mut order = node.scope.clone();
        order.sort_by_key(|v| ranks[v.index()]);
        let is_sparse = density < SPARSE && cells(&node.scope, &tree.cards) > FEW;
        let leaf = if is_sparse {
            order.last().copied().into_iter().collect()
        } else {
            dense_leaf(&order, &scopes, &tree.cards)
        };
        let outer: Vec<VarId> = order.into_iter().filter(|v| !leaf.contains(v)).collect();
        let links = scopes.iter().map(|scope| link(scope, &outer, &leaf, &tree.cards)).collect();
        Self { outer, leaf, is_sparse, links }
    }
}

/// The most lanes, of variables that occur in the same links.
fn dense_leaf(order: &[VarId], scopes: &[&[VarId]], cards: &[usize]) -> Vec<VarId> {
    let membership = |v: VarId| -> Vec<bool> { scopes.iter().map(|s| s.binary_search(&v).is_ok()).collect() };
    let mut groups: Vec<(Vec<bool>, Vec<VarId>, usize)> = Vec::new();
    for &v in order.iter().rev() {
        let own = membership(v);
        let card = cards[v.index()];
        match groups.iter_mut().find(|group| group.0 == own) {
            Some(group) if group.2 < ENOUGH_LANES => {
                group.1.insert(0, v);
                group.2 *= card;
            }
            Some(_) => {}
            None => groups.push((own, vec![v], card)),
        }
    }
    groups.into_iter().max_by_key(|group| group.2).map_or_else(Vec::new, |group| group.1)
}

fn link(scope: &[VarId], outer: &[VarId], leaf: &[VarId], cards: &[usize]) -> Link {
    let inside = |v: &&VarId| scope.binary_search(v).is_ok();
    let mut len = 1;
    let mut axes: Vec<Axis> = Vec::with_capacity(scope.len());
    for &variable in leaf.iter().rev().filter(inside).chain(outer.iter().rev().filter(inside)) {
        let card = cards[variable.index()];
        axes.push(Axis { variable, card, stride: len });
        len *= card;
    }
    axes.reverse();
    let is_vector = leaf.first().is_some_and(|v| scope.binary_search(v).is_ok());
    Link { is_vector, layout: Layout { axes, kept: None, len } }
}
