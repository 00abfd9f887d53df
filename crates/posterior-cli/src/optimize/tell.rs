//! `posterior optimize tell`.

use std::path::Path;

use posterior::table::TableFile;
use serde::Serialize;

use super::history::{History, Outcome};
use super::outcome_bound::{self, OutcomeBound};
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
    let bounds = study.bounds()?;
    let outcomes = args.outcomes.iter().map(|text| outcome(text, &bounds)).collect::<Result<Vec<_>, _>>()?;
    let mut history = History::open(&args.study, &study)?;
    let mut reported = Vec::new();
    for (trial, given) in outcomes {
        let outcome = given.0;
        history.tell(trial, given, &study).map_err(|why| {
            let hint =
                "every trial has one outcome; repeated runs are new trials, by ask or by a table (--data)";
            Failure::data(format!("{source}: {why}")).with_hint(hint)
        })?;
        reported.push(Reported::of(trial, outcome));
    }
    if let Some(data) = &args.data {
        for (point, given) in rows(args, data, &study)? {
            let outcome = given.0;
            let number = history.add(point, given, &study).map_err(Failure::data)?;
            reported.push(Reported::of(number, outcome));
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
    let none = if study.outcome_constraints.is_empty() || *trials == 0 {
        "no outcome yet"
    } else {
        "no outcome keeps all bounds yet"
    };
    let best = best.map_or_else(
        || none.to_owned(),
        |(trial, value)| format!("{} {} (trial {trial})", study.goal.best(), significant(value)),
    );
    format!("{source}: {} reported; {trials} trials, {pending} pending; {best}\n", reported.len())
}

/// What came of a trial, with the outcomes that have a bound.
type Reports = (Outcome, Vec<f64>);

/// A trial and its outcomes: `3=0.25`, `3=0.25,memory=7.5` or `3=failed`.
fn outcome(text: &str, bounds: &[OutcomeBound]) -> Result<(u64, Reports), Failure> {
    let more = outcome_bound::form(bounds);
    let wrong =
        || Failure::Usage(format!("{text}: expected TRIAL=OUTCOME{more}, such as 3=0.25{more} or 3=failed"));
    let mut parts = text.split(',');
    let (trial, outcome) = parts.next().and_then(|part| part.split_once('=')).ok_or_else(wrong)?;
    let trial = trial.trim().parse().map_err(|_| wrong())?;
    let finite = |number: &str| {
        number.trim().parse().ok().filter(|own: &f64| own.is_finite()).ok_or_else(|| {
            Failure::Usage(format!(
                "{text}: expected a finite number or failed; what is not finite has failed"
            ))
        })
    };
    if outcome.trim() == "failed" {
        return if parts.next().is_none() {
            Ok((trial, (Outcome::Failed, Vec::new())))
        } else {
            Err(wrong())
        };
    }
    let value = finite(outcome)?;
    let mut constrained = vec![None; bounds.len()];
    for part in parts {
        let (name, number) = part.split_once('=').ok_or_else(wrong)?;
        let place = bounds.iter().position(|own| own.name == name.trim()).ok_or_else(wrong)?;
        if constrained[place].replace(finite(number)?).is_some() {
            return Err(wrong());
        }
    }
    let constrained = constrained.into_iter().collect::<Option<Vec<f64>>>().ok_or_else(wrong)?;
    Ok((trial, (Outcome::Value(value), constrained)))
}

/// A point, and what came of it.
type ReportedPoint = (Vec<f64>, Reports);

/// The rows of a table: points that were not asked for, with their outcomes.
fn rows(args: &OptimizeTell, data: &Path, study: &Study) -> Result<Vec<ReportedPoint>, Failure> {
    let opened = TableFile::open(data, &args.table.options()?)?;
    let bounds = study.bounds()?;
    let is_input = |name: &String| study.inputs.iter().any(|input| input.name == *name);
    let is_bounded = |name: &String| bounds.iter().any(|bound| bound.name == *name);
    let last = opened.header().iter().rev().find(|name| !is_input(name) && !is_bounded(name)).cloned();
    let Some(y) = args.y.clone().or(last) else {
        let message = format!("{}: line 1: expected a column of outcomes", opened.source);
        return Err(Failure::data(message).with_hint("name it with --y"));
    };
    if is_input(&y) || is_bounded(&y) {
        let what = if is_input(&y) { "an input" } else { "an outcome with a bound" };
        return Err(Failure::Usage(format!("--y {y}: that is {what} of the study, not its outcome")));
    }
    let more = bounds.iter().map(|bound| bound.name.as_str());
    let inputs = study.inputs.iter().map(|input| input.name.as_str());
    let names: Vec<&str> = inputs.chain(more).chain([y.as_str()]).collect();
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
    let of_bounds = bounds.iter().map(|bound| table.numbers(&bound.name));
    let of_bounds = of_bounds.collect::<Result<Vec<_>, _>>()?;
    let of_row = |(row, value): (usize, f64)| {
        let point: Vec<f64> = columns.iter().map(|column| column[row]).collect();
        space.check(&point).map_err(|error| {
            let message = format!("{}: line {}: {error}", table.source, table.line(row));
            Failure::data(message).with_hint("all points of a study lie in its space")
        })?;
        if value.is_nan() {
            return Ok((point, (Outcome::Failed, Vec::new())));
        }
        let constrained: Vec<f64> = of_bounds.iter().map(|column| column[row]).collect();
        if let Some(place) = constrained.iter().position(|own| own.is_nan()) {
            let name = &bounds[place].name;
            return Err(Failure::from(table.refused(row, name, "a number beside the outcome")));
        }
        Ok((point, (Outcome::Value(value), constrained)))
    };
    table.numbers(&y)?.into_iter().enumerate().map(of_row).collect()
}
