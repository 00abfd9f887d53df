//! Chains whose weights leave the range of floating-point numbers.

use posterior_math::linalg::DMatrix;
use posterior_math::log_space::ln_sum_exp;
use posterior_sequence::chain::{Edges, ForwardBackward, LinearChain, NodeTable, Transitions};
use proptest::prelude::{Just, Strategy, prop, prop_oneof, proptest};

use super::{Scores, assert_near};

/// ln Z and marginals by plain recursions of logarithms, normalised at each position: an implementation of
/// its own.
fn by_logarithms(scores: &Scores) -> (f64, Vec<f64>) {
    let (states, length) = (scores.states, scores.length());
    let node = |t: usize, k: usize| scores.nodes[t * states + k];
    let normalize = |row: &mut Vec<f64>| {
        let total = ln_sum_exp(row);
        if total > f64::NEG_INFINITY {
            for score in row.iter_mut() {
                *score -= total;
            }
        }
        total
    };
    let (mut forward, mut ln_z) = (Vec::new(), 0.0);
    for t in 0..length {
        let mut row: Vec<f64> = (0..states)
            .map(|j| {
                let reached = |before: &Vec<f64>| -> f64 {
                    let terms: Vec<f64> =
                        (0..states).map(|i| before[i] + scores.edges[i * states + j]).collect();
                    ln_sum_exp(&terms)
                };
                forward.last().map_or(scores.initial[j], reached) + node(t, j)
            })
            .collect();
        let total = normalize(&mut row);
        ln_z += total;
        if total == f64::NEG_INFINITY {
            return (total, vec![0.0; length * states]);
        }
        forward.push(row);
    }
    let mut after = vec![0.0; states];
    let mut marginals = vec![0.0; length * states];
    for t in (0..length).rev() {
        if t + 1 < length {
            let terms = |i: usize| -> Vec<f64> {
                (0..states).map(|j| scores.edges[i * states + j] + node(t + 1, j) + after[j]).collect()
            };
            after = (0..states).map(|i| ln_sum_exp(&terms(i))).collect();
            normalize(&mut after);
        }
        let both: Vec<f64> = forward[t].iter().zip(&after).map(|(a, b)| a + b).collect();
        let total = ln_sum_exp(&both);
        for k in 0..states {
            marginals[t * states + k] = (both[k] - total).exp();
        }
    }
    (ln_z, marginals)
}

#[track_caller]
fn assert_right(scores: &Scores) {
    let (ln_z, marginals) = by_logarithms(scores);
    let transitions = scores.transitions();
    let chain = scores.chain(&transitions);
    let mut work = ForwardBackward::new();
    assert_near(&[work.score(&chain).ln_z], &[ln_z], 1e-12);
    let smoothed = work.smooth(&chain);
    assert_near(&[smoothed.score().ln_z], &[ln_z], 1e-12);
    assert_near(smoothed.marginals(), &marginals, 1e-12);
    let states = scores.states;
    let mut sums = vec![0.0; states * states];
    smoothed.add_edge_sums(&mut sums);
    for (i, row) in sums.chunks_exact(states).enumerate() {
        let steps = scores.length().saturating_sub(1);
        let left: f64 = (0..steps).map(|t| marginals[t * states + i]).sum();
        assert_near(&[row.iter().sum()], &[left], 1e-11);
    }
}

const NEVER: f64 = f64::NEG_INFINITY;

#[test]
fn a_state_that_weighs_nothing_is_the_only_one_later() {
    // State 1 is left behind by e^-20 a position for a hundred positions; then only it goes on.
    let mut nodes = [0.0, -20.0].repeat(100);
    nodes.extend([NEVER, 0.0]);
    assert_right(&Scores { states: 2, initial: vec![0.0; 2], edges: vec![0.0, NEVER, NEVER, 0.0], nodes });
    // Only state 2 goes on at last, where one comes to from state 1 only.
    let mut nodes = [0.0, -20.0, NEVER].repeat(100);
    nodes.extend([NEVER, NEVER, 0.0]);
    let edges = vec![0.0, NEVER, NEVER, NEVER, 0.0, 0.0, NEVER, NEVER, 0.0];
    assert_right(&Scores { states: 3, initial: vec![0.0; 3], edges, nodes });
}

#[test]
fn a_way_back_that_is_improbable() {
    // As above, but with ways out of state 0 of any size.
    for edge in [-1.0, -100.0, -270.0, -280.0, -600.0, -700.0, -750.0, -2000.0] {
        let mut nodes = [0.0, -20.0].repeat(100);
        nodes.extend([-1000.0, 0.0, NEVER, 0.0]);
        for edges in [vec![0.0, edge, edge, 0.0], vec![0.0, edge, NEVER, 0.0], vec![0.0, NEVER, edge, 0.0]] {
            assert_right(&Scores { states: 2, initial: vec![0.0, -3.0], edges, nodes: nodes.clone() });
        }
    }
}

#[test]
fn backwards_messages_underflow() {
    // Seen from the end, state 0 is e^-2000; but nothing else began.
    let mut nodes = vec![0.0, NEVER];
    nodes.extend([-20.0, 0.0].repeat(100));
    assert_right(&Scores {
        states: 2,
        initial: vec![0.0; 2],
        edges: vec![0.0, NEVER, NEVER, 0.0],
        nodes: nodes.clone(),
    });
    assert_right(&Scores { states: 2, initial: vec![0.0; 2], edges: vec![0.0, -30.0, -30.0, 0.0], nodes });
}

#[test]
fn from_left_to_right() {
    let states = 6;
    let edges =
        (0..36).map(|at| if at % 6 == at / 6 || at % 6 == at / 6 + 1 { -0.7 } else { NEVER }).collect();
    let initial = (0..6).map(|k| if k == 0 { 0.0 } else { NEVER }).collect();
    let nodes: Vec<f64> = (0..400 * states).map(|i| -f64::from((i * 37 % 101) as u32) / 10.0).collect();
    assert_right(&Scores { states, initial, edges, nodes });
}

#[test]
fn probabilities_of_1e_minus_300() {
    let tiny = 1e-300_f64.ln();
    let edges = vec![0.0, tiny, tiny, 0.0];
    let nodes = [0.0, tiny, tiny, 0.0, tiny, tiny, 0.0, 0.0, tiny, 0.0, 0.0, tiny].repeat(20);
    assert_right(&Scores { states: 2, initial: vec![0.0, tiny], edges, nodes });
    let transitions =
        Transitions::from_probabilities(&DMatrix::from_row_slice(2, 2, &[1.0, 1e-310, 1e-300, 1.0])).unwrap();
    let chain =
        LinearChain::new(&[0.0, NEVER], Edges::Same(&transitions), &[0.0, NEVER, NEVER, 0.0]).unwrap();
    let mut work = ForwardBackward::new();
    assert_near(&[work.score(&chain).ln_z], &[1e-310_f64.ln()], 1e-14);
    assert_eq!(work.smooth(&chain).marginals(), [1.0, 0.0, 0.0, 1.0]);
}

#[test]
fn scores_of_any_size() {
    for size in [1e-150, 1e5, 1e150] {
        let scaled = |scores: &[f64]| scores.iter().map(|score| score * size).collect::<Vec<f64>>();
        let scores = Scores {
            states: 2,
            initial: scaled(&[0.3, -0.2]),
            edges: scaled(&[0.5, -0.5, -0.25, 0.125]),
            nodes: scaled(&[1.0, 0.0, 0.5, 0.75, -0.5, 1.5]),
        };
        let transitions = scores.transitions();
        let chain = scores.chain(&transitions);
        let mut work = ForwardBackward::new();
        let smoothed = work.smooth(&chain);
        let best = chain.best_path().unwrap();
        if size > 1.0 {
            // The best path is all there is.
            assert_near(&[smoothed.score().ln_z / size], &[best.score / size], 1e-15);
            assert_eq!(smoothed.posterior_decoding().unwrap(), best.states);
        } else {
            assert_near(&[smoothed.score().ln_z], &[8_f64.ln()], 1e-15);
        }
        assert!(smoothed.marginals().iter().all(|p| (0.0..=1.0).contains(p)));
    }
}

#[test]
fn the_first_position_without_a_path() {
    let edges = vec![0.0, NEVER, NEVER, 0.0];
    for first in 0..5 {
        let mut nodes = [0.0, NEVER].repeat(5);
        nodes[2 * first] = NEVER;
        nodes[2 * first + 1] = 0.0;
        let scores = Scores { states: 2, initial: vec![0.0, NEVER], edges: edges.clone(), nodes };
        let transitions = scores.transitions();
        let chain = scores.chain(&transitions);
        let mut work = ForwardBackward::new();
        assert_eq!(work.score(&chain).impossible, Some(first));
        assert_eq!(work.filter(&chain).score().impossible, Some(first));
        let smoothed = work.smooth(&chain);
        assert_eq!((smoothed.score().ln_z, smoothed.score().impossible), (NEVER, Some(first)));
        assert!(smoothed.marginals().iter().all(|&p| p == 0.0));
        let mut pair = [1.0; 4];
        smoothed.add_edge_sums(&mut pair);
        assert_eq!(pair, [1.0; 4]);
        assert_eq!(chain.best_path(), None);
        assert!(chain.k_best_paths(3).is_empty());
    }
}

/// Scores that underflow together in many ways.
fn extreme() -> impl Strategy<Value = Scores> {
    let score = || {
        prop_oneof![
            3 => Just(0.0),
            3 => Just(NEVER),
            1 => -30.0..0.0,
            1 => -800.0..0.0,
            1 => Just(1e-300_f64.ln()),
            1 => Just(-2000.0),
        ]
    };
    (1_usize..=9, 1_usize..=60).prop_flat_map(move |(states, length)| {
        (
            Just(states),
            prop::collection::vec(score(), states),
            prop::collection::vec(score(), states * states),
            prop::collection::vec(score(), states * length),
        )
            .prop_map(|(states, initial, edges, nodes)| Scores { states, initial, edges, nodes })
    })
}

proptest! {
    #[test]
    fn extreme_scores(scores in extreme()) {
        assert_right(&scores);
    }

    #[test]
    fn extreme_scores_with_few_impossible_steps(scores in extreme(), least in -300.0..-20.0) {
        let filled = |scores: Vec<f64>| scores.into_iter().map(|score| score.max(least)).collect();
        assert_right(&Scores { edges: filled(scores.edges), ..scores });
    }
}

/// Ten million positions, with room for one message.
#[test]
fn ten_million_positions() {
    let length = 10_000_000;
    let transition = DMatrix::from_row_slice(2, 2, &[0.9, 0.1, 0.2, 0.8]);
    let transitions = Transitions::from_probabilities(&transition).unwrap();
    // Both states show the same: a position counts as ln 0.25.
    let table = NodeTable::from_ln(&DMatrix::from_element(1, 2, 0.25_f64.ln())).unwrap();
    let kinds = vec![0; length];
    let initial = [0.5_f64.ln(); 2];
    let chain = LinearChain::with_table(&initial, Edges::Same(&transitions), &table, &kinds).unwrap();
    let mut work = ForwardBackward::new();
    let expected = length as f64 * 0.25_f64.ln();
    // A sum of ten million rounded logarithms, each half a unit in the last place off, all in one direction.
    assert!((work.score(&chain).ln_z / expected - 1.0).abs() < 1e-15);
    let mut seen = 0;
    let score = work.smooth_in_blocks(&chain, |range, smoothed| {
        seen += range.len();
        for p in smoothed.marginals() {
            assert!((0.0..=1.0).contains(p));
        }
        if range.start > 1000 {
            assert!((smoothed.at(0)[0] - 2.0 / 3.0).abs() < 1e-12);
        }
    });
    assert_eq!(seen, length);
    assert!((score.ln_z / expected - 1.0).abs() < 1e-14);
}
