//! Maximal cliques: known counts, the tables, and all subsets of small graphs.

use posterior_graph::{Names, UnGraph, VarId};
use posterior_testkit::reference::{count, counts, list, load};
use proptest::prelude::*;

use crate::arbitrary;

/// The complete graph of `parts` parts of three.
pub(crate) fn moon_moser(parts: usize) -> UnGraph {
    let n = 3 * parts;
    let pairs = (0..n).flat_map(|b| (0..b).map(move |a| (a, b)));
    let edges = pairs.filter(|&(a, b)| a / 3 != b / 3).map(|(a, b)| (VarId::new(a), VarId::new(b)));
    UnGraph::new(Names::numbered(n), edges).unwrap()
}

fn sorted_cliques(graph: &UnGraph) -> Vec<Vec<VarId>> {
    let mut cliques: Vec<_> = graph.maximal_cliques().collect();
    cliques.sort();
    cliques
}

#[test]
fn golden_counts() {
    assert_eq!(moon_moser(3).maximal_cliques().count(), 27);
    assert_eq!(moon_moser(7).maximal_cliques().count(), 2187);
    assert!(moon_moser(3).maximal_cliques().all(|clique| clique.len() == 3));
    // So many that they could not be kept: 3^20.
    assert_eq!(moon_moser(20).maximal_cliques().take(1000).count(), 1000);
    let cycle =
        UnGraph::named(["A", "B", "C", "D"], [("A", "B"), ("B", "C"), ("C", "D"), ("D", "A")]).unwrap();
    let edges: Vec<Vec<VarId>> = cycle.edges().map(|(a, b)| vec![a, b]).collect();
    assert_eq!(sorted_cliques(&cycle), edges);
    assert_eq!(UnGraph::new(Names::numbered(0), []).unwrap().maximal_cliques().count(), 0);
    let lonely = UnGraph::new(Names::numbered(2), []).unwrap();
    assert_eq!(sorted_cliques(&lonely), [[VarId::new(0)], [VarId::new(1)]]);
}

/// A variable that comes first in degeneracy order, whose four neighbours are two separate pairs: of the
/// second of each pair, tried after the first, nothing may be found again.
#[test]
fn no_clique_comes_twice_or_inside_of_another() {
    let hub = (1..5).map(|i| (0, i));
    let pairs = [(1, 2), (3, 4)];
    let core = (5..10).flat_map(|i| (1..i).map(move |j| (j, i)));
    let edges = hub.chain(pairs).chain(core).map(|(a, b)| (VarId::new(a), VarId::new(b)));
    let graph = UnGraph::new(Names::numbered(10), edges).unwrap();
    let ids = |list: &[usize]| list.iter().map(|&i| VarId::new(i)).collect::<Vec<_>>();
    let expected =
        [ids(&[0, 1, 2]), ids(&[0, 3, 4]), ids(&[1, 2, 5, 6, 7, 8, 9]), ids(&[3, 4, 5, 6, 7, 8, 9])];
    assert_eq!(sorted_cliques(&graph), expected);
}

#[test]
fn a_star_of_many_rays_is_quick() {
    let n = 100_000;
    let rays = (1..n).map(|i| (VarId::new(0), VarId::new(i)));
    assert_eq!(UnGraph::new(Names::numbered(n), rays).unwrap().maximal_cliques().count(), n - 1);
}

#[test]
fn cliques_of_the_tables() {
    let check = |graph: &serde_json::Value, edges: &str, cliques: &str| {
        let ids = |value: &serde_json::Value| -> Vec<VarId> {
            counts(value).into_iter().map(|i| VarId::new(i as usize)).collect()
        };
        let pairs: Vec<_> = list(&graph[edges]).iter().map(|pair| (ids(pair)[0], ids(pair)[1])).collect();
        let built = UnGraph::new(Names::numbered(count(&graph["n"]) as usize), pairs).unwrap();
        assert_eq!(sorted_cliques(&built), list(&graph[cliques]).iter().map(ids).collect::<Vec<_>>());
    };
    for graph in list(&load("undirected_graphs")["graphs"]) {
        check(graph, "edges", "maximal_cliques");
    }
    for dag in list(&load("dseparation")["dags"]) {
        check(dag, "moral_edges", "moral_maximal_cliques");
    }
}

proptest! {
    #[test]
    fn cliques_are_the_maximal_complete_subsets(dag in arbitrary::dag(0..=12)) {
        let graph = dag.skeleton();
        let subset = |code: usize| graph.variables().filter(|v| code >> v.index() & 1 == 1).collect::<Vec<_>>();
        let joined = |&a: &VarId, set: &[VarId]| set.iter().all(|&b| a == b || graph.has_edge(a, b));
        let complete = |set: &[VarId]| set.iter().all(|a| joined(a, set));
        let extends = |v: VarId, set: &[VarId]| !set.contains(&v) && joined(&v, set);
        let mut expected: Vec<Vec<VarId>> = (1..1_usize << graph.len())
            .map(subset)
            .filter(|set| complete(set) && !graph.variables().any(|v| extends(v, set)))
            .collect();
        expected.sort();
        prop_assert_eq!(sorted_cliques(&graph), expected);
    }
}
