//! Triangulation: the edges that an elimination order adds, and the cliques of what comes out.

use crate::adjacency::Adjacency;
use crate::var_lists::VarLists;
use crate::{EliminationOrder, Error, Names, UnGraph, VarId};

/// What eliminating the variables of a graph in an order leads to: a chordal graph, known by its fill and its
/// cliques.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Triangulation {
    names: Names,
    fill: Vec<(VarId, VarId)>,
    cliques: VarLists,
    /// For each clique the one above it in a junction tree, and what they share.
    parents: Vec<Option<usize>>,
    separators: VarLists,
}

/// Eliminates the variables of `graph` in this order: fill edges, maximal cliques, and a junction tree of
/// them.
///
/// By the elimination tree (Rose, Tarjan & Lueker 1976; Blair & Peyton 1993): O(n + f log w), with f the
/// number of edges with fill and w the width.
///
/// ```
/// use posterior_graph::{EliminationOrder, UnGraph, triangulate};
///
/// let square = UnGraph::named(["a", "b", "c", "d"], [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")])?;
/// let order = EliminationOrder::new(square.names(), square.variables().collect())?;
/// let chordal = triangulate(&square, &order)?;
/// let fill: Vec<_> = chordal.fill_edges().iter().map(|&(u, v)| (square.names().get(u), square.names().get(v))).collect();
/// assert_eq!(fill, [("b", "d")]);
/// assert_eq!((chordal.clique_count(), chordal.width()), (2, 2));
/// # Ok::<(), posterior_graph::Error>(())
/// ```
///
/// # Errors
/// An order of another number of variables.
pub fn triangulate(graph: &UnGraph, order: &EliminationOrder) -> Result<Triangulation, Error> {
    order.check_len(graph)?;
    Ok(triangulate_checked(graph, order))
}

/// [`triangulate`] for an order that fits.
pub(crate) fn triangulate_checked(graph: &UnGraph, order: &EliminationOrder) -> Triangulation {
    let later = LaterNeighbours::new(graph.adjacency(), order);
    let fill = later.fill(graph.adjacency(), order);
    later.triangulation(graph.names().clone(), fill, order)
}

/// The edges that eliminating in this order adds, sorted.
pub(crate) fn fill_edges(graph: &Adjacency, order: &EliminationOrder) -> Vec<(VarId, VarId)> {
    LaterNeighbours::new(graph, order).fill(graph, order)
}

/// The cells of all maximal cliques together, saturating.
pub(crate) fn total_cells(graph: &Adjacency, order: &EliminationOrder, states: &[usize]) -> u128 {
    let later = LaterNeighbours::new(graph, order);
    let cells_at = |p: usize| states[order.as_slice()[p].index()] as u128;
    let mut inherits = vec![false; graph.len()];
    let mut total = 0_u128;
    for p in 0..graph.len() {
        if !inherits[p] {
            let factors = later.of(p).iter().map(|&q| cells_at(q as usize));
            total = total.saturating_add(factors.fold(cells_at(p), u128::saturating_mul));
        }
        if let Some(heir) = later.heir(p) {
            inherits[heir] = true;
        }
    }
    total
}

impl Triangulation {
    /// The names of the variables.
    pub const fn names(&self) -> &Names {
        &self.names
    }

    /// The edges that were added: `(a, b)` with a < b, sorted. None if the order is a perfect elimination
    /// order.
    pub fn fill_edges(&self) -> &[(VarId, VarId)] {
        &self.fill
    }

    /// The number of maximal cliques.
    pub fn clique_count(&self) -> usize {
        self.cliques.len()
    }

    /// The maximal cliques, none inside another, the variables of each sorted; first comes the clique of the
    /// variable that is eliminated first.
    pub fn cliques(&self) -> impl ExactSizeIterator<Item = &[VarId]> {
        self.cliques.iter()
    }

    /// The size of the largest clique, less one; 0 for the empty graph. The least width of all orders is the
    /// treewidth.
    pub fn width(&self) -> usize {
        self.cliques().map(<[VarId]>::len).max().unwrap_or(1) - 1
    }

    /// For each clique the index of its parent in a junction tree, or `None` for the root of a component.
    pub(crate) fn parents(&self) -> &[Option<usize>] {
        &self.parents
    }

    /// What each clique shares with its parent: empty for roots.
    pub(crate) const fn separators(&self) -> &VarLists {
        &self.separators
    }

    pub(crate) const fn clique_lists(&self) -> &VarLists {
        &self.cliques
    }
}

/// For each variable its neighbours in the filled graph that are eliminated later. Variables are positions
/// here.
struct LaterNeighbours {
    starts: Vec<usize>,
    items: Vec<u32>,
}

impl LaterNeighbours {
    /// A variable inherits the later neighbours of each variable whose first later neighbour it is.
    fn new(graph: &Adjacency, order: &EliminationOrder) -> Self {
        let n = graph.len();
        let (mut starts, mut items) = (vec![0], Vec::with_capacity(graph.pairs()));
        let (mut first_child, mut next_sibling) = (vec![usize::MAX; n], vec![usize::MAX; n]);
        let mut seen_by = vec![usize::MAX; n];
        for (p, &v) in order.as_slice().iter().enumerate() {
            let start = items.len();
            seen_by[p] = p;
            for &u in graph.of(v) {
                let q = order.position(u);
                if q > p {
                    seen_by[q] = p;
                    items.push(q as u32);
                }
            }
            let mut child = first_child[p];
            while child != usize::MAX {
                for i in starts[child]..starts[child + 1] {
                    let q: u32 = items[i];
                    if seen_by[q as usize] != p {
                        seen_by[q as usize] = p;
                        items.push(q);
                    }
                }
                child = next_sibling[child];
            }
            items[start..].sort_unstable();
            if let Some(&parent) = items.get(start) {
                next_sibling[p] = first_child[parent as usize];
                first_child[parent as usize] = p;
            }
            starts.push(items.len());
        }
        Self { starts, items }
    }

    fn of(&self, p: usize) -> &[u32] {
        &self.items[self.starts[p]..self.starts[p + 1]]
    }

    /// A variable and its later neighbours are a clique, and each maximal clique is one of these. That of q
    /// is inside an earlier one if and only if q is the first later neighbour of some p that has exactly one
    /// later neighbour more.
    fn heir(&self, p: usize) -> Option<usize> {
        let heir = *self.of(p).first()? as usize;
        (self.of(heir).len() + 1 == self.of(p).len()).then_some(heir)
    }

    fn triangulation(
        &self,
        names: Names,
        fill: Vec<(VarId, VarId)>,
        order: &EliminationOrder,
    ) -> Triangulation {
        let n = names.len();
        let name = |p: u32| order.as_slice()[p as usize];
        let mut inherited = vec![usize::MAX; n];
        let mut clique_of = vec![0; n];
        let mut cliques = VarLists::new();
        // The last variable of each clique that is in none of its ancestors.
        let mut tops: Vec<usize> = Vec::new();
        for p in 0..n {
            let later = self.of(p);
            clique_of[p] = if inherited[p] == usize::MAX {
                cliques.push(std::iter::once(name(p as u32)).chain(later.iter().map(|&q| name(q))));
                cliques.last_mut().sort_unstable();
                tops.push(p);
                tops.len() - 1
            } else {
                tops[inherited[p]] = p;
                inherited[p]
            };
            if let Some(heir) = self.heir(p)
                && inherited[heir] == usize::MAX
            {
                inherited[heir] = clique_of[p];
            }
        }
        let mut separators = VarLists::new();
        for &top in &tops {
            separators.push(self.of(top).iter().map(|&q| name(q)));
            separators.last_mut().sort_unstable();
        }
        let parents =
            tops.iter().map(|&top| self.of(top).first().map(|&parent| clique_of[parent as usize])).collect();
        Triangulation { names, fill, cliques, parents, separators }
    }

    fn fill(&self, graph: &Adjacency, order: &EliminationOrder) -> Vec<(VarId, VarId)> {
        let mut fill = Vec::with_capacity(self.items.len() - graph.pairs() / 2);
        let mut joined_to = vec![usize::MAX; graph.len()];
        for (p, &v) in order.as_slice().iter().enumerate() {
            for &u in graph.of(v) {
                joined_to[order.position(u)] = p;
            }
            let added = self.of(p).iter().filter(|&&q| joined_to[q as usize] != p);
            fill.extend(added.map(|&q| order.as_slice()[q as usize]).map(|u| (v.min(u), v.max(u))));
        }
        fill.sort_unstable();
        fill
    }
}
