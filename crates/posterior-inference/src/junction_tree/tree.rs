//! The rooted tree of cliques: where messages go, and where each factor and each variable lives.

use std::ops::Range;

use posterior_graph::{CliqueTree, SearchOptions, UnGraph, best_order};
use posterior_pgm::{GraphicalModel, VarId};

use super::structure::Structure;
use crate::{Cost, Error};

/// A clique and the way to its parent.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node {
    /// The variables, sorted.
    pub(super) scope: Vec<VarId>,
    pub(super) parent: Option<usize>,
    /// Its place among the children of its parent.
    pub(super) slot: usize,
    pub(super) children: Vec<usize>,
    /// What it shares with its parent, sorted.
    pub(super) separator: Vec<VarId>,
    /// The variables that no other clique has.
    pub(super) private: Vec<VarId>,
    /// The factors that are multiplied here.
    pub(super) factors: Vec<usize>,
    /// Whether the message to the parent is identically 1 as long as nothing is seen below: it sums out
    /// whole conditional tables.
    pub(super) unit: bool,
}

/// Where the marginal of a variable is read off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Home {
    /// It was observed when the tree was made, or has one state.
    Known(usize),
    /// No other clique has it.
    Clique(usize),
    /// The separator between this clique and its parent.
    Separator(usize),
}

/// Cliques, parents before children, level by level.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    /// Where each level begins, and the end.
    pub(super) levels: Vec<usize>,
    pub(super) homes: Vec<Home>,
    /// How many states each variable has that are not excluded.
    pub(super) cards: Vec<usize>,
    /// The factors all of whose variables are known.
    pub(super) constants: Vec<usize>,
    pub(super) cost: Cost,
}

/// The states of variables that have only one.
pub(super) fn single_states(model: &dyn GraphicalModel) -> Vec<Option<usize>> {
    model.variables().cards().iter().map(|&card| (card == 1).then_some(0)).collect()
}

impl Tree {
    /// The tree of a model of this structure; `effort` decides how long a good one is looked for.
    pub(super) fn new(
        model: &dyn GraphicalModel,
        structure: &Structure,
        effort: &SearchOptions,
    ) -> Result<Self, Error> {
        let Structure { known, scopes } = structure;
        let names = model.variables().names().clone();
        let all = model.variables().cards();
        let cards: Vec<usize> =
            all.iter().zip(known).map(|(&card, state)| if state.is_some() { 1 } else { card }).collect();
        let graph = UnGraph::from_scopes(names, scopes).map_err(posterior_pgm::Error::from)?;
        let order = best_order(&graph, &cards, effort).map_err(posterior_pgm::Error::from)?;
        let cliques = CliqueTree::new(&graph, &order.order).map_err(posterior_pgm::Error::from)?;
        let constants = (0..scopes.len()).filter(|&f| scopes[f].is_empty()).collect();
        // A model whose variables are all known has constants, and no clique.
        let placed: Vec<usize> = (0..scopes.len()).filter(|&f| !scopes[f].is_empty()).collect();
        let scopes_placed = placed.iter().map(|&f| &scopes[f]);
        let assigned = cliques.assign(scopes_placed, &cards).map_err(posterior_pgm::Error::from)?;
        let mut factors = vec![Vec::new(); cliques.clique_count()];
        for (f, c) in placed.into_iter().zip(assigned) {
            factors[c].push(f);
        }
        let rooting = Rooting { cliques: &cliques, cards: &cards, factors: &factors, known, model };
        let (order, parents, unit) = rooting.hang();
        Ok(assemble(&Parts { cliques: &cliques, known, order, parents, unit }, factors, cards, constants))
    }

    /// A state for each variable: those that are known, 0 for others.
    pub(super) fn known_states(&self) -> Vec<usize> {
        let state = |home: &Home| if let Home::Known(state) = home { *state } else { 0 };
        self.homes.iter().map(state).collect()
    }

    /// What a propagation would cost in the same cliques without the variables that are known.
    pub(super) fn operations_given(&self, known: &[Option<usize>]) -> u64 {
        let free = |(&card, state): (&usize, &Option<usize>)| if state.is_some() { 1 } else { card };
        let cards: Vec<usize> = self.cards.iter().zip(known).map(free).collect();
        operations(&self.nodes, &cards)
    }

    /// The cliques of one level.
    pub(super) fn level(&self, depth: usize) -> Range<usize> {
        self.levels[depth]..self.levels[depth + 1]
    }
}

/// How many cells a table over these variables has.
pub(super) fn cells(scope: &[VarId], cards: &[usize]) -> u64 {
    scope.iter().fold(1, |cells: u64, v| cells.saturating_mul(cards[v.index()] as u64))
}

/// The edge towards the root, and the clique at its other end.
type Way = Option<(usize, usize)>;

/// The choice of roots, so that as many messages as possible need not be computed.
struct Rooting<'a> {
    cliques: &'a CliqueTree,
    cards: &'a [usize],
    factors: &'a [Vec<usize>],
    known: &'a [Option<usize>],
    model: &'a dyn GraphicalModel,
}

/// Variables that are not in the separator towards the parent, conditional tables, and other factors of a
/// subtree.
#[derive(Clone, Copy, Default)]
struct Side {
    variables: usize,
    heads: usize,
    others: usize,
}

impl Side {
    /// Whether the sum over everything below is one: the variables and the conditional tables are the same.
    const fn is_unit(self) -> bool {
        self.others == 0 && self.heads == self.variables
    }
}

impl Rooting<'_> {
    /// The cliques level by level, the parent of each, and whether its message to it is one.
    fn hang(&self) -> (Vec<usize>, Vec<Option<usize>>, Vec<bool>) {
        let n = self.cliques.clique_count();
        let mut seen = vec![false; n];
        let mut roots = Vec::new();
        for start in 0..n {
            let is_known = self.cliques.clique(start).iter().all(|v| self.known[v.index()].is_some());
            if seen[start] || is_known {
                continue;
            }
            let (order, parents) = self.traverse(start, &mut seen);
            roots.push(self.best_root(&order, &parents).0);
        }
        let mut parents = vec![None; n];
        let mut unit = vec![false; n];
        let mut order = Vec::new();
        seen.fill(false);
        for root in roots {
            let (own, own_parents) = self.traverse(root, &mut seen);
            let sides = self.best_root(&own, &own_parents).1;
            for (&c, (&parent, side)) in own.iter().zip(own_parents.iter().zip(&sides)) {
                parents[c] = parent.map(|(_, p)| p);
                unit[c] = side.is_unit();
            }
            order.extend(own);
        }
        (order, parents, unit)
    }

    /// One component from a root: the order, and the edge and the clique towards the root.
    fn traverse(&self, root: usize, seen: &mut [bool]) -> (Vec<usize>, Vec<Way>) {
        let mut order = vec![root];
        let mut parents = vec![None];
        seen[root] = true;
        let mut next = 0;
        while next < order.len() {
            let c = order[next];
            next += 1;
            for (edge, neighbour) in self.cliques.edges_at(c) {
                if !seen[neighbour] {
                    seen[neighbour] = true;
                    order.push(neighbour);
                    parents.push(Some((edge, c)));
                }
            }
        }
        (order, parents)
    }

    /// The root whose messages cost least, and what is below each clique as it hangs now.
    fn best_root(&self, order: &[usize], parents: &[Way]) -> (usize, Vec<Side>) {
        let mut place = vec![0; self.cliques.clique_count()];
        for (i, &c) in order.iter().enumerate() {
            place[c] = i;
        }
        let shared = |i: usize| parents[i].map_or(0, |(edge, _)| self.cliques.separator(edge).len());
        let mut sides: Vec<Side> = order.iter().enumerate().map(|(i, &c)| self.own(c, shared(i))).collect();
        for i in (1..order.len()).rev() {
            let (_, parent) = parents[i].expect("invariant: only the first of a component has no parent");
            let (own, above) = (sides[i], &mut sides[place[parent]]);
            above.variables += own.variables;
            above.heads += own.heads;
            above.others += own.others;
        }
        let size = |i: usize| cells(self.cliques.clique(order[i]), self.cards) as f64;
        let mut saved = vec![0.0; order.len()];
        saved[0] = (1..order.len()).filter(|&i| sides[i].is_unit()).map(size).sum();
        let mut best = 0;
        for i in 1..order.len() {
            let (_, parent) = parents[i].expect("invariant: only the first of a component has no parent");
            let p = place[parent];
            let above = Side {
                variables: sides[0].variables - sides[i].variables - shared(i),
                heads: sides[0].heads - sides[i].heads,
                others: sides[0].others - sides[i].others,
            };
            let lost = if sides[i].is_unit() { size(i) } else { 0.0 };
            let won = if above.is_unit() { size(p) } else { 0.0 };
            saved[i] = saved[p] - lost + won;
            if saved[i] > saved[best] {
                best = i;
            }
        }
        (order[best], sides)
    }

    fn own(&self, c: usize, shared: usize) -> Side {
        let is_head = |f: &usize| {
            self.model.dag().is_some()
                && self.model.factors()[*f].scope().last().is_some_and(|v| self.known[v.index()].is_none())
        };
        let heads = self.factors[c].iter().filter(|f| is_head(f)).count();
        let variables = self.cliques.clique(c).len() - shared;
        Side { variables, heads, others: self.factors[c].len() - heads }
    }
}

struct Parts<'a> {
    cliques: &'a CliqueTree,
    known: &'a [Option<usize>],
    order: Vec<usize>,
    parents: Vec<Option<usize>>,
    unit: Vec<bool>,
}

fn assemble(
    parts: &Parts<'_>,
    mut factors: Vec<Vec<usize>>,
    cards: Vec<usize>,
    constants: Vec<usize>,
) -> Tree {
    let mut depth = vec![0_usize; parts.parents.len()];
    for &c in &parts.order {
        depth[c] = parts.parents[c].map_or(0, |p| depth[p] + 1);
    }
    let mut order = parts.order.clone();
    order.sort_by_key(|&c| depth[c]);
    let mut levels = vec![0];
    let mut place = vec![0; depth.len()];
    for (i, &c) in order.iter().enumerate() {
        place[c] = i;
        if depth[c] == levels.len() {
            levels.push(i);
        }
    }
    levels.push(order.len());
    let mut nodes: Vec<Node> = Vec::with_capacity(order.len());
    for &c in &order {
        let scope = parts.cliques.clique(c).to_vec();
        let parent = parts.parents[c].map(|p| place[p]);
        let separator = parent.map_or_else(Vec::new, |p| common(&scope, &nodes[p].scope));
        let here = nodes.len();
        let slot = parent.map_or(0, |p| {
            nodes[p].children.push(here);
            nodes[p].children.len() - 1
        });
        nodes.push(Node {
            scope,
            parent,
            slot,
            children: Vec::new(),
            separator,
            private: Vec::new(),
            factors: std::mem::take(&mut factors[c]),
            unit: parts.unit[c] && parent.is_some(),
        });
    }
    let homes = find_homes(&mut nodes, parts.known, &cards);
    let cost = cost(&nodes, &cards);
    Tree { nodes, levels, homes, cards, constants, cost }
}

fn common(a: &[VarId], b: &[VarId]) -> Vec<VarId> {
    a.iter().copied().filter(|v| b.binary_search(v).is_ok()).collect()
}

/// The smallest separator that has the variable, or its only clique.
fn find_homes(nodes: &mut [Node], known: &[Option<usize>], cards: &[usize]) -> Vec<Home> {
    let mut homes: Vec<Option<(Home, u64)>> =
        known.iter().map(|state| state.map(|state| (Home::Known(state), 0))).collect();
    for (c, node) in nodes.iter().enumerate() {
        let size = cells(&node.separator, cards);
        for v in &node.separator {
            let home = &mut homes[v.index()];
            if home.is_none_or(|(_, least)| size < least) {
                *home = Some((Home::Separator(c), size));
            }
        }
    }
    for (c, node) in nodes.iter_mut().enumerate() {
        for &v in &node.scope {
            if homes[v.index()].is_none() {
                homes[v.index()] = Some((Home::Clique(c), 0));
                node.private.push(v);
            }
        }
    }
    homes.into_iter().map(|home| home.map_or(Home::Known(0), |(home, _)| home)).collect()
}

/// Potentials, and messages in both directions.
fn cost(nodes: &[Node], cards: &[usize]) -> Cost {
    let (mut total, mut largest) = (0_u64, 0_u64);
    for node in nodes {
        let own = cells(&node.scope, cards);
        let messages = cells(&node.separator, cards).saturating_mul(2);
        total = total.saturating_add(own).saturating_add(messages);
        largest = largest.max(own);
    }
    Cost::new(total, largest, operations(nodes, cards))
}

/// A multiplication for each message into each cell of a clique, towards the root and back.
fn operations(nodes: &[Node], cards: &[usize]) -> u64 {
    let of = |node: &Node| cells(&node.scope, cards).saturating_mul(2 * (node.children.len() as u64 + 2));
    nodes.iter().fold(0, |sum, node| sum.saturating_add(of(node)))
}
