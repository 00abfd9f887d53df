//! The grammar of `posterior series`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{Common, TableArgs};

#[derive(Debug, Subcommand)]
pub(crate) enum SeriesVerb {
    /// Smooth a series, split it into components, and forecast it
    Smooth(Box<SeriesSmooth>),
    /// Forecast by a fitted model, after rows that came since
    Forecast(Box<SeriesForecast>),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior series smooth --forecast 10                 the flow of the Nile, embedded
  posterior series smooth gas.csv --time quarter --y use \\
    --model local-linear-trend+seasonal:4 --forecast 8 --out out
  posterior series smooth sales.csv --time month --y sold \\
    --model local-linear-trend+seasonal:12 --forecast 12
  posterior series smooth track.csv --time t --y x,y --model constant-velocity --format json
  posterior series smooth flow.csv --params level.variance=1469.1,noise.variance=15099

A model is a sum of components: local-level, local-linear-trend, seasonal:P, constant-velocity, matern32, ... Empty cells
and marks of --missing are missing values, and so are the steps that a regular series leaves out. Dates are days, months,
quarters, weekdays or times of a day; a step may be a month, whatever its length.
Parameters in time, such as the length of matern32, are in years then.")]
pub(crate) struct SeriesSmooth {
    /// A table with a header, rows by rising time; also .gz; `-` is standard input
    /// [default: the embedded flow of the Nile]
    #[arg(value_name = "DATA")]
    pub(crate) data: Option<PathBuf>,
    /// The column of the times: numbers or dates [default: the first column]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) time: Option<String>,
    /// The form of the dates, as `strftime` has it, such as %d/%m/%Y [default: recognised]
    #[arg(long, value_name = "FORM")]
    pub(crate) date_form: Option<String>,
    /// The columns of the observations, separated by commas; each is smoothed by itself [default: the last
    /// column]
    #[arg(long, alias = "value", value_name = "COLUMNS", value_delimiter = ',')]
    pub(crate) y: Vec<String>,
    /// The model: a sum of components
    #[arg(long, value_name = "MODEL", default_value = "local-level")]
    pub(crate) model: String,
    /// Known parameters, separated by commas
    #[arg(long, value_name = "NAME=NUMBER", value_delimiter = ',')]
    pub(crate) params: Vec<String>,
    /// Estimate the parameters that --params does not give by maximum likelihood [default without --params]
    #[arg(long)]
    pub(crate) fit: bool,
    /// Number of steps to forecast
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub(crate) forecast: u32,
    /// Folder for report, plots and tables as CSV
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) table: TableArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior series forecast out/model.json --forecast 12
  posterior series forecast out this-year.csv --forecast 12 --out updated

The rows of the table follow those that the model has seen; its parameters stay as they are, and are taken as known. `--out` leaves
a model that has seen all rows.")]
pub(crate) struct SeriesForecast {
    /// A model.json of `series smooth`, or the folder that holds it
    pub(crate) model: PathBuf,
    /// A table of later rows, with the columns of the model; also .gz; `-` is standard input
    pub(crate) data: Option<PathBuf>,
    /// Number of steps to forecast
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub(crate) forecast: u32,
    /// Folder for report, plots and tables as CSV
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) table: TableArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}
