//! d-separation: golden answers, three oracles, and witnesses that are what they claim.

use posterior_graph::{ActivePath, Dag, Error, Link, Names, Separation, UnGraph, VarId};
use proptest::prelude::*;

use crate::arbitrary;
use crate::oracles::{is_active, paths, separated_in_moral_ancestral_graph, shortest_active_path};

pub(crate) fn student() -> Dag {
    Dag::named(["D", "I", "G", "S", "L"], [("D", "G"), ("I", "G"), ("I", "S"), ("G", "L")]).unwrap()
}

pub(crate) fn alarm() -> Dag {
    Dag::named(["B", "E", "A", "R"], [("B", "A"), ("E", "A"), ("E", "R")]).unwrap()
}

pub(crate) fn ids(names: &Names, set: &str) -> Vec<VarId> {
    names.require_all(set.split(',').filter(|name| !name.is_empty())).unwrap()
}

/// The path between two variables, written as text; `None` where they are separated.
fn path(dag: &Dag, x: &str, y: &str, given: &str) -> Option<String> {
    let [x, y, given] = [x, y, given].map(|set| ids(dag.names(), set));
    dag.separation(&x, &y, &given).unwrap().path().map(ToString::to_string)
}

#[test]
fn golden_answers_of_alarm() {
    let separated = |x, y, given| path(&alarm(), x, y, given).is_none();
    assert!(separated("B", "E", ""));
    assert!(!separated("B", "E", "A"));
    assert!(separated("B", "R", ""));
    assert!(!separated("B", "R", "A"));
    assert!(separated("B", "R", "A,E"));
    assert!(!separated("A", "R", ""));
    assert!(separated("A", "R", "E"));
}

#[test]
fn golden_answers_of_student() {
    let separated = |x, y, given| path(&student(), x, y, given).is_none();
    assert!(separated("D", "I", ""));
    assert!(!separated("D", "I", "G"));
    assert!(!separated("D", "I", "L"));
    assert!(separated("D", "S", ""));
    assert!(!separated("D", "S", "G"));
    assert!(separated("D", "S", "G,I"));
    assert!(!separated("G", "S", ""));
    assert!(separated("G", "S", "I"));
    assert!(separated("D", "L", "G"));
    assert!(separated("S", "L", "G"));
    assert!(separated("S", "L", "I"));
}

#[test]
fn golden_answers_of_the_four_variables_without_their_cycle() {
    let dag = Dag::named(["A", "B", "C", "D"], [("A", "D"), ("B", "D"), ("C", "D"), ("B", "C")]).unwrap();
    let separated = |x, y, given| path(&dag, x, y, given).is_none();
    assert!(separated("A", "B", ""));
    assert!(separated("A", "C", ""));
    assert!(!separated("A", "B", "D"));
    assert!(separated("A", "C", "B"));
    assert!(!separated("A", "C", "B,D"));
}

#[test]
fn the_three_atomic_structures() {
    let over = |arrows| Dag::named(["A", "B", "C", "below"], arrows).unwrap();
    let chain = over([("A", "B"), ("B", "C"), ("B", "below")]);
    let fork = over([("B", "A"), ("B", "C"), ("B", "below")]);
    let collider = over([("A", "B"), ("C", "B"), ("B", "below")]);
    for dag in [&chain, &fork] {
        assert_eq!(path(dag, "A", "C", "B"), None);
        assert!(path(dag, "A", "C", "below").is_some());
    }
    assert_eq!(path(&chain, "A", "C", "").as_deref(), Some("A -> B -> C"));
    assert_eq!(path(&chain, "C", "A", "").as_deref(), Some("C <- B <- A"));
    assert_eq!(path(&fork, "A", "C", "").as_deref(), Some("A <- B -> C"));
    assert_eq!(path(&collider, "A", "C", ""), None);
    assert_eq!(path(&collider, "A", "C", "B").as_deref(), Some("A -> B <- C (B is observed)"));
    let below = path(&collider, "A", "C", "below");
    assert_eq!(below.as_deref(), Some("A -> B <- C (below below B is observed)"));
}

#[test]
fn each_collider_says_why_it_is_open() {
    let arrows =
        [("a", "b"), ("c", "b"), ("c", "d"), ("e", "d"), ("b", "far"), ("b", "near"), ("far", "end")];
    let dag = Dag::named(["a", "b", "c", "d", "e", "far", "near", "end"], arrows).unwrap();
    let text = path(&dag, "a", "e", "end,near,d");
    assert_eq!(text.as_deref(), Some("a -> b <- c -> d <- e (near below b is observed; d is observed)"));
}

#[test]
fn sets_are_checked() {
    let dag = student();
    let v = VarId::new;
    let shared = Err(Error::OverlappingSets { name: "I".to_owned() });
    assert_eq!(dag.separation(&[v(0), v(1)], &[v(1)], &[]), shared);
    assert_eq!(dag.separation(&[v(1)], &[v(0)], &[v(2), v(1)]), shared);
    assert_eq!(dag.separation(&[v(0)], &[v(1)], &[v(1)]), shared);
    assert_eq!(dag.skeleton().separation(&[v(0)], &[v(1)], &[v(1)]), shared);
    let unknown = Error::UnknownVariable { index: 5, len: 5 };
    assert_eq!(dag.separation(&[v(0)], &[v(5)], &[]), Err(unknown.clone()));
    assert_eq!(dag.d_connected_to(&[v(5)], &[]), Err(unknown));
    assert_eq!(dag.separation(&[], &[v(1)], &[]), Ok(Separation::Separated));
    assert_eq!(dag.separation(&[v(1), v(1)], &[], &[v(0)]), Ok(Separation::Separated));
    // A set may name a variable twice.
    assert_eq!(dag.separation(&[v(0), v(0)], &[v(1)], &[]), Ok(Separation::Separated));
}

/// The path is simple, follows arrows as it says, connects the sets and is active; each collider is opened by
/// the nearest.
fn check_witness(dag: &Dag, path: &ActivePath, [x, y, given]: [&[VarId]; 3]) {
    let nodes = path.nodes();
    assert!(x.contains(&nodes[0]) && y.contains(&nodes[nodes.len() - 1]), "{path}");
    assert_eq!(path.links().len(), nodes.len() - 1, "{path}");
    for (pair, link) in nodes.windows(2).zip(path.links()) {
        let (from, to) = if *link == Link::Forward { (pair[0], pair[1]) } else { (pair[1], pair[0]) };
        assert!(dag.has_arrow(from, to) && *link != Link::Undirected, "{path}");
    }
    let mut once = nodes.to_vec();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), nodes.len(), "{path} visits a variable twice");
    assert!(is_active(dag, nodes, given), "{path}");
    let meets = |i: &usize| path.links()[i - 1..=*i] == [Link::Forward, Link::Backward];
    let colliders: Vec<VarId> = (1..nodes.len() - 1).filter(meets).map(|i| nodes[i]).collect();
    assert_eq!(path.colliders().iter().map(|c| c.node).collect::<Vec<_>>(), colliders, "{path}");
    for collider in path.colliders() {
        let distance = |to: VarId| downward_distance(dag, collider.node, to);
        let nearest = given.iter().filter_map(|&v| distance(v)).min();
        assert!(given.contains(&collider.opened_by), "{path}");
        assert_eq!(distance(collider.opened_by), nearest, "{path}");
    }
}

fn downward_distance(dag: &Dag, from: VarId, to: VarId) -> Option<usize> {
    let mut front = vec![from];
    for distance in 0..=dag.len() {
        if front.contains(&to) {
            return Some(distance);
        }
        front = front.iter().flat_map(|&v| dag.children(v).to_vec()).collect();
    }
    None
}

/// All three oracles, and the witness; returns whether the sets are separated.
fn check_question(dag: &Dag, sets: [&[VarId]; 3]) -> bool {
    let answer = dag.separation(sets[0], sets[1], sets[2]).unwrap();
    let shortest = shortest_active_path(dag, sets);
    let length = answer.path().map(|path| path.links().len());
    assert_eq!(length, shortest, "{dag:?} {sets:?}");
    assert_eq!(answer.is_separated(), separated_in_moral_ancestral_graph(dag, sets), "{dag:?} {sets:?}");
    if let Some(path) = answer.path() {
        check_witness(dag, path, sets);
    }
    answer.is_separated()
}

#[test]
fn three_oracles_agree_on_all_graphs_of_four_variables() {
    let mut counts = [0_usize; 2];
    let mut dags = 0;
    for dag in Dag::all_over(&Names::numbered(4)) {
        dags += 1;
        for code in 0..256_usize {
            let place = |v: VarId| (code >> (2 * v.index())) & 3;
            let sets = [0, 1, 2].map(|set| dag.variables().filter(|&v| place(v) == set).collect::<Vec<_>>());
            let separated = check_question(&dag, [&sets[0], &sets[1], &sets[2]]);
            counts[usize::from(separated)] += 1;
        }
    }
    assert_eq!(dags, 543);
    assert_eq!(counts.iter().sum::<usize>(), 543 * 256);
}

#[test]
fn as_many_graphs_as_there_are() {
    // OEIS A003024.
    for (n, count) in [(0, 1), (1, 1), (2, 3), (3, 25), (5, 29_281)] {
        assert_eq!(Dag::all_over(&Names::numbered(n)).count(), count);
    }
    assert_eq!(UnGraph::all_over(&Names::numbered(0)).count(), 1);
    let graphs: Vec<UnGraph> = UnGraph::all_over(&Names::numbered(4)).collect();
    assert!(graphs.len() == 64 && (1..64).all(|i| !graphs[..i].contains(&graphs[i])));
}

#[test]
fn connected_variables_are_those_that_are_not_separated() {
    for dag in Dag::all_over(&Names::numbered(4)) {
        for code in 0..81_usize {
            let place = |v: VarId| (code / 3_usize.pow(v.index() as u32)) % 3;
            let [x, given] =
                [0, 1].map(|set| dag.variables().filter(|&v| place(v) == set).collect::<Vec<_>>());
            let others = dag.variables().filter(|v| !x.contains(v) && !given.contains(v));
            let expected: Vec<VarId> =
                others.filter(|&v| !dag.separation(&x, &[v], &given).unwrap().is_separated()).collect();
            assert_eq!(dag.d_connected_to(&x, &given).unwrap(), expected);
        }
    }
}

#[test]
fn long_chains_do_not_overflow_the_stack() {
    let n = 200_000;
    let arrows = (1..n).map(|i| (VarId::new(i - 1), VarId::new(i)));
    let dag = Dag::new(Names::numbered(n), arrows).unwrap();
    let ends = [VarId::new(0), VarId::new(n - 1)];
    assert_eq!(dag.separation(&ends[..1], &ends[1..], &[]).unwrap().path().unwrap().nodes().len(), n);
    assert!(dag.separation(&ends[..1], &ends[1..], &[VarId::new(n / 2)]).unwrap().is_separated());
}

proptest! {
    #[test]
    fn three_oracles_agree_on_larger_graphs((dag, [x, y, given]) in arbitrary::question(5..=8)) {
        let separated = check_question(&dag, [&x, &y, &given]);
        prop_assert_eq!(dag.separation(&y, &x, &given).unwrap().is_separated(), separated);
    }

    #[test]
    fn connected_without_directions((dag, [x, _, given]) in arbitrary::question(5..=8)) {
        let graph = dag.skeleton();
        let others = graph.variables().filter(|v| !x.contains(v) && !given.contains(v));
        let expected: Vec<VarId> =
            others.filter(|&v| !graph.separation(&x, &[v], &given).unwrap().is_separated()).collect();
        prop_assert_eq!(graph.connected_to(&x, &given).unwrap(), expected);
    }

    #[test]
    fn separation_without_directions_is_that_no_path_misses_the_set(
        (dag, [x, y, given]) in arbitrary::question(5..=8)
    ) {
        let graph: UnGraph = dag.skeleton();
        let ends = x.iter().flat_map(|&a| y.iter().map(move |&b| (a, b)));
        let all = ends.flat_map(|(a, b)| paths(&graph, a, b));
        let open = all.filter(|path| !path.iter().any(|v| given.contains(v)));
        let answer = graph.separation(&x, &y, &given).unwrap();
        prop_assert_eq!(answer.path().map(|path| path.nodes().len()), open.map(|path| path.len()).min());
        if let Some(path) = answer.path() {
            prop_assert!(x.contains(&path.nodes()[0]) && y.contains(path.nodes().last().unwrap()));
            prop_assert!(path.nodes().windows(2).all(|pair| graph.has_edge(pair[0], pair[1])));
            prop_assert!(!path.nodes().iter().any(|v| given.contains(v)));
            prop_assert!(path.colliders().is_empty() && path.links().iter().all(|&l| l == Link::Undirected));
        }
    }
}
