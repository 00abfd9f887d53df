//! Lists of independencies, perfect maps, Markov properties, equivalence.

use std::collections::BTreeMap;

use posterior_graph::{Dag, Error, Independence, MapCheck, Names, UnGraph, VarId};
use proptest::prelude::*;

use crate::arbitrary;
use crate::separation::{ids, student};

/// `A,B|C`: single variables before the bar.
fn statements(names: &Names, texts: &[&str]) -> Vec<Independence> {
    let parse = |text: &&str| {
        let (pair, given) = text.split_once('|').unwrap_or((text, ""));
        let pair = ids(names, pair);
        Independence::new(names, &pair[..1], &pair[1..], &ids(names, given)).unwrap()
    };
    let mut list: Vec<Independence> = texts.iter().map(parse).collect();
    list.sort();
    list
}

/// How many directed and undirected graphs say exactly this.
fn perfect_maps(names: &Names, distribution: &[Independence]) -> (usize, usize) {
    let perfect = |claimed: Vec<Independence>| MapCheck::new(&claimed, distribution).is_perfect();
    let directed = Dag::all_over(names).filter(|g| perfect(g.independencies().unwrap())).count();
    let undirected = UnGraph::all_over(names).filter(|g| perfect(g.independencies().unwrap())).count();
    (directed, undirected)
}

#[test]
fn neither_language_says_everything() {
    let coins = Names::new(["coin1", "coin2", "bell"]).unwrap();
    // Each two are independent, all three are not.
    let bell = statements(&coins, &["coin1,coin2", "coin1,bell", "coin2,bell"]);
    assert_eq!(perfect_maps(&coins, &bell), (0, 0));

    let abc = Names::new(["A", "B", "C"]).unwrap();
    assert_eq!(perfect_maps(&abc, &statements(&abc, &["A,C|B"])), (3, 1));
    assert_eq!(perfect_maps(&abc, &statements(&abc, &["A,C"])), (1, 0));
    assert_eq!(perfect_maps(&abc, &[]), (6, 1));

    let voters = Names::new(["A", "B", "C", "D"]).unwrap();
    let cycle = statements(&voters, &["A,C|B,D", "B,D|A,C"]);
    assert_eq!(perfect_maps(&voters, &cycle), (0, 1));
}

#[test]
fn lists_of_the_atomic_structures() {
    let over = |arrows| Dag::named(["A", "B", "C"], arrows).unwrap();
    let chain = over([("A", "B"), ("B", "C")]);
    let collider = over([("A", "B"), ("C", "B")]);
    let names = chain.names().clone();
    assert_eq!(chain.independencies().unwrap(), statements(&names, &["A,C|B"]));
    assert_eq!(chain.skeleton().independencies().unwrap(), statements(&names, &["A,C|B"]));
    assert_eq!(collider.independencies().unwrap(), statements(&names, &["A,C"]));
    let check = MapCheck::new(&chain.independencies().unwrap(), &collider.independencies().unwrap());
    assert_eq!(check.missing, statements(&names, &["A,C"]));
    assert_eq!(check.extra, statements(&names, &["A,C|B"]));
    assert!(!check.is_independence_map() && !check.is_dependence_map());
}

#[test]
fn complete_factorisations_claim_nothing() {
    let complete = Dag::named(["X1", "X2", "X3"], [("X3", "X2"), ("X3", "X1"), ("X2", "X1")]).unwrap();
    assert!(complete.independencies().unwrap().is_empty());
    let fork = Dag::named(["X1", "X2", "X3"], [("X3", "X2"), ("X3", "X1")]).unwrap();
    assert_eq!(fork.independencies().unwrap(), statements(fork.names(), &["X1,X2|X3"]));
}

#[test]
fn statements_have_a_normal_form() {
    let names = Names::numbered(5);
    let v = VarId::new;
    let one = Independence::new(&names, &[v(3), v(1)], &[v(0)], &[v(4), v(2), v(4)]).unwrap();
    let other = Independence::new(&names, &[v(0)], &[v(1), v(3)], &[v(2), v(4)]).unwrap();
    assert_eq!(one, other);
    assert_eq!(one.display(&names).to_string(), "X0 ⟂ X1, X3 | X2, X4");
    assert_eq!((one.a(), one.b(), one.given()), (&[v(0)][..], &[v(1), v(3)][..], &[v(2), v(4)][..]));
    let overlapping = Err(Error::OverlappingSets { name: "X1".to_owned() });
    assert_eq!(Independence::new(&names, &[v(1)], &[v(0)], &[v(1)]), overlapping);
    assert_eq!(
        Independence::new(&names, &[v(1)], &[v(5)], &[]),
        Err(Error::UnknownVariable { index: 5, len: 5 })
    );
}

#[test]
fn too_many_variables_are_refused() {
    let names = Names::numbered(15);
    let error = Dag::new(names.clone(), []).unwrap().independencies().unwrap_err();
    assert_eq!(error.to_string(), "15 variables of a list of independencies are too many: the limit is 14");
    assert_eq!(UnGraph::new(names, []).unwrap().independencies(), Err(error));
}

#[test]
fn markov_properties_of_student() {
    let dag = student();
    let text =
        |list: Vec<Independence>| list.iter().map(|s| s.display(dag.names()).to_string()).collect::<Vec<_>>();
    let local = ["D ⟂ I, S", "D ⟂ I", "G ⟂ S | D, I", "D, G, L ⟂ S | I", "D, I, S ⟂ L | G"];
    assert_eq!(text(dag.local_independencies()), local);
    let pairwise = [
        "D ⟂ I",
        "D ⟂ I | S",
        "D ⟂ S | I",
        "D ⟂ S | I, G, L",
        "D ⟂ L | I, G, S",
        "I ⟂ L | D, G, S",
        "G ⟂ S | D, I",
        "G ⟂ S | D, I, L",
        "S ⟂ L | D, I, G",
    ];
    assert_eq!(text(dag.pairwise_independencies()), pairwise);
    let skeleton = dag.skeleton();
    assert_eq!(text(skeleton.local_independencies())[0], "D ⟂ I, S, L | G");
    assert_eq!(text(skeleton.pairwise_independencies())[0], "D ⟂ I | G, S, L");
    assert_eq!(skeleton.pairwise_independencies().len(), 10 - 4);
}

#[test]
fn equivalent_graphs_claim_the_same_and_have_one_essential_graph() {
    for (n, classes) in [(1, 1), (2, 2), (3, 11), (4, 185)] {
        let names = Names::numbered(n);
        let mut by_claims: BTreeMap<Vec<Independence>, Vec<Dag>> = BTreeMap::new();
        for dag in Dag::all_over(&names) {
            by_claims.entry(dag.independencies().unwrap()).or_default().push(dag);
        }
        assert_eq!(by_claims.len(), classes, "classes over {n} variables");
        let mut representatives: Vec<&Dag> = Vec::new();
        for class in by_claims.values() {
            for dag in class {
                assert!(dag.is_equivalent(&class[0]));
                let essential = dag.essential_graph();
                let in_all = |&(a, b): &(VarId, VarId)| class.iter().all(|other| other.has_arrow(a, b));
                let arrows: Vec<_> = dag.arrows().filter(in_all).collect();
                assert_eq!(essential.arrows(), arrows, "{dag:?}");
                let mut open: Vec<_> = dag.arrows().filter(|arrow| !in_all(arrow)).collect();
                for (a, b) in &mut open {
                    (*a, *b) = ((*a).min(*b), (*a).max(*b));
                }
                open.sort();
                assert_eq!(essential.edges(), open, "{dag:?}");
            }
            assert!(representatives.iter().all(|other| !other.is_equivalent(&class[0])));
            representatives.push(&class[0]);
        }
    }
    let two = |names: [&'static str; 2]| Dag::named(names, [(names[0], names[1])]).unwrap();
    assert!(!two(["a", "b"]).is_equivalent(&two(["a", "c"])));
}

proptest! {
    #[test]
    fn essential_graphs_are_right_for_larger_graphs(dag in arbitrary::dag(5..=5)) {
        // The class by brute force: every orientation of the skeleton that is acyclic and equivalent.
        let edges: Vec<_> = dag.skeleton().edges().collect();
        let orientations = (0..1_usize << edges.len()).filter_map(|code| {
            let arrow = |(i, &(a, b)): (usize, &(VarId, VarId))| if code >> i & 1 == 1 { (a, b) } else { (b, a) };
            let arrows: Vec<_> = edges.iter().enumerate().map(arrow).collect();
            Dag::new(dag.names().clone(), arrows).ok().filter(|other| other.is_equivalent(&dag))
        });
        let class: Vec<Dag> = orientations.collect();
        let in_all = |&(a, b): &(VarId, VarId)| class.iter().all(|other| other.has_arrow(a, b));
        let essential = dag.essential_graph();
        prop_assert_eq!(essential.arrows(), dag.arrows().filter(in_all).collect::<Vec<_>>());
        prop_assert_eq!(essential.arrows().len() + essential.edges().len(), edges.len());
    }

    #[test]
    fn lists_are_what_single_questions_answer(dag in arbitrary::dag(2..=6)) {
        let (listed, moral) = (dag.independencies().unwrap(), dag.moral_graph());
        let listed_moral = moral.independencies().unwrap();
        let mut expected = [Vec::new(), Vec::new()];
        for code in 0..4_usize.pow(dag.len() as u32) {
            let place = |v: VarId| code >> (2 * v.index()) & 3;
            let [a, b, given] =
                [0, 1, 2].map(|set| dag.variables().filter(|&v| place(v) == set).collect::<Vec<_>>());
            if a.len() != 1 || b.len() != 1 || a > b {
                continue;
            }
            let statement = Independence::new(dag.names(), &a, &b, &given).unwrap();
            if dag.separation(&a, &b, &given).unwrap().is_separated() {
                expected[0].push(statement.clone());
            }
            if moral.separation(&a, &b, &given).unwrap().is_separated() {
                expected[1].push(statement);
            }
        }
        expected[0].sort();
        expected[1].sort();
        prop_assert_eq!(&listed, &expected[0]);
        prop_assert_eq!(&listed_moral, &expected[1]);
        // What the moral graph says, the graph says; and all of it, if no parents had to be married.
        let check = MapCheck::new(&listed_moral, &listed);
        prop_assert!(check.is_independence_map());
        prop_assert_eq!(check.is_perfect(), dag.immoralities().is_empty());
    }

    #[test]
    fn markov_statements_are_separations(dag in arbitrary::dag(1..=8)) {
        let graph = dag.skeleton();
        for s in dag.local_independencies().iter().chain(&dag.pairwise_independencies()) {
            prop_assert!(dag.separation(s.a(), s.b(), s.given()).unwrap().is_separated());
        }
        for s in graph.local_independencies().iter().chain(&graph.pairwise_independencies()) {
            prop_assert!(graph.separation(s.a(), s.b(), s.given()).unwrap().is_separated());
        }
        for v in dag.variables() {
            let blanket = dag.markov_blanket(v);
            let rest: Vec<VarId> = dag.variables().filter(|w| *w != v && !blanket.contains(w)).collect();
            prop_assert!(dag.separation(&[v], &rest, &blanket).unwrap().is_separated());
            // The least such set: without any one of its members it does not separate that one.
            for &w in &blanket {
                let less: Vec<VarId> = blanket.iter().copied().filter(|&u| u != w).collect();
                prop_assert!(!dag.separation(&[v], &[w], &less).unwrap().is_separated());
            }
        }
    }
}
