//! What a model is, and what it refuses to be.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_dist::stream::stream;
use posterior_math::linalg::DMatrix;
use posterior_sequence::Error;
use posterior_sequence::hmm::{HiddenMarkovModel, Topology};

use super::table::Table;

fn table(states: usize) -> Table {
    Table(vec![vec![0.25, 0.75]; states])
}

fn message(initial: &[f64], rows: usize, transition: &[f64], states: usize) -> String {
    let matrix = DMatrix::from_row_slice(rows, transition.len() / rows.max(1), transition);
    HiddenMarkovModel::new(initial, &matrix, table(states)).unwrap_err().to_string()
}

#[test]
fn what_is_no_model_is_refused_with_its_place() {
    assert_eq!(message(&[], 0, &[], 0), "states: expected 1, found 0");
    assert_eq!(message(&[1.0], 2, &[1.0; 4], 1), "rows of the transition matrix: expected 1, found 2");
    assert_eq!(message(&[1.0], 1, &[0.5; 2], 1), "columns of the transition matrix: expected 1, found 2");
    assert_eq!(message(&[1.0], 1, &[1.0], 2), "states of the emissions: expected 1, found 2");
    assert_eq!(
        message(&[0.5, 0.4], 2, &[0.5; 4], 2),
        "HiddenMarkovModel: initial probabilities = 0.9 must be numbers that sum to 1"
    );
    assert_eq!(
        message(&[0.5, f64::NAN], 2, &[0.5; 4], 2),
        "HiddenMarkovModel: initial probabilities[1] = NaN must be in [0, 1]"
    );
    assert_eq!(
        message(&[0.5, 0.5], 2, &[0.5, 0.5, 0.25, 0.5], 2),
        "HiddenMarkovModel: transition probabilities of state[1] = 0.75 must be numbers that sum to 1"
    );
    assert_eq!(
        message(&[0.5, 0.5], 2, &[0.5, 0.5, -0.5, 1.5], 2),
        "HiddenMarkovModel: transition probabilities of state[1] = -0.5 must be in [0, 1]"
    );
}

#[test]
fn a_row_that_sums_to_one_but_for_rounding_stays_as_it_is() {
    let initial = [0.1, 0.2, 0.7];
    let rows = DMatrix::from_row_slice(3, 3, &[0.3, 0.3, 0.4, 1.0, 0.0, 0.0, 1e-300, 0.5, 0.5]);
    let model = HiddenMarkovModel::new(&initial, &rows, table(3)).unwrap();
    assert_eq!(model.initial(), initial);
    assert_eq!(model.transition(), &rows);
    assert_eq!(model.transitions().ln_row(1), [0.0, f64::NEG_INFINITY, f64::NEG_INFINITY]);
    assert_eq!(model.ln_initial()[0], 0.1_f64.ln());
    let off = DMatrix::from_element(1, 1, 1.0 + 0.0 - 5e-10);
    let model = HiddenMarkovModel::new(&[1.0], &off, table(1)).unwrap();
    assert_eq!(model.transition()[(0, 0)], 1.0);
}

#[test]
fn a_mixture_is_a_model_without_memory() {
    let weights = [0.5, 0.25, 0.25];
    let model = HiddenMarkovModel::from_weights(&weights, 0.0, table(3)).unwrap();
    for i in 0..3 {
        assert!(model.transition().row(i).iter().eq(&weights));
    }
    let sticky = HiddenMarkovModel::from_weights(&weights, 0.5, table(3)).unwrap();
    assert_eq!(sticky.transition()[(0, 0)], 0.75);
    assert_eq!(sticky.transition()[(1, 0)], 0.25);
    assert!(HiddenMarkovModel::from_weights(&weights, f64::NAN, table(3)).is_err());
    assert!(HiddenMarkovModel::from_weights(&weights, 1.5, table(3)).is_err());
    assert!(HiddenMarkovModel::from_weights(&weights, 0.5, table(2)).is_err());
}

#[test]
fn topologies_put_zeros_where_they_say() {
    let model = Topology::left_to_right(4, 2).unwrap().uniform(table(4)).unwrap();
    assert_eq!(model.initial(), [1.0, 0.0, 0.0, 0.0]);
    let third = 1.0 / 3.0;
    let wanted = [[third, third, third, 0.0], [0.0, third, third, third]];
    for (i, row) in wanted.iter().enumerate() {
        assert!(model.transition().row(i).iter().eq(row));
    }
    assert_eq!(model.transition()[(3, 3)], 1.0);
    let cycle = Topology::cyclic(3).unwrap();
    assert!(cycle.allows(2, 0) && !cycle.allows(0, 2) && cycle.starts(2));
    let random = cycle.random(table(3), &mut stream(1, &[])).unwrap();
    for i in 0..3 {
        for j in 0..3 {
            assert_eq!(random.transition()[(i, j)] > 0.0, cycle.allows(i, j));
        }
    }
    assert!(Topology::ergodic(0).is_err());
    let stuck = Topology::from_fn(2, |_| true, |i, _| i == 0).unwrap_err();
    let output = "Topology: number of possible steps from state[1] = 0 must be positive and finite";
    assert_eq!(stuck.to_string(), output);
    assert!(matches!(Topology::from_fn(2, |_| false, |_, _| true), Err(Error::Parameter(_))));
}

#[test]
fn other_emissions_have_as_many_states() {
    let model = Topology::ergodic(2).unwrap().uniform(table(2)).unwrap();
    assert!(model.clone().with_emissions(table(3)).is_err());
    let other = Table(vec![vec![1.0], vec![1.0]]);
    assert_eq!(model.with_emissions(other.clone()).unwrap().into_emissions(), other);
}
