//! The parts of a graph between cliques that separate it.

use crate::VarId;
use crate::cells::cells;
use crate::triangulation::Triangulation;

/// A part that some fill is in.
pub(super) struct Part {
    /// Its variables, sorted.
    pub(super) variables: Vec<VarId>,
    /// The cells of its cliques together, saturating.
    pub(super) cells: u128,
    /// The fill in it, without what is in a part that came before.
    pub(super) fill: Vec<(VarId, VarId)>,
}

/// Cuts the junction tree where a separator needs no fill: it is a clique of the graph then, so that
/// triangulating each part on its own triangulates the whole. Only parts with fill are returned.
pub(super) fn parts(chordal: &Triangulation, states: &[usize]) -> Vec<Part> {
    let is_filled = |set: &[VarId]| {
        set.iter().enumerate().any(|(place, &b)| {
            set[..place].iter().any(|&a| chordal.fill_edges().binary_search(&(a, b)).is_ok())
        })
    };
    let cliques: Vec<&[VarId]> = chordal.cliques().collect();
    // Parents are not ordered before or after their children: each clique climbs until the next cut.
    let joined: Vec<Option<usize>> = (0..cliques.len())
        .map(|c| chordal.parents()[c].filter(|_| is_filled(chordal.separators().row(c))))
        .collect();
    let mut top: Vec<Option<usize>> = vec![None; cliques.len()];
    for c in 0..cliques.len() {
        let mut end = c;
        while top[end].is_none()
            && let Some(parent) = joined[end]
        {
            end = parent;
        }
        let found = top[end].unwrap_or(end);
        let mut walk = c;
        while top[walk].is_none() {
            top[walk] = Some(found);
            walk = joined[walk].unwrap_or(walk);
        }
    }
    let mut groups: Vec<Vec<usize>> = vec![Vec::new(); cliques.len()];
    for (c, top) in top.into_iter().enumerate() {
        groups[top.unwrap_or(c)].push(c);
    }
    groups.retain(|group| group.len() > 1 || group.iter().any(|&c| is_filled(cliques[c])));
    groups.iter().map(|group| part(group.iter().map(|&c| cliques[c]), chordal, states)).collect()
}

fn part<'a>(cliques: impl Iterator<Item = &'a [VarId]>, chordal: &Triangulation, states: &[usize]) -> Part {
    let mut variables = Vec::new();
    let mut sum = 0_u128;
    let mut fill = Vec::new();
    for clique in cliques {
        sum = sum.saturating_add(cells(clique, states));
        variables.extend_from_slice(clique);
        for (place, &b) in clique.iter().enumerate() {
            let edges = clique[..place].iter().map(|&a| (a, b));
            fill.extend(edges.filter(|edge| chordal.fill_edges().binary_search(edge).is_ok()));
        }
    }
    variables.sort_unstable();
    variables.dedup();
    Part { variables, cells: sum, fill }
}
