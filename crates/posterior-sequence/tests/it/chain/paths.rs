//! Paths: the best, the next best, draws, the most probable states; and how uncertain they are.

use posterior_math::linalg::DMatrix;
use posterior_sequence::chain::{Edges, ForwardBackward, LinearChain, Transitions};
use proptest::prelude::{any, prop_assert, proptest};
use rand_pcg::Pcg64;

use super::enumeration::{all_paths, any_scores};
use super::worked_numbers::{hidden_markov, random_field};
use super::{Scores, assert_near};

#[test]
fn best_paths_of_a_hidden_markov_model() {
    let scores = hidden_markov();
    let transitions = scores.transitions();
    let chain = scores.chain(&transitions);
    let best = chain.best_path().unwrap();
    assert_eq!(best.states, [0, 0, 1]);
    assert!((best.score - 0.01512_f64.ln()).abs() < 1e-14);
    let ln_z = ForwardBackward::new().score(&chain).ln_z;
    assert!(((best.score - ln_z).exp() - 0.4167585446527).abs() < 1e-12);
}

#[test]
fn best_paths_of_a_random_field_with_a_tie() {
    let scores = random_field();
    let transitions = scores.transitions();
    let chain = scores.chain(&transitions);
    let mut work = ForwardBackward::new();
    let filtered = work.filter(&chain);
    assert!((filtered.entropy() - 1.653406587398).abs() < 1e-12);
    let ln_z = filtered.score().ln_z;
    let best = chain.k_best_paths(3);
    assert_eq!(best[0], chain.best_path().unwrap());
    assert_eq!((&best[0].states[..], &best[1].states[..]), (&[0, 1, 1][..], &[1, 1, 1][..]));
    assert_eq!((best[0].score, best[1].score), (3.0, 3.0));
    assert!(((best[1].score - ln_z).exp() - 0.284463775772).abs() < 1e-12);
    assert_eq!(best[2].states, [0, 0, 1]);
    assert!((best[2].score - 2.7).abs() < 1e-15);
    assert_eq!(chain.k_best_paths(100).len(), 8);
    assert!(chain.k_best_paths(0).is_empty());
}

#[test]
fn of_equally_good_paths_the_lowest_read_from_the_end() {
    let scores = Scores { states: 3, initial: vec![0.0; 3], edges: vec![0.0; 9], nodes: vec![0.0; 9] };
    let transitions = scores.transitions();
    let chain = scores.chain(&transitions);
    assert_eq!(chain.best_path().unwrap().states, [0, 0, 0]);
    let all = chain.k_best_paths(27);
    let mut expected: Vec<Vec<usize>> = all_paths(&scores).into_iter().map(|(path, _)| path).collect();
    expected.sort_by_key(|path| path.iter().rev().copied().collect::<Vec<usize>>());
    assert_eq!(all.into_iter().map(|path| path.states).collect::<Vec<_>>(), expected);
}

#[test]
fn the_most_probable_states_may_make_an_impossible_path() {
    // 0 and 1 may not follow each other; state 2 leads everywhere but is improbable.
    let never = f64::NEG_INFINITY;
    let scores = Scores {
        states: 3,
        initial: vec![0.0; 3],
        edges: vec![0.0, never, 0.0, never, 0.0, 0.0, 0.0, 0.0, 0.0],
        nodes: vec![0.6, 0.0, 0.2, 0.0, 0.6, 0.2],
    };
    let transitions = scores.transitions();
    let chain = scores.chain(&transitions);
    let mut work = ForwardBackward::new();
    let smoothed = work.smooth(&chain);
    let possible = smoothed.possible_posterior_decoding().unwrap();
    assert!(chain.path_score(&possible) > never);
    let expected_right = |path: &[usize]| -> f64 { (0..2).map(|t| smoothed.at(t)[path[t]]).sum() };
    for (path, score) in all_paths(&scores) {
        assert!(score == never || expected_right(&path) <= expected_right(&possible) + 1e-15);
    }
    let free = smoothed.posterior_decoding().unwrap();
    assert!(expected_right(&free) >= expected_right(&possible));
}

proptest! {
    #[test]
    fn best_paths_and_entropy_by_enumeration(scores in any_scores(), count in 1_usize..40) {
        let transitions = scores.transitions();
        let each = scores.repeated_edges();
        let mut possible: Vec<f64> =
            all_paths(&scores).into_iter().map(|(_, score)| score).filter(|score| score.is_finite()).collect();
        possible.sort_by(|a, b| b.total_cmp(a));
        let same = scores.chain(&transitions);
        for chain in [same, LinearChain::new(&scores.initial, Edges::Each(&each), &scores.nodes).unwrap()] {
            let best = chain.k_best_paths(count);
            assert_eq!(best.len(), count.min(possible.len()));
            for (path, expected) in best.iter().zip(&possible) {
                assert_near(&[path.score], &[*expected], 1e-12);
            }
            for (i, path) in best.iter().enumerate() {
                assert!(best[..i].iter().all(|other| other.states != path.states), "a path comes twice");
            }
            match chain.best_path() {
                None => assert!(possible.is_empty()),
                Some(path) => assert_near(&[path.score], &possible[..1], 1e-12),
            }
            let mut work = ForwardBackward::new();
            let filtered = work.filter(&chain);
            let ln_z = filtered.score().ln_z;
            let entropy: f64 = possible.iter().map(|score| (score - ln_z).exp() * (ln_z - score)).sum();
            // Enumeration cancels digits of large scores.
            assert!((filtered.entropy() - entropy).abs() <= 1e-10, "{} {entropy}", filtered.entropy());
            prop_assert!(filtered.entropy() >= 0.0);
            let possible_path = work.smooth(&chain).possible_posterior_decoding();
            assert_eq!(possible_path.is_some(), !possible.is_empty());
            if let Some(path) = possible_path {
                assert!(chain.path_score(&path) > f64::NEG_INFINITY);
            }
        }
    }

    #[test]
    fn draws_are_possible(scores in any_scores(), seed in any::<u64>()) {
        let transitions = scores.transitions();
        let chain = scores.chain(&transitions);
        let mut work = ForwardBackward::new();
        let filtered = work.filter(&chain);
        match filtered.sample(&mut Pcg64::new(seed.into(), 1)) {
            None => assert!(filtered.score().impossible.is_some()),
            Some(path) => assert!(chain.path_score(&path) > f64::NEG_INFINITY),
        }
    }
}

/// Draws of a path with weights and with logarithms have the frequencies of its distribution. The false-alarm
/// rate of each of 2 × 8 comparisons with five standard deviations is 6e-7, 1e-5 in all.
#[test]
fn draws_have_their_probabilities() {
    let scores = hidden_markov();
    // Two states more that are so improbable that logarithms are needed, and then the only way on.
    let never = f64::NEG_INFINITY;
    let cases = [
        scores,
        Scores {
            states: 3,
            initial: vec![0.0, -1500.0, -1500.0],
            edges: vec![0.0, never, never, never, 0.3, 0.0, never, -0.4, 0.0],
            nodes: vec![0.0, 0.5, 0.0, 0.0, 0.0, 0.2, never, 0.0, 0.1],
        },
    ];
    for scores in cases {
        let transitions = scores.transitions();
        let chain = scores.chain(&transitions);
        let mut work = ForwardBackward::new();
        let filtered = work.filter(&chain);
        let ln_z = filtered.score().ln_z;
        let mut rng = Pcg64::new(7, 11);
        let n = 20_000_u32;
        let draws: Vec<Vec<usize>> = (0..n).map(|_| filtered.sample(&mut rng).unwrap()).collect();
        for (path, score) in all_paths(&scores) {
            let p = (score - ln_z).exp();
            let count = draws.iter().filter(|draw| **draw == path).count() as f64;
            let deviation = (f64::from(n) * p * (1.0 - p)).sqrt();
            assert!((count - f64::from(n) * p).abs() <= 5.0 * deviation, "{path:?}: {count} of {n}, p = {p}");
        }
    }
}

#[test]
fn states_beyond_a_vector() {
    for states in [4, 8, 9, 31, 32, 33, 40, 70] {
        let number = |i: usize| ((i * 7919 + states) % 1009) as f64 / 500.0;
        let scores = Scores {
            states,
            initial: (0..states).map(number).collect(),
            edges: (0..states * states).map(|i| number(i + 17)).collect(),
            nodes: (0..2 * states).map(|i| number(i + 5)).collect(),
        };
        let transitions =
            Transitions::from_ln(&DMatrix::from_row_slice(states, states, &scores.edges)).unwrap();
        let chain = scores.chain(&transitions);
        let mut paths = all_paths(&scores);
        paths.sort_by(|a, b| b.1.total_cmp(&a.1));
        assert_near(&[chain.best_path().unwrap().score], &[paths[0].1], 1e-14);
        let (ln_z, nodes, edges) = super::enumeration::enumerated(&scores);
        let mut work = ForwardBackward::new();
        let smoothed = work.smooth(&chain);
        assert_near(&[smoothed.score().ln_z], &[ln_z], 1e-14);
        assert_near(smoothed.marginals(), &nodes, 1e-13);
        let mut sums = vec![0.0; states * states];
        smoothed.add_edge_sums(&mut sums);
        assert_near(&sums, &edges, 1e-13);
    }
}
