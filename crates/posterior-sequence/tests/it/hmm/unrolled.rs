//! The model as a Bayesian network, and the junction tree: an engine that knows nothing of chains.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_dist::stream::stream;
use posterior_inference::{Engine, JointEngine, JunctionTree, MapEngine, Targets};
use posterior_math::linalg::DMatrix;
use posterior_pgm::{BayesianNetwork, Evidence, GraphicalModel, Table, VarId, Variables};
use posterior_sequence::emission::{CategoricalEmissions, Sequence};
use posterior_sequence::hmm::{Decoding, HiddenMarkovModel, Inference, Topology};
use rand::RngExt;

fn random(states: usize, symbols: usize, seed: u64) -> HiddenMarkovModel<CategoricalEmissions> {
    let mut rng = stream(seed, &[]);
    let mut table = DMatrix::from_fn(states, symbols, |_, _| rng.random::<f64>());
    table.row_iter_mut().for_each(|mut row| row /= row.sum());
    let topology = Topology::from_fn(states, |i| i != 1, |i, j| (i + j) % 3 != 1 || i == j).unwrap();
    topology.random(CategoricalEmissions::new(&table).unwrap(), &mut rng).unwrap()
}

/// z_t is variable 2 t, x_t variable 2 t + 1.
fn network(model: &HiddenMarkovModel<CategoricalEmissions>, length: usize) -> BayesianNetwork {
    let (states, symbols) = (model.states(), model.emissions().symbols());
    let cards: Vec<usize> = (0..2 * length).map(|at| if at % 2 == 0 { states } else { symbols }).collect();
    let by_rows = |matrix: &DMatrix<f64>| matrix.transpose().as_slice().to_vec();
    let mut tables = Vec::new();
    for t in 0..length {
        let state = VarId::new(2 * t);
        tables.push(if t == 0 {
            Table::new(vec![state], vec![states], model.initial().to_vec()).unwrap()
        } else {
            let scope = vec![VarId::new(2 * t - 2), state];
            Table::new(scope, vec![states, states], by_rows(model.transition())).unwrap()
        });
        let shown = by_rows(&model.emissions().probabilities());
        tables.push(Table::new(vec![state, VarId::new(2 * t + 1)], vec![states, symbols], shown).unwrap());
    }
    BayesianNetwork::new(Variables::numbered(&cards).unwrap(), tables).unwrap()
}

#[test]
fn the_junction_tree_says_the_same() {
    let length = 7;
    for (states, seed) in [(2, 1), (3, 2), (4, 3), (5, 4)] {
        let model = random(states, 3, seed);
        let (_, data) = model.simulate(length, &mut stream(seed, &[1]));
        let network = network(&model, length);
        let graphical: &dyn GraphicalModel = &network;
        for missing in [[false; 7], [false, true, false, false, true, true, false]] {
            let seen = (0..length).filter(|&t| !missing[t]);
            let evidence = Evidence::of(seen.map(|t| (VarId::new(2 * t + 1), data[t])));
            let tree = JunctionTree::default();
            let plan = tree.plan(graphical, &Targets::All).unwrap();
            let beliefs = tree.infer(graphical, &plan, &evidence).unwrap();

            let sequence = Sequence::new(&data[..]).with_missing(&missing);
            let mut inference = Inference::new(&model);
            let smoothed = inference.smooth(&sequence).unwrap();
            assert!((smoothed.score().ln_z - beliefs.ln_z().value()).abs() < 1e-12);
            let mut pair = vec![0.0; states * states];
            for t in 0..length {
                let distribution = beliefs.marginal(VarId::new(2 * t)).unwrap();
                assert!(smoothed.at(t).iter().zip(distribution).all(|(a, b)| (a - b).abs() < 1e-12));
                if t + 1 < length {
                    smoothed.pairwise(t, &mut pair);
                    let both = [VarId::new(2 * t), VarId::new(2 * t + 2)];
                    let joint = tree.joint(graphical, &plan, &evidence, &both).unwrap();
                    assert!(pair.iter().zip(joint.values()).all(|(a, b)| (a - b).abs() < 1e-12));
                }
            }
            let best = inference.decode(&sequence, Decoding::Viterbi).unwrap();
            if missing == [false; 7] {
                let explanation = tree.most_probable(graphical, &evidence).unwrap();
                let states: Vec<usize> = (0..length).map(|t| explanation.states[2 * t]).collect();
                assert_eq!(best.states, states);
                assert!((network.ln_score(&explanation.states) - best.score).abs() < 1e-12);
            }
        }
    }
}
