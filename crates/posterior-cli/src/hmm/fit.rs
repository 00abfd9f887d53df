//! `posterior hmm fit`.

use std::ops::Range;

use posterior::dist::{Dirichlet, Poisson};
use posterior::gaussian::Gaussian;
use posterior::inference::em::EmOptions;
use posterior::latent::gaussian_mixture::Covariances;
use posterior::latent::mixture::{MaximumLikelihood, MostProbable};
use posterior::math::linalg::{DMatrix, DVector};
use posterior::math::streaming::MeanVariance;
use posterior::sequence::Error;
use posterior::sequence::baum_welch::{BaumWelch, BaumWelchOptions, DirichletPrior};
use posterior::sequence::emission::{
    CategoricalEmissions, Distributions, Emissions, GaussianEmissions, LearnEmissions, Sequence, Sequences,
};
use posterior::sequence::hmm::{HiddenMarkovModel, Topology};

use super::answer::Answer;
use super::kind::{AnyModel, Stored, refused};
use super::observations::{Observations, Values, sequences};
use super::report;
use crate::args::{EmissionKind, HmmFit, TopologyShape, name};
use crate::cluster::incident;
use crate::failure::Failure;
use crate::rows_input::check_squares;
use crate::run::Run;

/// The proportion of ln p by which the last step may still raise it: some 10⁻⁸ nats a row.
const TOLERANCE: f64 = 1e-8;

/// Rows that short runs see, of more than twice as many, and rows of a part of them.
const SAMPLE: usize = 10_000;
const WINDOW: usize = 1000;

/// Runs the verb.
pub(crate) fn run(args: &HmmFit) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    let data = observations(args)?;
    run.claim(args.out.as_deref(), report::NAMES)?;
    let (model, answer) = run.during("fitting", || answer(args, &data))?;
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
            let (means, covariances) = pooled(values, &data.missing, states);
            let like = GaussianEmissions::new(&means, covariances)
                .and_then(|distributions| topology.uniform(distributions));
            let tables: Vec<DMatrix<f64>> =
                values.iter().zip(&data.missing).map(|(rows, missing)| table(rows, missing)).collect();
            let all: Sequences<'_, DMatrix<f64>> = tables.iter().collect();
            let windows = windows(args, values);
            let part = |(own, range): &Window| tables[*own].rows(range.start, range.len()).into_owned();
            let parts: Vec<DMatrix<f64>> = windows.iter().map(part).collect();
            let few: Sequences<'_, DMatrix<f64>> = parts.iter().collect();
            like.and_then(|like| learn(args, (&all, &few), MaximumLikelihood, &like, &topology))
                .and_then(|(model, learned)| Ok((AnyModel::Gaussian(of_distributions(&model)?), learned)))
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
            let mut windows = windows(args, values);
            let counted =
                |(own, range): &Window| range.clone().any(|t| !data.missing[*own][t] && values[*own][t] > 0);
            // Where no window has a count, none would be possible ever after.
            if !windows.iter().any(counted) {
                windows.clear();
            }
            let few = of_windows(&windows, values, &data.missing);
            like.and_then(|like| learn(args, (&all, &few), MaximumLikelihood, &like, &topology))
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
    let mut windows = windows(args, values);
    let mut seen = vec![false; count];
    for (own, range) in &windows {
        range.clone().filter(|&t| !data.missing[*own][t]).for_each(|t| seen[values[*own][t]] = true);
    }
    // A symbol that no window has would be impossible ever after.
    if args.pseudocount.is_none() && !seen.iter().all(|&seen| seen) {
        windows.clear();
    }
    let few = of_windows(&windows, values, &data.missing);
    match args.pseudocount {
        None => learn(args, (&all, &few), MaximumLikelihood, &like, topology),
        Some(added) => {
            let prior = MostProbable::new(Dirichlet::symmetric(count, 1.0 + added)?, 1.0)?;
            learn(args, (&all, &few), prior, &like, topology)
        }
    }
}

/// The rows of a sequence as a matrix; NaN where nothing was seen.
fn table(rows: &[Vec<f64>], missing: &[bool]) -> DMatrix<f64> {
    let columns = rows.first().map_or(0, Vec::len);
    DMatrix::from_fn(rows.len(), columns, |t, j| if missing[t] { f64::NAN } else { rows[t][j] })
}

/// One distribution of a state for all rows: what a state begins with that has none of its own.
fn pooled(values: &[Vec<Vec<f64>>], missing: &[Vec<bool>], states: usize) -> (DMatrix<f64>, Covariances) {
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
    // A column that never changes, or a single row, gives no width.
    let width = |own: &MeanVariance| {
        let variance = own.sample_variance();
        if variance > 0.0 { variance } else { 1.0 }
    };
    let means = DMatrix::from_fn(states, columns, |_, column| all[column].mean());
    let widths = DVector::from_iterator(columns, all.iter().map(width));
    (means, Covariances::Full(vec![DMatrix::from_diagonal(&widths); states]))
}

/// The same model as files have it: a distribution for each state.
fn of_distributions(
    model: &HiddenMarkovModel<GaussianEmissions>,
) -> Result<HiddenMarkovModel<Distributions<Gaussian>>, Error> {
    let emissions = model.emissions();
    let distribution = |state: usize| {
        let mean: Vec<f64> = emissions.means().row(state).iter().copied().collect();
        Gaussian::new(&mean, &emissions.covariance(state))
    };
    let all = (0..model.states()).map(distribution).collect::<Result<Vec<_>, _>>()?;
    HiddenMarkovModel::new(model.initial(), model.transition(), Distributions::new(all)?)
}

/// A part of a sequence.
type Window = (usize, Range<usize>);

/// What short runs see: nothing, unless chains may begin anywhere and there are many rows; then some parts of
/// them at equal distances.
fn windows<X>(args: &HmmFit, values: &[Vec<X>]) -> Vec<Window> {
    let rows: usize = values.iter().map(Vec::len).sum();
    if rows <= 2 * SAMPLE || args.topology != TopologyShape::Ergodic {
        return Vec::new();
    }
    let parts = |(own, values): (usize, &Vec<X>)| {
        let end = values.len();
        (0..end).step_by(WINDOW).map(move |start| (own, start..end.min(start + WINDOW)))
    };
    values.iter().enumerate().flat_map(parts).step_by(rows / SAMPLE).collect()
}

/// These parts as sequences.
fn of_windows<'a, X>(
    windows: &[Window],
    values: &'a [Vec<X>],
    missing: &'a [Vec<bool>],
) -> Sequences<'a, [X]> {
    let part = |(own, range): &Window| {
        Sequence::new(&values[*own][range.clone()]).with_missing(&missing[*own][range.clone()])
    };
    Sequences::new(windows.iter().map(part).collect())
}

/// The best of several starts, which see `few` of the observations, or all if these are none.
fn learn<E, L>(
    args: &HmmFit,
    (all, few): (&Sequences<'_, E::Data>, &Sequences<'_, E::Data>),
    learn: L,
    like: &HiddenMarkovModel<E>,
    topology: &Topology,
) -> Result<(HiddenMarkovModel<E>, Learned), Error>
where
    E: Emissions<Data: Sync> + Clone + Sync,
    L: LearnEmissions<E, Statistics: Send> + Clone + Sync,
{
    let steps = EmOptions { tolerance: TOLERANCE, max_iterations: args.iterations as usize };
    let mut options = BaumWelchOptions { em: steps, ..BaumWelchOptions::default() };
    if let Some(added) = args.pseudocount {
        let prior = DirichletPrior::symmetric(1.0 + added)?;
        options = BaumWelchOptions { initial_prior: prior.clone(), step_prior: prior, ..options };
    }
    let few = BaumWelch::new(few, learn.clone(), options.clone()).ok();
    let problem = BaumWelch::new(all, learn, options)?;
    let few = few.as_ref().unwrap_or(&problem);
    let mut first = args.topology == TopologyShape::LeftToRight;
    let found = problem.fit_short_runs(few, usize::from(args.restarts), args.common.seed, |rng| {
        // The natural start of a chain without a way back: equal parts.
        if std::mem::take(&mut first) {
            let parts = equal_parts::<E>(all, topology.states());
            if let Ok(start) = problem.start_from_states(&parts, like) {
                return topology.uniform(start.into_emissions());
            }
        }
        few.random_start(like, rng)
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
fn equal_parts<E: Emissions>(all: &Sequences<'_, E::Data>, states: usize) -> Vec<Vec<usize>> {
    let part = |length: usize| (0..length).map(|t| t * states / length).collect();
    all.as_slice().iter().map(|sequence| part(E::length(sequence.data()))).collect()
}
