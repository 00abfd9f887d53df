//! `posterior optimize show`.

use std::fmt::Write as _;

use posterior::decision::Error;
use posterior::decision::optimization::Optimizer;
use serde::Serialize;
use serde_json::Value;

use super::history::{History, Outcome};
use super::show_report;
use super::standing::{Found, HEADER, Standing};
use super::study::Study;
use crate::args::OptimizeShow;
use crate::failure::{Failure, refused};
use crate::json::Pairs;
use crate::output::{cell, significant};
use crate::run::Run;
use crate::text_table;

#[derive(Serialize)]
struct Output {
    goal: &'static str,
    trials: usize,
    failed: usize,
    pending: usize,
    best: Option<Best>,
    /// The trial at whose point the fitted function is best.
    recommended: Option<Recommended>,
    importance: Pairs<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    outcome_constraints: Vec<Kept>,
    /// The best outcome after each trial, none before the first.
    curve: Vec<Option<f64>>,
}

/// A bound of an outcome, and how many trials kept it.
#[derive(Serialize)]
struct Kept {
    constraint: String,
    kept: usize,
}

#[derive(Serialize)]
struct Best {
    trial: Option<u64>,
    value: f64,
    point: Pairs<Value>,
}

#[derive(Serialize)]
struct Recommended {
    trial: Option<u64>,
    mean: f64,
    sd: f64,
    point: Pairs<Value>,
}

/// Runs the verb.
pub(crate) fn run(args: &OptimizeShow) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    let (source, study) = Study::read(&args.study)?;
    let slices = (1..=study.inputs.len()).map(|place| format!("input-{place}.svg"));
    let names: Vec<String> =
        ["course.svg", "report.html", "trials.csv"].map(str::to_owned).into_iter().chain(slices).collect();
    run.claim(args.out.as_deref(), &names.iter().map(String::as_str).collect::<Vec<_>>())?;
    let history = History::read(&args.study, &study)?;
    let optimizer = history.optimizer(&study, args.common.seed)?;
    let found = run.during("fitting", || found(&study, &history, &optimizer))?;
    let bounds = study.bounds()?;
    let standing = Standing { source, study, history, optimizer, bounds, found };
    run.write("report.html", |folder| {
        let names = standing.study.inputs.iter().map(|input| input.name.clone());
        let header =
            std::iter::once("trial".to_owned()).chain(names).chain(["outcome", "failed"].map(str::to_owned));
        let bounded = standing.bounds.iter().map(|bound| bound.name.clone());
        let header = header.chain(bounded);
        let rows = standing.history.trials.iter().map(|trial| {
            let value = if let Some(Outcome::Value(value)) = trial.outcome { value } else { f64::NAN };
            let failed =
                trial.outcome.map_or(String::new(), |own| u8::from(own == Outcome::Failed).to_string());
            let texts = standing.study.texts(&trial.point).into_iter();
            let bounded = (0..standing.bounds.len())
                .map(|place| cell(trial.constrained.get(place).copied().unwrap_or(f64::NAN)));
            let first = std::iter::once(trial.number.to_string());
            first.chain(texts).chain([cell(value), failed]).chain(bounded)
        });
        folder.put_table("trials.csv", header, rows)?;
        let (pictures, page) = show_report::report(&run, &standing)?;
        folder.put_report(&pictures, &page)
    })?;
    run.print(|| standing.output(), || standing.text())
}

/// What the outcomes say, once there is one.
fn found(study: &Study, history: &History, optimizer: &Optimizer) -> Result<Option<Found>, Failure> {
    let Some((point, value)) = optimizer.best() else { return Ok(None) };
    let turned = |value| study.goal.turned(value);
    let best = (history.number_of(point, Some(turned(value))), turned(value), point.to_vec());
    let surrogate = optimizer.surrogate().map_err(refused)?;
    let own = match optimizer.recommend() {
        Ok(own) => own,
        Err(Error::NoFeasible) => return Ok(None),
        Err(error) => return Err(refused(error)),
    };
    let recommended = (history.number_of(&own.point, None), turned(own.mean), own.sd, own.point);
    let importance = surrogate.importance().map_err(refused)?;
    Ok(Some(Found { surrogate, best, recommended, importance }))
}

impl Standing {
    /// How many trials failed.
    pub(super) fn failed(&self) -> usize {
        self.optimizer.trials().iter().filter(|trial| trial.value().is_none()).count()
    }

    /// The best outcome after each trial.
    pub(super) fn curve(&self) -> Vec<f64> {
        self.optimizer.trace().into_iter().map(|value| self.study.goal.turned(value)).collect()
    }

    fn output(&self) -> Output {
        let study = &self.study;
        let found = self.found.as_ref();
        let best = found.map(|Found { best: (trial, value, point), .. }| Best {
            trial: *trial,
            value: *value,
            point: study.point(point),
        });
        let recommended = found.map(|Found { recommended: (trial, mean, sd, point), .. }| Recommended {
            trial: *trial,
            mean: *mean,
            sd: *sd,
            point: study.point(point),
        });
        let names = study.inputs.iter().map(|input| input.name.clone());
        let importance = found.map_or(&[][..], |found| &found.importance);
        Output {
            goal: study.goal.name(),
            trials: self.optimizer.trials().len(),
            failed: self.failed(),
            pending: self.optimizer.pending().len(),
            best,
            recommended,
            importance: Pairs(names.zip(importance.iter().copied()).collect()),
            outcome_constraints: self
                .bounds
                .iter()
                .zip(self.kept())
                .map(|(bound, kept)| Kept { constraint: bound.text(), kept })
                .collect(),
            curve: self.curve().into_iter().map(|own| own.is_finite().then_some(own)).collect(),
        }
    }

    /// How many trials of which kind.
    pub(super) fn counts(&self) -> String {
        let (trials, failed, pending) =
            (self.optimizer.trials().len(), self.failed(), self.optimizer.pending().len());
        format!("{trials} trials ({failed} failed), {pending} pending")
    }

    /// A row for each input: the best observed, the best of the fitted function, the importance.
    pub(super) fn rows(&self, found: &Found) -> Vec<Vec<String>> {
        let study = &self.study;
        let (observed, fitted) = (study.short(&found.best.2), study.short(&found.recommended.3));
        let row = |(place, input): (usize, &super::input::Input)| {
            let importance = format!("{:.3}", found.importance[place]);
            vec![input.name.clone(), observed[place].clone(), fitted[place].clone(), importance]
        };
        study.inputs.iter().enumerate().map(row).collect()
    }

    fn text(&self) -> String {
        let goal = self.study.goal;
        let mut text = format!("{}: {}, {}\n", self.source, goal.name(), self.counts());
        for (bound, kept) in self.bounds.iter().zip(self.kept()) {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{}: kept by {kept} trials", bound.text());
        }
        let Some(found) = &self.found else {
            text += self.nothing();
            text.push('\n');
            return text;
        };
        let trial = |number: Option<u64>| number.map_or_else(String::new, |own| format!(" (trial {own})"));
        let (number, value, _) = &found.best;
        // Writing to a string cannot fail.
        let _ = writeln!(text, "\n{} outcome   {}{}", goal.best(), significant(*value), trial(*number));
        let (number, mean, sd, _) = &found.recommended;
        let _ = writeln!(
            text,
            "{} expected  {} ± {}{}\n",
            goal.best(),
            significant(*mean),
            significant(*sd),
            trial(*number)
        );
        text += &text_table::aligned(&HEADER, self.rows(found));
        text += "\nexpected: the mean of the fitted function and its standard deviation, at the points that were tried; importance: the part of the\n\
                 variation of the fitted function that is left when the other inputs are known.\n";
        text
    }
}
