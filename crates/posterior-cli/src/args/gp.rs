//! The grammar of `posterior gp`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Subcommand, ValueEnum};
use serde::{Deserialize, Serialize};

use super::{Common, TableArgs, ValidationArgs};

#[derive(Debug, Subcommand)]
pub(crate) enum GpVerb {
    /// Fit a function to noisy numbers, counts or classes, with error bars
    Fit(Box<GpFit>),
    /// Predict at new places by a fitted model; where they have the outcome, score the predictions
    Predict(Box<GpPredict>),
}

/// What is seen of the function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Likelihood {
    /// The function plus Gaussian noise
    Gaussian,
    /// One of two classes: 0 and 1, or any two labels
    Bernoulli,
    /// One of several classes
    Softmax,
    /// Counts with the exponential of the function as their mean
    Poisson,
}

/// How the posterior is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum GpEngine {
    Auto,
    Exact,
    Markov,
    /// With so many inducing points
    Sparse(usize),
}

impl FromStr for GpEngine {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(Self::Auto),
            "exact" => Ok(Self::Exact),
            "markov" => Ok(Self::Markov),
            _ => {
                match text.strip_prefix("sparse:").map(str::parse) {
                    Some(Ok(points)) if points > 0 => Ok(Self::Sparse(points)),
                    _ => Err("expected auto, exact, markov, or sparse:M with a number M of inducing points"
                        .to_owned()),
                }
            }
        }
    }
}

/// Equally spaced places A, ..., B.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Grid {
    pub(crate) from: f64,
    pub(crate) to: f64,
    pub(crate) count: usize,
}

impl FromStr for Grid {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts: Vec<&str> = text.split(':').collect();
        let parsed = match parts[..] {
            [from, to, count] => (from.parse().ok(), to.parse().ok(), count.parse().ok()),
            _ => (None, None, None),
        };
        match parsed {
            (Some(from), Some(to), Some(count))
                if f64::is_finite(from) && f64::is_finite(to) && count >= 2 =>
            {
                Ok(Self { from, to, count })
            }
            _ => Err("expected A:B:N, the first place, the last and how many (at least 2)".to_owned()),
        }
    }
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior gp fit
  posterior gp fit data.csv --x t --y value --kernel \"2*matern32(10)\" --optimize --grid 0:100:201
  posterior gp fit data.csv --x a,b --y z --kernel \"rbf([1, 2])\" --noise 0.01 \\
    --predict places.csv --format json
  posterior gp fit labels.csv --x a,b --y class --kernel \"4*rbf(1)\" --likelihood bernoulli \\
    --optimize --out out
  posterior gp fit long.csv --x t --y value --kernel \"matern32(1) + periodic(1, 7)\" --engine markov

A kernel is an expression of sums and products: rbf(l), matern12(l), matern32(l), matern52(l), rational_quadratic(l, alpha),
periodic(l, period), linear(), wiener(), constant(v), white(), ... A number in front is a variance. A list of
length scales has one for each coordinate. Parameters are in the units of the data. With --optimize a term without a
variance gets one, which is estimated; fix(rbf(1)) keeps a term as it is.

Intervals have probability 0.9: of a new outcome (q05, q95), which has noise, and of the function. They treat the parameters as
known, whether estimated or given: with few rows and --optimize they are too narrow.")]
pub(crate) struct GpFit {
    /// A table with a header; also .gz; `-` is standard input
    /// [default: the embedded carbon dioxide over Mauna Loa]
    #[arg(value_name = "DATA")]
    pub(crate) data: Option<PathBuf>,
    /// The columns of the inputs, separated by commas [default: the first column]
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub(crate) x: Vec<String>,
    /// The column of the outputs [default: the last column]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) y: Option<String>,
    /// The covariance function (kernel), as an expression
    #[arg(long, value_name = "EXPR")]
    pub(crate) kernel: Option<String>,
    /// The prior mean. A constant is unknown and integrated out: normal around the average of the outputs
    /// with ten times their standard deviation (for counts and classes, around the logarithm or logit of the
    /// average with 5). A line starts at the average of the outputs, and --optimize estimates it [default:
    /// constant; zero for classes]
    #[arg(long, value_enum)]
    pub(crate) mean: Option<MeanShape>,
    /// Variance of the noise, from which --optimize starts [default: none; with --optimize a tenth of the
    /// variance of the outputs, unless the kernel has a white() term]
    #[arg(long, value_name = "S")]
    pub(crate) noise: Option<f64>,
    /// A column with the known noise variance of each row, to which --noise is added
    #[arg(long, value_name = "COLUMN")]
    pub(crate) noise_column: Option<String>,
    /// Estimate the parameters by maximum marginal likelihood
    #[arg(long)]
    pub(crate) optimize: bool,
    /// Number of random starts, beside the start from the given values [default: 4; none for the embedded
    /// series]
    #[arg(long, value_name = "R")]
    pub(crate) restarts: Option<usize>,
    /// The distribution of an output, given the function
    #[arg(long, value_enum, default_value = "gaussian")]
    pub(crate) likelihood: Likelihood,
    /// How the posterior is computed: auto, exact, markov (one input, any number of rows), or sparse:M with M
    /// inducing points
    #[arg(long, alias = "method", value_name = "ENGINE", default_value = "auto")]
    pub(crate) engine: GpEngine,
    /// The Gaussian approximation of the posterior of classes and counts [default: ep; laplace for softmax,
    /// which has no other]
    #[arg(long, value_enum)]
    pub(crate) approximation: Option<Approximation>,
    /// A table of inputs at which to predict
    #[arg(long, value_name = "CSV", conflicts_with_all = ["grid", "held_out"])]
    pub(crate) predict: Option<PathBuf>,
    /// Values of a single input at which to predict: N of them, from A to B
    #[arg(long, value_name = "A:B:N", allow_hyphen_values = true, conflicts_with = "held_out")]
    pub(crate) grid: Option<Grid>,
    /// Also estimate each term of the kernel by itself
    #[arg(long)]
    pub(crate) components: bool,
    #[command(flatten)]
    pub(crate) validation: ValidationArgs,
    /// Folder for report, pictures and tables
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
  posterior gp predict out/model.json places.csv
  posterior gp predict out --grid 0:100:201 --out predicted

predictions.csv has a row for each place: its number, its inputs, the outcome where the table has it, and what is predicted. For
numbers and counts, mean, sd and the quantiles q025 to q975 are of a new outcome, with its noise; mean_of_function and
sd_of_function are of the mean outcome. For classes, p_LEVEL is the probability of a class. Parameters are taken as known.

Scores are printed where the table has the column of the outcome: ln score is the mean logarithm of the probability (for numbers:
of the density) that the outcome had.")]
pub(crate) struct GpPredict {
    /// A model.json of `gp fit`, or the folder that holds it
    pub(crate) model: PathBuf,
    /// A table of places with the columns of the inputs; also .gz; `-` is standard input
    #[arg(required_unless_present = "grid", conflicts_with = "grid")]
    pub(crate) data: Option<PathBuf>,
    /// Values of a single input at which to predict: N of them, from A to B
    #[arg(long, value_name = "A:B:N", allow_hyphen_values = true)]
    pub(crate) grid: Option<Grid>,
    /// Folder for predictions.csv
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) table: TableArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// What one expects before any data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum MeanShape {
    /// Zero
    Zero,
    /// A number
    Constant,
    /// A line
    Linear,
}

/// A Gaussian in the place of a posterior that is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Approximation {
    /// The Gaussian at the mode: the fastest, but rare outcomes are predicted too often, by a tenth to a half
    Laplace,
    /// Expectation propagation, which matches means and variances: within some percent of the posterior, at
    /// ten to some tens of times the cost
    Ep,
}
