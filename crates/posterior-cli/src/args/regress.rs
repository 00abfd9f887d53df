//! The grammar of `posterior regress`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::{Common, Format, TableArgs};

#[derive(Debug, Subcommand)]
pub(crate) enum RegressVerb {
    /// What columns say about another one: coefficients with intervals, predictions, calibration
    Fit(Box<RegressFit>),
}

/// What the outcome is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Family {
    /// A number with normal noise of unknown size
    Gaussian,
    /// One of two classes: 0 and 1, or any two labels
    Bernoulli,
    /// A count
    Poisson,
    /// One of several classes
    Softmax,
    /// A number or a class, by a network with one hidden layer
    Mlp,
}

/// How the posterior is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RegressEngine {
    /// A Gaussian at the most probable coefficients: fast; of classes and counts it predicts too much of what
    /// is rare
    Laplace,
    /// In closed form: for the family gaussian
    Exact,
    /// By sampling, which gives no evidence
    Nuts,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior regress fit
  posterior regress fit data.csv --y price --x area,rooms --predict new.csv --out out
  posterior regress fit spector.csv --y GRADE --family bernoulli --engine nuts
  posterior regress fit iris.csv --y species --family softmax --out out
  posterior regress fit mcycle.csv --y accel --features spline:12 --out out
  posterior regress fit classes.csv --y class --family mlp --hidden 20 --out out

Features of each column: raw, poly:D, fourier:M, rbf:M, spline:M, relu:M, step:M. Columns of words are coded by their levels,
the first one being the base. Rows are complete: a column with a missing value is refused.

Intervals hold 90 %. Of numbers and counts: `interval_90` (q05, q95 in predictions.csv) is of a new outcome, and
`mean_interval_90` (mean_q05, mean_q95) of the mean outcome. Of two classes: `mean_interval_90` is of the probability of
`positive_class`. What they take as known stands in the output, and so does what they are approximated by where they hold less
than they say: of classes by mlp.")]
pub(crate) struct RegressFit {
    /// A table with a header; also .gz; `-` is standard input
    /// [default: the embedded eruptions of Old Faithful]
    #[arg(value_name = "DATA")]
    pub(crate) data: Option<PathBuf>,
    /// The column of the outcome [default: the last column]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) y: Option<String>,
    /// The columns that explain it, with commas between them [default: all others]
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub(crate) x: Vec<String>,
    /// Columns that hold categories, though numbers or dates stand in them, with commas between them
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub(crate) categorical: Vec<String>,
    /// What the outcome is
    #[arg(long, value_enum, default_value = "gaussian")]
    pub(crate) family: Family,
    /// What is made of each numeric column
    #[arg(long, value_name = "FEATURES", default_value = "raw")]
    pub(crate) features: String,
    /// How the posterior is computed [default: exact for gaussian; for bernoulli, poisson and softmax 8,000
    /// weighted draws around the mode (12,200 passes over the rows), called importance in the output, or nuts
    /// where the weights cannot be trusted (some 50,000 gradients or more), or laplace where 200 draws show
    /// that it is right; laplace for mlp, and for softmax with more than 100 coefficients]
    #[arg(long, value_enum)]
    pub(crate) engine: Option<RegressEngine>,
    /// The prior standard deviation of a coefficient, for one standard deviation of its feature: for gaussian
    /// in standard deviations of the outcome, for the others on the scale of log odds or log counts [default:
    /// averaged over for gaussian, for softmax with more than two classes and for mlp with classes; found by
    /// the evidence for mlp with numbers, where a given value is only the start of the search; 2.5 for the
    /// others]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(crate) prior_sd: Option<f64>,
    /// Units of the hidden layer
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) hidden: u16,
    /// A table of rows to predict, with the columns that explain
    #[arg(long, value_name = "CSV")]
    pub(crate) predict: Option<PathBuf>,
    /// Folder for artefacts and report
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) table: TableArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

impl RegressFit {
    /// Whether everything that is known of a row is written; text says less.
    pub(crate) fn writes_all(&self) -> bool {
        self.out.is_some() || self.common.format == Format::Json
    }
}
