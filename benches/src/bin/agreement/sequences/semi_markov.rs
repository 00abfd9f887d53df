//! Semi-Markov models against longer chains.

use posterior::dist::Categorical;
use posterior::dist::stream::stream;
use posterior::math::linalg::DMatrix;
use posterior::sequence::chain::{Edges, LinearChain, Transitions};
use posterior::sequence::emission::{Distributions, Emissions, Sequence};
use posterior::sequence::semi_markov::{Durations, SemiMarkovModel};
use rand::RngExt;

use super::{Outcome, probabilities};
use crate::row::{Comparison, Row};

/// A semi-Markov model against the chain on pairs of a state and how many positions are left of it.
pub(super) fn row() -> Outcome<Row> {
    let mut seen = Comparison::default();
    for seed in 0..8 {
        let mut rng = stream(seed, &[4]);
        let (states, longest) = (3, 5);
        let mut steps = probabilities(&mut rng, states, states);
        for i in 0..states {
            let rest = 1.0 - steps[(i, i)];
            (0..states).for_each(|j| steps[(i, j)] = if i == j { 0.0 } else { steps[(i, j)] / rest });
        }
        let initial = probabilities(&mut rng, 1, states);
        let lengths = probabilities(&mut rng, states, longest);
        let shown = probabilities(&mut rng, states, 3);
        let row = |table: &DMatrix<f64>, k: usize| table.row(k).iter().copied().collect::<Vec<f64>>();
        let durations =
            (0..states).map(|k| Durations::table(&row(&lengths, k))).collect::<Result<Vec<_>, _>>()?;
        let distributions = (0..states)
            .map(|k| Categorical::from_probabilities(&row(&shown, k)))
            .collect::<Result<Vec<_>, _>>()?;
        let model =
            SemiMarkovModel::new(&row(&initial, 0), &steps, durations, Distributions::new(distributions)?)?;
        let symbols: Vec<usize> = (0..120).map(|_| rng.random_range(0..3)).collect();
        let size = states * longest;
        let place = |k: usize, left: usize| k * longest + left - 1;
        let mut begin = vec![f64::NEG_INFINITY; size];
        let mut edges = DMatrix::from_element(size, size, f64::NEG_INFINITY);
        for k in 0..states {
            for left in 1..=longest {
                let duration = model.durations()[k].ln_pdf(left);
                begin[place(k, left)] = initial[k].ln() + duration;
                if left > 1 {
                    edges[(place(k, left), place(k, left - 1))] = 0.0;
                }
                for i in 0..states {
                    edges[(place(i, 1), place(k, left))] = steps[(i, k)].ln() + duration;
                }
            }
        }
        let mut densities = vec![0.0; symbols.len() * states];
        model.emissions().ln_densities(&symbols[..], 0..symbols.len(), &mut densities);
        let nodes: Vec<f64> = densities.iter().flat_map(|&ln| vec![ln; longest]).collect();
        let transitions = Transitions::from_ln(&edges)?;
        let expanded = LinearChain::new(&begin, Edges::Same(&transitions), &nodes)?.marginals();
        let found = model.posterior(&Sequence::new(&symbols[..]))?;
        seen.see(found.ln_likelihood, expanded.ln_z);
        let states: Vec<f64> = expanded.nodes.chunks_exact(longest).map(|left| left.iter().sum()).collect();
        seen.see_all(&found.states, &states);
    }
    Ok(seen.exact(
        "likelihood and marginals of a semi-Markov model",
        ["its own recursions", "chain of states and what is left of them"],
        "8 models of 3 states, durations up to 5, 120 positions",
        "1e-12 (`posterior-sequence/semi_markov/oracles.rs`)",
    ))
}
