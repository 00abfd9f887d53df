//! Graphs that are made, and graphs that are refused.

use posterior_graph::{Dag, Error, FactorGraph, Names, UnGraph, VarId};

#[test]
fn a_cycle_is_refused_by_name() {
    let error =
        Dag::named(["A", "B", "C", "D"], [("A", "D"), ("B", "D"), ("C", "D"), ("B", "C"), ("D", "C")]);
    assert_eq!(error, Err(Error::Cycle { cycle: ["C", "D", "C"].map(str::to_owned).to_vec() }));
    assert_eq!(error.unwrap_err().to_string(), "the arrows form a cycle: C -> D -> C");
}

#[test]
fn parents_come_before_children_and_least_ids_first() {
    let dag = Dag::named(["a", "b", "c", "d"], [("d", "b"), ("b", "a"), ("d", "c")]).unwrap();
    let order: Vec<&str> = dag.topological_order().iter().map(|&v| dag.names().get(v)).collect();
    assert_eq!(order, ["d", "b", "a", "c"]);
}

#[test]
fn names_are_found_and_repeated_ones_refused() {
    let names = Names::new(["b", "a"]).unwrap();
    assert_eq!(names.find("a"), Some(VarId::new(1)));
    assert_eq!(names.find("c"), None);
    assert_eq!(Names::new(["a", "b", "a"]), Err(Error::DuplicateName { name: "a".to_owned() }));
    assert_eq!(
        names.require("B").unwrap_err().to_string(),
        "there is no variable \"B\"; did you mean \"b\"?"
    );
}

#[test]
fn edges_count_once() {
    let graph = UnGraph::named(["a", "b", "c"], [("a", "b"), ("b", "a"), ("b", "c")]).unwrap();
    assert_eq!(graph.edge_count(), 2);
    assert!(graph.has_edge(VarId::new(2), VarId::new(1)) && !graph.has_edge(VarId::new(0), VarId::new(2)));
}

#[test]
fn misspelt_names_are_guessed() {
    let names = Names::new(["earthquake", "Alarm", "radio", "BirthAsphyxia"]).unwrap();
    let nearest = |name: &str| match names.require(name) {
        Err(Error::UnknownName { nearest, .. }) => nearest,
        _ => None,
    };
    let guesses = [
        ("earthqauke", "earthquake"),
        ("erthquak", "earthquake"),
        ("alarm", "Alarm"),
        ("rdaio", "radio"),
        ("radius", "radio"),
        ("birth", "BirthAsphyxia"),
    ];
    for (asked, guess) in guesses {
        assert_eq!(nearest(asked).as_deref(), Some(guess), "{asked}");
    }
    for asked in ["", "rain", "xyzzy", "quake"] {
        assert_eq!(nearest(asked), None, "{asked}");
    }
}

#[test]
fn scopes_hold_each_variable_once() {
    let v = VarId::new;
    let graph = |scopes: Vec<Vec<VarId>>| FactorGraph::new(Names::numbered(2), scopes);
    assert!(graph(vec![vec![v(1), v(0)], vec![v(1)], vec![]]).is_ok());
    let repeated = Error::RepeatedVariable { name: "X1".to_owned(), context: "the scope of a factor" };
    assert_eq!(graph(vec![vec![v(1), v(0), v(1)]]), Err(repeated));
    assert_eq!(graph(vec![vec![], vec![v(2)]]), Err(Error::UnknownVariable { index: 2, len: 2 }));
}
