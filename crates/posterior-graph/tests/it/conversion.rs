//! From one kind of graph to another and back: nothing false is claimed, and what is lost is reported.

use posterior_graph::{
    Conversion, Dag, EliminationOrder, Error, FactorGraph, Independence, MapCheck, Names, UnGraph, VarId,
};
use proptest::prelude::*;

use crate::arbitrary;
use crate::cliques::moon_moser;
use crate::separation::{alarm, student};

fn text(names: &Names, lost: &[Independence]) -> Vec<String> {
    lost.iter().map(|statement| statement.display(names).to_string()).collect()
}

fn voters() -> UnGraph {
    UnGraph::named(["A", "B", "C", "D"], [("A", "B"), ("B", "C"), ("C", "D"), ("D", "A")]).unwrap()
}

#[test]
fn golden_losses() {
    let lost = |dag: &Dag| text(dag.names(), &dag.to_un_graph().lost);
    assert_eq!(lost(&student()), ["D ⟂ I"]);
    assert_eq!(lost(&alarm()), ["B ⟂ E"]);
    let naive = Dag::named(["class", "a", "b"], [("class", "a"), ("class", "b")]).unwrap();
    assert!(lost(&naive).is_empty());
    assert_eq!(student().to_factor_graph().lost, student().to_un_graph().lost);
    assert_eq!(student().to_factor_graph().graph.variable_count(), student().names().len());
    let order = EliminationOrder::new(voters().names(), [3, 0, 1, 2].map(VarId::new).to_vec()).unwrap();
    let network = voters().to_dag(&order).unwrap();
    assert_eq!(text(voters().names(), &network.lost), ["A ⟂ C | B, D"]);
    assert_eq!(network.added_edges().collect::<Vec<_>>(), [(VarId::new(0), VarId::new(2))]);
    // All that a moral graph of student cannot say, not only one statement for each edge.
    let (claimed, holding) =
        (student().moral_graph().independencies().unwrap(), student().independencies().unwrap());
    let missing = MapCheck::new(&claimed, &holding).missing;
    assert_eq!(text(student().names(), &missing), ["D ⟂ I", "D ⟂ I | S", "D ⟂ S"]);
}

#[test]
fn the_smaller_neighbourhood_tells_what_is_lost() {
    let edges = [("a", "x"), ("b", "x"), ("a", "y"), ("a", "z"), ("b", "w")];
    let star = UnGraph::named(["a", "b", "x", "y", "z", "w"], edges).unwrap();
    let order = EliminationOrder::new(star.names(), [2, 3, 4, 5, 0, 1].map(VarId::new).to_vec()).unwrap();
    assert_eq!(text(star.names(), &star.to_dag(&order).unwrap().lost), ["a ⟂ b | x, w"]);
}

#[test]
fn factor_graphs_of_networks_have_a_factor_for_each_family() {
    let factors = student().to_factor_graph().graph;
    let scopes: Vec<Vec<&str>> = (0..factors.factor_count())
        .map(|s| factors.scope(s).iter().map(|&v| factors.names().get(v)).collect())
        .collect();
    assert_eq!(scopes, [vec!["D"], vec!["I"], vec!["D", "I", "G"], vec!["I", "S"], vec!["G", "L"]]);
    assert!(factors.is_forest());
}

#[test]
fn factor_graphs_of_fields_have_a_factor_for_each_clique_or_edge() {
    let graph = UnGraph::named(["a", "b", "c", "d"], [("a", "b"), ("b", "c"), ("c", "a")]).unwrap();
    let (cliques, pairs) = (graph.to_factor_graph().unwrap(), graph.to_pairwise_factor_graph());
    assert_eq!((cliques.factor_count(), pairs.factor_count()), (2, 4));
    assert_eq!((cliques.to_un_graph(), pairs.to_un_graph()), (graph.clone(), graph));
    let all = [0, 1, 2].map(VarId::new);
    assert!(cliques.covers(&all) && !pairs.covers(&all) && pairs.covers(&all[1..]));
    assert!(pairs.covers(&[]) && !FactorGraph::new(Names::numbered(2), []).unwrap().covers(&[]));
    let many = Error::TooLarge {
        what: "or more maximal cliques",
        size: (1 << 20) + 39 + 702 + 1,
        limit: (1 << 20) + 39 + 702,
    };
    assert_eq!(moon_moser(13).to_factor_graph(), Err(many));
    let short = EliminationOrder::new(&Names::numbered(2), [0, 1].map(VarId::new).to_vec()).unwrap();
    assert!(voters().to_dag(&short).is_err());
}

/// The statement is lost for each edge, and nothing is claimed that did not hold.
fn check<G>(conversion: &Conversion<G>, before: &[Independence], after: &[Independence]) -> usize {
    let check = MapCheck::new(after, before);
    assert!(check.is_independence_map(), "claims too much: {:?}", check.extra);
    for lost in &conversion.lost {
        assert!(check.missing.contains(lost), "{lost:?} is not lost");
    }
    assert_eq!(check.missing.is_empty(), conversion.lost.is_empty());
    conversion.lost.len()
}

proptest! {
    #[test]
    fn networks_become_fields(dag in arbitrary::dag(1..=6)) {
        let field = dag.to_un_graph();
        let before = dag.independencies().unwrap();
        let added = check(&field, &before, &field.graph.independencies().unwrap());
        prop_assert_eq!(field.graph.edge_count(), dag.arrow_count() + added);
        let factors = dag.to_factor_graph();
        prop_assert_eq!(factors.graph.to_un_graph(), field.graph);
        prop_assert_eq!(factors.lost, field.lost);
        prop_assert_eq!(factors.graph.is_forest(), dag.is_polytree());
    }

    #[test]
    fn fields_become_networks(
        (dag, order) in arbitrary::dag(1..=6).prop_flat_map(|dag| {
            let order: Vec<VarId> = dag.variables().collect();
            (Just(dag), Just(order).prop_shuffle())
        })
    ) {
        let field = dag.skeleton();
        let order = EliminationOrder::new(field.names(), order).unwrap();
        let network = field.to_dag(&order).unwrap();
        let before = field.independencies().unwrap();
        let added = check(&network, &before, &network.graph.independencies().unwrap());
        prop_assert_eq!(network.graph.arrow_count(), field.edge_count() + added);
        prop_assert!(network.graph.immoralities().is_empty());
        // A minimal I-map: without any one of its arrows it would claim what does not hold.
        for spared in network.graph.arrows() {
            let arrows = network.graph.arrows().filter(|&arrow| arrow != spared);
            let less = Dag::new(field.names().clone(), arrows).unwrap();
            prop_assert!(!MapCheck::new(&less.independencies().unwrap(), &before).is_independence_map());
        }
        let cliques = field.to_factor_graph().unwrap();
        prop_assert_eq!(cliques.to_un_graph(), field.clone());
        prop_assert_eq!(field.to_pairwise_factor_graph().to_un_graph(), field.clone());
        prop_assert!(field.maximal_cliques().all(|clique| cliques.covers(&clique)));
    }
}
