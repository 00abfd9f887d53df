//! A hidden Markov model and a random field with two states and three positions, worked by hand.

use posterior_math::linalg::DMatrix;
use posterior_sequence::chain::{Edges, ForwardBackward, LinearChain, NodeTable, Transitions};

use super::{Scores, assert_near};

/// p(0) = .6, sticky states, three symbols of which 0, 1, 2 are seen.
pub(super) fn hidden_markov() -> Scores {
    let ln = |numbers: &[f64]| numbers.iter().map(|x: &f64| x.ln()).collect();
    Scores {
        states: 2,
        initial: ln(&[0.6, 0.4]),
        edges: ln(&[0.7, 0.3, 0.4, 0.6]),
        nodes: ln(&[0.5, 0.1, 0.4, 0.3, 0.1, 0.6]),
    }
}

/// Scores without a meaning as probabilities; two best paths.
pub(super) fn random_field() -> Scores {
    Scores {
        states: 2,
        initial: vec![0.0, 0.0],
        edges: vec![0.5, -0.5, -0.5, 0.5],
        nodes: vec![1.0, 0.0, 0.2, 0.5, 0.0, 1.5],
    }
}

#[test]
fn hidden_markov_model() {
    let scores = hidden_markov();
    let transitions = scores.transitions();
    let chain = scores.chain(&transitions);
    let mut work = ForwardBackward::new();
    assert!((work.score(&chain).ln_z - -3.316488653735201).abs() < 1e-15);
    let filtered = work.filter(&chain);
    assert_near(filtered.at(0), &[0.3 / 0.34, 0.04 / 0.34], 1e-15);
    assert_near(filtered.at(1), &[0.0904 / 0.1246, 0.0342 / 0.1246], 1e-15);
    assert_near(filtered.at(2), &[0.007696 / 0.03628, 0.028584 / 0.03628], 1e-15);
    let smoothed = work.smooth(&chain);
    let gamma =
        [0.87651598677, 0.12348401323, 0.622932745314, 0.377067254686, 0.212127894157, 0.787872105843];
    assert_near(smoothed.marginals(), &gamma, 1e-12);
    let first = [0.578831312018, 0.297684674752, 0.044101433297, 0.079382579934];
    let second = [0.174421168688, 0.448511576626, 0.037706725469, 0.339360529217];
    let mut pair = [0.0; 4];
    smoothed.pairwise(0, &mut pair);
    assert_near(&pair, &first, 1e-12);
    smoothed.pairwise(1, &mut pair);
    assert_near(&pair, &second, 1e-12);
    let mut sums = [0.0; 4];
    smoothed.add_edge_sums(&mut sums);
    let expected: Vec<f64> = first.iter().zip(&second).map(|(a, b)| a + b).collect();
    assert_near(&sums, &expected, 1e-12);
}

#[test]
fn rows_of_pairs_add_up_to_marginals_unlike_those_of_a_known_misprint() {
    let scores = hidden_markov();
    let transitions = scores.transitions();
    let mut work = ForwardBackward::new();
    let smoothed = work.smooth(&scores.chain(&transitions));
    let mut pair = [0.0; 4];
    smoothed.pairwise(0, &mut pair);
    assert_near(&[pair[0] + pair[1], pair[2] + pair[3]], smoothed.at(0), 1e-14);
    // α_0(i) A_j(i) O_i(x_1) β_1(i), as printed, normalised.
    let (a, o, alpha, beta) = ([[0.7, 0.3], [0.4, 0.6]], [0.4, 0.3], [0.3, 0.04], [0.25, 0.4]);
    let printed = |i: usize, j: usize| alpha[i] * a[j][i] * o[i] * beta[i];
    let total = printed(0, 0) + printed(0, 1) + printed(1, 0) + printed(1, 1);
    let row = (printed(0, 0) + printed(0, 1)) / total;
    assert!((row - smoothed.at(0)[0]).abs() > 1e-3, "the misprint would pass");
}

#[test]
fn random_field_of_scores() {
    let scores = random_field();
    let transitions = scores.transitions();
    let chain = scores.chain(&transitions);
    let mut work = ForwardBackward::new();
    let smoothed = work.smooth(&chain);
    assert!((smoothed.score().ln_z - 4.257149359456737).abs() < 1e-14);
    for (t, expected) in [0.646367746326, 0.384372031171, 0.191816491001].into_iter().enumerate() {
        assert!((smoothed.at(t)[0] - expected).abs() < 1e-12);
    }
    let mut sums = [0.0; 4];
    smoothed.add_edge_sums(&mut sums);
    assert_near(&sums, &[0.483669835628, 0.547069941870, 0.092518686545, 0.876741535958], 1e-11);
}

#[test]
fn kinds_of_positions_from_a_table() {
    let scores = hidden_markov();
    let transitions =
        Transitions::from_probabilities(&DMatrix::from_row_slice(2, 2, &[0.7, 0.3, 0.4, 0.6])).unwrap();
    let emissions = DMatrix::from_row_slice(3, 2, &[0.5, 0.1, 0.4, 0.3, 0.1, 0.6]);
    let table = NodeTable::from_ln(&emissions.map(f64::ln)).unwrap();
    let chain =
        LinearChain::with_table(&scores.initial, Edges::Same(&transitions), &table, &[0, 1, 2]).unwrap();
    let mut work = ForwardBackward::new();
    assert!((work.score(&chain).ln_z - -3.316488653735201).abs() < 1e-15);
    let smoothed = work.smooth(&chain);
    assert_near(smoothed.at(2), &[0.212127894157, 0.787872105843], 1e-12);
    let unknown = LinearChain::with_table(&scores.initial, Edges::Same(&transitions), &table, &[0, 3]);
    assert!(unknown.unwrap_err().to_string().contains("position 1"));
}

#[test]
fn nothing_one_position_one_state() {
    let mut work = ForwardBackward::new();
    let one = Scores { states: 1, initial: vec![2.0], edges: vec![0.5], nodes: vec![] };
    let transitions = one.transitions();
    let empty = work.smooth(&one.chain(&transitions));
    assert_eq!((empty.score().ln_z, empty.score().impossible, empty.marginals().len()), (0.0, None, 0));
    let one = Scores { nodes: vec![1.0, 2.0, 3.0], ..one };
    let smoothed = work.smooth(&one.chain(&transitions));
    assert!((smoothed.score().ln_z - 9.0).abs() < 1e-15);
    assert_eq!(smoothed.marginals(), [1.0; 3]);
    let mut sum = [0.0];
    smoothed.add_edge_sums(&mut sum);
    assert!((sum[0] - 2.0).abs() < 1e-15);
    let single = Scores { nodes: vec![1.0, 0.0], ..random_field() };
    let transitions = single.transitions();
    let smoothed = work.smooth(&single.chain(&transitions));
    assert!((smoothed.score().ln_z - 1_f64.exp().ln_1p()).abs() < 1e-15);
}

#[test]
fn what_cannot_be_is_refused() {
    let transitions = random_field().transitions();
    let same = Edges::Same(&transitions);
    assert!(LinearChain::new(&[], same, &[]).is_err());
    assert!(LinearChain::new(&[0.0, 0.0], same, &[0.0; 3]).is_err());
    assert!(LinearChain::new(&[0.0; 3], same, &[0.0; 3]).is_err());
    assert!(LinearChain::new(&[0.0, f64::NAN], same, &[0.0; 2]).is_err());
    assert!(LinearChain::new(&[0.0, 0.0], same, &[0.0, f64::NAN]).is_err());
    assert!(LinearChain::new(&[0.0, 0.0], same, &[0.0, f64::INFINITY]).is_err());
    assert!(LinearChain::new(&[0.0, 0.0], Edges::Each(&[0.0; 4]), &[0.0; 6]).is_err());
    assert!(LinearChain::new(&[0.0, 0.0], Edges::Each(&[f64::NAN; 4]), &[0.0; 4]).is_err());
    assert!(Transitions::from_ln(&DMatrix::from_element(2, 3, 0.0)).is_err());
    assert!(Transitions::from_ln(&DMatrix::from_element(1, 1, f64::INFINITY)).is_err());
    assert!(Transitions::from_probabilities(&DMatrix::from_element(1, 1, 1.5)).is_err());
    assert!(NodeTable::from_ln(&DMatrix::from_element(2, 0, 0.0)).is_err());
    assert!(NodeTable::from_ln(&DMatrix::from_element(1, 2, f64::NAN)).is_err());
}
