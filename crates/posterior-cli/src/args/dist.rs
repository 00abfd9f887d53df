//! The grammar of `posterior dist`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{Common, LevelArgs, Listing, MissingRowsArgs, TableArgs};

#[derive(Debug, Subcommand)]
pub(crate) enum DistVerb {
    /// Show a distribution: density, tails, quantiles, moments, draws, and its update by data as a prior
    Show(DistShow),
    /// Fit distributions to a column of numbers: parameters with intervals, and which fits best
    Fit(Box<DistFit>),
    /// List every distribution with its parameters and support, and the conjugate pairs
    #[command(after_help = "Example:\n  posterior dist list --format json")]
    List(Listing),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior dist show \"gamma(2, 3)\" --at 0.5,1 --quantile 0.05,0.95
  posterior dist show \"student_t(nu = 4, mu = 0, sigma = 1)\" --sample 5 --seed 7
  posterior dist show \"beta(1, 1)\" --observe 1,1,0,1
  posterior dist show \"normal(0, 2)\" --observe 3 --likelihood \"normal(sd = 1)\"
  posterior dist show \"dirichlet([1, 2, 3])\" --at \"[0.2, 0.3, 0.5]\" --observe 0,2,0")]
pub(crate) struct DistShow {
    /// The distribution: a name and its parameters, by place or by name (`posterior dist list` shows all)
    pub(crate) distribution: String,
    /// Points at which density and tails are evaluated; for a distribution of vectors, lists: "[0.2, 0.8]"
    #[arg(long, value_name = "X,..", allow_hyphen_values = true)]
    pub(crate) at: Option<String>,
    /// Probabilities of the quantiles
    #[arg(long, value_name = "P,..", allow_hyphen_values = true)]
    pub(crate) quantile: Option<String>,
    /// Number of draws
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) sample: Option<u32>,
    /// Observations that update the distribution, taken as a prior
    #[arg(long, value_name = "X,..", allow_hyphen_values = true)]
    pub(crate) observe: Option<String>,
    /// The distribution of the observations, with its known parameters [default: the first pair of the prior
    /// in `posterior dist list`]
    #[arg(long, value_name = "DISTRIBUTION", requires = "observe")]
    pub(crate) likelihood: Option<String>,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior dist fit waits.csv --y minutes
  posterior dist fit lamps.csv --y hours --censored alight --family weibull,lognormal --out out
  posterior dist fit pots.csv --y seeds --family binomial --known trials=10
  posterior dist fit claims.csv --y paid --from 500 --format json

Every distribution that can have the values is fitted by maximum likelihood; those of counts where all values are whole numbers
from 0 on, directions (von_mises) by name only. They are listed by Akaike's criterion, the best first. Intervals of parameters are those of the profile likelihood.

The best may still be wrong. Samples of it, as many as --simulations, are fitted as the values were; how many of them are as far from
their fit as the values are from theirs, by the statistic of Anderson and Darling, is the p-value (the parametric bootstrap, by --seed).
It needs values that are known: with --censored, or --weights that are not whole numbers, there is no test, and the answer says so.")]
pub(crate) struct DistFit {
    /// A table with a header; also .gz; `-` is standard input
    #[arg(value_name = "DATA")]
    pub(crate) data: PathBuf,
    /// The column of values [default: the only column of numbers]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) y: Option<String>,
    /// Distributions to fit, separated by commas [default: all that can have the values]
    #[arg(long, value_name = "NAME,..", value_delimiter = ',')]
    pub(crate) family: Vec<String>,
    /// A column of yes and no, or 1 and 0: where it says yes, the value was more than the table says
    #[arg(long, value_name = "COLUMN")]
    pub(crate) censored: Option<String>,
    /// A column of numbers that say how often a row counts
    #[arg(long, value_name = "COLUMN")]
    pub(crate) weights: Option<String>,
    /// Parameters that are not estimated
    #[arg(long, value_name = "NAME=VALUE,..", value_delimiter = ',', requires = "family")]
    pub(crate) known: Vec<String>,
    /// The least value that could be in the table: what is below was never seen
    #[arg(long, value_name = "X", allow_hyphen_values = true)]
    pub(crate) from: Option<f64>,
    /// The largest value that could be in the table: what is above was never seen
    #[arg(long, value_name = "X", allow_hyphen_values = true)]
    pub(crate) to: Option<f64>,
    #[command(flatten)]
    pub(crate) level: LevelArgs,
    /// Simulated samples that tell whether the best distribution fits at all; 0 for no test
    #[arg(long, value_name = "N", default_value_t = 199)]
    pub(crate) simulations: usize,
    /// Folder for report, plot and tables as CSV
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) missing: MissingRowsArgs,
    #[command(flatten)]
    pub(crate) table: TableArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}
