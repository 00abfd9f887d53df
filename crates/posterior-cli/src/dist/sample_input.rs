//! The column that `posterior dist fit` fits.

use posterior::dist::fit::{FitError, Observation, Sample};
use posterior::table::{DataFrame, LineNumbers, TableFile, listed};

use crate::args::DistFit;
use crate::complete_rows::complete;
use crate::failure::Failure;
use crate::rows_input::{numeric, row_weights};

/// The values, as they are fitted.
#[derive(Debug)]
pub(super) struct Input {
    pub(super) source: String,
    /// The name of the column.
    pub(super) y: String,
    pub(super) sample: Sample,
    /// The values, if all are known, count once and could have been any.
    pub(super) values: Option<Vec<f64>>,
    /// The range of the values, or of what is known of them.
    pub(super) range: (f64, f64),
    /// Rows whose value was more than the table says.
    pub(super) censored: usize,
    /// Whether all values are whole numbers from 0 on.
    pub(super) are_counts: bool,
    lines: LineNumbers,
    pub(super) notes: Vec<String>,
}

impl Input {
    pub(super) fn read(args: &DistFit) -> Result<Self, Failure> {
        let opened = TableFile::open(&args.data, &args.table.options()?)?;
        let beside: Vec<String> = args.censored.iter().chain(&args.weights).cloned().collect();
        let asked: Vec<String> = match &args.y {
            Some(name) => vec![name.clone()],
            None => opened.header().iter().filter(|name| !beside.contains(name)).cloned().collect(),
        };
        let all: Vec<&String> = asked.iter().chain(&beside).collect();
        let table = opened.read(&all, |rows| 64 * rows as u64)?;
        let (y, mut notes) = match &args.y {
            Some(name) => (name.clone(), Vec::new()),
            None => only(&table, asked)?,
        };
        let (table, note) = complete(table, &[&[y.clone()][..], &beside].concat(), args.missing.na)?;
        notes.extend(note);
        let values = table.complete_numbers(&y)?;
        let is_censored = match &args.censored {
            Some(name) => table.truths(name)?,
            None => vec![false; values.len()],
        };
        let weights = args.weights.as_ref().map(|name| row_weights(&table, name)).transpose()?;
        let observations = values.iter().zip(&is_censored);
        let observations =
            observations.map(|(&x, above)| if *above { Observation::Above(x) } else { Observation::At(x) });
        let refused = |error| Failure::data(format!("{}: column {y}: {error}", table.source));
        let mut sample = Sample::new(observations.collect()).map_err(refused)?;
        if let Some(weights) = &weights {
            sample = sample.with_weights(weights).map_err(refused)?;
        }
        if args.from.is_some() || args.to.is_some() {
            let (low, high) = (args.from.unwrap_or(f64::NEG_INFINITY), args.to.unwrap_or(f64::INFINITY));
            if let Some(row) = values.iter().position(|x| !(low..=high).contains(x)) {
                return Err(table.refused(row, &y, "a value from --from to --to").into());
            }
            sample = sample.seen_within(low, high).map_err(refused)?;
        }
        let censored = is_censored.iter().filter(|own| **own).count();
        let fold = |from: f64, of: fn(f64, f64) -> f64| values.iter().copied().fold(from, of);
        let range = (fold(f64::INFINITY, f64::min), fold(f64::NEG_INFINITY, f64::max));
        let are_counts = values.iter().all(|x| *x >= 0.0 && x.fract() == 0.0);
        if are_counts && args.family.is_empty() {
            notes.push(
                "all values are whole numbers from 0 on: distributions of counts are fitted; --family names others"
                    .to_owned(),
            );
        }
        let plain = censored == 0 && weights.is_none() && sample.window().is_none();
        Ok(Self {
            source: table.source.clone(),
            y,
            sample,
            values: plain.then_some(values),
            range,
            censored,
            are_counts,
            lines: table.lines(),
            notes,
        })
    }

    /// Why a family was not fitted, with the line of the value that it cannot have.
    pub(super) fn reason(&self, error: &FitError) -> String {
        match error {
            FitError::Observation { index, .. } => {
                format!("line {} has a value that it cannot have", self.lines.of(*index))
            }
            other => other.to_string(),
        }
    }

    /// What a message about the column begins with.
    pub(super) fn place(&self) -> String {
        format!("{}: column {}", self.source, self.y)
    }
}

/// The only column of numbers, with notes about the others.
fn only(table: &DataFrame, names: Vec<String>) -> Result<(String, Vec<String>), Failure> {
    let found = numeric(table, names, "--y")?;
    match found.names.as_slice() {
        [one] => Ok((one.clone(), found.notes)),
        [] => Err(Failure::data(format!("{}: no column of numbers", table.source))
            .with_hint("--y names the column, and then says what is wrong with it")),
        several => {
            Err(Failure::data(format!("{}: several columns of numbers: {}", table.source, listed(several)))
                .with_hint("--y says which one to fit"))
        }
    }
}
