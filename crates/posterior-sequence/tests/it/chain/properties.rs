//! Identities, and the engines for any graph on the same chains.

use posterior_inference::{Engine, JointEngine, JunctionTree, Targets, VariableElimination};
use posterior_math::linalg::DMatrix;
use posterior_pgm::{Evidence, MarkovRandomField, Table, VarId, Variables};
use posterior_sequence::chain::{Edges, ForwardBackward, LinearChain, NodeTable, Transitions};
use proptest::prelude::{Just, Strategy, prop, proptest};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::{Scores, assert_near};

/// Longer chains with ordinary scores.
fn ordinary() -> impl Strategy<Value = Scores> {
    (1_usize..40, 1_usize..60).prop_flat_map(|(states, length)| {
        (
            Just(states),
            prop::collection::vec(-3.0..3.0, states),
            prop::collection::vec(-3.0..3.0, states * states),
            prop::collection::vec(-6.0..2.0, states * length),
        )
            .prop_map(|(states, initial, edges, nodes)| Scores { states, initial, edges, nodes })
    })
}

/// All that smoothing finds.
fn everything(chain: &LinearChain<'_>) -> (f64, Vec<f64>, Vec<f64>) {
    let mut work = ForwardBackward::new();
    let smoothed = work.smooth(chain);
    let mut sums = vec![0.0; chain.states() * chain.states()];
    smoothed.add_edge_sums(&mut sums);
    (smoothed.score().ln_z, smoothed.marginals().to_vec(), sums)
}

#[track_caller]
fn assert_all_near(found: &(f64, Vec<f64>, Vec<f64>), expected: &(f64, Vec<f64>, Vec<f64>), tolerance: f64) {
    assert_near(&[found.0], &[expected.0], tolerance);
    assert_near(&found.1, &expected.1, tolerance);
    assert_near(&found.2, &expected.2, tolerance);
}

proptest! {
    #[test]
    fn probabilities_add_up(scores in ordinary()) {
        let transitions = scores.transitions();
        let (_, nodes, edges) = everything(&scores.chain(&transitions));
        for row in nodes.chunks_exact(scores.states) {
            assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-13);
        }
        let (states, last) = (scores.states, nodes.len() - scores.states);
        for i in 0..states {
            let left: f64 = edges[i * states..][..states].iter().sum();
            let marginals: f64 = nodes[..last].iter().skip(i).step_by(states).sum();
            assert_near(&[left], &[marginals], 1e-12);
            let entered: f64 = edges.iter().skip(i).step_by(states).sum();
            let marginals: f64 = nodes[states..].iter().skip(i).step_by(states).sum();
            assert_near(&[entered], &[marginals], 1e-12);
        }
    }

    #[test]
    fn steps_that_differ_but_do_not(scores in ordinary()) {
        let transitions = scores.transitions();
        let each = scores.repeated_edges();
        let same = everything(&scores.chain(&transitions));
        let differing = LinearChain::new(&scores.initial, Edges::Each(&each), &scores.nodes).unwrap();
        assert_all_near(&everything(&differing), &same, 1e-12);
        assert_eq!(differing.best_path(), scores.chain(&transitions).best_path());
    }

    #[test]
    fn nodes_from_a_table(scores in ordinary()) {
        let transitions = scores.transitions();
        let given = everything(&scores.chain(&transitions));
        let table = NodeTable::from_ln(&DMatrix::from_row_slice(scores.length(), scores.states, &scores.nodes));
        let table = table.unwrap();
        let kinds: Vec<usize> = (0..scores.length()).collect();
        let chain = LinearChain::with_table(&scores.initial, Edges::Same(&transitions), &table, &kinds).unwrap();
        assert_eq!(everything(&chain), given);
        assert_eq!(chain.best_path(), scores.chain(&transitions).best_path());
    }

    #[test]
    fn what_is_added_to_a_node_is_added_to_ln_z(scores in ordinary(), added in -500.0..500.0) {
        let transitions = scores.transitions();
        let before = everything(&scores.chain(&transitions));
        let mut shifted = scores.clone();
        for score in &mut shifted.nodes[..scores.states] {
            *score += added;
        }
        let after = everything(&shifted.chain(&transitions));
        // Sums of scores and numbers up to 500 are rounded at 500.
        assert_near(&[after.0], &[before.0 + added], 1e-12);
        assert_near(&after.1, &before.1, 1e-11);
    }

    #[test]
    fn backwards_in_time(scores in ordinary()) {
        // Initial scores as scores of the first node, which comes last in the other direction.
        let mut nodes = scores.nodes.clone();
        for (node, initial) in nodes.iter_mut().zip(&scores.initial) {
            *node += initial;
        }
        let states = scores.states;
        let reversed = Scores {
            states,
            initial: vec![0.0; states],
            edges: (0..states * states).map(|at| scores.edges[at % states * states + at / states]).collect(),
            nodes: nodes.chunks_exact(states).rev().flatten().copied().collect(),
        };
        let transitions = scores.transitions();
        let (ln_z, marginals, edges) = everything(&scores.chain(&transitions));
        let other_way = reversed.transitions();
        let (other_ln_z, other_marginals, other_edges) = everything(&reversed.chain(&other_way));
        assert_near(&[other_ln_z], &[ln_z], 1e-13);
        let forward: Vec<f64> = other_marginals.chunks_exact(states).rev().flatten().copied().collect();
        assert_near(&forward, &marginals, 1e-12);
        let transposed: Vec<f64> =
            (0..states * states).map(|at| other_edges[at % states * states + at / states]).collect();
        assert_near(&transposed, &edges, 1e-12);
    }

    #[test]
    fn marginals_are_derivatives_of_ln_z(scores in ordinary(), at in 0_usize..10_000) {
        let transitions = scores.transitions();
        let (_, marginals, edges) = everything(&scores.chain(&transitions));
        let mut work = ForwardBackward::new();
        let step = 1e-5;
        let mut slope = |change: &dyn Fn(f64) -> Scores| {
            let [up, down] = [step, -step].map(|by| {
                let changed = change(by);
                work.score(&changed.chain(&changed.transitions())).ln_z
            });
            (up - down) / (2.0 * step)
        };
        let node = at % scores.nodes.len();
        let by_node = slope(&|by| {
            let mut changed = scores.clone();
            changed.nodes[node] += by;
            changed
        });
        // Central differences: the rounding of ln Z over the step, and the step squared.
        assert!((by_node - marginals[node]).abs() < 1e-7);
        let edge = at % scores.edges.len();
        let by_edge = slope(&|by| {
            let mut changed = scores.clone();
            changed.edges[edge] += by;
            changed
        });
        assert!((by_edge - edges[edge]).abs() < 1e-7 * scores.length() as f64);
    }

    #[test]
    fn a_long_chain_in_blocks(scores in ordinary(), copies in 1_usize..12, each in proptest::bool::ANY) {
        let long = Scores { nodes: scores.nodes.repeat(copies), ..scores };
        let transitions = long.transitions();
        let repeated = long.repeated_edges();
        let edges = if each { Edges::Each(&repeated) } else { Edges::Same(&transitions) };
        assert_blocks_agree(&LinearChain::new(&long.initial, edges, &long.nodes).unwrap());
    }

    #[test]
    fn any_chain_in_blocks(scores in super::enumeration::any_scores(), copies in 1_usize..80) {
        let long = Scores { nodes: scores.nodes.repeat(copies), ..scores };
        assert_blocks_agree(&long.chain(&long.transitions()));
    }
}

#[track_caller]
fn assert_blocks_agree(chain: &LinearChain<'_>) {
    let whole = everything(chain);
    let states = chain.states();
    let (mut marginals, mut sums) = (vec![0.0; whole.1.len()], vec![0.0; states * states]);
    let mut end = chain.length();
    let mut work = ForwardBackward::new();
    let impossible = work.score(chain).impossible;
    let score = work.smooth_in_blocks(chain, |range, smoothed| {
        assert_eq!(range.end, end);
        end = range.start;
        for t in range.clone() {
            marginals[t * states..][..states].copy_from_slice(smoothed.at(t - range.start));
        }
        smoothed.add_edge_sums(&mut sums);
    });
    assert_eq!(score.impossible, impossible);
    assert!(impossible.is_some() || end == 0);
    assert_all_near(&(score.ln_z, marginals, sums), &whole, 1e-11);
}

/// The chain as a random field.
fn field(scores: &Scores) -> MarkovRandomField {
    let (states, length) = (scores.states, scores.length());
    let weights = |scores: &[f64]| scores.iter().map(|score| score.exp()).collect::<Vec<f64>>();
    let mut tables = vec![Table::new(vec![VarId::new(0)], vec![states], weights(&scores.initial)).unwrap()];
    for t in 0..length {
        let node = weights(&scores.nodes[t * states..][..states]);
        tables.push(Table::new(vec![VarId::new(t)], vec![states], node).unwrap());
        if t > 0 {
            let scope = vec![VarId::new(t - 1), VarId::new(t)];
            tables.push(Table::new(scope, vec![states; 2], weights(&scores.edges)).unwrap());
        }
    }
    MarkovRandomField::new(Variables::numbered(&vec![states; length]).unwrap(), tables).unwrap()
}

#[test]
fn engines_for_any_graph() {
    let mut rng = Pcg64::seed_from_u64(3);
    for (states, length) in [(2, 9), (3, 12), (5, 30)] {
        let mut scores = |n: usize| (0..n).map(|_| rng.random_range(-2.0..2.0)).collect::<Vec<f64>>();
        let mut scores = Scores {
            states,
            initial: scores(states),
            edges: scores(states * states),
            nodes: scores(states * length),
        };
        scores.edges[1] = f64::NEG_INFINITY;
        let model = field(&scores);
        let none = Evidence::none();
        let engine = JunctionTree::default();
        let plan = engine.plan(&model, &Targets::All).unwrap();
        let beliefs = engine.infer(&model, &plan, &none).unwrap();
        let transitions = scores.transitions();
        let chain = scores.chain(&transitions);
        let mut work = ForwardBackward::new();
        let smoothed = work.smooth(&chain);
        assert_near(&[smoothed.score().ln_z], &[beliefs.ln_z().value()], 1e-12);
        for t in 0..length {
            assert_near(smoothed.at(t), beliefs.marginal(VarId::new(t)).unwrap(), 1e-12);
        }
        let mut pair = vec![0.0; states * states];
        for t in [0, length / 2, length - 2] {
            let joint = engine.joint(&model, &plan, &none, &[VarId::new(t), VarId::new(t + 1)]).unwrap();
            smoothed.pairwise(t, &mut pair);
            assert_near(&pair, joint.values(), 1e-12);
        }
        let best = VariableElimination::default().k_best(&model, &none, 20).unwrap();
        let paths = chain.k_best_paths(20);
        assert_eq!(paths.len(), best.len());
        for (path, explanation) in paths.iter().zip(&best) {
            assert_near(&[path.score], &[explanation.ln_value], 1e-12);
            assert_eq!(path.states, explanation.states);
        }
    }
}

#[test]
fn work_is_used_again() {
    let long = Scores {
        states: 7,
        initial: vec![0.0; 7],
        edges: (0..49).map(|i| f64::from(i % 5)).collect(),
        nodes: (0..700).map(|i| f64::from(i % 11)).collect(),
    };
    let short = Scores { nodes: long.nodes[..21].to_vec(), ..long.clone() };
    let small = super::worked_numbers::random_field();
    let mut work = ForwardBackward::new();
    for scores in [&long, &short, &small, &long, &small] {
        let transitions: Transitions = scores.transitions();
        let chain = scores.chain(&transitions);
        let mut sums = vec![0.0; scores.states * scores.states];
        let smoothed = work.smooth(&chain);
        smoothed.add_edge_sums(&mut sums);
        let found = (smoothed.score().ln_z, smoothed.marginals().to_vec(), sums);
        assert_eq!(found, everything(&chain));
        assert_eq!(work.score(&chain).ln_z, found.0);
    }
}
