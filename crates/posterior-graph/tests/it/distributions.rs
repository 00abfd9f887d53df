//! What graphs claim, against distributions with numbers: joint tables of binary variables with random
//! conditional probabilities.

use posterior_graph::{Dag, Independence, MapCheck, Names, UnGraph, VarId};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::arbitrary;

/// p(v = 1 | parents), for each variable and each state of its parents.
type Tables = Vec<Vec<f64>>;

fn random_tables(dag: &Dag, seed: u64) -> Tables {
    let mut rng = Pcg64::seed_from_u64(seed);
    let mut table = |v: VarId| (0..1 << dag.parents(v).len()).map(|_| rng.random_range(0.1..0.9)).collect();
    dag.variables().map(&mut table).collect()
}

const fn bit(state: usize, v: VarId) -> usize {
    state >> v.index() & 1
}

/// p(v | parents) in this state.
fn factor(dag: &Dag, tables: &Tables, v: VarId, state: usize) -> f64 {
    let row = dag.parents(v).iter().rev().fold(0, |row, &p| 2 * row + bit(state, p));
    let one = tables[v.index()][row];
    if bit(state, v) == 1 { one } else { 1.0 - one }
}

fn joint(dag: &Dag, tables: &Tables) -> Vec<f64> {
    let of_state = |state| dag.variables().map(|v| factor(dag, tables, v, state)).product();
    (0..1 << dag.len()).map(of_state).collect()
}

/// Sums over all states that agree with each state in `kept`.
fn marginal(joint: &[f64], kept: &[VarId]) -> Vec<f64> {
    let key = |state: usize| kept.iter().rev().fold(0, |key, &v| 2 * key + bit(state, v));
    let mut sums = vec![0.0; 1 << kept.len()];
    for (state, p) in joint.iter().enumerate() {
        sums[key(state)] += p;
    }
    (0..joint.len()).map(|state| sums[key(state)]).collect()
}

/// The conditional mutual information in nats.
fn information(joint: &[f64], a: VarId, b: VarId, given: &[VarId]) -> f64 {
    let with = |more: &[VarId]| marginal(joint, &[given, more].concat());
    let (all, of_a, of_b, known) = (with(&[a, b]), with(&[a]), with(&[b]), with(&[]));
    let term = |state: usize| {
        let p = joint[state];
        if p == 0.0 { 0.0 } else { p * (all[state] * known[state] / (of_a[state] * of_b[state])).ln() }
    };
    (0..joint.len()).map(term).sum()
}

/// All independencies of a joint table.
fn independencies(names: &Names, joint: &[f64]) -> Vec<Independence> {
    let n = names.len();
    let mut found = Vec::new();
    for code in 0..1_usize << n {
        let inside = |wanted: usize| (0..n).map(VarId::new).filter(move |&v| bit(code, v) == wanted);
        let given: Vec<VarId> = inside(1).collect();
        for a in inside(0) {
            for b in inside(0).filter(|&b| b > a) {
                if information(joint, a, b, &given).abs() < 1e-12 {
                    found.push(Independence::new(names, &[a], &[b], &given).unwrap());
                }
            }
        }
    }
    found.sort();
    found
}

#[test]
fn two_coins_and_a_bell_have_no_perfect_map() {
    let names = Names::new(["coin1", "coin2", "bell"]).unwrap();
    let rings = |state: usize| (state & 1 == state >> 1 & 1) == (state >> 2 == 1);
    let joint: Vec<f64> = (0..8).map(|state| if rings(state) { 0.25 } else { 0.0 }).collect();
    let distribution = independencies(&names, &joint);
    let text: Vec<String> = distribution.iter().map(|s| s.display(&names).to_string()).collect();
    assert_eq!(text, ["coin1 ⟂ coin2", "coin1 ⟂ bell", "coin2 ⟂ bell"]);
    // The graph in which the story is drawn misses two of them, and says nothing false.
    let output = Dag::new(names.clone(), [0, 1].map(|coin| (VarId::new(coin), VarId::new(2)))).unwrap();
    let check = MapCheck::new(&output.independencies().unwrap(), &distribution);
    assert_eq!((check.missing.as_slice(), check.extra.len()), (&distribution[1..], 0));
}

/// Moussouris (1974): with zeros a distribution can have every Markov property of a graph, and not be a
/// product over its cliques.
#[test]
fn markov_is_not_enough_where_there_are_zeros() {
    let cycle =
        UnGraph::named(["a", "b", "c", "d"], [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")]).unwrap();
    let possible = [0b0000, 0b0001, 0b0011, 0b0111, 0b1111, 0b1110, 0b1100, 0b1000];
    let joint: Vec<f64> = (0..16).map(|s| if possible.contains(&s) { 0.125 } else { 0.0 }).collect();
    let claimed = cycle.independencies().unwrap();
    assert_eq!(claimed.len(), 2);
    assert!(MapCheck::new(&claimed, &independencies(cycle.names(), &joint)).is_independence_map());
    // Every pair of values occurs on every edge, so each function of an edge would be positive, and so their
    // product.
    for (a, b) in cycle.edges() {
        for values in 0..4 {
            assert!(possible.iter().any(|&s| bit(s, a) + 2 * bit(s, b) == values));
        }
    }
    assert_eq!(joint.iter().filter(|&&p| p == 0.0).count(), 8);
}

proptest! {
    /// Distributions over a graph have its independencies, and random ones no others; a dependence through
    /// many variables can be weaker than rounding, but not in each of four distributions.
    #[test]
    fn distributions_over_a_graph_have_its_independencies(dag in arbitrary::dag(1..=5), seed in 0..1000_u64) {
        let claimed = dag.independencies().unwrap();
        let mut in_all: Option<Vec<Independence>> = None;
        for distribution in 0..4 {
            let joint = joint(&dag, &random_tables(&dag, 4 * seed + distribution));
            let holding = independencies(dag.names(), &joint);
            let check = MapCheck::new(&claimed, &holding);
            prop_assert!(check.is_independence_map(), "{:?} do not hold", check.extra);
            let before = in_all.take();
            let both = |s: &Independence| before.as_ref().is_none_or(|before| before.contains(s));
            in_all = Some(holding.into_iter().filter(both).collect());
        }
        prop_assert_eq!(in_all, Some(claimed));
    }

    /// The tables and values that are said to be needed give the answer, as a product and with everything
    /// else changed.
    #[test]
    fn what_is_requisite_is_enough(
        (dag, [targets, _, observed]) in arbitrary::question(1..=6),
        seed in 0..1000_u64,
    ) {
        let needed = dag.requisite(&targets, &observed).unwrap();
        let tables = random_tables(&dag, seed);
        let full = joint(&dag, &tables);
        let product: Vec<f64> = (0..full.len())
            .map(|state| needed.probabilities.iter().map(|&v| factor(&dag, &tables, v, state)).product())
            .collect();
        // p(targets | observed) in each state, from the joint distribution and from the product.
        let both = [targets.as_slice(), &observed].concat();
        let answer = |weights: &[f64]| -> Vec<f64> {
            let (above, below) = (marginal(weights, &both), marginal(weights, &observed));
            above.iter().zip(below).map(|(a, b)| a / b).collect()
        };
        let exact = answer(&full);
        for (a, b) in exact.iter().zip(answer(&product)) {
            prop_assert!((a - b).abs() < 1e-12, "{} {}", a, b);
        }
        // Another value of what need not be observed, and other tables where they are not needed.
        let idle = observed.iter().filter(|v| !needed.observations.contains(v));
        let flips = idle.fold(0, |mask, v| mask | 1 << v.index());
        for (state, a) in exact.iter().enumerate() {
            prop_assert!((a - exact[state ^ flips]).abs() < 1e-12);
        }
        let mut others = random_tables(&dag, seed + 1);
        for &v in &needed.probabilities {
            others[v.index()].clone_from(&tables[v.index()]);
        }
        for (a, b) in exact.iter().zip(answer(&joint(&dag, &others))) {
            prop_assert!((a - b).abs() < 1e-12);
        }
    }
}
