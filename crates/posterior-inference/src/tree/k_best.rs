//! The k best joint states of a forest, by lazy heaps.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use posterior_pgm::{Evidence, GraphicalModel};

use super::FactorTree;
use crate::enumeration::ln_score;
use crate::sliced::Sliced;
use crate::{Error, Explanation};

/// The `k` joint states of greatest probability, best first; fewer, if fewer are possible. Of equal ones, the order is the same every
/// time.
///
/// Viterbi's pass, then each further state only looks where it differs (Huang and Chiang 2005, algorithm 3): O(cells of all factors +
/// k × variables × log k).
///
/// # Errors
/// [`Error::Loop`] if the factors that the evidence leaves form a loop; evidence that does not fit the model, or
/// [`Error::ImpossibleEvidence`].
///
/// ```
/// use posterior_inference::k_best;
/// use posterior_pgm::{Evidence, MarkovRandomField, Table, Variables};
///
/// let variables = Variables::new([("yesterday", ["dry", "wet"]), ("today", ["dry", "wet"])])?;
/// let ids: Vec<_> = variables.ids().collect();
/// let weather = Table::new(ids, vec![2, 2], vec![0.5, 0.1, 0.1, 0.3])?;
/// let model = MarkovRandomField::new(variables, vec![weather])?;
/// let best = k_best(&model, &Evidence::none(), 2)?;
/// assert_eq!(best.iter().map(|e| e.states.clone()).collect::<Vec<_>>(), [[0, 0], [1, 1]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn k_best(model: &dyn GraphicalModel, evidence: &Evidence, k: usize) -> Result<Vec<Explanation>, Error> {
    let sliced = Sliced::new(model, evidence)?;
    let scopes = sliced.factors.iter().map(|factor| factor.scope().to_vec()).collect();
    let tree = FactorTree::of_scopes(model.variables().names(), scopes)?;
    let mut forest = Forest::new(&tree, &sliced);
    let top = forest.nodes.len() - 1;
    if forest.derive(top, 0).is_none() {
        return Err(Error::ImpossibleEvidence);
    }
    let mut best = Vec::new();
    while best.len() < k && forest.derive(top, best.len()).is_some() {
        let mut states: Vec<usize> = sliced.observed.iter().map(|seen| seen.unwrap_or(0)).collect();
        forest.read(top, best.len(), &mut states);
        let ln_value = ln_score(model, evidence, &states);
        best.push(Explanation::new(states, ln_value, best.is_empty()));
    }
    Ok(best)
}

/// A way to a node: a weight, and nodes below, of each of which one derivation is taken.
#[derive(Debug, Clone)]
struct Way {
    weight: f64,
    tails: Vec<usize>,
    /// The variable and its state that this way decides, if it does.
    decides: Option<(usize, usize)>,
}

/// A way, with the number of the derivation of each node below.
#[derive(Debug, Clone, PartialEq)]
struct Derivation {
    score: f64,
    way: usize,
    ranks: Vec<usize>,
}

impl Eq for Derivation {}

impl PartialOrd for Derivation {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Greater is better; of equal ones the lower way, then the lower ranks.
impl Ord for Derivation {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score.total_cmp(&other.score).then_with(|| {
            (Reverse(self.way), Reverse(&self.ranks)).cmp(&(Reverse(other.way), Reverse(&other.ranks)))
        })
    }
}

#[derive(Debug, Clone, Default)]
struct Node {
    ways: Vec<Way>,
    /// Found, best first.
    found: Vec<Derivation>,
    waiting: BinaryHeap<Derivation>,
    /// How many of those found have had their successors put among the waiting.
    expanded: usize,
}

/// Nodes, each after those below it: a variable in a state, and a factor with its parent in a state.
struct Forest {
    nodes: Vec<Node>,
}

impl Forest {
    fn new(tree: &FactorTree, sliced: &Sliced) -> Self {
        let mut forest = Self { nodes: Vec::new() };
        let mut variable_nodes = vec![0; sliced.locals.len()];
        let mut factor_nodes = vec![0; sliced.factors.len()];
        let mut roots = Vec::new();
        for &v in tree.order().iter().rev() {
            for &s in tree.child_factors(v) {
                factor_nodes[s] = forest.add_factor(sliced, s, v.index(), &variable_nodes);
            }
            variable_nodes[v.index()] = forest.nodes.len();
            for (state, &local) in sliced.locals[v.index()].iter().enumerate() {
                let tails = tree.child_factors(v).iter().map(|&s| factor_nodes[s] + state).collect();
                let way = Way { weight: local.ln(), tails, decides: Some((v.index(), state)) };
                forest.add_node(vec![way]);
            }
            let card = sliced.locals[v.index()].len();
            if card > 0 && tree.parent_factor(v).is_none() {
                let first = variable_nodes[v.index()];
                let way = |node| Way { weight: 0.0, tails: vec![node], decides: None };
                roots.push(forest.nodes.len());
                forest.add_node((first..first + card).map(way).collect());
            }
        }
        forest.add_node(vec![Way { weight: 0.0, tails: roots, decides: None }]);
        forest
    }

    /// A node for each state of the parent of a factor; the first is returned.
    fn add_factor(&mut self, sliced: &Sliced, s: usize, parent: usize, variable_nodes: &[usize]) -> usize {
        let table = &sliced.factors[s];
        let axis = table.scope().iter().position(|v| v.index() == parent);
        let axis = axis.expect("invariant: a factor reads its parent");
        let mut ways: Vec<Vec<Way>> = vec![Vec::new(); table.cards()[axis]];
        for (cell, &value) in table.values().iter().enumerate().filter(|(_, value)| **value > 0.0) {
            let (mut rest, mut own) = (cell, 0);
            let mut tails = Vec::with_capacity(table.scope().len() - 1);
            for (place, &card) in table.cards().iter().enumerate().rev() {
                if place == axis {
                    own = rest % card;
                } else {
                    tails.push(variable_nodes[table.scope()[place].index()] + rest % card);
                }
                rest /= card;
            }
            ways[own].push(Way { weight: value.ln(), tails, decides: None });
        }
        let first = self.nodes.len();
        for ways in ways {
            self.add_node(ways);
        }
        first
    }

    /// A node whose best derivation is found at once, since all nodes below have theirs.
    fn add_node(&mut self, ways: Vec<Way>) {
        let mut node = Node::default();
        for (way, own) in ways.iter().enumerate() {
            let ranks = vec![0; own.tails.len()];
            if let Some(score) = self.score(own, &ranks) {
                node.waiting.push(Derivation { score, way, ranks });
            }
        }
        node.found.extend(node.waiting.pop());
        node.ways = ways;
        self.nodes.push(node);
    }

    /// The score of a derivation, if those below are found and it is possible.
    fn score(&self, way: &Way, ranks: &[usize]) -> Option<f64> {
        let mut score = way.weight;
        for (&tail, &rank) in way.tails.iter().zip(ranks) {
            score += self.nodes[tail].found.get(rank)?.score;
        }
        (score > f64::NEG_INFINITY).then_some(score)
    }

    /// Finds derivation number `rank` of a node, if there are so many. Works through a list of wishes, since a chain may be longer than a
    /// stack is deep.
    fn derive(&mut self, node: usize, rank: usize) -> Option<()> {
        let mut wishes = vec![(node, rank)];
        while let Some(&(at, rank)) = wishes.last() {
            if self.nodes[at].found.len() > rank {
                wishes.pop();
                continue;
            }
            if self.nodes[at].expanded < self.nodes[at].found.len() {
                if self.expand(at, &mut wishes) {
                    self.nodes[at].expanded += 1;
                }
                continue;
            }
            if let Some(next) = self.nodes[at].waiting.pop() {
                self.nodes[at].found.push(next);
                continue;
            }
            wishes.pop();
            if wishes.is_empty() {
                return None;
            }
        }
        Some(())
    }

    /// Puts the successors of the last derivation of a node among the waiting. Each is reached from one derivation only: the one with one less
    /// at its last number that is not 0. Returns false, with wishes, if a node below has to find a derivation first.
    fn expand(&mut self, at: usize, wishes: &mut Vec<(usize, usize)>) -> bool {
        let from = self.nodes[at].found[self.nodes[at].expanded].clone();
        let way = &self.nodes[at].ways[from.way];
        let first = from.ranks.iter().rposition(|&rank| rank > 0).unwrap_or(0);
        let mut missing = false;
        for place in first..from.ranks.len() {
            let (below, rank) = (way.tails[place], from.ranks[place] + 1);
            let node = &self.nodes[below];
            let exhausted = node.expanded == node.found.len() && node.waiting.is_empty();
            if node.found.len() <= rank && !exhausted {
                wishes.push((below, rank));
                missing = true;
            }
        }
        if missing {
            return false;
        }
        let successors: Vec<Derivation> = (first..from.ranks.len())
            .filter_map(|place| {
                let mut ranks = from.ranks.clone();
                ranks[place] += 1;
                let score = self.score(way, &ranks)?;
                Some(Derivation { score, way: from.way, ranks })
            })
            .collect();
        self.nodes[at].waiting.extend(successors);
        true
    }

    /// The states that a derivation decides.
    fn read(&self, node: usize, rank: usize, states: &mut [usize]) {
        let mut open = vec![(node, rank)];
        while let Some((at, rank)) = open.pop() {
            let derivation = &self.nodes[at].found[rank];
            let way = &self.nodes[at].ways[derivation.way];
            if let Some((v, state)) = way.decides {
                states[v] = state;
            }
            open.extend(way.tails.iter().copied().zip(derivation.ranks.iter().copied()));
        }
    }
}
