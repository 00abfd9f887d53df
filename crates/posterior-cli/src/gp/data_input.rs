//! Inputs and outputs from tables, and the places where predictions are wanted.

use std::path::Path;

use posterior::datasets::series::CO2;
use posterior::math::linalg::DMatrix;
use posterior::table::{DataFrame, TableFile};
use serde::{Deserialize, Serialize};

use crate::args::{GpFit, Grid, Likelihood, TableArgs};
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
    pub(super) y_name: String,
    #[serde(with = "posterior::math::linalg::written")]
    pub(super) inputs: DMatrix<f64>,
    pub(super) outputs: Outcome,
    /// Known variances of the noise.
    pub(super) noise: Option<Vec<f64>>,
}

/// Places where predictions are wanted.
#[derive(Debug, Default)]
pub(super) struct Places {
    pub(super) inputs: DMatrix<f64>,
    /// The inputs, and the outcomes where they are known.
    pub(super) keys: RowKeys,
    /// The outcomes where the table has them, a class by its place; NaN where one is missing.
    pub(super) outcomes: Option<Vec<f64>>,
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
            y_name: "CO2 (ppm)".to_owned(),
            inputs: DMatrix::from_vec(times.len(), 1, times),
            outputs: Outcome::Numbers(CO2.values.to_vec()),
            noise: None,
        })
    }

    fn open(path: &Path, args: &GpFit) -> Result<Self, Failure> {
        let opened = TableFile::open(path, &args.table.options()?)?;
        let y_name = args.y.clone().map_or_else(|| opened.last(), Ok)?;
        let x_names = if args.x.is_empty() { vec![opened.header()[0].clone()] } else { args.x.clone() };
        if x_names.contains(&y_name) {
            let message = format!("{}: the column {y_name:?} is an input and the output", opened.source);
            return Err(Failure::data(message).with_hint("name them with --x and --y"));
        }
        let all: Vec<&String> = x_names.iter().chain([&y_name]).chain(&args.noise_column).collect();
        let table = &opened.read(&all, |rows| work(rows, x_names.len()))?;
        let outputs = match args.likelihood {
            Likelihood::Gaussian => Outcome::Numbers(table.complete_numbers(&y_name)?),
            Likelihood::Bernoulli | Likelihood::Softmax => {
                let most = if args.likelihood == Likelihood::Bernoulli { 2 } else { 100 };
                Outcome::classes(table, &y_name, most, "--likelihood")?
            }
            Likelihood::Poisson => Outcome::Counts(table.counts(&y_name)?),
        };
        let noise = args.noise_column.as_ref().map(|name| variances(table, name)).transpose()?;
        Ok(Self {
            source: table.source.clone(),
            inputs: matrix(table, &x_names)?,
            x_names,
            y_name,
            outputs,
            noise,
        })
    }

    /// The places where predictions are wanted: those of a table, of a grid, or of the data with a margin.
    pub(super) fn places(&self, args: &GpFit) -> Result<Places, Failure> {
        match (&args.predict, &args.grid) {
            (Some(path), _) => self.open_places(path, &args.table),
            (None, Some(grid)) => self.grid(grid),
            (None, None) if self.inputs.ncols() == 1 => self.grid(&self.around(args.data.is_none())),
            (None, None) => Ok(self.at(self.inputs.clone())),
        }
    }

    /// Those of a table.
    pub(super) fn open_places(&self, path: &Path, args: &TableArgs) -> Result<Places, Failure> {
        let opened = TableFile::open(path, &args.options()?)?;
        let y = Some(&self.y_name).filter(|name| opened.header().contains(name));
        let names: Vec<&String> = self.x_names.iter().chain(y).collect();
        let table = opened.read(&names, |rows| work(rows, self.x_names.len()))?;
        Ok(Places {
            inputs: matrix(&table, &self.x_names)?,
            keys: RowKeys::of(&table, names)?,
            outcomes: y.map(|name| self.outputs.kind().of_new(&table, name)).transpose()?,
        })
    }

    /// Those of a grid of one coordinate.
    pub(super) fn grid(&self, grid: &Grid) -> Result<Places, Failure> {
        if self.inputs.ncols() == 1 {
            return Ok(self.at(points(grid)));
        }
        let message = format!("--grid speaks of one coordinate, and there are {}", self.inputs.ncols());
        Err(Failure::data(message).with_hint("name a table of places"))
    }

    fn at(&self, inputs: DMatrix<f64>) -> Places {
        Places { keys: RowKeys::of_numbers(&self.x_names, &inputs), inputs, outcomes: None }
    }

    /// Some of the rows.
    pub(super) fn rows(&self, rows: &[usize]) -> Self {
        let noise = self.noise.as_ref().map(|all| rows.iter().map(|&row| all[row]).collect());
        let (inputs, outputs) = (self.inputs.select_rows(rows), self.outputs.rows(rows));
        Self { inputs, outputs, noise, ..self.clone() }
    }

    /// The places of some of the rows, with their outcomes.
    pub(super) fn held_out(&self, rows: &[usize]) -> Places {
        let outputs = self.outputs.rows(rows);
        let cells = (0..rows.len()).map(|row| outputs.cell(row)).collect();
        let mut places = self.at(self.inputs.select_rows(rows));
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
