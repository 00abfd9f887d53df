//! Records drawn from networks.

use posterior_dist::stream::stream;
use posterior_pgm::{BayesianNetwork, GraphicalModel, Table, VarId, Variables};

/// a, and b given a: not in the order of their ids.
fn network() -> BayesianNetwork {
    let variables = Variables::new([("b", vec!["x", "y", "z"]), ("a", vec!["no", "yes"])]).unwrap();
    let [b, a] = [VarId::new(0), VarId::new(1)];
    let tables = vec![
        Table::new(vec![a, b], vec![2, 3], vec![0.2, 0.0, 0.8, 0.0, 1.0, 0.0]).unwrap(),
        Table::new(vec![a], vec![2], vec![0.3, 0.7]).unwrap(),
    ];
    BayesianNetwork::new(variables, tables).unwrap()
}

#[test]
fn proportions_are_those_of_the_joint_table() {
    let network = network();
    let n = 100_000;
    let records = network.sample(n, 5).unwrap();
    assert_eq!((records.len(), records.is_complete()), (n, true));
    let mut counts = [[0usize; 3]; 2];
    for (states, count) in records.distinct_states().unwrap() {
        counts[states[1]][states[0]] += count as usize;
        assert!(network.ln_score(&states).is_finite());
    }
    // Five standard deviations: one seed in a million fails.
    for (a, b, p) in [(0, 0, 0.06), (0, 2, 0.24), (1, 1, 0.7)] {
        let sd = (p * (1.0 - p) / n as f64).sqrt();
        assert!((counts[a][b] as f64 / n as f64 - p).abs() < 5.0 * sd, "{counts:?}");
    }
    assert_eq!(counts[0][1] + counts[1][0] + counts[1][2], 0);
    assert_eq!(records.state_counts(VarId::new(1)), [counts[0].iter().sum(), counts[1][1]]);
}

#[test]
fn the_first_records_do_not_depend_on_how_many_there_are() {
    let network = network();
    let (few, many) = (network.sample(1500, 7).unwrap(), network.sample(3000, 7).unwrap());
    for record in 0..few.len() {
        assert_eq!(few.evidence(record), many.evidence(record));
    }
    assert_ne!(few, network.sample(1500, 8).unwrap());
    assert!(network.sample(0, 7).unwrap().is_empty());
}

#[test]
fn random_tables_keep_the_graph() {
    let network = network();
    let other = network.with_random_tables(&mut stream(3, &[])).unwrap();
    assert_eq!((other.graph(), other.variables()), (network.graph(), network.variables()));
    for (a, b) in network.factors().iter().zip(other.factors()) {
        assert_eq!(a.scope(), b.scope());
        assert_ne!(a.values(), b.values());
    }
}
