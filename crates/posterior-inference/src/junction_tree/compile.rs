//! From factors to potentials: a walk through the joint states of a clique that turns back where a factor is
//! zero.

mod shape;
mod walk;

use std::borrow::Cow;

use posterior_pgm::{GraphicalModel, Table, VarId};

use super::arithmetic::Arithmetic;
use super::potential::{Layout, Potential};
use super::threads::{each, is_worth_threads};
use super::tree::Tree;
use shape::Shape;
use walk::Walk;

/// A cell that is not there.
pub(super) const MISSING: u32 = u32::MAX;

/// The potentials of all cliques, and the way of messages to the parents.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Potentials {
    pub(super) cliques: Vec<Potential>,
    /// For each clique: where each cell of its message is in the parent's table, or nothing if it is in the
    /// same place.
    pub(super) routes: Vec<Option<Vec<u32>>>,
    /// What factors were divided by, and those without free variables.
    pub(super) ln_constant: f64,
}

/// The factors of a model with some variables in known states.
pub(super) struct Factors<'a> {
    slices: Vec<Slice<'a>>,
    /// The places of the variables in an order in which parents come first.
    ranks: Vec<usize>,
    ln_constant: f64,
}

/// A factor with its known variables taken out: its values begin at `start`.
pub(super) struct Slice<'a> {
    table: &'a Table,
    values: Cow<'a, [f64]>,
    start: usize,
    /// The proportion of values that are not zero.
    density: f64,
    /// ln of the smallest value that is not zero by the largest.
    ln_range: f64,
}

impl<'a> Slice<'a> {
    fn new<S: Arithmetic>(table: &'a Table, known: &[Option<usize>], ln_constant: &mut f64) -> Self {
        let mut start = 0;
        for (&v, &card) in table.scope().iter().zip(table.cards()) {
            start = start * card + known[v.index()].unwrap_or(0);
        }
        let (mut least, mut most, mut possible) = (f64::INFINITY, 0.0_f64, 0);
        for &value in table.values().iter().filter(|&&value| value > 0.0) {
            least = least.min(value);
            most = most.max(value);
            possible += 1;
        }
        // Conditional probabilities need no scaling; potentials may be of any size. Logarithms never need it.
        let is_plain = S::from_linear(0.0) == 0.0;
        let divisor = if !is_plain || (1e-30..=1e30).contains(&most) || possible == 0 { 1.0 } else { most };
        *ln_constant += divisor.ln();
        let values = if is_plain && divisor == 1.0 {
            Cow::Borrowed(table.values())
        } else {
            Cow::Owned(table.values().iter().map(|value| S::from_linear(value / divisor)).collect())
        };
        let density = f64::from(possible) / table.values().len() as f64;
        let ln_range = if possible == 0 { 0.0 } else { least.ln() - most.ln() };
        Self { table, values, start, density, ln_range }
    }

    /// How far apart neighbouring states of a variable are; 0 if it does not occur.
    fn stride(&self, v: VarId) -> usize {
        match self.table.axis(v) {
            None => 0,
            Some(axis) => self.table.cards()[axis + 1..].iter().product(),
        }
    }
}

impl<'a> Factors<'a> {
    /// The factors, as weights of this arithmetic.
    pub(super) fn new<S: Arithmetic>(model: &'a dyn GraphicalModel, known: &[Option<usize>]) -> Self {
        let mut ln_constant = 0.0;
        let slices = model.factors().iter().map(|f| Slice::new::<S>(f, known, &mut ln_constant)).collect();
        let mut ranks: Vec<usize> = (0..known.len()).collect();
        if let Some(dag) = model.dag() {
            for (rank, v) in dag.topological_order().iter().enumerate() {
                ranks[v.index()] = rank;
            }
        }
        Self { slices, ranks, ln_constant }
    }

    /// Whether the product of the factors of a clique, or a factor all of whose variables are known, could be
    /// too small for a number.
    pub(super) fn may_underflow(&self, tree: &Tree) -> bool {
        let is_too_wide =
            |factors: &[usize]| factors.iter().map(|&f| self.slices[f].ln_range).sum::<f64>() < -600.0;
        tree.nodes.iter().any(|node| is_too_wide(&node.factors))
            || tree.constants.iter().any(|&f| is_too_wide(&[f]))
    }
}

/// Multiplies the factors of each clique, leaves before roots. O(possible cells).
pub(super) fn compile<S: Arithmetic>(factors: &Factors<'_>, tree: &Tree) -> Potentials {
    let n = tree.nodes.len();
    let mut cliques: Vec<Option<Potential>> = vec![None; n];
    let mut routes = vec![None; n];
    if is_worth_threads(tree) {
        for depth in (0..tree.levels.len() - 1).rev() {
            let level: Vec<usize> = tree.level(depth).collect();
            let done = each(&level, |c| multiply::<S>(factors, tree, c, &cliques));
            for (c, done) in level.into_iter().zip(done) {
                store(tree, c, done, &mut cliques, &mut routes);
            }
        }
    } else {
        for c in (0..n).rev() {
            let done = multiply::<S>(factors, tree, c, &cliques);
            store(tree, c, done, &mut cliques, &mut routes);
        }
    }
    let constant = |&f: &usize| {
        let slice = &factors.slices[f];
        S::ln(slice.values[slice.start])
    };
    let ln_constant = factors.ln_constant + tree.constants.iter().map(constant).sum::<f64>();
    Potentials { cliques: cliques.into_iter().flatten().collect(), routes, ln_constant }
}

/// A potential, and the routes of the messages of the children.
type Multiplied = (Potential, Vec<Option<Vec<u32>>>);

/// The product of the factors of clique `c`, whose children are done.
fn multiply<S: Arithmetic>(
    factors: &Factors<'_>,
    tree: &Tree,
    c: usize,
    cliques: &[Option<Potential>],
) -> Multiplied {
    let node = &tree.nodes[c];
    let own: Vec<&Slice<'_>> = node.factors.iter().map(|&f| &factors.slices[f]).collect();
    let layout = |&child: &usize| {
        let child = cliques[child].as_ref().expect("invariant: children come after their parents");
        &child.links[0].layout
    };
    let below: Vec<&Layout> = node.children.iter().map(layout).collect();
    let density = own.iter().map(|slice| slice.density).product();
    let shape = Shape::new(tree, c, &factors.ranks, density);
    Walk::<S>::new(tree, &own, shape, &below).run()
}

fn store(
    tree: &Tree,
    c: usize,
    (potential, own_routes): Multiplied,
    cliques: &mut [Option<Potential>],
    routes: &mut [Option<Vec<u32>>],
) {
    for (&child, route) in tree.nodes[c].children.iter().zip(own_routes) {
        routes[child] = route;
    }
    cliques[c] = Some(potential);
}
