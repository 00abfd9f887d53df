//! What a matrix must be, classes and periods, reversibility.

use posterior_math::linalg::DMatrix;
use posterior_sampling::Error;
use posterior_sampling::markov_chain::{NotErgodic, TransitionMatrix};

use super::{circle, flip, gambler, identity, weather};

#[test]
fn what_is_no_transition_matrix_is_refused_with_its_place() {
    let refused = |rows: &[&[f64]]| TransitionMatrix::from_rows(rows).unwrap_err().to_string();
    assert_eq!(refused(&[&[0.5, 0.5], &[0.5, 0.4]]), "TransitionMatrix: sum of row[1] = 0.9 must be 1");
    assert_eq!(
        refused(&[&[1.5, -0.5], &[0.5, 0.5]]),
        "TransitionMatrix: entry of row[0] = 1.5 must be in [0, 1]"
    );
    assert!(refused(&[&[1.0, 0.0], &[f64::NAN, 1.0]]).contains("row[1] = NaN"));
    assert!(refused(&[&[1.0], &[1.0]]).contains("length of row[0] = 1 must be as many as rows"));
    assert!(refused(&[]).contains("states = 0 must be positive"));
    assert!(TransitionMatrix::new(DMatrix::from_element(1, 2, 0.5)).is_err());
    let moves = |list: &[(usize, f64)]| TransitionMatrix::from_moves(2, |_| list.to_vec()).map(|_| ());
    assert!(moves(&[(2, 0.5)]).is_err());
    assert!(moves(&[(1, 0.7), (0, 0.4)]).is_err());
    assert!(moves(&[(1, f64::NAN)]).is_err());
    assert!(moves(&[(1, 0.6), (1, 0.4)]).is_ok());
}

#[test]
fn distributions_are_rows_and_functions_are_columns() {
    assert_eq!(weather().step(&[1.0, 0.0]).unwrap(), [0.9, 0.1]);
    assert_eq!(weather().expectation(&[1.0, 0.0]).unwrap(), [0.9, 0.2]);
    assert!(matches!(
        weather().step(&[1.0]),
        Err(Error::Dimension(posterior_math::DimensionError { expected: 2, found: 1, .. }))
    ));
    assert!(weather().step(&[0.5, 0.4]).is_err());
    assert!(weather().step(&[1.5, -0.5]).is_err());
    assert!(weather().expectation(&[1.0, f64::NAN]).is_err());
    // First this, then that: the order of the product.
    let to_first = TransitionMatrix::from_rows(&[[1.0, 0.0], [1.0, 0.0]]).unwrap();
    assert_eq!(to_first.then(&weather()).unwrap().step(&[0.0, 1.0]).unwrap(), [0.9, 0.1]);
    assert_eq!(weather().then(&to_first).unwrap().step(&[0.0, 1.0]).unwrap(), [1.0, 0.0]);
    assert!(weather().then(&identity(3)).is_err());
}

#[test]
fn the_chain_of_two_halves_is_periodic_and_the_identity_reducible() {
    assert_eq!(flip().check_ergodic(), Err(NotErgodic::Periodic { period: 2 }));
    assert_eq!(flip().stationary().unwrap(), [0.5, 0.5]);
    let refused = flip().mixing_time(0.25).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the chain is periodic: it returns to a state only after multiples of 2 steps"
    );
    assert_eq!(identity(2).check_ergodic(), Err(NotErgodic::Reducible { from: 0, to: 1 }));
    assert_eq!(identity(2).stationary(), Err(NotErgodic::Reducible { from: 0, to: 1 }));
    assert_eq!(
        identity(2).mixing_time(0.25).unwrap_err().to_string(),
        "the chain is reducible: no way leads from state 0 to state 1"
    );
    assert_eq!(weather().check_ergodic(), Ok(()));
    assert_eq!(identity(1).check_ergodic(), Ok(()));
}

#[test]
fn classes_are_closed_or_transient_and_have_periods() {
    // 0 → 1 → 2 → 0 and 3 → 4 → 3, with a way from 5 to both, and 6 that leads to 5 and to itself.
    let next: [&[usize]; 7] = [&[1], &[2], &[0], &[4], &[3], &[0, 3], &[5, 6]];
    let moves = |i: usize| next[i].iter().map(|&to| (to, 1.0 / next[i].len() as f64)).collect::<Vec<_>>();
    let chain = TransitionMatrix::from_moves(7, moves).unwrap();
    let found: Vec<_> = chain.classes().into_iter().map(|c| (c.states, c.closed, c.period)).collect();
    assert_eq!(
        found,
        [
            (vec![0, 1, 2], true, Some(3)),
            (vec![3, 4], true, Some(2)),
            (vec![5], false, None),
            (vec![6], false, Some(1)),
        ]
    );
    // The state that is never reached is outside of the closed class, and not the other way round.
    assert_eq!(gambler(2, 0.5).check_irreducible(), Err(NotErgodic::Reducible { from: 0, to: 1 }));
    let leak = TransitionMatrix::from_rows(&[[0.5, 0.5], [0.0, 1.0]]).unwrap();
    assert_eq!(leak.check_irreducible(), Err(NotErgodic::Reducible { from: 1, to: 0 }));
    assert_eq!(leak.stationary().unwrap(), [0.0, 1.0]);
}

#[test]
fn a_walk_with_a_drift_has_a_current() {
    let walk = circle(5, 0.6, 0.3);
    let distribution = walk.stationary().unwrap();
    // Uniform and stationary, and not in detailed balance.
    assert!(walk.stationary_residual(&distribution).unwrap() < 1e-16);
    assert!((walk.detailed_balance_residual(&distribution).unwrap() - 0.3 / 5.0).abs() < 1e-16);
    let cycle = walk.irreversible_cycle(1e-9).unwrap();
    let around: Vec<usize> = (0..5).map(|k| (cycle.states[0] + k) % 5).collect();
    let mut backwards = around.clone();
    backwards[1..].reverse();
    if cycle.ln_ratio > 0.0 {
        assert_eq!(cycle.states, around);
    } else {
        assert_eq!(cycle.states, backwards);
    }
    assert!((cycle.ln_ratio.abs() - 5.0 * 2_f64.ln()).abs() < 1e-12);
    assert_eq!(circle(5, 0.4, 0.4).irreversible_cycle(1e-12), None);
    // Without a way back, but with a way round.
    let one_way = circle(3, 1.0, 0.0).irreversible_cycle(1e-9).unwrap();
    assert_eq!((one_way.states, one_way.ln_ratio), (vec![0, 1, 2], f64::INFINITY));
    // A way that is never walked twice is on no cycle.
    assert_eq!(gambler(4, 0.5).irreversible_cycle(1e-12), None);
}

#[test]
fn the_reversed_chain_has_the_flows_turned_round() {
    let walk = TransitionMatrix::from_rows(&[[0.1, 0.7, 0.2], [0.3, 0.3, 0.4], [0.6, 0.1, 0.3]]).unwrap();
    let (distribution, reversed) = (walk.stationary().unwrap(), walk.reversed().unwrap());
    for i in 0..3 {
        for j in 0..3 {
            let (there, back) =
                (distribution[i] * walk.probability(i, j), distribution[j] * reversed.probability(j, i));
            assert!((there - back).abs() < 1e-16);
        }
    }
    // Half forwards and half backwards is reversible.
    let both = TransitionMatrix::mixture(&[(0.5, walk), (0.5, reversed)]).unwrap();
    assert!(both.detailed_balance_residual(&distribution).unwrap() < 1e-16);
    assert!(TransitionMatrix::mixture(&[]).is_err());
    assert!(TransitionMatrix::mixture(&[(-1.0, identity(2)), (2.0, identity(2))]).is_err());
    assert!(TransitionMatrix::mixture(&[(1.0, identity(2)), (1.0, identity(3))]).is_err());
}
