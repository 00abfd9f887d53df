//! Chordal graphs and holes.

use posterior_graph::{
    Chordality, Dag, Names, UnGraph, VarId, chordality, is_perfect, max_cardinality_order, triangulate,
};
use posterior_testkit::reference::{count, counts, list, load};
use proptest::prelude::*;
use serde_json::Value;

use crate::triangulation::{any_graph, graph};

/// A circle without a chord, of at least four variables.
fn is_hole(graph: &UnGraph, circle: &[VarId]) -> bool {
    let k = circle.len();
    k >= 4
        && (0..k).all(|i| {
            (0..i).all(|j| {
                circle[i] != circle[j]
                    && graph.has_edge(circle[i], circle[j]) == (i - j == 1 || i - j == k - 1)
            })
        })
}

/// Takes away variables whose neighbours are all joined, while there are any (Dirac 1961): all go if it is
/// chordal.
fn is_chordal_by_definition(graph: &UnGraph) -> bool {
    let mut left: Vec<VarId> = graph.variables().collect();
    while !left.is_empty() {
        let simplicial = left.iter().position(|&v| {
            let around: Vec<VarId> =
                left.iter().copied().filter(|&u| u != v && graph.has_edge(u, v)).collect();
            around.iter().all(|&a| around.iter().all(|&b| a == b || graph.has_edge(a, b)))
        });
        match simplicial {
            Some(place) => left.remove(place),
            None => return false,
        };
    }
    true
}

fn check(graph: &UnGraph) -> bool {
    match chordality(graph) {
        Chordality::Chordal(order) => {
            assert!(is_perfect(graph, &order).unwrap());
            assert!(triangulate(graph, &order).unwrap().fill_edges().is_empty());
            true
        }
        Chordality::Hole(hole) => {
            assert!(is_hole(graph, &hole), "{hole:?} in {graph:?}");
            false
        }
    }
}

#[test]
fn circles_are_holes_and_trees_are_chordal() {
    for n in 4..12 {
        let circle: Vec<(usize, usize)> = (0..n).map(|i| (i, (i + 1) % n)).collect();
        let Chordality::Hole(hole) = chordality(&graph(n, &circle)) else { panic!("a circle of {n}") };
        assert_eq!(hole.len(), n);
        assert!(check(&graph(n, &circle[1..])));
    }
    assert!(check(&graph(0, &[])));
    assert!(check(&graph(3, &[(0, 1), (1, 2), (2, 0)])));
}

/// The square hides behind triangles: an arbitrary pair of neighbours would not lead to it.
#[test]
fn a_hole_is_found_among_triangles() {
    let house = graph(6, &[(0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (1, 4), (4, 5), (1, 5)]);
    let Chordality::Hole(mut hole) = chordality(&house) else { panic!("there is a square") };
    assert!(is_hole(&house, &hole));
    hole.sort_unstable();
    assert_eq!(hole, [0, 1, 2, 3].map(VarId::new));
}

fn pairs(value: &Value) -> Vec<(VarId, VarId)> {
    let ends = |pair: &Value| counts(pair).into_iter().map(|i| VarId::new(i as usize)).collect::<Vec<_>>();
    list(value).iter().map(ends).map(|ends| (ends[0], ends[1])).collect()
}

#[test]
fn tables_agree() {
    let (undirected, directed) = (load("undirected_graphs"), load("dseparation"));
    let names = |graph: &Value| Names::numbered(count(&graph["n"]) as usize);
    let mut seen = [0, 0];
    for expected in list(&undirected["graphs"]) {
        let graph = UnGraph::new(names(expected), pairs(&expected["edges"])).unwrap();
        assert_eq!(Some(check(&graph)), expected["is_chordal"].as_bool());
        seen[usize::from(check(&graph))] += 1;
    }
    for expected in list(&directed["dags"]) {
        let moral = Dag::new(names(expected), pairs(&expected["edges"])).unwrap().moral_graph();
        assert_eq!(Some(check(&moral)), expected["moral_is_chordal"].as_bool());
        seen[usize::from(check(&moral))] += 1;
    }
    assert!(seen[0] > 1 && seen[1] > 1 && seen[0] + seen[1] == 16, "{seen:?}");
}

proptest! {
    #[test]
    fn any_graph_is_chordal_or_has_a_hole((graph, _, order) in any_graph()) {
        prop_assert_eq!(check(&graph), is_chordal_by_definition(&graph));
        prop_assert_eq!(
            is_perfect(&graph, &order).unwrap(),
            triangulate(&graph, &order).unwrap().fill_edges().is_empty()
        );
    }

    #[test]
    fn triangulations_are_chordal((graph, _, order) in any_graph()) {
        let chordal = triangulate(&graph, &order).unwrap();
        let edges = graph.edges().chain(chordal.fill_edges().iter().copied());
        let filled = UnGraph::new(graph.names().clone(), edges).unwrap();
        prop_assert!(check(&filled));
        prop_assert!(is_perfect(&filled, &order).unwrap());
        let again = triangulate(&filled, &max_cardinality_order(&filled)).unwrap();
        prop_assert!(again.fill_edges().is_empty());
        prop_assert_eq!(again.width(), chordal.width());
    }
}
