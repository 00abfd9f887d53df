//! Independencies of tables against those of graphs.

use posterior_dist::stream::stream;
use posterior_graph::{Dag, MapCheck, Names, UnGraph, VarId};
use posterior_pgm::{BayesianNetwork, CptPrior, FamilyCounts, GraphicalModel, SumProduct, Table, Variables};
use proptest::prelude::*;

fn v(index: usize) -> VarId {
    VarId::new(index)
}

/// Two fair coins, and a bell that rings if they agree.
fn bell() -> Table {
    Table::new(vec![v(0), v(1), v(2)], vec![2; 3], vec![0.0, 0.25, 0.25, 0.0, 0.25, 0.0, 0.0, 0.25]).unwrap()
}

#[test]
fn two_coins_and_a_bell_have_no_perfect_map() {
    let holding = bell().independencies(1e-12).unwrap();
    let names = Names::new(["first", "second", "bell"]).unwrap();
    let words: Vec<String> = holding.iter().map(|i| i.display(&names).to_string()).collect();
    assert_eq!(words, ["first ⟂ second", "first ⟂ bell", "second ⟂ bell"]);
    assert!(
        Dag::all_over(&names)
            .all(|dag| { !MapCheck::new(&dag.independencies().unwrap(), &holding).is_perfect() })
    );
    assert!(
        UnGraph::all_over(&names)
            .all(|graph| { !MapCheck::new(&graph.independencies().unwrap(), &holding).is_perfect() })
    );
    // Any two are independent, but the third knows it all: one bit.
    let one_bit = bell().conditional_mutual_information(&[v(0)], &[v(1)], &[v(2)]).unwrap();
    assert!((one_bit - 2_f64.ln()).abs() < 1e-15);
}

#[test]
fn a_distribution_without_the_factors_of_its_markov_graph() {
    // Moussouris 1974: 8 of the 16 states of a square, each 1/8: Markov, but with zeros.
    let states = [0b0000, 0b1000, 0b1100, 0b1110, 0b1111, 0b0111, 0b0011, 0b0001];
    let values = (0..16).map(|code| if states.contains(&code) { 0.125 } else { 0.0 }).collect();
    let distribution = Table::new((0..4).map(v).collect(), vec![2; 4], values).unwrap();
    let square =
        UnGraph::named(["A", "B", "C", "D"], [("A", "B"), ("B", "C"), ("C", "D"), ("D", "A")]).unwrap();
    let check =
        MapCheck::new(&square.independencies().unwrap(), &distribution.independencies(1e-12).unwrap());
    assert!(check.is_independence_map());
    // A distribution with factors on the edges that is positive at the states above is positive everywhere:
    // each edge has all four pairs.
    for (a, b) in square.edges() {
        let pair = distribution.marginal::<SumProduct>(&[a, b]).unwrap();
        assert!(pair.values().iter().all(|&p| p > 0.0), "{a:?} {b:?}");
    }
}

#[test]
fn tables_without_a_distribution_are_refused() {
    let zero = Table::new(vec![v(0), v(1)], vec![2, 2], vec![0.0; 4]).unwrap();
    assert!(zero.independencies(0.0).is_err());
    let negative = Table::new(vec![v(0), v(1)], vec![2, 2], vec![1.0, -1.0, 1.0, 1.0]).unwrap();
    assert!(negative.conditional_mutual_information(&[v(0)], &[v(1)], &[]).is_err());
    assert!(bell().conditional_mutual_information(&[v(0)], &[v(0)], &[]).is_err());
    assert!(bell().conditional_mutual_information(&[v(0)], &[v(3)], &[]).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// d-separated variables are independent whatever the tables, others are dependent for almost all tables.
    #[test]
    fn d_separation_is_independence(code in 0_usize..1 << 10, seed in 0_u64..1000) {
        let pairs = (0..5).flat_map(|b| (0..b).map(move |a| (v(a), v(b))));
        let arrows = pairs.enumerate().filter(|(i, _)| code >> i & 1 == 1).map(|(_, arrow)| arrow);
        let variables = Variables::numbered(&[2, 3, 2, 2, 3]).unwrap();
        let dag = Dag::new(variables.names().clone(), arrows).unwrap();
        let prior = FamilyCounts::zeros(variables, &dag).unwrap().posterior(&CptPrior::Symmetric(1.0)).unwrap();
        let network: BayesianNetwork = prior.draw(&mut stream(seed, &[])).unwrap();
        let joint = network.factors().iter().try_fold(Table::scalar(1.0), |t, f| t.product::<SumProduct>(f)).unwrap();
        let check = MapCheck::new(&dag.independencies().unwrap(), &joint.independencies(1e-26).unwrap());
        prop_assert!(check.is_perfect(), "{check:?}");
    }
}
