//! The history of a study: a line for each point that was asked for and for each outcome, which only grows.

use std::fs::File;
use std::io::{ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};

use posterior::decision::optimization::Optimizer;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::outcome_bound::OutcomeBound;
use super::study::Study;
use crate::failure::Failure;
use crate::json::Pairs;

/// The largest number of a trial: JSON of other programs has no larger ones.
const MOST: u64 = 1 << 53;

/// What came out of a trial.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Outcome {
    Value(f64),
    Failed,
}

/// A trial: its point, and what came out if that is known.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Trial {
    pub(super) number: u64,
    pub(super) point: Vec<f64>,
    pub(super) outcome: Option<Outcome>,
    /// The outcomes with a bound, in the order of the study; none of a trial without a value.
    pub(super) constrained: Vec<f64>,
}

/// What happened, in its order.
#[derive(Debug, Clone, Copy)]
enum Event {
    /// This trial was asked for.
    Asked(usize),
    /// This one has its outcome.
    Reported(usize),
}

/// A line of the file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    trial: u64,
    point: Option<Map<String, Value>>,
    value: Option<f64>,
    /// The outcomes with a bound.
    #[serde(default)]
    outcomes: Map<String, Value>,
    #[serde(default)]
    failed: bool,
}

/// The same to be written.
#[derive(Serialize)]
struct NewLine {
    trial: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    point: Option<Pairs<Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcomes: Option<Pairs<f64>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    failed: bool,
}

/// A history as it was read, and the lines that are to follow.
#[derive(Debug)]
pub(super) struct History {
    path: PathBuf,
    /// Held until the run ends, so that two runs take turns.
    file: Option<File>,
    pub(super) trials: Vec<Trial>,
    events: Vec<Event>,
    /// So much of the file is whole lines.
    whole: u64,
    new: String,
}

/// The file beside a study.
pub(super) fn path_of(study: &Path) -> PathBuf {
    study.with_extension("trials.jsonl")
}

impl History {
    /// That of a study, to be read.
    pub(super) fn read(path: &Path, study: &Study) -> Result<Self, Failure> {
        let path = path_of(path);
        let file = match File::open(&path) {
            Ok(file) => Some(file),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(Failure::io(&path, &error)),
        };
        if let Some(file) = &file {
            file.lock_shared().map_err(|error| Failure::io(&path, &error))?;
        }
        Self::of(path, file, study)
    }

    /// That of a study, to be continued. Waits for other runs that continue it.
    pub(super) fn open(path: &Path, study: &Study) -> Result<Self, Failure> {
        let path = path_of(path);
        let failed = |error: std::io::Error| Failure::io(&path, &error);
        let file = File::options().read(true).append(true).create(true).open(&path).map_err(failed)?;
        file.lock().map_err(failed)?;
        Self::of(path, Some(file), study)
    }

    fn of(path: PathBuf, mut file: Option<File>, study: &Study) -> Result<Self, Failure> {
        let mut bytes = Vec::new();
        if let Some(file) = &mut file {
            file.read_to_end(&mut bytes).map_err(|error| Failure::io(&path, &error))?;
        }
        // A run that was killed may have ended inside a letter.
        let lines = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |place| place + 1);
        if std::str::from_utf8(&bytes[lines..]).is_err() {
            bytes.truncate(lines);
        }
        let text = String::from_utf8(bytes)
            .map_err(|error| Failure::data(format!("{}: {}", path.display(), error.utf8_error())))?;
        let (trials, events, new) = (Vec::new(), Vec::new(), String::new());
        let mut history = Self { path, file, trials, events, whole: text.len() as u64, new };
        for (place, line) in text.split_inclusive('\n').enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            match serde_json::from_str::<Line>(line) {
                Ok(read) => history.take(read, study).map_err(|why| {
                    Failure::data(format!("{}: line {}: {why}", history.path.display(), place + 1))
                })?,
                // What a killed run began to write.
                Err(_) if !line.ends_with('\n') => history.whole -= line.len() as u64,
                Err(error) => {
                    let error = error.to_string();
                    let why = error.split(" at line ").next().unwrap_or_default();
                    let message = format!("{}: line {}: {why}", history.path.display(), place + 1);
                    return Err(Failure::data(message).with_hint(
                        "a line is a point that was asked for or an outcome, as ask and tell write it",
                    ));
                }
            }
        }
        if !text.is_empty() && !text.ends_with('\n') && history.whole == text.len() as u64 {
            history.new.push('\n');
        }
        Ok(history)
    }

    /// What a line says.
    fn take(&mut self, line: Line, study: &Study) -> Result<(), String> {
        let known = self.trials.iter().position(|trial| trial.number == line.trial);
        let outcome = match (line.value, line.failed) {
            (Some(_), true) => return Err("expected a value or failed, not both".to_owned()),
            (Some(value), false) => Some(Outcome::Value(value)),
            (None, true) => Some(Outcome::Failed),
            (None, false) => None,
        };
        let constrained = constrained_outcomes(&line.outcomes, line.value.is_some(), study)?;
        if line.trial > MOST {
            return Err(format!("trial {}: expected a number up to 2^53", line.trial));
        }
        match (line.point, known, outcome) {
            (Some(_), Some(_), _) => Err(format!("trial {} has a point already", line.trial)),
            (Some(point), None, _) => {
                let point = coordinates(&point, study)?;
                self.events.extend(outcome.is_none().then_some(Event::Asked(self.trials.len())));
                self.events.extend(outcome.map(|_| Event::Reported(self.trials.len())));
                self.trials.push(Trial { number: line.trial, point, outcome, constrained });
                Ok(())
            }
            (None, Some(known), Some(_)) => self.set(known, outcome, constrained),
            (None, None, Some(_)) => Err(format!("trial {} was not asked for", line.trial)),
            (None, _, None) => Err("expected a point, a value or failed".to_owned()),
        }
    }

    fn set(&mut self, known: usize, outcome: Option<Outcome>, constrained: Vec<f64>) -> Result<(), String> {
        let trial = &mut self.trials[known];
        if trial.outcome.is_some() {
            return Err(format!("trial {} has an outcome already", trial.number));
        }
        (trial.outcome, trial.constrained) = (outcome, constrained);
        self.events.push(Event::Reported(known));
        Ok(())
    }

    /// The number of the next trial.
    fn next(&self) -> u64 {
        self.trials.iter().map(|trial| trial.number).max().unwrap_or(0) + 1
    }

    /// A point was asked for: its number.
    pub(super) fn ask(&mut self, point: Vec<f64>, study: &Study) -> u64 {
        let number = self.next();
        let point_of = Some(study.point(&point));
        self.write(&NewLine { trial: number, point: point_of, value: None, outcomes: None, failed: false });
        self.events.push(Event::Asked(self.trials.len()));
        self.trials.push(Trial { number, point, outcome: None, constrained: Vec::new() });
        number
    }

    /// A trial has its outcome.
    pub(super) fn tell(
        &mut self,
        number: u64,
        (outcome, constrained): (Outcome, Vec<f64>),
        study: &Study,
    ) -> Result<(), String> {
        let known = self.trials.iter().position(|trial| trial.number == number);
        let known = known.ok_or_else(|| format!("trial {number} was not asked for"))?;
        let line = line_of(number, None, (outcome, &constrained), study)?;
        self.set(known, Some(outcome), constrained)?;
        self.write(&line);
        Ok(())
    }

    /// A point that was not asked for has an outcome: its number.
    pub(super) fn add(
        &mut self,
        point: Vec<f64>,
        (outcome, constrained): (Outcome, Vec<f64>),
        study: &Study,
    ) -> Result<u64, String> {
        let number = self.next();
        self.write(&line_of(number, Some(study.point(&point)), (outcome, &constrained), study)?);
        self.events.push(Event::Reported(self.trials.len()));
        self.trials.push(Trial { number, point, outcome: Some(outcome), constrained });
        Ok(number)
    }

    fn write(&mut self, line: &NewLine) {
        // A map of texts and finite numbers is always JSON.
        self.new += &serde_json::to_string(line).unwrap_or_default();
        self.new.push('\n');
    }

    /// Puts the new lines behind the old ones. Of a run that is killed meanwhile, whole lines count.
    pub(super) fn save(self) -> Result<(), Failure> {
        let Some(mut file) = self.file else { return Ok(()) };
        let written = file
            .set_len(self.whole)
            .and_then(|()| file.write_all(self.new.as_bytes()))
            .and_then(|()| file.sync_data());
        written.map_err(|error| {
            let _ = file.set_len(self.whole);
            Failure::io(&self.path, &error)
        })
    }

    /// The optimiser after all of it.
    pub(super) fn optimizer(&self, study: &Study, seed: u64) -> Result<Optimizer, Failure> {
        let (mut optimizer, bounds) = (study.optimizer(seed)?, study.bounds()?);
        for event in &self.events {
            let (Event::Asked(place) | Event::Reported(place)) = *event;
            let Trial { number, point, outcome, constrained } = &self.trials[place];
            let done = match (event, outcome) {
                (Event::Asked(_), _) => optimizer.add_pending(point),
                (Event::Reported(_), Some(Outcome::Value(value))) => {
                    let turned = bounds.iter().zip(constrained).map(|(bound, own)| bound.turned(*own));
                    let turned: Vec<f64> = turned.collect();
                    optimizer.tell_constrained(point, study.goal.turned(*value), &turned)
                }
                (Event::Reported(_), _) => optimizer.tell_failure(point),
            };
            done.map_err(|error| {
                Failure::data(format!("{}: trial {number}: {error}", self.path.display()))
                    .with_hint("the points of a history belong to the study: has it been changed since?")
            })?;
        }
        Ok(optimizer)
    }

    /// The number of a trial at this point with this outcome, the first of several.
    pub(super) fn number_of(&self, point: &[f64], value: Option<f64>) -> Option<u64> {
        let is = |trial: &&Trial| match (trial.outcome, value) {
            (Some(Outcome::Value(own)), Some(value)) => own == value && trial.point == point,
            (Some(Outcome::Value(_)), None) => trial.point == point,
            _ => false,
        };
        self.trials.iter().find(is).map(|trial| trial.number)
    }
}

fn line_of(
    trial: u64,
    point: Option<Pairs<Value>>,
    (outcome, constrained): (Outcome, &[f64]),
    study: &Study,
) -> Result<NewLine, String> {
    let Outcome::Value(value) = outcome else {
        return Ok(NewLine { trial, point, value: None, outcomes: None, failed: true });
    };
    let names = study.checked_bounds()?.into_iter().map(|bound| bound.name);
    let outcomes: Vec<(String, f64)> = names.zip(constrained.iter().copied()).collect();
    let outcomes = (!outcomes.is_empty()).then_some(Pairs(outcomes));
    Ok(NewLine { trial, point, value: Some(value), outcomes, failed: false })
}

/// The outcomes with a bound in a line: all of them beside a value, and none without.
fn constrained_outcomes(
    outcomes: &Map<String, Value>,
    has_value: bool,
    study: &Study,
) -> Result<Vec<f64>, String> {
    let bounds = study.checked_bounds()?;
    if let Some(name) = outcomes.keys().find(|name| bounds.iter().all(|bound| bound.name != **name)) {
        return Err(format!("the study has no outcome constraint of {name}"));
    }
    if !has_value {
        return if outcomes.is_empty() {
            Ok(Vec::new())
        } else {
            Err("outcomes come with a value".to_owned())
        };
    }
    let of = |bound: &OutcomeBound| {
        let own = outcomes.get(&bound.name).and_then(Value::as_f64);
        own.ok_or_else(|| format!("expected the outcome {} as a number", bound.name))
    };
    bounds.iter().map(of).collect()
}

/// The coordinates of a point in a file.
fn coordinates(point: &Map<String, Value>, study: &Study) -> Result<Vec<f64>, String> {
    if let Some(name) = point.keys().find(|name| !study.inputs.iter().any(|input| input.name == **name)) {
        return Err(format!("the study has no input {name}"));
    }
    let coordinate = |input: &super::input::Input| {
        let value = point.get(&input.name).ok_or_else(|| format!("expected a value of {}", input.name))?;
        let found = input.coordinate_of(value);
        found.ok_or_else(|| format!("{}: expected {}, found {value}", input.name, input.values()))
    };
    study.inputs.iter().map(coordinate).collect()
}
