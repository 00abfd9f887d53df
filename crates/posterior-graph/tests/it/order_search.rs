//! The search for elimination orders.

use posterior_graph::{
    CliqueTree, GreedyOptions, Heuristic, Names, SearchOptions, Ties, UnGraph, VarId, best_order,
    greedy_order, treewidth, triangulate,
};
use proptest::prelude::*;

use crate::triangulation::{any_graph, graph, grid};

const PATIENT: u32 = 1_000_000;

fn cells(graph: &UnGraph, states: &[usize], heuristic: Heuristic) -> u128 {
    let order =
        greedy_order(graph, states, &GreedyOptions { heuristic, ..GreedyOptions::default() }).unwrap();
    CliqueTree::new(graph, &order).unwrap().cells(states).unwrap().total()
}

/// Two squares that share a corner, where they are cut: each gets the chord that weights choose.
#[test]
fn each_part_has_its_own_best_order() {
    let squares = graph(7, &[(0, 1), (1, 2), (2, 3), (3, 0), (3, 4), (4, 5), (5, 6), (6, 3)]);
    let states = [9, 2, 9, 2, 9, 2, 9];
    let best = best_order(&squares, &states, &SearchOptions { effort: PATIENT, ..SearchOptions::default() })
        .unwrap();
    // Chords 1-3 and 3-5, of 2 by 2 states each: four tables of 2 * 9 * 2 cells.
    assert_eq!(best.cells, 4 * 36);
    let fill = triangulate(&squares, &best.order).unwrap().fill_edges().to_vec();
    assert_eq!(fill, [(1, 3), (3, 5)].map(|(a, b)| (VarId::new(a), VarId::new(b))));
}

#[test]
fn a_search_ends_where_it_costs_more_than_it_saves() {
    let small = grid(6);
    let search = |states: usize, effort: u32| {
        best_order(&small, &[states; 36], &SearchOptions { effort, ..SearchOptions::default() }).unwrap()
    };
    assert_eq!(search(2, 0).tries, 1);
    assert_eq!(search(2, 25).tries, 1);
    assert!(search(20, 25).tries > 100);
    assert_eq!(search(2, PATIENT).tries, 1 + 4 * 101);
    let few = SearchOptions { effort: PATIENT, restarts: 2, ..SearchOptions::default() };
    assert_eq!(best_order(&small, &[2; 36], &few).unwrap().tries, 1 + 4 * 3);
    let none = SearchOptions { heuristics: Vec::new(), ..few };
    assert_eq!(best_order(&small, &[2; 36], &none).unwrap().tries, 1);
}

/// A grid of side 6 has treewidth 6; greedy orders reach it when they are tried often enough.
#[test]
fn restarts_reach_the_width_of_grids() {
    for side in 2..=6 {
        let square = grid(side);
        let options = SearchOptions { effort: PATIENT, ..SearchOptions::default() };
        let best = best_order(&square, &vec![100; side * side], &options).unwrap();
        assert_eq!(triangulate(&square, &best.order).unwrap().width(), side);
    }
}

/// Found by chance: the joined parts need less fill than each on its own, which costs cells where variables
/// have one state.
#[test]
fn variables_of_one_state_make_nothing_worse() {
    let edges =
        [(0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (1, 2), (1, 4), (1, 5), (2, 3), (2, 5), (3, 4), (3, 5)];
    let (wheel, states) = (graph(6, &edges), [3, 1, 1, 3, 1, 4]);
    let options = SearchOptions {
        effort: PATIENT,
        seed: 17067495087352067107,
        restarts: 6,
        ..SearchOptions::default()
    };
    let best = best_order(&wheel, &states, &options).unwrap();
    assert!(best.cells <= cells(&wheel, &states, Heuristic::MinFill), "{best:?}");
}

/// Known best totals by size: 2 * 3 * 4 * 5 for complete graphs, whatever the order.
#[test]
fn complete_graphs_are_one_table() {
    let complete = graph(4, &[(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]);
    assert_eq!(best_order(&complete, &[2, 3, 4, 5], &SearchOptions::default()).unwrap().cells, 120);
    let nothing = best_order(&graph(0, &[]), &[], &SearchOptions::default()).unwrap();
    assert_eq!((nothing.cells, nothing.order.len()), (0, 0));
}

#[test]
fn huge_tables_saturate_and_are_still_searched() {
    let n = 30 * 30;
    let options = SearchOptions { restarts: 1, ..SearchOptions::default() };
    let best = best_order(&grid(30), &vec![usize::MAX; n], &options).unwrap();
    assert_eq!(best.cells, u128::MAX);
    assert_eq!(best.order.len(), n);
}

proptest! {
    #[test]
    fn a_search_is_no_worse_than_min_fill(
        (graph, states, _) in any_graph(),
        seed in any::<u64>(),
        effort in prop::sample::select(vec![25, PATIENT]),
    ) {
        let options = SearchOptions { effort, seed, restarts: 6, ..SearchOptions::default() };
        let best = best_order(&graph, &states, &options).unwrap();
        let tree = CliqueTree::new(&graph, &best.order).unwrap();
        prop_assert_eq!(tree.cells(&states).unwrap().total(), best.cells);
        prop_assert!(best.cells <= cells(&graph, &states, Heuristic::MinFill));
        prop_assert!(tree.width() >= treewidth(&graph).unwrap().width);
        prop_assert_eq!(&best_order(&graph, &states, &options).unwrap(), &best);
    }

    #[test]
    fn the_last_come_last_in_a_search((graph, states, order) in any_graph(), proportion in 0_usize..12) {
        let last = order.as_slice()[..proportion.min(graph.len())].to_vec();
        let options =
            SearchOptions { effort: PATIENT, restarts: 2, last: last.clone(), ..SearchOptions::default() };
        let best = best_order(&graph, &states, &options).unwrap();
        let first_late = graph.len() - last.len();
        prop_assert!(last.iter().all(|&v| best.order.position(v) >= first_late));
        let tree = CliqueTree::new(&graph, &best.order).unwrap();
        prop_assert_eq!(tree.cells(&states).unwrap().total(), best.cells);
    }

    /// The primal graph of scopes, from the definition.
    #[test]
    fn scopes_are_cliques_of_their_graph(
        scopes in prop::collection::vec(prop::collection::btree_set(0_usize..9, 0..5), 0..8),
    ) {
        let lists: Vec<Vec<VarId>> =
            scopes.iter().map(|scope| scope.iter().rev().map(|&i| VarId::new(i)).collect()).collect();
        let primal = UnGraph::from_scopes(Names::numbered(9), &lists).unwrap();
        for b in 0..9 {
            for a in 0..b {
                let together = scopes.iter().any(|scope| scope.contains(&a) && scope.contains(&b));
                prop_assert_eq!(primal.has_edge(VarId::new(a), VarId::new(b)), together);
            }
        }
        let pattern = UnGraph::from_pattern(Names::numbered(9), |a, b| a > b && primal.has_edge(a, b));
        prop_assert_eq!(&pattern, &primal);
        let order = greedy_order(&primal, &[2; 9], &GreedyOptions::default()).unwrap();
        let tree = CliqueTree::new(&primal, &order).unwrap();
        for (c, scope) in tree.assign(&lists, &[2; 9]).unwrap().into_iter().zip(&lists) {
            prop_assert!(scope.iter().all(|v| tree.clique(c).contains(v)));
        }
    }
}

#[test]
fn scopes_that_are_wrong_are_refused() {
    let scopes = |list: &[usize]| {
        let scope: Vec<VarId> = list.iter().map(|&i| VarId::new(i)).collect();
        UnGraph::from_scopes(Names::numbered(3), [scope]).unwrap_err().to_string()
    };
    assert_eq!(scopes(&[0, 3]), "variable 3 does not exist: there are 3");
    assert_eq!(scopes(&[3]), "variable 3 does not exist: there are 3");
    assert_eq!(scopes(&[1, 2, 1]), "\"X1\" comes twice in the scope of a factor");
}

/// Changing what a seed leads to is a value change, for the changelog.
#[test]
fn seeds_lead_to_the_same_order_for_ever() {
    let seeded = GreedyOptions { ties: Ties::Seeded(1), ..GreedyOptions::default() };
    let order = greedy_order(&grid(3), &[2; 9], &seeded).unwrap();
    let ids: Vec<usize> = order.as_slice().iter().map(|v| v.index()).collect();
    assert_eq!(ids, [8, 2, 5, 0, 1, 4, 3, 7, 6]);
}
