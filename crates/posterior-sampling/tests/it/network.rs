//! Monte Carlo engines for networks.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod annealing;
mod calibration;
mod corpus;
mod deterministic;
mod goldens;
mod learning;
mod options;
mod weighting;

use posterior_pgm::{BayesianNetwork, MarkovRandomField, Table, VarId, Variables};

pub(crate) fn var(index: usize) -> VarId {
    VarId::new(index)
}

fn table(scope: &[usize], cards: &[usize], values: &[f64]) -> Table {
    let own = scope.iter().map(|&v| cards[v]).collect();
    Table::new(scope.iter().map(|&v| var(v)).collect(), own, values.to_vec()).unwrap()
}

/// A network of binary variables.
fn network(variables: usize, tables: &[(&[usize], &[f64])]) -> BayesianNetwork {
    let cards = vec![2; variables];
    let tables = tables.iter().map(|(scope, values)| table(scope, &cards, values)).collect();
    BayesianNetwork::new(Variables::numbered(&cards).unwrap(), tables).unwrap()
}

/// A field of binary variables.
fn field(variables: usize, tables: &[(&[usize], &[f64])]) -> MarkovRandomField {
    let cards = vec![2; variables];
    let tables = tables.iter().map(|(scope, values)| table(scope, &cards, values)).collect();
    MarkovRandomField::new(Variables::numbered(&cards).unwrap(), tables).unwrap()
}

/// Four friends in a ring who like to vote alike: the seed's example.
fn voting() -> MarkovRandomField {
    let agree: &[f64] = &[5.0, 1.0, 1.0, 10.0];
    field(4, &[(&[0, 1], agree), (&[1, 2], agree), (&[2, 3], agree), (&[3, 0], agree)])
}

/// Burglar 0, earthquake 1, alarm 2, radio 3: MacKay's numbers.
fn alarm() -> BayesianNetwork {
    let rings = [0.001, 0.01099, 0.99001, 0.990_109_9];
    let alarm: Vec<f64> = rings.iter().flat_map(|p| [1.0 - p, *p]).collect();
    network(
        4,
        &[
            (&[0], &[0.999, 0.001]),
            (&[1], &[0.999, 0.001]),
            (&[0, 1, 2], &alarm),
            (&[1, 3], &[1.0, 0.0, 0.0, 1.0]),
        ],
    )
}
