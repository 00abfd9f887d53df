//! Hidden Markov models side by side: ours, and hmmlearn when a Python program is named; on one thread, by CPU time.

use std::error::Error;

use nalgebra::DMatrix;
use posterior::inference::em::EmOptions;
use posterior::latent::gaussian_mixture::Covariances;
use posterior::latent::mixture::MaximumLikelihood;
use posterior::math::iteration::Silent;
use posterior::sequence::baum_welch::{BaumWelch, BaumWelchOptions};
use posterior::sequence::chain::{Chain, Edges};
use posterior::sequence::emission::{
    CategoricalEmissions, Emissions, GaussianEmissions, LearnEmissions, Sequences,
};
use posterior::sequence::hmm::HiddenMarkovModel;
use posterior_benches::peers::Measurements;
use posterior_benches::sequences::{Symbols, Vectors};
use posterior_benches::timing::cpu_seconds;

type Failure = Box<dyn Error + Send + Sync>;

/// Runs of which the fastest counts.
const RUNS: usize = 3;

fn main() -> Result<(), Box<dyn Error>> {
    let python = std::env::args().nth(1);
    let folder = tempfile::tempdir()?;
    let peers = match &python {
        Some(program) => Measurements::run(program, "sequences.py", folder.path(), 1)?,
        None => Measurements::default(),
    };
    println!("CPU seconds on 200 000 positions; em: a step; value: ln p, or ln p of the best path\n");
    println!(
        "| task | states | posterior | hmmlearn | ratio | value | hmmlearn's |\n|---|--:|--:|--:|--:|--:|--:|"
    );
    for (states, steps) in [(5, 10), (30, 2), (100, 1)] {
        let data = match &python {
            Some(_) => Symbols::read(folder.path(), states)?,
            None => Symbols::generate(states),
        };
        let emissions = CategoricalEmissions::new(&data.emission)?;
        let start = HiddenMarkovModel::new(&data.chain.initial, &data.chain.transition, emissions)?;
        let sequences: Sequences<'_, [usize]> = data.sequences.iter().map(Vec::as_slice).collect();
        measure("symbols", &start, &sequences, steps, &peers).map_err(|error| error.to_string())?;
    }
    for (states, steps) in [(5, 5), (20, 2)] {
        let data = match &python {
            Some(_) => Vectors::read(folder.path(), states)?,
            None => Vectors::generate(states),
        };
        let full = data.variances.row_iter().map(|row| DMatrix::from_diagonal(&row.transpose())).collect();
        let shapes =
            [("diag", Covariances::Diagonal(data.variances.clone())), ("full", Covariances::Full(full))];
        for (shape, covariances) in shapes {
            let emissions = GaussianEmissions::new(&data.means, covariances)?;
            let start = HiddenMarkovModel::new(&data.chain.initial, &data.chain.transition, emissions)?;
            let (task, sequences) = (format!("vectors {shape}"), Sequences::one(&data.rows));
            measure(&task, &start, &sequences, steps, &peers).map_err(|error| error.to_string())?;
        }
    }
    Ok(())
}

fn least<T>(mut f: impl FnMut() -> Result<T, Failure>) -> Result<(f64, T), Failure> {
    let (mut seconds, mut value) = (f64::INFINITY, None);
    for _ in 0..RUNS {
        let began = cpu_seconds();
        value = Some(f()?);
        seconds = seconds.min(cpu_seconds() - began);
    }
    Ok((seconds, value.ok_or("no run")?))
}

fn measure<E>(
    task: &str,
    start: &HiddenMarkovModel<E>,
    sequences: &Sequences<'_, E::Data>,
    steps: usize,
    peers: &Measurements,
) -> Result<(), Failure>
where
    E: Emissions<Data: Sync> + Clone + Sync,
    MaximumLikelihood: LearnEmissions<E, Statistics: Send>,
{
    let em = EmOptions::default().with_tolerance(f64::NEG_INFINITY).with_max_iterations(steps);
    let problem = BaumWelch::new(sequences, MaximumLikelihood, BaumWelchOptions::default().with_em(em))?;
    let line = |what: &str, (seconds, value): (f64, f64)| {
        let theirs = |name: String| peers.of(start.states(), "hmmlearn", &name);
        let cell = |number: Option<f64>, digits: usize| {
            number.map_or("-".to_owned(), |number| format!("{number:.digits$}"))
        };
        let seconds_of_peer = theirs(format!("{task} {what}"));
        println!(
            "| {task} {what} | {} | {seconds:.4} | {} | {} | {value:.5} | {} |",
            start.states(),
            cell(seconds_of_peer, 4),
            cell(seconds_of_peer.map(|own| own / seconds), 2),
            cell(theirs(format!("{task} {what} value")), 5),
        );
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build()?;
    pool.install(|| -> Result<(), Failure> {
        line("score", least(|| Ok(problem.ln_likelihood(start)?))?);
        line("viterbi", least(|| best_paths(start, sequences))?);
        let (seconds, value) = least(|| {
            let fitted = problem.fit(start.clone(), &mut Silent)?;
            Ok(fitted.report.trace[steps])
        })?;
        // The last E step tells the likelihood of the model it ends at.
        line("em", (seconds / (steps + 1) as f64, value));
        Ok(())
    })
}

/// The sum of the scores of the best paths.
fn best_paths<E: Emissions>(
    model: &HiddenMarkovModel<E>,
    sequences: &Sequences<'_, E::Data>,
) -> Result<f64, Failure> {
    let (edges, mut nodes, mut sum) = (Edges::Same(model.transitions()), Vec::new(), 0.0);
    for part in sequences.as_slice() {
        let chain = if let Some((table, kinds)) = model.emissions().table(part.data()) {
            Chain::with_table(model.ln_initial(), edges, table, kinds)?
        } else {
            let length = E::length(part.data());
            nodes.resize(length * model.states(), 0.0);
            model.emissions().ln_densities(part.data(), 0..length, &mut nodes);
            Chain::new(model.ln_initial(), edges, &nodes)?
        };
        sum += chain.best_path().ok_or("an impossible sequence")?.score;
    }
    Ok(sum)
}
