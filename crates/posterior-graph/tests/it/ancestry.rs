//! Ancestors, subgraphs, components, trees.

use posterior_graph::{Dag, Error, FactorGraph, Names, UnGraph, VarId};

use crate::separation::{alarm, ids, student};

fn v(index: usize) -> VarId {
    VarId::new(index)
}

#[test]
fn ancestors_of_sets() {
    let dag = student();
    let set = |names: &str| ids(dag.names(), names);
    assert_eq!(dag.ancestors(&set("L,S")).unwrap(), set("D,I,G"));
    assert_eq!(dag.ancestors(&set("L,G")).unwrap(), set("D,I,G"));
    assert_eq!(dag.descendants(&set("I")).unwrap(), set("G,S,L"));
    assert_eq!(dag.ancestral_set(&set("G")).unwrap(), set("D,I,G"));
    assert_eq!(dag.roots().collect::<Vec<_>>(), set("D,I"));
    assert_eq!(dag.leaves().collect::<Vec<_>>(), set("S,L"));
    assert_eq!(dag.ancestors(&[v(5)]), Err(Error::UnknownVariable { index: 5, len: 5 }));
    assert_eq!(dag.ancestors(&[]).unwrap(), []);
}

#[test]
fn subgraphs_keep_names_and_order() {
    let dag = student();
    let part = dag.induced(&ids(dag.names(), "L,G,S,I")).unwrap();
    let expected = Dag::named(["I", "G", "S", "L"], [("I", "G"), ("I", "S"), ("G", "L")]).unwrap();
    assert_eq!(part, expected);
    assert_eq!(
        dag.ancestral_graph(&ids(dag.names(), "S")).unwrap(),
        Dag::named(["I", "S"], [("I", "S")]).unwrap()
    );
    let skeleton = dag.skeleton().induced(&ids(dag.names(), "S,D,G")).unwrap();
    assert_eq!(skeleton, UnGraph::named(["D", "G", "S"], [("D", "G")]).unwrap());
    assert!(dag.induced(&[]).unwrap().is_empty());
}

#[test]
fn moral_graphs_marry_parents() {
    let added = |dag: &Dag| {
        let new = |&(a, b): &(VarId, VarId)| !dag.is_adjacent(a, b);
        let name = |v| dag.names().get(v).to_owned();
        dag.moral_graph().edges().filter(new).map(|(a, b)| name(a) + "-" + &name(b)).collect::<Vec<_>>()
    };
    assert_eq!(added(&alarm()), ["B-E"]);
    assert_eq!(added(&student()), ["D-I"]);
    let naive = Dag::named(["class", "a", "b"], [("class", "a"), ("class", "b")]).unwrap();
    assert!(added(&naive).is_empty());
    let immoral: Vec<_> = alarm().immoralities().iter().map(|i| (i.parents, i.child)).collect();
    assert_eq!(immoral, [((v(0), v(1)), v(2))]);
}

#[test]
fn blankets() {
    let (student, alarm) = (student(), alarm());
    let blanket = |dag: &Dag, name| dag.markov_blanket(dag.names().require(name).unwrap());
    assert_eq!(blanket(&student, "G"), ids(student.names(), "D,I,L"));
    assert_eq!(blanket(&student, "I"), ids(student.names(), "D,G,S"));
    assert_eq!(blanket(&alarm, "A"), ids(alarm.names(), "B,E"));
}

#[test]
fn trees_forests_polytrees() {
    let over =
        |arrows: &[(&'static str, &'static str)]| Dag::named(["a", "b", "c", "d"], arrows.to_vec()).unwrap();
    let tree = over(&[("a", "b"), ("a", "c"), ("c", "d")]);
    let poly = over(&[("a", "b"), ("c", "b"), ("b", "d")]);
    let forest = over(&[("a", "b"), ("c", "d")]);
    let diamond = over(&[("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")]);
    let kinds = |dag: &Dag| (dag.is_tree(), dag.is_forest(), dag.is_polytree(), dag.skeleton().is_tree());
    assert_eq!(kinds(&tree), (true, true, true, true));
    assert_eq!(kinds(&poly), (false, false, true, true));
    assert_eq!(kinds(&forest), (false, true, true, false));
    assert_eq!(kinds(&diamond), (false, false, false, false));
    assert!(forest.skeleton().is_forest() && !diamond.skeleton().is_forest());
    assert_eq!(forest.components(), [[v(0), v(1)], [v(2), v(3)]]);
    let circle = UnGraph::named(["a", "b", "c", "d"], [("a", "b"), ("b", "c"), ("c", "a")]).unwrap();
    assert!(!circle.is_tree() && !circle.is_forest());
    let empty = Dag::new(Names::numbered(0), []).unwrap();
    assert_eq!(kinds(&empty), (false, true, true, false));
}

#[test]
fn factor_graphs_are_forests_where_edges_are_few() {
    let graph = |scopes: &[&[usize]]| {
        let scopes = scopes.iter().map(|scope| scope.iter().map(|&i| v(i)).collect());
        FactorGraph::new(Names::numbered(4), scopes).unwrap()
    };
    assert!(graph(&[&[0, 1], &[1, 2, 3], &[3], &[3], &[]]).is_forest());
    assert!(graph(&[&[0, 1]]).is_forest());
    assert!(!graph(&[&[0, 1], &[1, 0]]).is_forest());
    assert!(!graph(&[&[0, 1], &[1, 2], &[2, 0], &[]]).is_forest());
    assert_eq!(graph(&[&[3, 0], &[1]]).components(), [vec![v(0), v(3)], vec![v(1)], vec![v(2)]]);
}
