//! What is refused, and by what name; empty and extreme inputs.

use posterior_inference::graph_cut::{BinaryEnergy, Error, FlowNetwork, GridEnergy};

const NAN: f64 = f64::NAN;
const INF: f64 = f64::INFINITY;

#[test]
fn networks_refuse_what_is_not_a_capacity() {
    let mut network = FlowNetwork::new(3).unwrap();
    for bad in [NAN, -1.0, -INF, -f64::MIN_POSITIVE] {
        assert!(matches!(network.add_terminal(0, bad, 0.0), Err(Error::Invalid { what: "capacity", .. })));
        assert!(matches!(network.add_terminal(0, 0.0, bad), Err(Error::Invalid { .. })));
        assert!(matches!(network.add_edge(0, 1, bad, 0.0), Err(Error::Invalid { .. })));
        assert!(matches!(network.add_edge(0, 1, 0.0, bad), Err(Error::Invalid { .. })));
    }
    assert_eq!(network.add_terminal(3, 0.0, 0.0), Err(Error::UnknownNode { node: 3, nodes: 3 }));
    assert_eq!(network.add_edge(0, 9, 0.0, 0.0), Err(Error::UnknownNode { node: 9, nodes: 3 }));
    assert_eq!(network.add_edge(2, 2, 0.0, 0.0), Err(Error::SelfLoop { node: 2 }));
    // Nothing of that was kept.
    assert_eq!(network, FlowNetwork::new(3).unwrap());
    assert!(matches!(FlowNetwork::new(usize::MAX), Err(Error::TooLarge { .. })));
}

#[test]
fn sums_beyond_the_largest_number_are_refused() {
    let mut network = FlowNetwork::new(2).unwrap();
    network.add_terminal(0, f64::MAX, 0.0).unwrap();
    assert_eq!(network.add_terminal(1, 0.0, f64::MAX), Err(Error::Overflow { what: "capacities" }));
    network.add_edge(0, 1, 1.0, 1.0).unwrap();
    assert_eq!(network.min_cut().unwrap().value, 0.0);

    let mut energy = BinaryEnergy::pairwise(2).unwrap();
    energy.add_unary(0, [1e300, -1e300]).unwrap();
    assert_eq!(
        energy.add_pairwise(0, 1, [1e307, 1e307, 0.0, 0.0]),
        Err(Error::Overflow { what: "energies" })
    );
    energy.add_pairwise(0, 1, [-1e300, 1e300, 1e300, -1e300]).unwrap();
    let minimum = energy.minimize().unwrap();
    assert_eq!((minimum.energy, minimum.bound()), (-2e300, -2e300));

    let pixels = vec![[0.0, f64::MAX], [f64::MAX, 0.0]];
    assert_eq!(GridEnergy::new(1, 2, pixels), Err(Error::Overflow { what: "energies of pixels" }));
    let grid = GridEnergy::new(1, 3, vec![[0.0, 1.0]; 3]).unwrap().with_smoothness(f64::MAX).unwrap();
    assert_eq!(grid.minimize(), Err(Error::Overflow { what: "weights" }));
}

#[test]
fn energies_refuse_what_is_not_an_energy() {
    let mut energy = BinaryEnergy::pairwise(2).unwrap();
    for bad in [NAN, -INF] {
        assert!(matches!(energy.add_unary(1, [0.0, bad]), Err(Error::Invalid { index: 1, .. })));
        assert!(matches!(energy.add_pairwise(0, 1, [0.0, bad, 0.0, 0.0]), Err(Error::Invalid { .. })));
        assert!(matches!(
            GridEnergy::new(1, 2, vec![[0.0; 2], [bad, 0.0]]),
            Err(Error::Invalid { index: 1, .. })
        ));
    }
    assert_eq!(energy.add_unary(2, [0.0; 2]), Err(Error::UnknownNode { node: 2, nodes: 2 }));
    assert_eq!(energy.add_pairwise(1, 1, [0.0; 4]), Err(Error::SelfLoop { node: 1 }));
    assert_eq!(energy, BinaryEnergy::pairwise(2).unwrap());
    assert!(matches!(energy.energy(&[true]), Err(Error::Length { found: 1, expected: 2, .. })));
}

#[test]
fn a_term_that_is_not_submodular_is_named() {
    let mut energy = BinaryEnergy::pairwise(5).unwrap();
    energy.add_pairwise(0, 1, [0.0, 1.0, 1.0, 0.0]).unwrap();
    energy.add_pairwise(4, 2, [1.0, 0.0, 0.5, 1.5]).unwrap();
    let refused = Error::NotSubmodular { term: 1, first: 4, second: 2, excess: 2.0 };
    assert_eq!(energy.check_submodular(), Err(refused.clone()));
    assert_eq!(energy.minimize(), Err(refused.clone()));
    assert_eq!(
        refused.to_string(),
        "the term 1 of nodes 4 and 2 is not submodular: E(0,0) + E(1,1) exceeds E(0,1) + E(1,0) by 2"
    );
    assert!(energy.roof_dual().is_ok());
}

#[test]
fn what_cannot_be_is_infeasible() {
    let mut energy = BinaryEnergy::pairwise(2).unwrap();
    energy.add_unary(0, [INF, 0.0]).unwrap();
    energy.add_unary(1, [0.0, INF]).unwrap();
    let minimum = energy.minimize().unwrap();
    assert_eq!((minimum.labels.as_slice(), minimum.energy), ([true, false].as_slice(), 0.0));
    let mut equal = energy.clone();
    equal.add_pairwise(0, 1, [0.0, INF, INF, 0.0]).unwrap();
    assert_eq!(equal.minimize(), Err(Error::Infeasible));
    assert_eq!(equal.roof_dual(), Err(Error::Infeasible));
    energy.add_unary(0, [0.0, INF]).unwrap();
    assert_eq!(energy.minimize(), Err(Error::Infeasible));
    assert_eq!(energy.roof_dual(), Err(Error::Infeasible));
    assert_eq!(GridEnergy::new(1, 1, vec![[INF, INF]]), Err(Error::Infeasible));

    let mut network = FlowNetwork::new(2).unwrap();
    network.add_terminal(0, INF, 0.0).unwrap();
    network.add_terminal(1, 0.0, INF).unwrap();
    network.add_edge(0, 1, 2.0, 0.0).unwrap();
    assert_eq!(network.min_cut().unwrap().value, 2.0);
    network.add_edge(0, 1, INF, 0.0).unwrap();
    assert_eq!(network.min_cut(), Err(Error::Infeasible));
}

#[test]
fn forbidden_labels_of_pixels_are_not_taken() {
    let unary = vec![[INF, 5.0], [0.0, 1.0], [0.0, INF], [2.0, 2.0]];
    let minimum = GridEnergy::new(2, 2, unary).unwrap().with_smoothness(3.0).unwrap().minimize().unwrap();
    assert!(minimum.labels[0] && !minimum.labels[2]);
    assert_eq!(minimum.energy, minimum.bound());
    // Labels 1, 0 above 0, 0.
    assert_eq!(minimum.energy, 5.0 + 2.0 + 3.0 + 3.0);
}

#[test]
fn nothing_has_energy_zero() {
    assert_eq!(FlowNetwork::new(0).unwrap().min_cut().unwrap().value, 0.0);
    let empty = BinaryEnergy::pairwise(0).unwrap();
    assert!(empty.is_empty());
    assert_eq!(empty.minimize().unwrap().energy, 0.0);
    assert_eq!(empty.roof_dual().unwrap().bound, 0.0);
    for (rows, columns) in [(0, 0), (0, 5), (5, 0)] {
        let grid = GridEnergy::new(rows, columns, Vec::new()).unwrap().with_smoothness(1.0).unwrap();
        let minimum = grid.with_diagonals(1.0).unwrap().minimize().unwrap();
        assert_eq!((minimum.labels.len(), minimum.energy, minimum.bound()), (0, 0.0, 0.0));
    }
}

#[test]
fn grids_refuse_lists_of_the_wrong_length_and_negative_weights() {
    let grid = || GridEnergy::new(2, 3, vec![[0.0, 1.0]; 6]).unwrap();
    assert!(matches!(
        GridEnergy::new(2, 3, vec![[0.0; 2]; 5]),
        Err(Error::Length { found: 5, expected: 6, .. })
    ));
    assert!(matches!(GridEnergy::new(usize::MAX, 3, vec![]), Err(Error::TooLarge { .. })));
    assert!(matches!(GridEnergy::new(1 << 16, 1 << 16, vec![]), Err(Error::TooLarge { .. })));
    let four = vec![1.0; 4];
    assert!(matches!(
        grid().with_weights(vec![1.0; 3], vec![1.0; 3]),
        Err(Error::Length { expected: 4, .. })
    ));
    assert!(matches!(
        grid().with_weights(four.clone(), four.clone()),
        Err(Error::Length { expected: 3, .. })
    ));
    assert!(matches!(
        grid().with_diagonal_weights(four.clone(), four),
        Err(Error::Length { expected: 2, .. })
    ));
    for bad in [NAN, -1.0, INF] {
        assert!(matches!(grid().with_smoothness(bad), Err(Error::Invalid { .. })));
        assert!(matches!(grid().with_diagonals(bad), Err(Error::Invalid { .. })));
        let weights = vec![1.0, 1.0, bad, 1.0];
        assert!(matches!(grid().with_weights(weights, vec![1.0; 3]), Err(Error::Invalid { index: 2, .. })));
    }
    assert!(matches!(grid().energy(&[true; 5]), Err(Error::Length { .. })));
}
