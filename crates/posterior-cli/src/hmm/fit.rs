//! `posterior hmm fit`.

use posterior::dist::{Dirichlet, Poisson};
use posterior::gaussian::Gaussian;
use posterior::inference::em::EmOptions;
use posterior::latent::mixture::{MaximumLikelihood, MostProbable};
use posterior::math::linalg::DMatrix;
use posterior::math::streaming::MeanVariance;
use posterior::sequence::Error;
use posterior::sequence::baum_welch::{BaumWelch, BaumWelchOptions, DirichletPrior};
use posterior::sequence::emission::{
    CategoricalEmissions, Distributions, Emissions, LearnEmissions, Sequences,
};
use posterior::sequence::hmm::{HiddenMarkovModel, Topology};

use super::answer::Answer;
use super::kind::{AnyModel, Stored, refused};
use super::observations::{Observations, Values, sequences};
use super::report;
use crate::args::{EmissionKind, HmmFit, TopologyShape, name};
use crate::cluster::incident;
use crate::failure::{self, Failure};
use crate::rows_input::check_squares;
use crate::run::Run;

/// Runs the verb.
pub(crate) fn run(args: &HmmFit) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    let data = observations(args)?;
    run.claim(args.out.as_deref(), report::NAMES)?;
    let (model, answer) = answer(args, &data)?;
    run.write("report.html", |folder| {
        let stored = Stored { columns: data.columns.clone(), symbols: data.symbols.clone(), model };
        report::write(folder, &run, &data, &stored, &answer)
    })?;
    run.notes(&answer.warnings);
    run.print(|| &answer, || super::text::of_fit(&data, &answer))
}

fn observations(args: &HmmFit) -> Result<Observations, Failure> {
    match &args.data {
        Some(path) => Observations::read(path, &args.table, &args.columns, args.emission, None),
        None if args.emission != EmissionKind::Gaussian => {
            Err(Failure::Usage("--emission: the embedded series is of numbers: gaussian".to_owned()))
        }
        None => Ok(Observations::embedded()),
    }
}

fn answer(args: &HmmFit, data: &Observations) -> Result<(AnyModel, Answer), Failure> {
    let states = usize::from(args.states);
    let refuse = |error: Error| refused(data, &error);
    let topology = match args.topology {
        TopologyShape::Ergodic => Topology::ergodic(states),
        TopologyShape::LeftToRight => Topology::left_to_right(states, 1),
    }
    .map_err(refuse)?;
    let (model, learned) = match &data.values {
        Values::Symbols(values) => symbols(args, data, values, &topology)
            .map(|(model, learned)| (AnyModel::Categorical(model), learned)),
        Values::Vectors(values) => {
            let what = format!("{}: a model of {states} states and vectors", data.source);
            let way_out = "take fewer columns with --y, or their principal components (`posterior pca fit`)";
            // As they are fitted, as their factors, and in the answer.
            check_squares(data.memory, &what, data.columns.len(), 3 * states, way_out)?;
            let distribution = pooled(values, &data.missing)?;
            let like = Distributions::new(vec![distribution; states])
                .and_then(|distributions| topology.uniform(distributions));
            let all = sequences(values, &data.missing);
            like.and_then(|like| learn(args, &all, MaximumLikelihood, &like, &topology))
                .map(|(model, learned)| (AnyModel::Gaussian(model), learned))
        }
        Values::Counts(values) => {
            let there = values.iter().flatten().zip(data.missing.iter().flatten());
            let there: MeanVariance =
                there.filter(|(_, missing)| !**missing).map(|(count, _)| *count as f64).collect();
            let like = Poisson::new(there.mean().max(f64::MIN_POSITIVE))
                .map_err(Error::from)
                .and_then(|distribution| Distributions::new(vec![distribution; states]))
                .and_then(|distributions| topology.uniform(distributions));
            let all = sequences(values, &data.missing);
            like.and_then(|like| learn(args, &all, MaximumLikelihood, &like, &topology))
                .map(|(model, learned)| (AnyModel::Poisson(model), learned))
        }
    }
    .map_err(refuse)?;
    let said = model.says(data, args.decode)?;
    let answer = Answer {
        emission_kind: name(args.emission),
        columns: data.columns.clone(),
        symbols: data.symbols.clone(),
        rows: data.len(),
        missing: data.gaps(),
        ln_likelihood: said.ln_likelihoods.iter().sum(),
        trace: learned.trace,
        converged: learned.converged,
        parameters_known: true,
        initial: model.initial().to_vec(),
        transition: model.transition(),
        emission: model.emission(),
        sequences: data.names.clone(),
        states: said.states,
        ln_likelihoods: said.ln_likelihoods,
        warnings: data.notes.iter().cloned().chain(learned.warnings).collect(),
        probabilities: said.probabilities,
    };
    Ok((model, answer))
}

/// A fit, but for the model.
struct Learned {
    trace: Vec<f64>,
    converged: bool,
    warnings: Vec<String>,
}

fn symbols(
    args: &HmmFit,
    data: &Observations,
    values: &[Vec<usize>],
    topology: &Topology,
) -> Result<(HiddenMarkovModel<CategoricalEmissions>, Learned), Error> {
    let count = data.symbols.len();
    let table = DMatrix::from_element(topology.states(), count, 1.0 / count as f64);
    let like = topology.uniform(CategoricalEmissions::new(&table)?)?;
    let all = sequences(values, &data.missing);
    match args.pseudocount {
        None => learn(args, &all, MaximumLikelihood, &like, topology),
        Some(added) => {
            let prior = MostProbable::new(Dirichlet::symmetric(count, 1.0 + added)?, 1.0)?;
            learn(args, &all, prior, &like, topology)
        }
    }
}

/// One Gaussian distribution for all rows: what a state begins with that has none of its own.
fn pooled(values: &[Vec<Vec<f64>>], missing: &[Vec<bool>]) -> Result<Gaussian, Failure> {
    let there: Vec<&Vec<f64>> = values
        .iter()
        .flatten()
        .zip(missing.iter().flatten())
        .filter(|(_, missing)| !**missing)
        .map(|(row, _)| row)
        .collect();
    let columns = there.first().map_or(0, |row| row.len());
    let of = |column: usize| there.iter().map(|row| row[column]).collect::<MeanVariance>();
    let all: Vec<MeanVariance> = (0..columns).map(of).collect();
    let means: Vec<f64> = all.iter().map(MeanVariance::mean).collect();
    // A column that never changes, or a single row, gives no width.
    let width = |own: &MeanVariance| {
        let variance = own.sample_variance();
        if variance > 0.0 { variance } else { 1.0 }
    };
    let variances: Vec<f64> = all.iter().map(width).collect();
    Gaussian::independent(&means, &variances).map_err(failure::refused)
}

/// The best of several starts.
fn learn<X, E, L>(
    args: &HmmFit,
    all: &Sequences<'_, [X]>,
    learn: L,
    like: &HiddenMarkovModel<E>,
    topology: &Topology,
) -> Result<(HiddenMarkovModel<E>, Learned), Error>
where
    X: Sync,
    E: Emissions<Data = [X]> + Clone + Sync,
    L: LearnEmissions<E, Statistics: Send> + Sync,
{
    let steps = EmOptions { max_iterations: args.iterations as usize, ..EmOptions::default() };
    let mut options = BaumWelchOptions { em: steps, ..BaumWelchOptions::default() };
    if let Some(added) = args.pseudocount {
        let prior = DirichletPrior::symmetric(1.0 + added)?;
        options = BaumWelchOptions { initial_prior: prior.clone(), step_prior: prior, ..options };
    }
    let problem = BaumWelch::new(all, learn, options)?;
    let mut first = args.topology == TopologyShape::LeftToRight;
    let found = problem.fit_best(usize::from(args.restarts), args.common.seed, |rng| {
        // The natural start of a chain without a way back: equal parts.
        if std::mem::take(&mut first) {
            let parts = equal_parts(all, topology.states());
            if let Ok(start) = problem.start_from_states(&parts, like) {
                return topology.uniform(start.into_emissions());
            }
        }
        problem.random_start(like, rng)
    })?;
    let mut warnings: Vec<String> = found
        .best
        .model
        .incidents
        .iter()
        .map(|own| incident("state", own, "had no rows left", "what it showed"))
        .collect();
    let converged = found.best.report.converged();
    if !converged {
        warnings.push("the fit did not converge: allow more with --iterations".to_owned());
    }
    let failed = found.outcomes.iter().filter(|outcome| outcome.is_err()).count();
    if failed > 0 {
        warnings.push(format!("{failed} of {} starts failed", found.outcomes.len()));
    }
    let learned = Learned { trace: found.best.report.trace, converged, warnings };
    Ok((found.best.model.hmm, learned))
}

/// Each sequence in as many equal parts as there are states.
fn equal_parts<X>(all: &Sequences<'_, [X]>, states: usize) -> Vec<Vec<usize>> {
    let part = |length: usize| (0..length).map(|t| t * states / length).collect();
    all.as_slice().iter().map(|sequence| part(sequence.data().len())).collect()
}
