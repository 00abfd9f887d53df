//! `posterior hmm fit`.

use posterior::sequence::Error;
use posterior::sequence::hmm::Topology;

use super::answer::{Answer, HeldOut};
use super::families;
use super::kind::{AnyModel, Stored, refused};
use super::observations::Observations;
use super::report;
use super::said::Asked;
use super::sticky;
use super::windows::Window;
use crate::args::{EmissionKind, HmmFit, HmmModel, TopologyShape, name, uses};
use crate::failure::Failure;
use crate::folds::sequences_held_out;
use crate::rows_input::check_squares;
use crate::run::Run;

/// Runs the verb.
pub(crate) fn run(args: &HmmFit) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    let all = observations(args)?;
    let (data, held_out) = split(args, all)?;
    run.claim(args.out.as_deref(), report::NAMES)?;
    let (model, answer) = run.during("fitting", || answer(args, &data, held_out.as_ref()))?;
    run.write("report.html", |folder| {
        let (columns, symbols, labels) = (data.columns.clone(), data.symbols.clone(), answer.labels.clone());
        let stored = Stored { columns, symbols, labels, model };
        report::write(folder, &run, &data, &stored, &answer)
    })?;
    run.notes(&answer.warnings);
    run.print(|| &answer, || super::text::of_fit(&data, &answer))
}

fn observations(args: &HmmFit) -> Result<Observations, Failure> {
    let Some(path) = &args.data else {
        return if args.emission.is_of_numbers() {
            Ok(Observations::embedded())
        } else {
            Err(Failure::Usage(
                "--emission: the embedded series is of numbers: gaussian or mixture".to_owned(),
            ))
        };
    };
    let least = args.min_count.map_or(1, |count| count as usize);
    let data = Observations::read(path, &args.table, &args.columns, (args.emission, least), None)?;
    if let Some(labels) = &data.labels {
        let some = if labels.gaps() > 0 { "some" } else { "none" };
        uses::check_facts(&[("rows-without-label", some)])?;
    }
    Ok(data)
}

/// What is fitted, and what is held out: some of the sequences, or the end of the only one.
fn split(args: &HmmFit, all: Observations) -> Result<(Observations, Option<Observations>), Failure> {
    let Some(proportion) = args.held_out else { return Ok((all, None)) };
    if !(proportion > 0.0 && proportion < 1.0) {
        return Err(Failure::Usage("--held-out: a proportion is above 0 and below 1".to_owned()));
    }
    let (source, rows) = (&all.source, all.len());
    let few = |count: usize| Failure::data(format!("{source}: {count} are too few to hold some out"));
    let (kept, held): (Vec<Window>, Vec<Window>) = if all.rows.len() > 1 {
        let count = all.rows.len();
        let parts = sequences_held_out(count, proportion, args.common.seed).ok_or_else(|| few(count))?;
        let whole = |own: usize| (own, 0..all.rows[own].len());
        (parts.fitted.into_iter().map(whole).collect(), parts.predicted.into_iter().map(whole).collect())
    } else {
        let out = ((proportion * rows as f64).round() as usize).max(1);
        let kept = rows.checked_sub(out).filter(|&kept| kept > 0).ok_or_else(|| few(rows))?;
        (vec![(0, 0..kept)], vec![(0, kept..rows)])
    };
    let (data, held_out) = (all.parts(&kept), all.parts(&held));
    if data.missing.iter().flatten().all(|&missing| missing) {
        return Err(Failure::data(format!("{}: nothing was seen but in what is held out", all.source)));
    }
    Ok((data, Some(held_out)))
}

fn answer(
    args: &HmmFit,
    data: &Observations,
    held_out: Option<&Observations>,
) -> Result<(AnyModel, Answer), Failure> {
    let labels = data.labels.as_ref().map_or(&[][..], |labels| &labels.names);
    let states = if labels.is_empty() { args.most_states() } else { labels.len() };
    if args.model == HmmModel::SemiMarkov && states < 2 {
        return Err(Failure::Usage("--states: a semi-Markov model has at least 2, which change".to_owned()));
    }
    if args.model == HmmModel::Sticky && args.emission == EmissionKind::Mixture {
        let message =
            "--model sticky: --emission is gaussian, poisson or categorical, as states are found by it";
        return Err(Failure::Usage(message.to_owned()));
    }
    let refuse = |error: Error| refused(data, &error);
    let topology = match args.topology {
        TopologyShape::Ergodic => Topology::ergodic(states),
        TopologyShape::LeftToRight => Topology::left_to_right(states, 1),
    }
    .map_err(refuse)?;
    if args.emission.is_of_numbers() {
        let mixed = if args.emission == EmissionKind::Mixture { usize::from(args.components) } else { 1 };
        let what = format!("{}: a model of {states} states and vectors", data.source);
        let way_out = "take fewer columns with --y, or their principal components (`posterior pca fit`)";
        // As they are fitted, as their factors, and in the answer.
        check_squares(data.memory, &what, data.columns.len(), 3 * states * mixed, way_out)?;
    }
    let (model, learned, sampled) = if args.model == HmmModel::Sticky {
        let rows = data.len();
        let way_out = "take every tenth row, or a part of them";
        let what = format!("{}: the probabilities that rows are in one state", data.source);
        check_squares(data.memory, &what, rows, 2, way_out)?;
        let (model, learned, sampled) = sticky::fit(args, data).map_err(refuse)?;
        (model, learned, Some(sampled))
    } else {
        let (model, learned) = families::fit(args, data, &topology).map_err(refuse)?;
        (model, learned, None)
    };
    let asked = Asked { decoding: args.decode, best: None };
    let said = model.says(data, asked)?;
    let of_held_out = |held: &Observations| -> Result<HeldOut, Failure> {
        Ok(HeldOut::of(held, &model.says(held, asked)?))
    };
    let held_out = held_out.map(of_held_out).transpose()?;
    let answer = Answer {
        emission_kind: name(args.emission),
        columns: data.columns.clone(),
        symbols: data.symbols.clone(),
        labels: labels.to_vec(),
        rows: data.len(),
        missing: data.gaps(),
        ln_likelihood: said.ln_likelihoods.iter().sum(),
        trace: learned.trace,
        converged: learned.converged,
        parameters_known: true,
        model: name(args.model),
        initial: model.initial(),
        transition: model.transition(),
        durations: model.lasts(),
        sampled,
        emission: model.emission(),
        sequences: data.names.clone(),
        agreement: data.labels.as_ref().and_then(|labels| labels.agreement(&said.states)),
        held_out,
        states: said.states,
        ln_likelihoods: said.ln_likelihoods,
        warnings: data.notes.iter().cloned().chain(learned.warnings).collect(),
        probabilities: said.probabilities,
    };
    Ok((model, answer))
}
