//! Chains against all paths, junction trees and longer chains.

mod fields;
mod semi_markov;
mod variational;

use std::error::Error;

use posterior::dist::stream::stream;
use posterior::inference::{Engine, JointEngine, JunctionTree, MapEngine, Targets};
use posterior::math::linalg::DMatrix;
use posterior::math::log_space::ln_sum_exp;
use posterior::pgm::{BayesianNetwork, Evidence, Table, VarId, Variables};
use posterior::sequence::chain::{Edges, LinearChain, Transitions};
use posterior::sequence::emission::{CategoricalEmissions, Sequence};
use posterior::sequence::hmm::{Decoding, HiddenMarkovModel, Inference, Topology};
use rand::{Rng, RngExt};

use crate::row::{Comparison, Row, Rows};

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

pub(crate) fn rows() -> Rows {
    let mut rows = chains()?;
    rows.extend(hidden_markov()?);
    rows.extend(fields::rows()?);
    rows.push(semi_markov::row()?);
    rows.push(variational::row()?);
    Ok(rows)
}

/// ln Z, marginals and best paths against all paths; and scores so small that weights underflow against
/// logarithms.
fn chains() -> Outcome<Vec<Row>> {
    let mut rng = stream(1, &[]);
    let [mut small, mut tiny] = [Comparison::default(); 2];
    for trial in 0..100 {
        let (states, length) = (1 + trial % 4, 1 + trial % 6);
        let mut score = || if rng.random_bool(0.1) { f64::NEG_INFINITY } else { rng.random_range(-3.0..3.0) };
        let initial: Vec<f64> = (0..states).map(|_| score()).collect();
        let edges = DMatrix::from_fn(states, states, |_, _| score());
        let nodes: Vec<f64> = (0..states * length).map(|_| score()).collect();
        let mut paths: Vec<(Vec<usize>, f64)> = vec![(Vec::new(), 0.0)];
        for t in 0..length {
            paths = paths
                .iter()
                .flat_map(|(path, sum)| {
                    let step =
                        |k: usize| path.last().map_or(initial[k], |&before: &usize| edges[(before, k)]);
                    (0..states)
                        .map(|k| ([&path[..], &[k]].concat(), sum + step(k) + nodes[t * states + k]))
                        .collect::<Vec<_>>()
                })
                .collect();
        }
        let ln_z = ln_sum_exp(&paths.iter().map(|(_, sum)| *sum).collect::<Vec<_>>());
        let transitions = Transitions::from_ln(&edges)?;
        let chain = LinearChain::new(&initial, Edges::Same(&transitions), &nodes)?;
        let found = chain.marginals();
        small.see(found.ln_z, ln_z);
        if ln_z == f64::NEG_INFINITY {
            continue;
        }
        let mut marginals = vec![0.0; states * length];
        for (path, sum) in &paths {
            path.iter().enumerate().for_each(|(t, &k)| marginals[t * states + k] += (sum - ln_z).exp());
        }
        small.see_all(&found.nodes, &marginals);
        let best = paths.iter().map(|(_, sum)| *sum).fold(f64::NEG_INFINITY, f64::max);
        small.see(chain.best_path().map_or(f64::NAN, |path| path.score), best);
    }
    for _ in 0..20 {
        let (states, length) = (4, 200);
        // Differences of up to 800: a weight beside the largest one is 1e-347.
        let mut score = |spread: f64| -spread * rng.random::<f64>();
        let initial: Vec<f64> = (0..states).map(|_| score(1.0)).collect();
        let edges = DMatrix::from_fn(states, states, |_, _| score(400.0));
        let nodes: Vec<f64> = (0..states * length).map(|_| score(400.0)).collect();
        let mut forward: Vec<f64> = (0..states).map(|k| initial[k] + nodes[k]).collect();
        for t in 1..length {
            let step = |k: usize| -> f64 {
                let terms: Vec<f64> = (0..states).map(|i| forward[i] + edges[(i, k)]).collect();
                ln_sum_exp(&terms) + nodes[t * states + k]
            };
            forward = (0..states).map(step).collect();
        }
        let transitions = Transitions::from_ln(&edges)?;
        let found = LinearChain::new(&initial, Edges::Same(&transitions), &nodes)?.marginals();
        tiny.see(found.ln_z, ln_sum_exp(&forward));
    }
    Ok(vec![
        small.exact(
            "ln Z, marginals, best score of a chain",
            ["messages", "all paths"],
            "100 chains of up to 4 states and 6 positions, a tenth of the steps impossible",
            "1e-12 (`posterior-sequence/chain/enumeration.rs`)",
        ),
        tiny.exact(
            "ln Z of a chain",
            ["scaled weights, or logarithms where they underflow", "logarithms"],
            "20 chains of 200 positions, scores of -400 to 0",
            "1e-12 (`posterior-sequence/chain/underflow.rs`)",
        ),
    ])
}

/// Rows that add up to one, without zeros.
fn probabilities<R: Rng>(rng: &mut R, rows: usize, columns: usize) -> DMatrix<f64> {
    let mut table = DMatrix::from_fn(rows, columns, |_, _| 0.05 + rng.random::<f64>());
    table.row_iter_mut().for_each(|mut row| row /= row.sum());
    table
}

/// The model unrolled: z_t is variable 2 t, x_t variable 2 t + 1.
fn unrolled(model: &HiddenMarkovModel<CategoricalEmissions>, length: usize) -> Outcome<BayesianNetwork> {
    let (states, symbols) = (model.states(), model.emissions().symbols());
    let cards: Vec<usize> = (0..2 * length).map(|at| if at % 2 == 0 { states } else { symbols }).collect();
    let by_rows = |matrix: &DMatrix<f64>| matrix.transpose().as_slice().to_vec();
    let mut tables = Vec::new();
    for t in 0..length {
        let state = VarId::new(2 * t);
        tables.push(if t == 0 {
            Table::new(vec![state], vec![states], model.initial().to_vec())?
        } else {
            Table::new(vec![VarId::new(2 * t - 2), state], vec![states, states], by_rows(model.transition()))?
        });
        let shown = by_rows(&model.emissions().probabilities());
        tables.push(Table::new(vec![state, VarId::new(2 * t + 1)], vec![states, symbols], shown)?);
    }
    Ok(BayesianNetwork::new(Variables::numbered(&cards)?, tables)?)
}

fn hidden_markov() -> Outcome<Vec<Row>> {
    let [mut seen, mut best] = [Comparison::default(); 2];
    let length = 12;
    for seed in 0..12 {
        let states = 2 + (seed % 4) as usize;
        let mut rng = stream(seed, &[2]);
        let emissions = CategoricalEmissions::new(&probabilities(&mut rng, states, 3))?;
        let model = Topology::from_fn(states, |i| i != 1, |i, j| (i + j) % 3 != 1 || i == j)?
            .random(emissions, &mut rng)?;
        let (_, data) = model.simulate(length, &mut rng);
        let network = unrolled(&model, length)?;
        let missing: Vec<bool> = (0..length).map(|t| seed % 2 == 1 && t % 4 == 1).collect();
        let shown = (0..length).filter(|&t| !missing[t]);
        let evidence = Evidence::of(shown.map(|t| (VarId::new(2 * t + 1), data[t])));
        let tree = JunctionTree::default();
        let plan = tree.plan(&network, &Targets::All)?;
        let beliefs = tree.infer(&network, &plan, &evidence)?;
        let sequence = Sequence::new(&data[..]).with_missing(&missing);
        let mut inference = Inference::new(&model);
        let smoothed = inference.smooth(&sequence)?;
        seen.see(smoothed.score().ln_z, beliefs.ln_z().value());
        let mut pair = vec![0.0; states * states];
        for t in 0..length {
            seen.see_all(smoothed.at(t), beliefs.marginal(VarId::new(2 * t)).unwrap_or_default());
            if t + 1 < length {
                smoothed.pairwise(t, &mut pair);
                let both = [VarId::new(2 * t), VarId::new(2 * t + 2)];
                seen.see_all(&pair, tree.joint(&network, &plan, &evidence, &both)?.values());
            }
        }
        if missing.iter().all(|own| !own) {
            let path = inference.decode(&sequence, Decoding::Viterbi)?;
            best.see(path.score, tree.most_probable(&network, &evidence)?.ln_value);
        }
    }
    Ok(vec![
        seen.exact(
            "likelihood, marginals, pairs of a hidden Markov model",
            ["chain core", "junction tree"],
            "12 models of 2 to 5 states, 12 positions, with gaps",
            "1e-12 (`posterior-sequence/hmm/unrolled.rs`)",
        ),
        best.exact(
            "ln p of the best path",
            ["Viterbi's algorithm", "junction tree, max-product"],
            "6 of these models",
            "1e-12 (`posterior-sequence/hmm/unrolled.rs`)",
        ),
    ])
}
