//! `posterior optimize tell`.

use std::path::Path;

use posterior::table::TableFile;
use serde::Serialize;

use super::history::{History, Outcome};
use super::study::Study;
use crate::args::OptimizeTell;
use crate::failure::Failure;
use crate::output::significant;
use crate::run::Run;

#[derive(Serialize)]
struct Output {
    reported: Vec<Reported>,
    /// Trials with an outcome, failed ones among them.
    trials: usize,
    pending: usize,
    best: Option<Reported>,
}

#[derive(Serialize, Clone, Copy)]
struct Reported {
    trial: u64,
    /// None of a trial that failed.
    value: Option<f64>,
}

impl Reported {
    const fn of(trial: u64, outcome: Outcome) -> Self {
        let value = if let Outcome::Value(value) = outcome { Some(value) } else { None };
        Self { trial, value }
    }
}

/// Runs the verb.
pub(crate) fn run(args: &OptimizeTell) -> Result<(), Failure> {
    let run = Run::start(&args.common)?;
    let (source, study) = Study::read(&args.study)?;
    let outcomes = args.outcomes.iter().map(|text| outcome(text)).collect::<Result<Vec<_>, _>>()?;
    let mut history = History::open(&args.study, &study)?;
    let mut reported = Vec::new();
    for (trial, outcome) in outcomes {
        history.tell(trial, outcome).map_err(|why| {
            let hint =
                "every trial has one outcome; repeated runs are new trials, by ask or by a table (--data)";
            Failure::data(format!("{source}: {why}")).with_hint(hint)
        })?;
        reported.push(Reported::of(trial, outcome));
    }
    if let Some(data) = &args.data {
        for (point, outcome) in rows(args, data, &study)? {
            reported.push(Reported::of(history.add(point, outcome, &study), outcome));
        }
    }
    let optimizer = history.optimizer(&study, args.common.seed)?;
    let best = optimizer.best().and_then(|(point, value)| {
        let value = study.goal.turned(value);
        Some(Reported { trial: history.number_of(point, Some(value))?, value: Some(value) })
    });
    let output =
        Output { reported, trials: optimizer.trials().len(), pending: optimizer.pending().len(), best };
    history.save()?;
    run.print(|| &output, || text(&source, &study, &output))
}

fn text(source: &str, study: &Study, output: &Output) -> String {
    let Output { reported, trials, pending, best } = output;
    let best = best.and_then(|best| Some((best.trial, best.value?)));
    let best = best.map_or_else(
        || "no outcome yet".to_owned(),
        |(trial, value)| format!("{} {} (trial {trial})", study.goal.best(), significant(value)),
    );
    format!("{source}: {} reported; {trials} trials, {pending} pending; {best}\n", reported.len())
}

/// A trial and its outcome.
fn outcome(text: &str) -> Result<(u64, Outcome), Failure> {
    let wrong = || Failure::Usage(format!("{text}: expected TRIAL=OUTCOME, such as 3=0.25 or 3=failed"));
    let (trial, outcome) = text.split_once('=').ok_or_else(wrong)?;
    let trial = trial.trim().parse().map_err(|_| wrong())?;
    let outcome = match outcome.trim() {
        "failed" => Outcome::Failed,
        number => {
            Outcome::Value(number.parse().ok().filter(|own: &f64| own.is_finite()).ok_or_else(|| {
                Failure::Usage(format!(
                    "{text}: expected a finite number or failed; what is not finite has failed"
                ))
            })?)
        }
    };
    Ok((trial, outcome))
}

/// A point, and what came of it.
type ReportedPoint = (Vec<f64>, Outcome);

/// The rows of a table: points that were not asked for, with their outcomes.
fn rows(args: &OptimizeTell, data: &Path, study: &Study) -> Result<Vec<ReportedPoint>, Failure> {
    let opened = TableFile::open(data, &args.table.options()?)?;
    let is_input = |name: &String| study.inputs.iter().any(|input| input.name == *name);
    let last = opened.header().iter().rev().find(|name| !is_input(name)).cloned();
    let Some(y) = args.y.clone().or(last) else {
        let message = format!("{}: line 1: expected a column of outcomes", opened.source);
        return Err(Failure::data(message).with_hint("name it with --y"));
    };
    if is_input(&y) {
        return Err(Failure::Usage(format!("--y {y}: that is an input of the study, not its outcome")));
    }
    let names: Vec<&str> = study.inputs.iter().map(|input| input.name.as_str()).chain([y.as_str()]).collect();
    let table = opened.read(&names, |rows| 256 * rows as u64)?;
    let space = study.space().map_err(Failure::data)?;
    let mut columns = Vec::new();
    for input in &study.inputs {
        let labels = table.labels(&input.name)?;
        let coordinate = |(row, cell): (usize, &&str)| {
            let found = input.coordinate(cell);
            found.ok_or_else(|| Failure::from(table.refused(row, &input.name, &input.values())))
        };
        columns.push(labels.iter().enumerate().map(coordinate).collect::<Result<Vec<f64>, _>>()?);
    }
    let of_row = |(row, value): (usize, f64)| {
        let point: Vec<f64> = columns.iter().map(|column| column[row]).collect();
        space.check(&point).map_err(|error| {
            let message = format!("{}: line {}: {error}", table.source, table.line(row));
            Failure::data(message).with_hint("all points of a study lie in its space")
        })?;
        Ok((point, if value.is_nan() { Outcome::Failed } else { Outcome::Value(value) }))
    };
    table.numbers(&y)?.into_iter().enumerate().map(of_row).collect()
}
