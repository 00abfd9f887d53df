//! Slow twins of the criteria of independence, written from their definitions.

use posterior_graph::{Dag, UnGraph, VarId};

/// All paths between two variables along the skeleton, each variable at most once.
pub(crate) fn paths(graph: &UnGraph, from: VarId, to: VarId) -> Vec<Vec<VarId>> {
    let mut found = Vec::new();
    extend(graph, to, &mut vec![from], &mut found);
    found
}

fn extend(graph: &UnGraph, to: VarId, path: &mut Vec<VarId>, found: &mut Vec<Vec<VarId>>) {
    let last = path[path.len() - 1];
    if last == to {
        found.push(path.clone());
        return;
    }
    for &next in graph.neighbours(last) {
        if !path.contains(&next) {
            path.push(next);
            extend(graph, to, path, found);
            path.pop();
        }
    }
}

/// Pearl's definition for one path.
pub(crate) fn is_active(dag: &Dag, path: &[VarId], given: &[VarId]) -> bool {
    (1..path.len() - 1).all(|i| {
        let (before, v, after) = (path[i - 1], path[i], path[i + 1]);
        if dag.has_arrow(before, v) && dag.has_arrow(after, v) {
            given.contains(&v) || dag.descendants(&[v]).unwrap().iter().any(|w| given.contains(w))
        } else {
            !given.contains(&v)
        }
    })
}

/// The number of arrows of the shortest active path, by looking at all paths.
pub(crate) fn shortest_active_path(dag: &Dag, [x, y, given]: [&[VarId]; 3]) -> Option<usize> {
    let skeleton = dag.skeleton();
    let ends = x.iter().flat_map(|&a| y.iter().map(move |&b| (a, b)));
    let all = ends.flat_map(|(a, b)| paths(&skeleton, a, b));
    all.filter(|path| is_active(dag, path, given)).map(|path| path.len() - 1).min()
}

/// Separation in the moral graph of the ancestral set (Lauritzen, Dawid, Larsen & Leimer 1990).
pub(crate) fn separated_in_moral_ancestral_graph(dag: &Dag, [x, y, given]: [&[VarId]; 3]) -> bool {
    let kept = dag.ancestral_set(&[x, y, given].concat()).unwrap();
    let moral = dag.induced(&kept).unwrap().moral_graph();
    let new = |set: &[VarId]| -> Vec<VarId> {
        set.iter().map(|v| VarId::new(kept.iter().position(|k| k == v).unwrap())).collect()
    };
    moral.separation(&new(x), &new(y), &new(given)).unwrap().is_separated()
}
