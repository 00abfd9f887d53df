//! Everything by writing down all paths.

use posterior_math::log_space::ln_sum_exp;
use posterior_sequence::chain::{Edges, ForwardBackward, LinearChain};
use proptest::prelude::{Just, Strategy, prop, prop_oneof, proptest};

use super::{Scores, assert_near};

/// All paths with their scores, in lexicographic order.
pub(super) fn all_paths(scores: &Scores) -> Vec<(Vec<usize>, f64)> {
    let mut paths: Vec<(Vec<usize>, f64)> = vec![(Vec::new(), 0.0)];
    for t in 0..scores.length() {
        paths = paths
            .into_iter()
            .flat_map(|(path, score)| {
                (0..scores.states).map(move |k| {
                    let step = match path.last() {
                        None => scores.initial[k],
                        Some(&before) => scores.edges[before * scores.states + k],
                    };
                    let mut longer = path.clone();
                    longer.push(k);
                    (longer, score + step + scores.nodes[t * scores.states + k])
                })
            })
            .collect();
    }
    paths
}

/// ln Z, p(z_t), and Σ_t p(z_t, z_{t+1}).
pub(super) fn enumerated(scores: &Scores) -> (f64, Vec<f64>, Vec<f64>) {
    let paths = all_paths(scores);
    let all: Vec<f64> = paths.iter().map(|(_, score)| *score).collect();
    let ln_z = ln_sum_exp(&all);
    let states = scores.states;
    let (mut nodes, mut edges) = (vec![0.0; scores.nodes.len()], vec![0.0; states * states]);
    if ln_z > f64::NEG_INFINITY {
        for (path, score) in &paths {
            let p = (score - ln_z).exp();
            for (t, &k) in path.iter().enumerate() {
                nodes[t * states + k] += p;
            }
            for pair in path.windows(2) {
                edges[pair[0] * states + pair[1]] += p;
            }
        }
    }
    (ln_z, nodes, edges)
}

/// Scores as they come, and such that underflow or cannot be.
fn score() -> impl Strategy<Value = f64> {
    prop_oneof![
        6 => -5.0..5.0,
        2 => Just(f64::NEG_INFINITY),
        1 => Just(-690.0),
        1 => -2000.0..2000.0,
        1 => Just(0.0),
    ]
}

/// The largest score in size that is one.
fn largest(scores: &Scores) -> f64 {
    let all = scores.initial.iter().chain(&scores.edges).chain(&scores.nodes);
    all.filter(|score| score.is_finite()).fold(0.0, |largest: f64, score| largest.max(score.abs()))
}

/// Any chain with at most ten thousand paths.
pub(super) fn any_scores() -> impl Strategy<Value = Scores> {
    (1_usize..=5, 0_usize..=6).prop_filter("few paths", |&(k, t)| k.pow(t as u32) <= 10_000).prop_flat_map(
        |(states, length)| {
            (
                prop::collection::vec(score(), states),
                prop::collection::vec(score(), states * states),
                prop::collection::vec(score(), states * length),
            )
                .prop_map(move |(initial, edges, nodes)| Scores {
                    states,
                    initial,
                    edges,
                    nodes,
                })
        },
    )
}

proptest! {
    #[test]
    fn sums_over_all_paths(scores in any_scores()) {
        let (ln_z, nodes, edges) = enumerated(&scores);
        // Conditioned: scores of thousands that cancel leave their rounding, 2e-13 of 1,000.
        let [of_sum, of_proportions] = [1e-13, 1e-12].map(|tolerance| tolerance + 1e-15 * largest(&scores));
        let transitions = scores.transitions();
        let each = scores.repeated_edges();
        let mut work = ForwardBackward::new();
        let same = scores.chain(&transitions);
        for chain in [same, LinearChain::new(&scores.initial, Edges::Each(&each), &scores.nodes).unwrap()] {
            let score = work.score(&chain);
            assert_near(&[score.ln_z], &[ln_z], of_sum);
            assert_eq!(score.impossible.is_some(), ln_z == f64::NEG_INFINITY);
            let smoothed = work.smooth(&chain);
            assert_eq!(smoothed.score(), score);
            assert_near(smoothed.marginals(), &nodes, of_proportions);
            let mut sums = vec![0.0; edges.len()];
            smoothed.add_edge_sums(&mut sums);
            assert_near(&sums, &edges, of_proportions);
        }
    }

    #[test]
    fn filtering_is_smoothing_of_what_came_so_far(scores in any_scores()) {
        let transitions = scores.transitions();
        let mut work = ForwardBackward::new();
        let mut other = ForwardBackward::new();
        let filtered = work.filter(&scores.chain(&transitions));
        let first_impossible = filtered.score().impossible;
        for t in 0..scores.length() {
            let prefix = Scores { nodes: scores.nodes[..(t + 1) * scores.states].to_vec(), ..scores.clone() };
            let (ln_z, nodes, _) = enumerated(&prefix);
            if first_impossible.is_none() {
                assert_near(filtered.at(t), &nodes[t * scores.states..], 1e-12);
            }
            let impossible = other.score(&prefix.chain(&transitions)).impossible;
            assert_eq!(impossible.is_some(), ln_z == f64::NEG_INFINITY);
            if impossible.is_some() {
                assert_eq!(impossible, first_impossible);
                break;
            }
        }
    }
}
