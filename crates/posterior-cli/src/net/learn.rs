//! `posterior net learn`: conditional tables from data.

use std::ops::ControlFlow;

use indicatif::{ProgressBar, ProgressDrawTarget};
use posterior::graph::VarId;
use posterior::inference::em::{EmOptions, Problem as _};
use posterior::inference::learning::{MissingData, fit_network};
use posterior::inference::{Error, JunctionTree, best_of};
use posterior::math::iteration::{Fitted, Report, Step, Stop};
use posterior::pgm::{BayesianNetwork, CptPrior, FamilyCounts, GraphicalModel as _};
use serde::Serialize;

use super::artefacts::{self, Learned, Reported};
use super::network_input::Input;
use super::records_input::{self, Data};
use crate::args::{NetLearn, uses};
use crate::failure::Failure;
use crate::interrupt;
use crate::json::Number;
use crate::output::{grouped, percent, significant};
use crate::run::Run;

#[derive(Serialize)]
struct Output {
    records: usize,
    missing: usize,
    hidden: Vec<String>,
    parameters: usize,
    prior: f64,
    method: &'static str,
    ln_likelihood: Number,
    /// With a prior of EM, the objective of each step holds A * sum of ln theta besides.
    ln_likelihood_trace: Vec<Number>,
    trace_includes_prior: bool,
    iterations: usize,
    converged: bool,
    best_start: usize,
    rows_without_data: usize,
    warnings: Vec<String>,
}

/// Learns the tables of a network.
pub(super) fn run(args: &NetLearn) -> Result<(), Failure> {
    let mut run = Run::start(&args.input.common)?;
    if !(args.pseudocount >= 0.0 && args.pseudocount.is_finite()) {
        return Err(Failure::Usage(format!(
            "--pseudocount {}: expected a number from 0 up",
            args.pseudocount
        )));
    }
    run.claim(args.out.as_deref(), artefacts::NAMES)?;
    let input = Input::read(&args.input.file)?;
    let network = input.network()?;
    let hidden = input.variables_of(&args.hidden)?;
    let data = records_input::read(&args.data, &args.table, network.variables(), &hidden)?;
    if !data.ignored.is_empty() {
        let columns = data.ignored.join(", ");
        run.note(&format!("note: columns that name no variable are ignored: {columns}"));
    }
    let learned = if data.records.is_complete() {
        uses::check_facts(&[("learning", "counts")])?;
        complete(network, &data, args.pseudocount)?
    } else {
        incomplete(network, &data, args)?
    };
    let text = text(&input, &data, &learned, &hidden, args.pseudocount);
    run.write("network.bif", |folder| {
        artefacts::write(folder, &input, &Reported::Learned { learned: &learned, said: &text })
    })?;
    if learned.report.stop == Stop::Observer {
        let kept = args.out.as_ref().map(|folder| folder.join("network.bif"));
        return Err(Failure::Interrupted(match kept {
            Some(path) => format!(
                "after {} steps; the same command with {} in place of the network, and another --out, goes on from there",
                learned.report.iterations(),
                path.display()
            ),
            None => format!(
                "after {} steps; nothing was saved (--out DIR would have)",
                learned.report.iterations()
            ),
        }));
    }
    let output = || Output {
        records: data.records.len(),
        missing: missing(&data),
        hidden: hidden.iter().map(|&v| network.variables().name(v).to_owned()).collect(),
        parameters: network.parameter_count(),
        prior: args.pseudocount,
        method: learned.method,
        ln_likelihood: Number(learned.ln_likelihood),
        ln_likelihood_trace: learned.report.trace.iter().copied().map(Number).collect(),
        trace_includes_prior: args.pseudocount > 0.0 && learned.method == "em",
        iterations: learned.report.iterations(),
        converged: learned.report.converged(),
        best_start: learned.best_start,
        rows_without_data: learned.unseen.len(),
        warnings: input.warnings(),
    };
    run.print(output, || text.clone())
}

/// Counts, and posterior means or maximum likelihood.
fn complete(network: &BayesianNetwork, data: &Data, prior: f64) -> Result<Learned, Failure> {
    let refused = |error: posterior::pgm::Error| Failure::data(format!("{}: {error}", data.source));
    let mut counts = FamilyCounts::zeros_like(network).map_err(refused)?;
    counts.add_records(&data.records).map_err(refused)?;
    let (method, network, unseen) = if prior > 0.0 {
        let posterior = counts.posterior(&CptPrior::Symmetric(prior)).map_err(refused)?;
        ("posterior mean", posterior.mean().map_err(refused)?, Vec::new())
    } else {
        let (network, unseen) = counts.maximum_likelihood().map_err(refused)?;
        ("maximum likelihood", network, unseen)
    };
    let ln_likelihood = counts.ln_likelihood(&network).map_err(refused)?;
    let report = Report::new(vec![ln_likelihood], Stop::Converged);
    Ok(Learned { network, report, ln_likelihood, method, best_start: 0, unseen })
}

/// Expectation maximisation, from the tables of the file and from random ones.
fn incomplete(network: &BayesianNetwork, data: &Data, args: &NetLearn) -> Result<Learned, Failure> {
    let refused = |error: Error| Failure::data(format!("{}: {error}", data.source));
    interrupt::watch();
    let engine = JunctionTree::default();
    let options = EmOptions { max_iterations: args.iterations, ..EmOptions::default() };
    let bar = ProgressBar::new_spinner();
    if args.input.common.quiet {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    let mut started = 0;
    let found = best_of(usize::from(args.restarts), args.input.common.seed, |rng| {
        let start = if started == 0 { network.clone() } else { network.with_random_tables(rng)? };
        started += 1;
        let mut observer = |step: &Step| {
            bar.set_message(format!(
                "start {started}, step {}: objective {:.6}",
                step.iteration, step.objective
            ));
            bar.tick();
            if interrupt::requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        fit_network(&engine, start, &data.records, args.pseudocount, &options, &mut observer)
    });
    bar.finish_and_clear();
    let found = found.map_err(refused)?;
    let Fitted { model, report } = found.best;
    let problem = MissingData::new(&engine, &model, &data.records, args.pseudocount).map_err(refused)?;
    let ln_likelihood = problem.e_step(&model).map_err(refused)?.ln_likelihood;
    Ok(Learned {
        network: model,
        report,
        ln_likelihood,
        method: "em",
        best_start: found.index,
        unseen: Vec::new(),
    })
}

fn missing(data: &Data) -> usize {
    let records = &data.records;
    let of =
        |record: usize| records.variables().ids().filter(|&v| records.state(record, v).is_none()).count();
    (0..records.len()).map(of).sum()
}

fn text(input: &Input, data: &Data, learned: &Learned, hidden: &[VarId], prior: f64) -> String {
    let (records, all) = (data.records.len(), data.records.variables().len());
    let missing = missing(data);
    let shown = records * (all - hidden.len());
    let mut lines = vec![format!(
        "fitted {} free parameters of {} tables from {} records{}",
        grouped(learned.network.parameter_count() as u64),
        grouped(all as u64),
        grouped(records as u64),
        if missing == 0 { ", all complete" } else { "" }
    )];
    if !hidden.is_empty() {
        let names: Vec<&str> = hidden.iter().map(|&v| input.variables().name(v)).collect();
        lines.push(format!("hidden: {}", names.join(", ")));
    }
    let scattered = missing - hidden.len() * records;
    if scattered > 0 {
        let proportion = percent(scattered as f64 / shown as f64);
        lines.push(format!("{} values are missing, {proportion} of those shown", grouped(scattered as u64)));
    }
    let how = match (learned.method, prior > 0.0) {
        ("em", true) => format!("expectation maximisation with {prior} added to each expected count"),
        ("em", false) => "expectation maximisation".to_owned(),
        (_, true) => format!("posterior means with {prior} added to each count"),
        _ => "maximum likelihood: proportions of the counts".to_owned(),
    };
    lines.push(how);
    if learned.method == "em" {
        let end =
            if learned.report.converged() { "converged" } else { "not converged (--iterations allows more)" };
        lines.push(format!(
            "{} steps, {end}; the best start is no. {}",
            learned.report.iterations(),
            learned.best_start + 1
        ));
    }
    lines.push(format!(
        "ln likelihood {}, {} for each record",
        significant(learned.ln_likelihood),
        significant(learned.ln_likelihood / records as f64)
    ));
    if !learned.unseen.is_empty() {
        lines.push(format!(
            "{} rows of tables have no data, and are uniform: --pseudocount 1 would say how little is known of the others too",
            grouped(learned.unseen.len() as u64)
        ));
    }
    lines.extend(input.warnings().iter().map(|warning| format!("warning: {warning}")));
    lines.join("\n") + "\n"
}
