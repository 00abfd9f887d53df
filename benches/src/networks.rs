//! Networks to time, and evidence about them.

use posterior::pgm::{BayesianNetwork, Evidence, GraphicalModel, Table, VarId, Variables};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// A strip of binary variables, each of which depends on the three before it.
///
/// # Panics
/// Never: the tables are conditional tables by the way they are made.
pub fn strip(n: usize) -> BayesianNetwork {
    let mut rng = Pcg64::seed_from_u64(1);
    let table = |v: usize| {
        let scope: Vec<VarId> = (v.saturating_sub(3)..=v).map(VarId::new).collect();
        let rows = 1 << (scope.len() - 1);
        let values = (0..rows).flat_map(|_| {
            let p: f64 = rng.random();
            [p, 1.0 - p]
        });
        Table::new(scope.clone(), vec![2; scope.len()], values.collect()).expect("as many values as states")
    };
    let tables = (0..n).map(table).collect();
    let variables = Variables::numbered(&vec![2; n]).expect("two states each");
    BayesianNetwork::new(variables, tables).expect("arrows go forwards")
}

/// A tenth of the variables, at most 20, in the states of a forward sample.
pub fn sample_evidence(network: &BayesianNetwork, seed: u64) -> Evidence {
    let mut rng = Pcg64::seed_from_u64(seed);
    let n = network.variables().len();
    let mut states = vec![0; n];
    for &v in network.graph().topological_order() {
        let table = network.cpt(v);
        let card = network.variables().card(v);
        let parents = &table.scope()[..table.scope().len() - 1];
        let row = parents.iter().fold(0, |row, p| row * network.variables().card(*p) + states[p.index()]);
        let row = &table.values()[row * card..][..card];
        let mut left: f64 = rng.random();
        let chosen = row.iter().position(|p| {
            left -= p;
            left < 0.0
        });
        states[v.index()] = chosen.or_else(|| row.iter().rposition(|&p| p > 0.0)).unwrap_or(0);
    }
    let count = (n / 10).clamp(1, 20);
    let mut order: Vec<usize> = (0..n).collect();
    for i in 0..count {
        order.swap(i, rng.random_range(i..n));
    }
    Evidence::of(order[..count].iter().map(|&v| (VarId::new(v), states[v])))
}
