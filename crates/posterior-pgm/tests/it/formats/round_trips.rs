//! What is written is read as the same, to the last bit.

use posterior_pgm::{
    BayesianNetwork, Error, GraphicalModel, MarkovRandomField, Model, NetworkFile, Table, VarId, Variables,
    bif, uai, xmlbif,
};
use proptest::prelude::*;

use super::{good_bif, networks};

fn through_bif(file: &NetworkFile) -> NetworkFile {
    bif::read(bif::write(file).unwrap().as_bytes()).unwrap()
}

fn through_xml(file: &NetworkFile) -> NetworkFile {
    xmlbif::read(xmlbif::write(file).unwrap().as_bytes()).unwrap()
}

#[test]
fn the_networks_of_the_repository_survive_both_formats() {
    for (name, _, file) in networks::all("round_trips") {
        let mut file = file;
        let again = through_bif(&file);
        // What was divided once adds up to one.
        assert!(again.renormalized.is_empty(), "{name}");
        file.renormalized.clear();
        assert_eq!(again, file, "{name}");
        assert_eq!(through_bif(&through_xml(&file)), file, "{name}");
        let model = uai::read(uai::write(&file.network).as_bytes()).unwrap().model;
        assert_eq!(model.dag().map(|dag| dag.arrows().count()), Some(file.network.graph().arrows().count()));
        assert_eq!(model.factors(), file.network.factors(), "{name}");
    }
}

#[test]
fn properties_survive() {
    let file = bif::read(good_bif().as_bytes()).unwrap();
    assert_eq!(through_bif(&file), file);
    assert_eq!(through_xml(&file), file);
    let mut file = NetworkFile::new(file.network);
    let texts =
        ["", " ", "a;b", "say \"x\" twice", "\"", "//", "x // y", "\"a\" \"b\"", "\"a;\" b", "é\n", "}"];
    for text in texts {
        file.properties.tables[1] = vec![text.to_owned(), "next".to_owned()];
        match bif::write(&file) {
            Ok(written) => assert_eq!(bif::read(written.as_bytes()).unwrap(), file, "{text:?}"),
            Err(error) => {
                assert_eq!((text, error.to_string()), ("\"", "BIF files cannot hold \"\\\"\"".to_owned()));
            }
        }
        assert_eq!(through_xml(&file), file, "{text:?}");
    }
}

#[test]
fn names_that_a_format_cannot_hold_are_refused() {
    let coin = |state: &str| {
        let variables = Variables::new([("coin", [state, "tails"])]).unwrap();
        let table = Table::new(vec![VarId::new(0)], vec![2], vec![0.5, 0.5]).unwrap();
        NetworkFile::new(BayesianNetwork::new(variables, vec![table]).unwrap())
    };
    assert!(matches!(bif::write(&coin("a\"b")), Err(Error::Unwritable { .. })));
    assert_eq!(through_xml(&coin("a\"b")), coin("a\"b"));
    assert!(matches!(xmlbif::write(&coin("a\u{1}b")), Err(Error::Unwritable { .. })));
    assert_eq!(through_bif(&coin("a\u{1}b")), coin("a\u{1}b"));
}

/// Names that make readers stumble.
fn name() -> impl Strategy<Value = String> {
    const WORDS: &[&str] = &[
        "table", "default", "}", "(", ")", "a(b", "a)b", "//", "/*", "0.5", "|", ";", ",", "<&>", "]]>", " ",
        "&amp;",
    ];
    prop_oneof![
        "[ -!#-~]{1,8}",
        "[a-zé\u{2003}中\t\n]{1,4}",
        proptest::sample::select(WORDS).prop_map(str::to_owned),
    ]
}

/// Different names.
fn names(count: usize) -> impl Strategy<Value = Vec<String>> {
    proptest::collection::btree_set(name(), count)
        .prop_map(|names| names.into_iter().collect())
        .prop_shuffle()
}

#[derive(Debug, Clone)]
struct Node {
    states: Vec<String>,
    /// Whether each node before it, in the order of the graph, is a parent.
    parents: Vec<bool>,
    weights: Vec<f64>,
}

fn node() -> impl Strategy<Value = Node> {
    let weight = prop_oneof![0.0..1.0f64, Just(0.0), 1e-300..1e-290f64, Just(1.0 / 3.0)];
    let states = (1..4usize).prop_flat_map(names);
    let parents = proptest::collection::vec(any::<bool>(), 5);
    (states, parents, proptest::collection::vec(weight, 1..60)).prop_map(|(states, parents, weights)| Node {
        states,
        parents,
        weights,
    })
}

/// A network whose variables stand in another order than its arrows go.
pub(super) fn network() -> impl Strategy<Value = NetworkFile> {
    (1..6usize)
        .prop_flat_map(|n| {
            let order = Just((0..n).collect::<Vec<_>>()).prop_shuffle();
            (names(n), proptest::collection::vec(node(), n), order, name())
        })
        .prop_map(|(names, nodes, order, title)| {
            let variables =
                Variables::new(names.iter().zip(&nodes).map(|(name, node)| (name, &node.states))).unwrap();
            let table = |place: usize| {
                let child = order[place];
                let before =
                    (0..place).filter(|&other| nodes[child].parents[other]).map(|other| order[other]);
                let scope: Vec<VarId> = before.chain([child]).map(VarId::new).collect();
                let cards: Vec<usize> = scope.iter().map(|&v| variables.card(v)).collect();
                let card = variables.card(VarId::new(child));
                let weights = &nodes[child].weights;
                let cells = cards.iter().product();
                let mut values: Vec<f64> = (0..cells).map(|i| weights[i % weights.len()]).collect();
                values
                    .chunks_mut(card)
                    .filter(|row| row.iter().sum::<f64>() == 0.0)
                    .for_each(|row| row[0] = 1.0);
                Table::new(scope, cards, values).unwrap()
            };
            let tables = (0..nodes.len()).map(table).collect();
            let mut file = NetworkFile::new(BayesianNetwork::normalized(variables, tables).unwrap().0);
            file.name = title;
            file
        })
}

proptest! {
    #[test]
    fn random_networks_survive_every_format(file in network()) {
        prop_assert_eq!(&through_bif(&file), &file);
        prop_assert_eq!(&through_xml(&file), &file);
        let model = uai::read(uai::write(&file.network).as_bytes()).unwrap().model;
        prop_assert_eq!(model.factors(), file.network.factors());
        let field = MarkovRandomField::new(file.network.variables().clone(), file.network.factors().to_vec()).unwrap();
        let Model::Markov(read) = uai::read(uai::write(&field).as_bytes()).unwrap().model else { panic!("a network") };
        prop_assert_eq!(read.factors(), field.factors());
    }
}
