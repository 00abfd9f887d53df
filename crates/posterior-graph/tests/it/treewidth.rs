//! Exact treewidth.

use posterior_graph::{EliminationOrder, Error, UnGraph, VarId, treewidth, triangulate};
use proptest::prelude::*;

use crate::triangulation::{any_graph, graph, grid};

fn reached(graph: &UnGraph) -> usize {
    let exact = treewidth(graph).unwrap();
    assert_eq!(triangulate(graph, &exact.order).unwrap().width(), exact.width);
    exact.width
}

#[test]
fn known_graphs() {
    for side in 1..=4 {
        assert_eq!(reached(&grid(side)), if side == 1 { 0 } else { side }, "grid of side {side}");
    }
    let complete = |n: usize| graph(n, &(0..n).flat_map(|b| (0..b).map(move |a| (a, b))).collect::<Vec<_>>());
    assert_eq!(reached(&complete(20)), 19);
    assert_eq!(reached(&graph(0, &[])), 0);
    assert_eq!(reached(&graph(5, &[(0, 1), (3, 4)])), 1);
    // The student network, moralised, with the letter.
    assert_eq!(reached(&graph(5, &[(0, 1), (0, 2), (1, 2), (1, 3), (2, 4)])), 2);
    // Petersen's graph has treewidth 4; three by three utilities have 3.
    let petersen: Vec<(usize, usize)> =
        (0..5).flat_map(|i| [(i, (i + 1) % 5), (i, i + 5), (5 + i, 5 + (i + 2) % 5)]).collect();
    assert_eq!(reached(&graph(10, &petersen)), 4);
    let utilities: Vec<(usize, usize)> = (0..9).map(|i| (i / 3, 3 + i % 3)).collect();
    assert_eq!(reached(&graph(6, &utilities)), 3);
}

#[test]
fn large_graphs_are_refused() {
    let refused = treewidth(&grid(5)).unwrap_err();
    assert!(matches!(refused, Error::TooManyVariables { len: 25, limit: 20, .. }));
    assert_eq!(refused.to_string(), "treewidth is exact for up to 20 variables, but there are 25");
}

/// The least width of all orders.
fn by_all_orders(graph: &UnGraph) -> usize {
    fn go(graph: &UnGraph, order: &mut Vec<VarId>, best: &mut usize) {
        if order.len() == graph.len() {
            let order = EliminationOrder::new(graph.names(), order.clone()).unwrap();
            *best = triangulate(graph, &order).unwrap().width().min(*best);
        }
        for v in graph.variables() {
            if !order.contains(&v) {
                order.push(v);
                go(graph, order, best);
                order.pop();
            }
        }
    }
    let mut best = usize::MAX;
    go(graph, &mut Vec::new(), &mut best);
    best
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_order_is_narrower((graph, _, order) in any_graph()) {
        let exact = reached(&graph);
        prop_assert!(exact <= triangulate(&graph, &order).unwrap().width());
        if graph.len() <= 6 {
            prop_assert_eq!(exact, by_all_orders(&graph));
        }
    }
}
