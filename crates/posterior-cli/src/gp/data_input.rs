//! Inputs and outputs from tables, and the places where predictions are wanted.

use std::path::Path;

use posterior::datasets::series::CO2;
use posterior::math::linalg::DMatrix;
use posterior::table::{DataFrame, TableFile};
use serde::{Deserialize, Serialize};

use super::time_column::TimeColumn;
use crate::args::{GpFit, Grid, Likelihood, MissingRows, TableArgs};
use crate::complete_rows::complete;
use crate::failure::Failure;
use crate::outcome::{Outcome, matrix};
use crate::predictions_file::RowKeys;
use crate::rows_input::work;

/// Places with outputs.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Data {
    /// How the data are called in messages.
    pub(super) source: String,
    pub(super) x_names: Vec<String>,
    /// The one input, if it is a column of dates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) time: Option<TimeColumn>,
    pub(super) y_name: String,
    #[serde(with = "posterior::math::linalg::written")]
    pub(super) inputs: DMatrix<f64>,
    pub(super) outputs: Outcome,
    /// Known variances of the noise.
    pub(super) noise: Option<Vec<f64>>,
    /// The number of each row in its table; empty where they are all its rows, or of a saved model.
    #[serde(skip)]
    numbers: Vec<usize>,
    /// A note about rows that were left out.
    #[serde(skip)]
    pub(super) left_out: Option<String>,
}

/// Places where predictions are wanted.
#[derive(Debug, Default)]
pub(super) struct Places {
    pub(super) inputs: DMatrix<f64>,
    /// The inputs, and the outcomes where they are known.
    pub(super) keys: RowKeys,
    /// The outcomes where the table has them, a class by its place; NaN where one is missing.
    pub(super) outcomes: Option<Vec<f64>>,
    /// A note about rows that were left out.
    pub(super) left_out: Option<String>,
}

impl Data {
    /// Reads what the options ask for, or takes the embedded series.
    pub(super) fn read(args: &GpFit) -> Result<Self, Failure> {
        match &args.data {
            Some(path) => Self::open(path, args),
            None => Self::embedded(args),
        }
    }

    /// Carbon dioxide over Mauna Loa.
    fn embedded(args: &GpFit) -> Result<Self, Failure> {
        if args.likelihood != Likelihood::Gaussian {
            let message = "--likelihood speaks of a table: name it after `gp fit`";
            return Err(Failure::Usage(message.to_owned()));
        }
        let times: Vec<f64> = CO2.times().collect();
        Ok(Self {
            source: CO2.title.to_owned(),
            x_names: vec!["year".to_owned()],
            time: None,
            y_name: "CO2 (ppm)".to_owned(),
            inputs: DMatrix::from_vec(times.len(), 1, times),
            outputs: Outcome::Numbers(CO2.values.to_vec()),
            noise: None,
            numbers: Vec::new(),
            left_out: None,
        })
    }

    fn open(path: &Path, args: &GpFit) -> Result<Self, Failure> {
        let opened = TableFile::open(path, &args.table.options()?)?;
        let y_name = args.y.clone().map_or_else(|| opened.last(), Ok)?;
        let x_names = match &args.time {
            Some(time) => vec![time.clone()],
            None if args.x.is_empty() => vec![opened.header()[0].clone()],
            None => args.x.clone(),
        };
        if x_names.contains(&y_name) {
            let message = format!("{}: the column {y_name:?} is an input and the output", opened.source);
            return Err(Failure::data(message).with_hint("name them with --x and --y"));
        }
        let all: Vec<&String> = x_names.iter().chain([&y_name]).chain(&args.noise_column).collect();
        let table = opened.read(&all, |rows| work(rows, x_names.len()))?;
        let (table, left_out) = complete(table, &all, args.missing_rows.na)?;
        let table = &table;
        let outputs = match args.likelihood {
            Likelihood::Gaussian | Likelihood::StudentT | Likelihood::LogGaussian => {
                Outcome::Numbers(table.complete_numbers(&y_name)?)
            }
            Likelihood::Gamma => Outcome::Numbers(positive(table, &y_name)?),
            Likelihood::Bernoulli | Likelihood::Probit => {
                Outcome::classes(table, &y_name, 2, "--likelihood")?
            }
            Likelihood::Softmax => Outcome::classes(table, &y_name, 100, "--likelihood")?,
            Likelihood::Poisson | Likelihood::NegativeBinomial => Outcome::Counts(table.counts(&y_name)?),
        };
        let noise = args.noise_column.as_ref().map(|name| variances(table, name)).transpose()?;
        let time = args
            .time
            .as_ref()
            .map(|name| TimeColumn::read(table, name, args.date_form.as_deref(), args.time_unit));
        let time = time.transpose()?;
        Ok(Self {
            source: table.source.clone(),
            inputs: inputs(table, &x_names, time.as_ref())?,
            x_names,
            time,
            y_name,
            outputs,
            noise,
            numbers: left_out
                .iter()
                .flat_map(|_| (0..table.len()).map(|row| table.row_number(row)))
                .collect(),
            left_out,
        })
    }

    /// The places where predictions are wanted: those of a table, of a grid, or of the data with a margin.
    pub(super) fn places(&self, args: &GpFit) -> Result<Places, Failure> {
        match (&args.predict, &args.grid) {
            (Some(path), _) => self.open_places(path, &args.table, args.missing_rows.na),
            (None, Some(grid)) => self.grid(grid),
            (None, None) if self.inputs.ncols() == 1 => Ok(self.around(args.data.is_none())),
            (None, None) => Ok(self.of_rows(&(0..self.inputs.nrows()).collect::<Vec<_>>())),
        }
    }

    /// Those of a table.
    pub(super) fn open_places(
        &self,
        path: &Path,
        args: &TableArgs,
        missing_rows: MissingRows,
    ) -> Result<Places, Failure> {
        let opened = TableFile::open(path, &args.options()?)?;
        let y = Some(&self.y_name).filter(|name| opened.header().contains(name));
        let names: Vec<&String> = self.x_names.iter().chain(y).collect();
        let table = opened.read(&names, |rows| work(rows, self.x_names.len()))?;
        let (table, left_out) = complete(table, &self.x_names, missing_rows)?;
        Ok(Places {
            left_out,
            inputs: inputs(&table, &self.x_names, self.time.as_ref())?,
            keys: RowKeys::of(&table, names)?,
            outcomes: y.map(|name| self.outputs.kind().of_new(&table, name)).transpose()?,
        })
    }

    /// Those of a grid of one coordinate.
    pub(super) fn grid(&self, grid: &Grid) -> Result<Places, Failure> {
        if self.inputs.ncols() != 1 {
            let message = format!("--grid speaks of one coordinate, and there are {}", self.inputs.ncols());
            return Err(Failure::data(message).with_hint("name a table of places"));
        }
        let number = |text: &str| text.parse().ok().filter(|own: &f64| own.is_finite());
        let (ends, what) = match &self.time {
            Some(time) => (grid.ends(|text| time.scale.read(text)), "dates, such as 2024-01-01:2024-12-31"),
            None => (grid.ends(number), "numbers"),
        };
        match ends {
            Some([from, to]) => Ok(self.at(self.as_dates(spaced(from, to, grid.count)))),
            None => Err(Failure::Usage(format!("--grid: expected A:B:N, where A and B are {what}"))),
        }
    }

    fn at(&self, inputs: DMatrix<f64>) -> Places {
        let keys = match &self.time {
            Some(time) => {
                RowKeys::named(&self.x_names[0], inputs.iter().map(|x| time.scale.text(*x)).collect())
            }
            None => RowKeys::of_numbers(&self.x_names, &inputs),
        };
        Places { keys, inputs, outcomes: None, left_out: None }
    }

    /// What the inputs are called, with the unit of dates.
    pub(super) fn inputs_named(&self) -> String {
        match &self.time {
            Some(time) => format!("{} ({})", self.x_names[0], time.scale),
            None => self.x_names.join(", "),
        }
    }

    /// Some of the rows.
    pub(super) fn rows(&self, rows: &[usize]) -> Self {
        let noise = self.noise.as_ref().map(|all| rows.iter().map(|&row| all[row]).collect());
        let (inputs, outputs) = (self.inputs.select_rows(rows), self.outputs.rows(rows));
        Self { inputs, outputs, noise, numbers: self.numbers_of(rows), ..self.clone() }
    }

    /// The numbers of some of the rows in their table.
    fn numbers_of(&self, rows: &[usize]) -> Vec<usize> {
        rows.iter().map(|&row| self.numbers.get(row).copied().unwrap_or(row + 1)).collect()
    }

    /// The places of some of the rows.
    fn of_rows(&self, rows: &[usize]) -> Places {
        let mut places = self.at(self.inputs.select_rows(rows));
        let numbers = self.numbers_of(rows);
        let all = numbers.iter().copied().eq(1..=numbers.len());
        places.keys.numbers = (!all).then_some(numbers);
        places
    }

    /// The places of some of the rows, with their outcomes.
    pub(super) fn held_out(&self, rows: &[usize]) -> Places {
        let outputs = self.outputs.rows(rows);
        let cells = (0..rows.len()).map(|row| outputs.cell(row)).collect();
        let mut places = self.of_rows(rows);
        places.keys = places.keys.with(&self.y_name, cells);
        Places { outcomes: Some(outputs.as_numbers()), ..places }
    }

    /// Whether what was read of a file belongs together.
    pub(super) fn check(&self) -> Result<(), &'static str> {
        let (rows, columns) = self.inputs.shape();
        let outputs = match &self.outputs {
            Outcome::Numbers(values) => values.len(),
            Outcome::Counts(counts) => counts.len(),
            Outcome::Classes { labels, of_row } if of_row.iter().all(|&own| own < labels.len()) => {
                of_row.len()
            }
            Outcome::Classes { .. } => return Err("a class without a name"),
        };
        let noise = self.noise.as_ref().is_none_or(|own| own.len() == rows);
        if outputs == rows && columns == self.x_names.len() && noise {
            Ok(())
        } else {
            Err("inputs, outputs and noise of different numbers of rows or columns")
        }
    }

    /// The range of the data and a little more; of the embedded series twenty years more.
    fn around(&self, embedded: bool) -> Places {
        let (low, high) = (self.inputs.min(), self.inputs.max());
        if embedded {
            return self.at(spaced(low, high + 20.0, 1 + 12 * ((high - low).round() as usize + 20)));
        }
        let margin = if high > low { 0.1 * (high - low) } else { 1.0 };
        self.at(self.as_dates(spaced(low - margin, high + margin, 241)))
    }

    /// Places of a grid as fine as the dates of the column, each once; numbers as they are.
    fn as_dates(&self, grid: DMatrix<f64>) -> DMatrix<f64> {
        let Some(TimeColumn { scale, .. }) = &self.time else { return grid };
        let mut all: Vec<f64> = grid.iter().map(|&x| scale.read(&scale.text(x)).unwrap_or(x)).collect();
        all.dedup();
        DMatrix::from_vec(all.len(), 1, all)
    }
}

/// The columns of the inputs.
fn inputs(table: &DataFrame, names: &[String], time: Option<&TimeColumn>) -> Result<DMatrix<f64>, Failure> {
    match time {
        Some(time) => Ok(DMatrix::from_vec(table.len(), 1, time.numbers(table, &names[0])?)),
        None => matrix(table, names),
    }
}

fn spaced(from: f64, to: f64, count: usize) -> DMatrix<f64> {
    let step = (to - from) / (count - 1) as f64;
    DMatrix::from_fn(count, 1, |i, _| if i + 1 == count { to } else { from + i as f64 * step })
}

fn positive(table: &DataFrame, name: &str) -> Result<Vec<f64>, Failure> {
    let numbers = table.complete_numbers(name)?;
    match numbers.iter().position(|&own| !(own > 0.0)) {
        Some(row) => Err(table.refused(row, name, "a positive number").into()),
        None => Ok(numbers),
    }
}

fn variances(table: &DataFrame, name: &str) -> Result<Vec<f64>, Failure> {
    let numbers = table.complete_numbers(name)?;
    match numbers.iter().position(|&variance| variance < 0.0) {
        Some(row) => {
            let line = table.line(row);
            let message = format!(
                "{}: line {line}, column {name}: expected a variance, found {}",
                table.source, numbers[row]
            );
            Err(Failure::data(message))
        }
        None => Ok(numbers),
    }
}
