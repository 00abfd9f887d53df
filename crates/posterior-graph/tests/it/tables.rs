//! The tables `dseparation` and `undirected_graphs`.

use posterior_graph::{Dag, Names, UnGraph, VarId};
use posterior_testkit::reference::{count, counts, list, load};
use serde_json::Value;

fn variables(value: &Value) -> Vec<VarId> {
    counts(value).into_iter().map(|index| VarId::new(index as usize)).collect()
}

fn pairs(value: &Value) -> Vec<(VarId, VarId)> {
    list(value).iter().map(|pair| (variables(pair)[0], variables(pair)[1])).collect()
}

fn names(graph: &Value) -> Names {
    Names::numbered(count(&graph["n"]) as usize)
}

#[test]
fn directed_graphs_of_the_table() {
    let table = load("dseparation");
    let (mut dags, mut queries) = (0, 0);
    for expected in list(&table["dags"]) {
        dags += 1;
        let dag = Dag::new(names(expected), pairs(&expected["edges"])).unwrap();
        for v in dag.variables() {
            let of = |field: &str| variables(&expected[field][v.index()]);
            assert_eq!(dag.parents(v), of("parents"));
            assert_eq!(dag.ancestors(&[v]).unwrap(), of("ancestors"));
            assert_eq!(dag.descendants(&[v]).unwrap(), of("descendants"));
            assert_eq!(dag.markov_blanket(v), of("markov_blankets"));
        }
        let moral = dag.moral_graph();
        assert_eq!(moral.edges().collect::<Vec<_>>(), pairs(&expected["moral_edges"]));
        for query in list(&expected["queries"]) {
            queries += 1;
            let [x, y, z] = ["x", "y", "z"].map(|set| variables(&query[set]));
            let separated = dag.separation(&x, &y, &z).unwrap().is_separated();
            assert_eq!(Some(separated), query["d_separated"].as_bool(), "{query}");
        }
    }
    assert_eq!(dags, 10);
    assert!(queries > 500, "{queries} queries");
}

#[test]
fn undirected_graphs_of_the_table() {
    let table = load("undirected_graphs");
    for expected in list(&table["graphs"]) {
        let graph = UnGraph::new(names(expected), pairs(&expected["edges"])).unwrap();
        let components: Vec<_> = list(&expected["connected_components"]).iter().map(variables).collect();
        assert_eq!(graph.components(), components);
    }
}
