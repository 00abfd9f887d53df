//! Inputs and outputs from tables, and the places where predictions are wanted.

use std::path::Path;

use posterior::datasets::series::CO2;
use posterior::math::linalg::DMatrix;

use crate::args::{GpFit, Grid, Likelihood};
use crate::failure::Failure;
use crate::table::Table;

/// Places with outputs.
#[derive(Debug)]
pub(super) struct Data {
    /// How the data are called in messages.
    pub(super) source: String,
    pub(super) x_names: Vec<String>,
    pub(super) y_name: String,
    pub(super) inputs: DMatrix<f64>,
    pub(super) outputs: Outputs,
    /// Known variances of the noise.
    pub(super) noise: Option<Vec<f64>>,
}

/// What was seen at each place.
#[derive(Debug)]
pub(super) enum Outputs {
    Numbers(Vec<f64>),
    /// The class of each row, as a place in the sorted labels.
    Classes {
        labels: Vec<String>,
        of_row: Vec<usize>,
    },
    Counts(Vec<u64>),
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
        if args.likelihood != Likelihood::Gaussian
            || args.noise_column.is_some()
            || !args.x.is_empty()
            || args.y.is_some()
        {
            let message =
                "--x, --y, --noise-column and --likelihood speak of a table: name it after `gp fit`";
            return Err(Failure::Usage(message.to_owned()));
        }
        let times: Vec<f64> = CO2.times().collect();
        Ok(Self {
            source: CO2.title.to_owned(),
            x_names: vec!["year".to_owned()],
            y_name: "CO2 (ppm)".to_owned(),
            inputs: DMatrix::from_vec(times.len(), 1, times),
            outputs: Outputs::Numbers(CO2.values.to_vec()),
            noise: None,
        })
    }

    fn open(path: &Path, args: &GpFit) -> Result<Self, Failure> {
        let opened = Table::open(path, &args.table)?;
        let y_name = args.y.clone().map_or_else(|| opened.last(), Ok)?;
        let x_names = if args.x.is_empty() { vec![opened.header()[0].clone()] } else { args.x.clone() };
        if x_names.contains(&y_name) {
            let message = format!("{}: the column {y_name:?} is an input and the output", opened.source);
            return Err(Failure::data(message).with_hint("name them with --x and --y"));
        }
        let all: Vec<&String> = x_names.iter().chain([&y_name]).chain(&args.noise_column).collect();
        let table = &opened.read(&all, |rows| work(rows, x_names.len()))?;
        let outputs = match args.likelihood {
            Likelihood::Gaussian => Outputs::Numbers(table.complete_numbers(&y_name)?),
            Likelihood::Bernoulli | Likelihood::Softmax => classes(table, &y_name, args.likelihood)?,
            Likelihood::Poisson => Outputs::Counts(table.counts(&y_name)?),
        };
        let noise = args.noise_column.as_ref().map(|name| variances(table, name)).transpose()?;
        Ok(Self {
            source: table.source.clone(),
            inputs: inputs(table, &x_names)?,
            x_names,
            y_name,
            outputs,
            noise,
        })
    }

    /// The places where predictions are wanted: those of a table, of a grid, or of the data with a margin.
    pub(super) fn places(&self, args: &GpFit) -> Result<DMatrix<f64>, Failure> {
        if let Some(path) = &args.predict {
            let opened = Table::open(path, &args.table)?;
            let table = opened.read(&self.x_names, |rows| work(rows, self.x_names.len()))?;
            return inputs(&table, &self.x_names);
        }
        if let Some(grid) = &args.grid {
            if self.inputs.ncols() != 1 {
                let message =
                    format!("--grid speaks of one coordinate, and there are {}", self.inputs.ncols());
                return Err(Failure::data(message).with_hint("name a table of places with --predict"));
            }
            return Ok(points(grid));
        }
        if self.inputs.ncols() != 1 {
            return Ok(self.inputs.clone());
        }
        Ok(points(&self.around(args.data.is_none())))
    }

    /// The range of the data and a little more; of the embedded series twenty years more.
    fn around(&self, embedded: bool) -> Grid {
        let (low, high) = (self.inputs.min(), self.inputs.max());
        if embedded {
            return Grid { from: low, to: high + 20.0, count: 1 + 12 * ((high - low).round() as usize + 20) };
        }
        let margin = if high > low { 0.1 * (high - low) } else { 1.0 };
        Grid { from: low - margin, to: high + margin, count: 241 }
    }
}

fn points(grid: &Grid) -> DMatrix<f64> {
    let step = (grid.to - grid.from) / (grid.count - 1) as f64;
    DMatrix::from_fn(
        grid.count,
        1,
        |i, _| if i + 1 == grid.count { grid.to } else { grid.from + i as f64 * step },
    )
}

/// The memory for so many rows of so many inputs: as they are read, and what is said of them.
fn work(rows: usize, columns: usize) -> u64 {
    (rows as u64).saturating_mul(24 * columns as u64 + 120)
}

/// One row for each place.
fn inputs(table: &Table, names: &[String]) -> Result<DMatrix<f64>, Failure> {
    let columns = names.iter().map(|name| table.complete_numbers(name)).collect::<Result<Vec<_>, _>>()?;
    Ok(DMatrix::from_vec(table.len(), names.len(), columns.concat()))
}

fn classes(table: &Table, name: &str, likelihood: Likelihood) -> Result<Outputs, Failure> {
    let (labels, of_row) = table.classes(name)?;
    let expected = if likelihood == Likelihood::Bernoulli { 2..=2 } else { 2..=100 };
    if expected.contains(&labels.len()) {
        return Ok(Outputs::Classes { labels, of_row });
    }
    let message = format!("{}: column {name} has {} classes", table.source, labels.len());
    Err(Failure::data(message).with_hint(match (likelihood, labels.len()) {
        (_, 1) => "a classifier needs rows of two classes at least",
        (Likelihood::Bernoulli, _) => "for more than two classes say --likelihood softmax",
        _ => "is this column one of classes?",
    }))
}

fn variances(table: &Table, name: &str) -> Result<Vec<f64>, Failure> {
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
