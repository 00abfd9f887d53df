//! The grammar of `posterior gp`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Subcommand, ValueEnum};
use posterior::table::TimeUnit;
use serde::{Deserialize, Serialize};

use super::{Common, LevelArgs, MissingRowsArgs, TableArgs, ValidationArgs};

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
    /// One of two classes: the probability of the second is the normal distribution function of the function
    Probit,
    /// Counts that vary more than Poisson's: around the exponential m of the function, with variance m +
    /// m²/size
    NegativeBinomial,
    /// Positive numbers around the exponential m of the function, with standard deviation m/√shape
    Gamma,
    /// The function plus noise with outliers: `scale` times Student's t with `degrees` degrees of freedom
    StudentT,
    /// The exponential of the function plus Gaussian noise with this `variance`
    LogGaussian,
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

/// Equally spaced places A, ..., B: numbers or dates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Grid {
    /// `A:B`; a date may have colons in its time.
    ends: String,
    pub(crate) count: usize,
}

impl Grid {
    /// The two ends, each read by `read`.
    pub(crate) fn ends(&self, read: impl Fn(&str) -> Option<f64>) -> Option<[f64; 2]> {
        let split = |(at, _): (usize, &str)| Some([read(&self.ends[..at])?, read(&self.ends[at + 1..])?]);
        self.ends.match_indices(':').find_map(split)
    }
}

impl FromStr for Grid {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.rsplit_once(':').filter(|(ends, _)| ends.contains(':'));
        match parts.and_then(|(ends, count)| Some((ends, count.parse().ok()?))) {
            Some((ends, count)) if count >= 2 => Ok(Self { ends: ends.to_owned(), count }),
            _ => Err("expected A:B:N, the first place, the last and how many (at least 2)".to_owned()),
        }
    }
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior gp fit
  posterior gp fit data.csv --x t --y value --kernel \"2*matern32(10)\" --optimize --grid 0:100:201
  posterior gp fit data.csv --x t --y value --kernel auto --out out
  posterior gp fit data.csv --x a,b --y z --kernel \"rbf([1, 2])\" --noise 0.01 \\
    --predict places.csv --format json
  posterior gp fit labels.csv --x a,b --y class --kernel \"4*rbf(1)\" --likelihood bernoulli \\
    --optimize --out out
  posterior gp fit long.csv --x t --y value --kernel \"matern32(1) + periodic(1, 7)\" --engine markov
  posterior gp fit sales.csv --time month --y sold --kernel \"rbf(24) + periodic(1, 12)\" --optimize \\
    --grid 2020-01:2026-12:84

A kernel is an expression of sums and products: rbf(l), matern12(l), matern32(l), matern52(l), rational_quadratic(l, alpha),
periodic(l, period), linear(), wiener(), constant(v), white(), ... A number in front is a variance. A list of
length scales has one for each coordinate. Parameters are in the units of the data. With --optimize a term without a
variance gets one, which is estimated; fix(rbf(1)) keeps a term as it is.

Intervals have probability 0.95 or --level: of a new outcome (q025, q975), with its noise, and of the function. With --optimize they hold what
is not known about the parameters, up to 1,000 rows: predictions are averages over weighted points of their posterior (importance
sampling around the modes; slice sampling where its weights are too uneven). Given parameters are taken as known.")]
pub(crate) struct GpFit {
    /// A table with a header; also .gz; `-` is standard input
    /// [default: the embedded carbon dioxide over Mauna Loa]
    #[arg(value_name = "DATA")]
    pub(crate) data: Option<PathBuf>,
    /// The columns of the inputs, separated by commas [default: the first column]
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub(crate) x: Vec<String>,
    /// The column of the one input if it is one of dates: kernels are in days since the first date, or in
    /// months where the dates are months or quarters
    #[arg(long, value_name = "COLUMN", conflicts_with = "x")]
    pub(crate) time: Option<String>,
    /// The unit of time: days, months or years [default: that of the dates]
    #[arg(long, value_name = "UNIT", requires = "time")]
    pub(crate) time_unit: Option<TimeUnit>,
    /// The form of the dates, as `strftime` has it, such as %d/%m/%Y [default: recognised]
    #[arg(long, value_name = "FORM", requires = "time")]
    pub(crate) date_form: Option<String>,
    /// The column of the outputs [default: the last column]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) y: Option<String>,
    /// The covariance function (kernel), as an expression, or auto: the best by BIC of sums and products of
    /// smooth, rough, linear and periodic kernels, by a greedy search with dozens of fits (of 400 rows at
    /// most); its parameters are estimated, and its terms drawn by themselves
    #[arg(long, value_name = "EXPR")]
    pub(crate) kernel: Option<String>,
    /// How many kernels the expression may have
    #[arg(long, value_name = "D", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=10))]
    pub(crate) kernel_depth: u8,
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
    /// Whether intervals hold what is not known about estimated parameters: averages over all parameters that
    /// the data allow (a few dozen to some hundred weighted points of their posterior under a weak prior), or
    /// those of most evidence taken as known [default: integrated up to 1,000 rows, beyond and for the
    /// embedded series known]
    #[arg(long, value_enum, value_name = "USE")]
    pub(crate) parameters: Option<ParameterUse>,
    /// Number of random starts, beside the start from the given values [default: 4; none for the embedded
    /// series]
    #[arg(long, value_name = "R")]
    pub(crate) restarts: Option<usize>,
    /// The distribution of an output, given the function
    #[arg(long, value_enum, default_value = "gaussian")]
    pub(crate) likelihood: Likelihood,
    /// Parameters of the likelihood, from which --optimize starts [default: degrees=4 and as scale a third of
    /// the standard deviation of the outputs; size=1; shape=4; as variance a tenth of that of the outputs]
    #[arg(long, value_name = "NAME=NUMBER", value_delimiter = ',')]
    pub(crate) likelihood_params: Vec<String>,
    /// How the posterior is computed: auto, exact, markov (one input, any number of rows), or sparse:M with M
    /// inducing points
    #[arg(long, alias = "method", value_name = "ENGINE", default_value = "auto")]
    pub(crate) engine: GpEngine,
    /// The Gaussian approximation of the posterior where the likelihood is not Gaussian [default: ep; laplace
    /// for softmax, student-t and log-gaussian, which have no other]
    #[arg(long, value_enum)]
    pub(crate) approximation: Option<Approximation>,
    /// A table of inputs at which to predict
    #[arg(long, value_name = "CSV", conflicts_with_all = ["grid", "held_out"])]
    pub(crate) predict: Option<PathBuf>,
    /// Values of a single input at which to predict: N of them, from A to B, numbers or dates
    #[arg(long, value_name = "A:B:N", allow_hyphen_values = true, conflicts_with = "held_out")]
    pub(crate) grid: Option<Grid>,
    /// Also estimate each term of the kernel by itself
    #[arg(long)]
    pub(crate) components: bool,
    #[command(flatten)]
    pub(crate) validation: ValidationArgs,
    #[command(flatten)]
    pub(crate) level: LevelArgs,
    /// Folder for report, pictures and tables
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) missing_rows: MissingRowsArgs,
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
  posterior gp predict dated --grid 2024-01-01:2024-12-31:366

predictions.csv has a row for each place: its number, its inputs, the outcome where the table has it, and what is predicted. For
numbers and counts, mean, sd and the quantiles q025 to q975 are of a new outcome, with its noise; mean_of_function and
sd_of_function are of the mean outcome. For classes, p_LEVEL is the probability of a class. Parameters are averaged over
or taken as known, as the fit did.

Scores are printed where the table has the column of the outcome: ln score is the mean logarithm of the probability (for numbers:
of the density) that the outcome had.")]
pub(crate) struct GpPredict {
    /// A model.json of `gp fit`, or the folder that holds it
    pub(crate) model: PathBuf,
    /// A table of places with the columns of the inputs; also .gz; `-` is standard input
    #[arg(required_unless_present = "grid", conflicts_with = "grid")]
    pub(crate) data: Option<PathBuf>,
    /// Values of a single input at which to predict: N of them, from A to B, numbers or dates
    #[arg(long, value_name = "A:B:N", allow_hyphen_values = true)]
    pub(crate) grid: Option<Grid>,
    /// Folder for predictions.csv
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) level: LevelArgs,
    #[command(flatten)]
    pub(crate) missing_rows: MissingRowsArgs,
    #[command(flatten)]
    pub(crate) table: TableArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// What becomes of parameters that were estimated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ParameterUse {
    /// Averaged over, under weak priors of logarithms: a length scale is about a tenth of the extent of the
    /// inputs and a variance about that of the outputs (each up to a factor of 4.5, one standard deviation),
    /// the noise about a tenth of it (7.4), a period about its value (1.6), others about theirs (7.4)
    Integrated,
    /// Taken as known: with few rows intervals are too narrow
    Known,
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
