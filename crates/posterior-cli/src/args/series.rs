//! The grammar of `posterior series`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::{Common, LevelArgs, TableArgs};
use crate::failure::Failure;

#[derive(Debug, Subcommand)]
pub(crate) enum SeriesVerb {
    /// Smooth a series, split it into components, and forecast it
    Smooth(Box<SeriesSmooth>),
    /// Forecast by a fitted model, after rows that came since
    Forecast(Box<SeriesForecast>),
    /// Score the forecasts that a model would have made in the past, beside simple ones
    Backtest(Box<SeriesBacktest>),
}

/// The table of a series.
#[derive(Debug, Args)]
pub(crate) struct SeriesData {
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
    /// Columns whose effects are part of the model, separated by commas: numbers in every row; last rows with
    /// empty cells of the observations are forecast
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub(crate) regressors: Vec<String>,
    /// Effects of the calendar, separated by commas, which are known of times to come too
    #[arg(long, value_enum, value_name = "EFFECTS", value_delimiter = ',')]
    pub(crate) calendar: Vec<CalendarEffect>,
    /// A table of holidays: a column of days, and one of names; each name has an effect
    #[arg(long, value_name = "FILE")]
    pub(crate) holidays: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) table: TableArgs,
}

/// What the calendar does to a series of dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum CalendarEffect {
    /// How many Mondays to Saturdays a step has, less its Sundays
    TradingDays,
    /// How many days a month has
    MonthLength,
    /// The proportion of the eight days before Easter that are in a step
    Easter,
}

/// What is said of a model.
#[derive(Debug, Args)]
pub(crate) struct SeriesModel {
    /// The model: a sum of components, or `auto`, the best of a family by the values that it predicts
    #[arg(long, value_name = "MODEL", default_value = "local-level")]
    pub(crate) model: String,
    /// The scale on which the model is a sum: none, log, or boxcox:L with L from 0 to 2; `boxcox` estimates L
    /// [default: none; with `--model auto` the better of none and log]
    #[arg(long, value_name = "TRANSFORM", value_parser = transform)]
    pub(crate) transform: Option<TransformChoice>,
    /// How values are seen of the model; what is not Gaussian is smoothed by draws of the signal
    #[arg(long, value_enum, default_value = "gaussian")]
    pub(crate) likelihood: SeriesLikelihood,
    /// Trials of --likelihood binomial: a number, or their column, whose last number is that of forecasts too
    #[arg(long, value_name = "N|COLUMN")]
    pub(crate) trials: Option<String>,
    /// Number of steps of a season; 1 is none [default: that of the dates, 12 for months]
    #[arg(long, value_name = "P", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) season: Option<u16>,
    /// Whether intervals hold what is not known of estimated parameters
    #[arg(long, value_enum, default_value = "integrated")]
    pub(crate) parameters: ParameterKnowledge,
}

/// How values are seen of the signal of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum SeriesLikelihood {
    /// Numbers: the signal and Gaussian noise
    #[default]
    Gaussian,
    /// Counts around the exponential of the signal
    Poisson,
    /// Successes in so many `--trials`: the signal is the logit of their probability
    Binomial,
    /// Counts that vary more than Poisson's: around the exponential m, with variance m + m²/size
    NegativeBinomial,
    /// Numbers with outliers: the signal and `scale` times Student's t with `degrees` degrees of freedom
    StudentT,
}

/// Whether estimated parameters are used as if they were known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ParameterKnowledge {
    /// Averages over the parameters by their posterior distribution: some 40 smoothers instead of one
    Integrated,
    /// Takes the estimates as known: intervals are too short where the series is
    Known,
}

/// A scale that is given, or to be estimated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum TransformChoice {
    None,
    Log,
    BoxCox(f64),
    /// With an exponent that is estimated.
    BoxCoxEstimated,
}

fn transform(text: &str) -> Result<TransformChoice, String> {
    let expected = || format!("expected none, log, boxcox or boxcox:L with L from 0 to 2, found {text:?}");
    match text.split_once(':') {
        None if text == "none" => Ok(TransformChoice::None),
        None if text == "log" => Ok(TransformChoice::Log),
        None if text == "boxcox" => Ok(TransformChoice::BoxCoxEstimated),
        Some(("boxcox", exponent)) => match exponent.parse::<f64>() {
            Ok(exponent) if (0.0..=2.0).contains(&exponent) => Ok(TransformChoice::BoxCox(exponent)),
            _ => Err(expected()),
        },
        _ => Err(expected()),
    }
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior series smooth --forecast 10                 the flow of the Nile, embedded
  posterior series smooth sales.csv --time month --y sold --model auto --forecast 12
  posterior series smooth sales.csv --model auto --held-out-after 2024-12-01
  posterior series smooth gas.csv --time quarter --y use \\
    --model local-linear-trend+seasonal:4 --transform log --forecast 8 --out out
  posterior series smooth shop.csv --y sold \\
    --regressors price,holiday --model local-level+seasonal:7
  posterior series smooth sales.csv --model local-level+seasonal:12 \\
    --calendar easter --holidays holidays.csv --forecast 12
  posterior series smooth track.csv --time t --y x,y --model constant-velocity --format json
  posterior series smooth sales.csv --time month --model arima:0,1,1,0,1,1,12 --transform log
  posterior series smooth flow.csv --params level.variance=1469.1,noise.variance=15099
  posterior series smooth calls.csv --y calls --likelihood poisson --forecast 12
  posterior series smooth polls.csv --y yes --likelihood binomial --trials asked --forecast 2

A model is a sum of components: local-level, local-linear-trend, damped-trend, seasonal:P, constant-velocity, matern32, ...
arima:P,D,Q or arima:P,D,Q,P,D,Q,S is an ARIMA model without further noise, with seasons of S steps; arima-constant:... has a drift.
Empty cells and marks of --missing are missing values, and so are the steps that a regular series leaves out. Dates are days,
months, quarters, weekdays or times of a day; a step may be a month, whatever its length.
Parameters in time, such as the length of matern32, are in years then.
Counts, successes and values with outliers (--likelihood) have no noise.variance; size, degrees and scale are parameters too. Bands
of values are quantiles of what the model predicts, whole numbers of counts.")]
pub(crate) struct SeriesSmooth {
    #[command(flatten)]
    pub(crate) data: SeriesData,
    #[command(flatten)]
    pub(crate) model: SeriesModel,
    /// Known parameters, separated by commas
    #[arg(long, value_name = "NAME=NUMBER", value_delimiter = ',')]
    pub(crate) params: Vec<String>,
    /// Estimate the parameters that --params does not give by maximum likelihood [default without --params]
    #[arg(long)]
    pub(crate) fit: bool,
    /// Number of steps to forecast
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub(crate) forecast: u32,
    /// A time: values after it are held out; the fit to the others forecasts them, and is scored
    #[arg(long, alias = "holdout-after", value_name = "TIME", conflicts_with = "forecast")]
    pub(crate) held_out_after: Option<String>,
    #[command(flatten)]
    pub(crate) level: LevelArgs,
    /// Folder for report, plots and tables as CSV
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior series backtest sales.csv --time month --y sold --model auto --horizon 12
  posterior series backtest gas.csv --model local-linear-trend+seasonal:4 --transform log \\
    --horizon 8 --folds 3 --out out

The last values are predicted from those before them: K times, each time a horizon further on, by a model that is chosen and
fitted anew. Beside it stand the last season repeated, and a straight line from the first value to the last (drift).
MASE is the mean absolute error of medians in units of that of the last season repeated, one step ahead, in the values of the
fit; sMAPE the mean of 200 |error| / (|value| + |median|). ln score is the mean of ln p of a value.")]
pub(crate) struct SeriesBacktest {
    #[command(flatten)]
    pub(crate) data: SeriesData,
    #[command(flatten)]
    pub(crate) model: SeriesModel,
    /// Number of steps to forecast from each origin [default: a season, at least 6 steps]
    #[arg(long, value_name = "H", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) horizon: Option<u32>,
    /// Number of origins, a horizon apart
    #[arg(long, value_name = "K", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) folds: u16,
    #[command(flatten)]
    pub(crate) level: LevelArgs,
    /// Folder for report, plots and tables as CSV
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior series forecast out/model.json --forecast 12
  posterior series forecast out this-year.csv --forecast 12 --out updated

The rows of the table follow those that the model has seen; its parameters, and what is not known of them, stay as they are.
Of a model with regressors, last rows with empty cells of the observations are forecast. `--out` leaves a model that has seen all
rows.")]
pub(crate) struct SeriesForecast {
    /// A model.json of `series smooth`, or the folder that holds it
    pub(crate) model: PathBuf,
    /// A table of later rows, with the columns of the model; also .gz; `-` is standard input
    pub(crate) data: Option<PathBuf>,
    /// Number of steps to forecast [default: 12; of a model with regressors, the rows without values]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub(crate) forecast: Option<u32>,
    #[command(flatten)]
    pub(crate) level: LevelArgs,
    /// Folder for report, plots and tables as CSV
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) table: TableArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

impl SeriesModel {
    /// Refuses what does not go together.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        let wrong = |why: &str| Err(Failure::Usage(why.to_owned()));
        match (self.likelihood, &self.trials) {
            (SeriesLikelihood::Binomial, None) => {
                return wrong("--likelihood binomial: give the trials by --trials, a number or a column");
            }
            (SeriesLikelihood::Binomial, Some(_)) | (_, None) => {}
            (_, Some(_)) => return wrong("--trials: it is for --likelihood binomial"),
        }
        if self.likelihood == SeriesLikelihood::Gaussian {
            return Ok(());
        }
        if self.model == "auto" {
            return wrong(
                "--likelihood: `--model auto` compares Gaussian models; name one, such as local-level",
            );
        }
        if !matches!(self.transform, None | Some(TransformChoice::None)) {
            return wrong(
                "--transform: values that are not Gaussian stay as they are; the signal has its scale",
            );
        }
        Ok(())
    }
}
