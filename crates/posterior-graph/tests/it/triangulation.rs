//! Elimination orders, triangulations and junction trees: golden ones, and what holds of all.

use std::collections::BTreeSet;

use posterior_graph::{
    CliqueTree, EliminationOrder, Error, GreedyOptions, Heuristic, Names, SearchOptions, Ties, UnGraph,
    VarId, best_order, greedy_order, triangulate,
};
use proptest::prelude::*;

const HEURISTICS: [Heuristic; 5] = [
    Heuristic::MinFill,
    Heuristic::WeightedMinFill,
    Heuristic::MinWeight,
    Heuristic::MinMessage,
    Heuristic::MinNeighbours,
];

pub(crate) fn graph(n: usize, edges: &[(usize, usize)]) -> UnGraph {
    UnGraph::new(Names::numbered(n), edges.iter().map(|&(a, b)| (VarId::new(a), VarId::new(b)))).unwrap()
}

pub(crate) fn grid(side: usize) -> UnGraph {
    let mut edges = Vec::new();
    for i in 0..side * side {
        edges.extend((i % side + 1 < side).then_some((i, i + 1)));
        edges.extend((i / side + 1 < side).then_some((i, i + side)));
    }
    graph(side * side, &edges)
}

/// A graph of at most 12 variables, numbers of states, and an order.
pub(crate) fn any_graph() -> impl Strategy<Value = (UnGraph, Vec<usize>, EliminationOrder)> {
    (0_usize..12, 0.05_f64..0.9).prop_flat_map(|(n, density)| {
        let edges = prop::collection::vec(prop::bool::weighted(density), n * n);
        let states = prop::collection::vec(1_usize..5, n);
        let order = Just((0..n).map(VarId::new).collect::<Vec<_>>()).prop_shuffle();
        (edges, states, order).prop_map(move |(edges, states, order)| {
            let pairs = (0..n * n).map(|i| (i / n, i % n)).filter(|&(a, b)| a < b && edges[a * n + b]);
            let graph = graph(n, &pairs.collect::<Vec<_>>());
            let order = EliminationOrder::new(graph.names(), order).unwrap();
            (graph, states, order)
        })
    })
}

type Edges = BTreeSet<(VarId, VarId)>;

/// The elimination game as the definition has it: fill edges and the clique of each variable.
fn play(graph: &UnGraph, order: &EliminationOrder) -> (Edges, Vec<BTreeSet<VarId>>) {
    let mut edges: Edges = graph.edges().collect();
    let mut cliques = Vec::new();
    let mut fill = BTreeSet::new();
    let mut left: BTreeSet<VarId> = graph.variables().collect();
    for &v in order.as_slice() {
        left.remove(&v);
        let around: Vec<VarId> =
            left.iter().copied().filter(|&u| edges.contains(&(u.min(v), u.max(v)))).collect();
        for (i, &a) in around.iter().enumerate() {
            for &b in &around[i + 1..] {
                if edges.insert((a, b)) {
                    fill.insert((a, b));
                }
            }
        }
        cliques.push(around.into_iter().chain([v]).collect());
    }
    (fill, cliques)
}

#[test]
fn a_square_needs_one_edge() {
    let square = graph(4, &[(0, 1), (1, 2), (2, 3), (3, 0)]);
    for heuristic in HEURISTICS {
        let options = GreedyOptions { heuristic, ..GreedyOptions::default() };
        let chordal = triangulate(&square, &greedy_order(&square, &[2; 4], &options).unwrap()).unwrap();
        assert_eq!(chordal.fill_edges().len(), 1);
        assert_eq!(chordal.cliques().map(<[_]>::len).collect::<Vec<_>>(), [3, 3]);
        let tree = chordal.clique_tree();
        assert_eq!((tree.edge_count(), tree.separator(0).len(), tree.tree_count()), (1, 2, 1));
    }
}

#[test]
fn weights_choose_the_cheaper_diagonal() {
    let square = graph(4, &[(0, 1), (1, 2), (2, 3), (3, 0)]);
    let states = [9, 2, 9, 2];
    for heuristic in [Heuristic::WeightedMinFill, Heuristic::MinWeight, Heuristic::MinMessage] {
        let options = GreedyOptions { heuristic, ..GreedyOptions::default() };
        let order = greedy_order(&square, &states, &options).unwrap();
        assert_eq!(triangulate(&square, &order).unwrap().fill_edges(), [(VarId::new(1), VarId::new(3))]);
    }
    let best = best_order(&square, &states, &SearchOptions::default()).unwrap();
    assert_eq!(best.cells, 72);
}

#[test]
fn forests_in_are_forests_out() {
    let forest = graph(7, &[(0, 1), (1, 2), (1, 3), (4, 5)]);
    let best = best_order(&forest, &[2; 7], &SearchOptions::default()).unwrap();
    let tree = CliqueTree::new(&forest, &best.order).unwrap();
    assert_eq!((tree.variable_count(), tree.clique_count(), tree.tree_count(), tree.width()), (7, 5, 3, 1));
    let of = |v| tree.cliques_of(VarId::new(v)).collect::<Vec<_>>();
    assert!(of(1).len() == 3 && of(1).contains(&of(0)[0]) && of(6).len() == 1);
    let schedule = tree.schedule();
    assert_eq!(schedule.roots().count(), 3);
}

#[test]
fn the_last_come_last() {
    let square = grid(3);
    let last: Vec<VarId> = [0, 4, 8].map(VarId::new).to_vec();
    for heuristic in HEURISTICS {
        let options = GreedyOptions { heuristic, last: last.clone(), ..GreedyOptions::default() };
        let order = greedy_order(&square, &[2; 9], &options).unwrap();
        let mut tail = order.as_slice()[6..].to_vec();
        tail.sort_unstable();
        assert_eq!(tail, last);
    }
}

#[test]
fn orders_and_states_that_do_not_fit_are_refused() {
    let square = grid(2);
    let ids = |list: &[usize]| list.iter().map(|&i| VarId::new(i)).collect::<Vec<_>>();
    let order = |list: &[usize]| EliminationOrder::new(square.names(), ids(list)).unwrap_err().to_string();
    assert_eq!(order(&[0, 1, 2, 4]), "variable 4 does not exist: there are 4");
    assert_eq!(order(&[0, 1, 2, 0]), "\"X0\" comes twice in an elimination order");
    assert_eq!(order(&[0, 1, 3]), "\"X2\" is missing in an elimination order");
    let short = EliminationOrder::new(&Names::numbered(3), ids(&[2, 1, 0])).unwrap();
    assert!(matches!(triangulate(&square, &short), Err(Error::WrongLength { expected: 4, found: 3, .. })));
    assert!(matches!(
        greedy_order(&square, &[2; 5], &GreedyOptions::default()),
        Err(Error::WrongLength { .. })
    ));
    let none = greedy_order(&square, &[2, 0, 2, 2], &GreedyOptions::default());
    assert_eq!(none.unwrap_err().to_string(), "\"X1\" has no state");
    let unknown = GreedyOptions { last: ids(&[7]), ..GreedyOptions::default() };
    assert!(matches!(greedy_order(&square, &[2; 4], &unknown), Err(Error::UnknownVariable { index: 7, .. })));
}

#[test]
fn junction_trees_that_are_none_are_refused() {
    let names = || Names::numbered(4);
    let ids = |list: &[usize]| list.iter().map(|&i| VarId::new(i)).collect::<Vec<_>>();
    let square = [ids(&[0, 1]), ids(&[1, 2]), ids(&[2, 3]), ids(&[3, 0])];
    let refused = CliqueTree::from_cliques(names(), &square).unwrap_err();
    assert!(matches!(refused, Error::RunningIntersection { .. }));
    let chain = [ids(&[0, 1]), ids(&[2, 1]), ids(&[2, 3])];
    let tree = CliqueTree::from_cliques(names(), &chain).unwrap();
    assert_eq!((0..2).map(|e| tree.edge(e)).collect::<Vec<_>>(), [(0, 1), (1, 2)]);
    assert_eq!(CliqueTree::from_edges(names(), &chain, [(2, 1), (1, 0)]).unwrap().width(), 1);
    let edges = |list: &[(usize, usize)]| {
        CliqueTree::from_edges(names(), &chain, list.to_vec()).unwrap_err().to_string()
    };
    assert_eq!(edges(&[(0, 2)]), "cliques 0 and 2 are joined, but share no variable");
    assert_eq!(edges(&[(0, 1), (1, 0)]), "the edge between cliques 0 and 1 closes a cycle");
    assert_eq!(edges(&[(0, 3)]), "clique 3 does not exist: there are 3");
    assert!(edges(&[(0, 1)]).starts_with("the cliques that hold \"X2\" are not connected"));
    let cliques = |list: &[Vec<VarId>]| CliqueTree::from_cliques(names(), list).unwrap_err().to_string();
    assert_eq!(cliques(&[ids(&[0, 1, 2]), ids(&[2, 1])]), "clique 1 is inside clique 0");
    assert_eq!(cliques(&[ids(&[0]), vec![]]), "clique 1 is empty");
    assert_eq!(cliques(&[ids(&[0, 1, 0])]), "\"X0\" comes twice in a clique");
    assert_eq!(cliques(&[ids(&[4])]), "variable 4 does not exist: there are 4");
}

#[test]
fn factors_find_their_smallest_clique() {
    let ids = |list: &[usize]| list.iter().map(|&i| VarId::new(i)).collect::<Vec<_>>();
    let cliques = [ids(&[0, 1, 2]), ids(&[1, 2, 3]), ids(&[3, 4])];
    let tree = CliqueTree::from_cliques(Names::numbered(5), &cliques).unwrap();
    let scopes = [ids(&[2, 1]), ids(&[3]), ids(&[0]), ids(&[])];
    assert_eq!(tree.assign(&scopes, &[2; 5]).unwrap(), [0, 2, 0, 2]);
    assert_eq!(tree.assign(&scopes, &[5, 2, 2, 2, 9]).unwrap(), [1, 1, 0, 1]);
    let none = tree.assign([ids(&[4, 0])], &[2; 5]).unwrap_err();
    assert_eq!(none.to_string(), "no clique holds all of X4, X0");
}

#[test]
fn the_empty_graph_has_an_empty_tree() {
    let nothing = graph(0, &[]);
    let order = greedy_order(&nothing, &[], &GreedyOptions::default()).unwrap();
    let tree = CliqueTree::new(&nothing, &order).unwrap();
    assert_eq!((tree.clique_count(), tree.tree_count(), tree.width()), (0, 0, 0));
    assert!(tree.schedule().order().is_empty());
    assert!(tree.assign([Vec::new()], &[]).is_err());
}

#[test]
fn sizes_saturate() {
    let n = 140;
    let edges: Vec<(usize, usize)> = (0..n).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
    let complete = graph(n, &edges);
    let order = greedy_order(&complete, &vec![2; n], &GreedyOptions::default()).unwrap();
    let tree = CliqueTree::new(&complete, &order).unwrap();
    assert_eq!(tree.cells(&vec![2; n]).unwrap().total(), u128::MAX);
    let huge = GreedyOptions { heuristic: Heuristic::WeightedMinFill, ..GreedyOptions::default() };
    assert!(greedy_order(&grid(5), &[usize::MAX; 25], &huge).is_ok());
}

proptest! {
    #[test]
    fn the_triangulation_is_what_the_game_leads_to((graph, states, order) in any_graph()) {
        let chordal = triangulate(&graph, &order).unwrap();
        let (fill, cliques) = play(&graph, &order);
        prop_assert_eq!(chordal.fill_edges(), fill.into_iter().collect::<Vec<_>>());
        let maximal: BTreeSet<Vec<VarId>> = cliques
            .iter()
            .filter(|c| !cliques.iter().any(|d| d != *c && d.is_superset(c)))
            .map(|c| c.iter().copied().collect())
            .collect();
        prop_assert_eq!(chordal.clique_count(), maximal.len());
        prop_assert_eq!(chordal.cliques().map(<[_]>::to_vec).collect::<BTreeSet<_>>(), maximal);
        // The tree that comes with the elimination and one of maximum weight have the same separators (Ho &
        // Lee 1989).
        let tree = chordal.clique_tree();
        let other = CliqueTree::from_cliques(graph.names().clone(), tree.cliques()).unwrap();
        let separators = |tree: &CliqueTree| {
            let mut all: Vec<Vec<VarId>> = (0..tree.edge_count()).map(|e| tree.separator(e).to_vec()).collect();
            all.sort();
            all
        };
        prop_assert_eq!(separators(&tree), separators(&other));
        // And its own edges pass the check of the constructor.
        let edges = (0..tree.edge_count()).map(|e| tree.edge(e));
        prop_assert_eq!(&CliqueTree::from_edges(graph.names().clone(), tree.cliques(), edges).unwrap(), &tree);
        let scopes: Vec<Vec<VarId>> = graph.edges().map(|(a, b)| vec![b, a]).collect();
        for (scope, c) in scopes.iter().zip(tree.assign(&scopes, &states).unwrap()) {
            prop_assert!(scope.iter().all(|v| tree.clique(c).contains(v)));
        }
    }

    #[test]
    fn parents_come_first_whatever_the_root((graph, _, order) in any_graph(), root in any::<prop::sample::Index>()) {
        let tree = CliqueTree::new(&graph, &order).unwrap();
        prop_assume!(tree.clique_count() > 0);
        let root = root.index(tree.clique_count());
        let schedule = tree.schedule_from(root).unwrap();
        prop_assert_eq!(schedule.order()[0], root);
        prop_assert_eq!(schedule.roots().count(), tree.tree_count());
        let mut seen = BTreeSet::new();
        for &c in schedule.order() {
            if let Some((edge, parent)) = schedule.parent(c) {
                prop_assert!(seen.contains(&parent));
                prop_assert_eq!(tree.edge(edge), (c.min(parent), c.max(parent)));
            }
            prop_assert!(seen.insert(c));
        }
        prop_assert_eq!(seen.len(), tree.clique_count());
    }

    /// At each step the heuristic's score, counted again from the definition, is the least.
    #[test]
    fn greedy_is_greedy((graph, states, _) in any_graph(), seed in any::<u64>(), which in 0_usize..5) {
        let heuristic = HEURISTICS[which];
        let options = GreedyOptions { heuristic, ties: Ties::Seeded(seed), ..GreedyOptions::default() };
        let order = greedy_order(&graph, &states, &options).unwrap();
        let mut edges: Edges = graph.edges().collect();
        let mut left: BTreeSet<VarId> = graph.variables().collect();
        for &v in order.as_slice() {
            let score = |v: VarId| {
                let joined = |a: VarId, b: VarId| edges.contains(&(a.min(b), a.max(b)));
                let around: Vec<VarId> = left.iter().copied().filter(|&u| u != v && joined(u, v)).collect();
                let pairs = || around.iter().flat_map(|&a| around.iter().map(move |&b| (a, b)));
                let missing = || pairs().filter(|&(a, b)| a < b && !joined(a, b));
                let message: usize = around.iter().map(|u| states[u.index()]).product();
                let score = match heuristic {
                    Heuristic::MinFill => missing().count(),
                    Heuristic::WeightedMinFill =>
                        missing().map(|(a, b)| states[a.index()] * states[b.index()]).sum(),
                    Heuristic::MinWeight => message * states[v.index()],
                    Heuristic::MinMessage => message,
                    _ => around.len(),
                };
                (missing().count() > 0, score)
            };
            prop_assert_eq!(score(v), left.iter().map(|&u| score(u)).min().unwrap());
            let around: Vec<VarId> =
                left.iter().copied().filter(|&u| u != v && edges.contains(&(u.min(v), u.max(v)))).collect();
            left.remove(&v);
            for (i, &a) in around.iter().enumerate() {
                edges.extend(around[i + 1..].iter().map(|&b| (a, b)));
            }
        }
        prop_assert!(left.is_empty());
    }
}
