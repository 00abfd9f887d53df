//! Hidden Markov models of symbols and of vectors.

use nalgebra::DMatrix;
use posterior::inference::em::EmOptions;
use posterior::latent::gaussian_mixture::Covariances;
use posterior::latent::mixture::MaximumLikelihood;
use posterior::math::iteration::Silent;
use posterior::sequence::baum_welch::{BaumWelch, BaumWelchOptions};
use posterior::sequence::chain::{Edges, LinearChain};
use posterior::sequence::emission::{
    CategoricalEmissions, Emissions, GaussianEmissions, LearnEmissions, Sequences,
};
use posterior::sequence::hmm::HiddenMarkovModel;
use posterior_benches::comparison::{Outcome, Settings, print_head};
use posterior_benches::peers::Measurements;
use posterior_benches::sequences::{Symbols, Vectors};
use posterior_benches::timing::{cpu_seconds, least, on_one_thread};

use super::{RUNS, line};

/// The table.
pub(super) fn compare(peers: &Measurements, settings: &Settings) -> Outcome {
    let positions = settings.size(200_000, 10_000);
    println!(
        "CPU seconds on {positions} positions, one thread; em: a step; value: ln p, or ln p of the best path\n"
    );
    let figures = ["states", "posterior", "hmmlearn", "ours / hmmlearn", "value", "hmmlearn's"];
    print_head(&["task"], &figures);
    for (states, steps) in [(5, 10), (30, 2), (100, 1)] {
        let data = match peers.folder() {
            Some(folder) => Symbols::read(folder, states)?,
            None => Symbols::generate(states, positions),
        };
        let emissions = CategoricalEmissions::new(&data.emission)?;
        let start = HiddenMarkovModel::new(&data.chain.initial, &data.chain.transition, emissions)?;
        let sequences: Sequences<'_, [usize]> = data.sequences.iter().map(Vec::as_slice).collect();
        measure("symbols", &start, &sequences, steps, peers)?;
    }
    for (states, steps) in [(5, 5), (20, 2)] {
        let data = match peers.folder() {
            Some(folder) => Vectors::read(folder, states)?,
            None => Vectors::generate(states, positions),
        };
        let full = data.variances.row_iter().map(|row| DMatrix::from_diagonal(&row.transpose())).collect();
        let shapes =
            [("diag", Covariances::Diagonal(data.variances.clone())), ("full", Covariances::Full(full))];
        for (shape, covariances) in shapes {
            let emissions = GaussianEmissions::new(&data.means, covariances)?;
            let start = HiddenMarkovModel::new(&data.chain.initial, &data.chain.transition, emissions)?;
            let (task, sequences) = (format!("vectors {shape}"), Sequences::one(&data.rows));
            measure(&task, &start, &sequences, steps, peers)?;
        }
    }
    println!();
    Ok(())
}

fn measure<E>(
    task: &str,
    start: &HiddenMarkovModel<E>,
    sequences: &Sequences<'_, E::Data>,
    steps: usize,
    peers: &Measurements,
) -> Outcome
where
    E: Emissions<Data: Sync> + Clone + Sync,
    MaximumLikelihood: LearnEmissions<E, Statistics: Send>,
{
    let em = EmOptions { tolerance: f64::NEG_INFINITY, max_iterations: steps, ..EmOptions::default() };
    let problem =
        BaumWelch::new(sequences, MaximumLikelihood, BaumWelchOptions { em, ..BaumWelchOptions::default() })?;
    let line = |what: &str, measured: (f64, f64)| {
        line(peers, "hmmlearn", start.states(), &format!("{task} {what}"), measured);
    };
    on_one_thread(|| {
        line("score", least(RUNS, cpu_seconds, || Ok(problem.ln_likelihood(start)?))?);
        line("viterbi", least(RUNS, cpu_seconds, || best_paths(start, sequences))?);
        let (seconds, value) = least(RUNS, cpu_seconds, || {
            let fitted = problem.fit(start.clone(), &mut Silent)?;
            Ok(fitted.report.trace[steps])
        })?;
        // The last E step gives the likelihood of the model they end at.
        line("em", (seconds / (steps + 1) as f64, value));
        Ok(())
    })
}

/// The sum of the scores of the best paths.
fn best_paths<E: Emissions>(
    model: &HiddenMarkovModel<E>,
    sequences: &Sequences<'_, E::Data>,
) -> Outcome<f64> {
    let (edges, mut nodes, mut sum) = (Edges::Same(model.transitions()), Vec::new(), 0.0);
    for part in sequences.as_slice() {
        let chain = if let Some((table, kinds)) = model.emissions().table(part.data()) {
            LinearChain::with_table(model.ln_initial(), edges, table, kinds)?
        } else {
            let length = E::length(part.data());
            nodes.resize(length * model.states(), 0.0);
            model.emissions().ln_densities(part.data(), 0..length, &mut nodes);
            LinearChain::new(model.ln_initial(), edges, &nodes)?
        };
        sum += chain.best_path().ok_or("an impossible sequence")?.score;
    }
    Ok(sum)
}
