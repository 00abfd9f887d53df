//! The treewidth of small graphs, exactly.

use crate::{EliminationOrder, Error, UnGraph, VarId};

/// The largest graph whose treewidth is found: one byte is kept for each set of variables.
const LIMIT: usize = 20;

/// The treewidth of a graph, and an order that reaches it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExactTreewidth {
    /// The least width of all elimination orders; 0 if there is no edge.
    pub width: usize,
    /// An order of that width.
    pub order: EliminationOrder,
}

/// The treewidth of a graph of up to 20 variables, by dynamic programming over the sets of those eliminated
/// (Bodlaender, Fomin, Koster, Kratsch & Thilikos 2012): which sets can go first at width k depends on the
/// set only, not on its order.
///
/// O(2ⁿ n²) at worst; variables that can always go next, and large k, leave few sets in practice.
///
/// ```
/// use posterior_graph::{UnGraph, treewidth};
///
/// let circle = UnGraph::named(["a", "b", "c", "d"], [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")])?;
/// assert_eq!(treewidth(&circle)?.width, 2);
/// # Ok::<(), posterior_graph::Error>(())
/// ```
///
/// # Errors
/// More than 20 variables.
pub fn treewidth(graph: &UnGraph) -> Result<ExactTreewidth, Error> {
    if graph.len() > LIMIT {
        return Err(Error::TooManyVariables { task: "treewidth", len: graph.len(), limit: LIMIT });
    }
    let neighbours: Vec<u32> = graph
        .variables()
        .map(|v| graph.neighbours(v).iter().fold(0, |set, u| set | 1 << u.index()))
        .collect();
    let mut width = 0;
    loop {
        if let Some(order) = order_of_width(&neighbours, width) {
            let order = order.into_iter().map(VarId::new).collect();
            return Ok(ExactTreewidth { width, order: EliminationOrder::from_permutation(order) });
        }
        width += 1;
    }
}

/// Depth first through the sets that can be eliminated with cliques of at most `width` + 1 variables.
fn order_of_width(neighbours: &[u32], width: usize) -> Option<Vec<usize>> {
    const UNSEEN: u8 = u8::MAX;
    let n = neighbours.len();
    let all = (1_u32 << n) - 1;
    // The variable that was eliminated last on the way to each set.
    let mut last = vec![UNSEEN; 1 << n];
    let mut open = vec![0_u32];
    while let Some(gone) = open.pop() {
        let left = all & !gone;
        if left.count_ones() as usize <= width + 1 {
            return Some(way_to(gone, &last).chain(members(left)).collect());
        }
        let mut around = [0; LIMIT];
        for v in members(left) {
            around[v] = neighbours_after(neighbours, gone, v);
        }
        let fits = |&v: &usize| around[v].count_ones() as usize <= width;
        let candidates = match members(left).filter(fits).find(|&v| is_safe(&around, v)) {
            Some(v) => 1 << v,
            None => members(left).filter(fits).fold(0, |set, v| set | 1 << v),
        };
        for v in members(candidates) {
            let next = gone | 1 << v;
            if last[next as usize] == UNSEEN {
                last[next as usize] = v as u8;
                open.push(next);
            }
        }
    }
    None
}

/// Whether the neighbours of `v` are all joined to each other, one of them excepted: then it can be
/// eliminated next without harm at any width that its own clique does not exceed, because moving it onto the
/// odd neighbour gives a minor.
fn is_safe(around: &[u32; LIMIT], v: usize) -> bool {
    let set = around[v];
    let clique = |set: u32| members(set).all(|u| set & !(around[u] | 1 << u) == 0);
    clique(set) || members(set).any(|odd| clique(set & !(1 << odd)))
}

/// The neighbours of `v` once the variables `gone` were eliminated: those it reaches through them.
fn neighbours_after(neighbours: &[u32], gone: u32, v: usize) -> u32 {
    let mut reached = neighbours[v];
    let mut passed = 0;
    loop {
        let next = reached & gone & !passed;
        if next == 0 {
            return reached & !gone & !(1 << v);
        }
        let u = next.trailing_zeros();
        passed |= 1 << u;
        reached |= neighbours[u as usize];
    }
}

/// The order in which the search eliminated the variables of a set.
fn way_to(mut set: u32, last: &[u8]) -> impl Iterator<Item = usize> {
    let mut way = Vec::new();
    while set != 0 {
        let v = usize::from(last[set as usize]);
        way.push(v);
        set &= !(1 << v);
    }
    way.into_iter().rev()
}

/// The elements of a set of bits, rising.
fn members(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let least = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(least)
    })
}
