//! Flows against the enumeration of all cuts.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_inference::graph_cut::{Error, FlowNetwork};
use proptest::prelude::*;

/// Terminals (from the source, to the sink) and edges (from, to, capacity, back).
type Network = (Vec<(f64, f64)>, Vec<(usize, usize, f64, f64)>);

fn build((terminals, edges): &Network) -> FlowNetwork {
    let mut network = FlowNetwork::new(terminals.len()).unwrap();
    for (node, &(source, sink)) in terminals.iter().enumerate() {
        network.add_terminal(node, source, sink).unwrap();
    }
    for &(from, to, capacity, back) in edges.iter().filter(|edge| edge.0 != edge.1) {
        network.add_edge(from, to, capacity, back).unwrap();
    }
    network
}

/// What the cut severs whose source side is `side`.
fn severed((terminals, edges): &Network, side: &[bool]) -> f64 {
    let mut sum = 0.0;
    for (&(source, sink), &on) in terminals.iter().zip(side) {
        sum += if on { sink } else { source };
    }
    for &(from, to, capacity, back) in edges {
        match (side[from], side[to]) {
            (true, false) => sum += capacity,
            (false, true) => sum += back,
            _ => {}
        }
    }
    sum
}

/// The value of the minimum cut, and the intersection of the source sides of all minimum cuts.
fn enumerate(network: &Network, tolerance: f64) -> (f64, Vec<bool>) {
    let n = network.0.len();
    let sides: Vec<Vec<bool>> =
        (0_u32..1 << n).map(|code| (0..n).map(|i| code >> i & 1 == 1).collect()).collect();
    let values: Vec<f64> = sides.iter().map(|side| severed(network, side)).collect();
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let mut smallest = vec![true; n];
    for (side, value) in sides.iter().zip(&values) {
        if *value <= least + tolerance {
            for (all, one) in smallest.iter_mut().zip(side) {
                *all &= one;
            }
        }
    }
    (least, smallest)
}

fn network(capacity: impl Strategy<Value = f64> + Clone + 'static) -> impl Strategy<Value = Network> {
    (1_usize..10).prop_flat_map(move |n| {
        let terminals = prop::collection::vec((capacity.clone(), capacity.clone()), n);
        let edge = (0..n, 0..n, capacity.clone(), capacity.clone());
        (terminals, prop::collection::vec(edge, 0..3 * n))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn integer_flows_are_minimum_cuts_to_the_last_bit(network in network((0_u32..12).prop_map(|c| f64::from(c.saturating_sub(4))))) {
        let cut = build(&network).min_cut().unwrap();
        let (least, smallest) = enumerate(&network, 0.0);
        prop_assert_eq!(cut.value, least);
        prop_assert_eq!(cut.source_side, smallest);
    }

    #[test]
    fn real_flows_are_minimum_cuts_up_to_rounding(network in network(prop_oneof![Just(0.0), 0.0_f64..3.0, 1e-12_f64..1e-9])) {
        let cut = build(&network).min_cut().unwrap();
        let (least, _) = enumerate(&network, 0.0);
        prop_assert!((cut.value - least).abs() <= 1e-13 * least.max(1.0), "{} {}", cut.value, least);
        prop_assert!((severed(&network, &cut.source_side) - least).abs() <= 1e-13 * least.max(1.0));
    }

    #[test]
    fn infinite_capacities_are_never_severed(
        network in network((0_u32..9).prop_map(|c| if c == 8 { f64::INFINITY } else { f64::from(c.saturating_sub(3)) }))
    ) {
        let (least, smallest) = enumerate(&network, 0.0);
        match build(&network).min_cut() {
            Ok(cut) => {
                prop_assert_eq!(cut.value, least);
                prop_assert_eq!(cut.source_side, smallest);
            }
            Err(error) => {
                prop_assert_eq!(error, Error::Infeasible);
                prop_assert_eq!(least, f64::INFINITY);
            }
        }
    }
}

/// A pseudo-random number below `below`; the generator of Park and Miller.
fn draw(state: &mut u64, below: u64) -> u64 {
    *state = *state * 48271 % 2_147_483_647;
    *state % below
}

/// Long paths, many levels, orphans that come back: the flow is proved by the cut that it comes with.
#[test]
fn large_sparse_networks_have_a_flow_that_equals_their_cut() {
    let mut state = 7;
    for round in 0..40 {
        let n = 200 + 50 * round;
        let mut terminals = vec![(0.0, 0.0); n];
        for _ in 0..=n / 10 {
            terminals[draw(&mut state, n as u64) as usize].0 = draw(&mut state, 100) as f64;
            terminals[draw(&mut state, n as u64) as usize].1 = draw(&mut state, 100) as f64;
        }
        let edges: Vec<(usize, usize, f64, f64)> = (0..3 * n)
            .map(|_| {
                let from = draw(&mut state, n as u64) as usize;
                let near = (from + 1 + draw(&mut state, 12) as usize) % n;
                (from, near, draw(&mut state, 20) as f64, draw(&mut state, 20) as f64)
            })
            .collect();
        let network = (terminals, edges);
        let cut = build(&network).min_cut().unwrap();
        assert_eq!(severed(&network, &cut.source_side), cut.value, "round {round}");
        assert!(cut.value > 0.0);
    }
}

#[test]
fn a_long_chain_carries_its_narrowest_edge() {
    let n = 10_000;
    let mut network = FlowNetwork::new(n).unwrap();
    network.add_terminal(0, 1e6, 0.0).unwrap();
    network.add_terminal(n - 1, 0.0, 1e6).unwrap();
    for i in 1..n {
        network.add_edge(i - 1, i, if i == 7_001 { 3.0 } else { 4.0 + i as f64 }, 0.0).unwrap();
    }
    let cut = network.min_cut().unwrap();
    assert_eq!(cut.value, 3.0);
    assert_eq!(cut.source_side.iter().filter(|&&side| side).count(), 7_001);
}

#[test]
fn many_paths_through_one_node_and_a_complete_graph() {
    // 300 sources, a hub, 300 sinks.
    let mut network = FlowNetwork::new(601).unwrap();
    for i in 0..300 {
        network.add_terminal(i, 1.0 + i as f64, 0.0).unwrap();
        network.add_edge(i, 300, 2.0, 0.0).unwrap();
        network.add_terminal(301 + i, 0.0, 5.0).unwrap();
        network.add_edge(300, 301 + i, 1.0 + (i % 2) as f64, 0.0).unwrap();
    }
    assert_eq!(network.min_cut().unwrap().value, 450.0);
    // In a complete graph of unit capacities k sources and k sinks can exchange k (n - k) at most.
    let n = 60;
    let mut complete = FlowNetwork::new(n).unwrap();
    for i in 0..n {
        for j in 0..i {
            complete.add_edge(i, j, 1.0, 1.0).unwrap();
        }
    }
    for i in 0..20 {
        complete.add_terminal(i, 1e9, 0.0).unwrap();
        complete.add_terminal(59 - i, 0.0, 1e9).unwrap();
    }
    assert_eq!(complete.min_cut().unwrap().value, 800.0);
}
