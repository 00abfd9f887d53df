//! The grammar of `posterior optimize`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{Common, TableArgs};

#[derive(Debug, Subcommand)]
pub(crate) enum OptimizeVerb {
    /// Write a study: the inputs that may be chosen, what is wanted of the outcome
    Init(OptimizeInit),
    /// Points to try next
    Ask(OptimizeAsk),
    /// Report what came out
    Tell(OptimizeTell),
    /// The best so far, how it came about, and which inputs matter
    Show(OptimizeShow),
}

/// How a study goes, for all verbs.
const COURSE: &str = "\
A study is a JSON file of inputs, and beside it a history, NAME.trials.jsonl: a line for each point that was asked for and each outcome that was
reported, which people can read and which only grows. Points that were asked for and not reported are taken into account, so several can be tried at
once. After an even spread of points a Gaussian process is fitted to the outcomes, and the point with the largest expected improvement is next, or that
of another rule (ask --acquisition).";

#[derive(Debug, Args)]
#[command(after_help = format!("\
Examples:
  posterior optimize init study.json --input rate=log:1e-5:1 --input layers=integer:1:8 \\
    --input unit=relu,tanh
  posterior optimize init small.json --input rate=log:1e-5:1 --outcome-constraint \"memory <= 8\"
  posterior optimize ask study.json
  posterior optimize tell study.json 1=0.31
  posterior optimize show study.json --out out

Inputs: NAME=LOW:HIGH is a number, NAME=log:LOW:HIGH a positive one of which factors count, NAME=integer:LOW:HIGH a whole one, and NAME=A,B,C one of
these words. A constraint is an inequality of numbers such as \"width + 2 depth <= 10\". An outcome constraint is a bound of a further outcome, such
as \"memory <= 8\" or \"accuracy >= 0.9\": nobody can compute it beforehand, and the best outcome is that of a trial that keeps it.

{COURSE}"))]
pub(crate) struct OptimizeInit {
    /// The file to write
    #[arg(value_name = "STUDY")]
    pub(crate) study: PathBuf,
    /// An input and its values; may be repeated
    #[arg(long, value_name = "NAME=VALUES", required = true)]
    pub(crate) input: Vec<String>,
    /// An inequality that all points satisfy; may be repeated
    #[arg(long, value_name = "INEQUALITY")]
    pub(crate) constraint: Vec<String>,
    /// A bound of a further outcome that each trial reports; where it is kept is learned; may be repeated
    #[arg(long, value_name = "NAME<=NUMBER")]
    pub(crate) outcome_constraint: Vec<String>,
    /// The least outcome is wanted (the default)
    #[arg(long)]
    pub(crate) minimize: bool,
    /// The largest outcome is wanted
    #[arg(long, conflicts_with = "minimize")]
    pub(crate) maximize: bool,
    /// How outcomes at one point scatter: learned, none, or their standard deviation
    #[arg(long, value_name = "SD", default_value = "learned")]
    pub(crate) noise: String,
    /// How many points are spread evenly first [default: 2 for each input, and 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) initial: Option<u32>,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Args)]
#[command(after_help = format!("\
Examples:
  posterior optimize ask study.json
  posterior optimize ask study.json -n 4
  posterior optimize ask study.json --acquisition knowledge-gradient
  posterior optimize ask study.json --template \"train --rate {{rate}} --layers {{layers}}\"
  posterior optimize ask study.json --format json

{COURSE}"))]
pub(crate) struct OptimizeAsk {
    /// The study
    #[arg(value_name = "STUDY")]
    pub(crate) study: PathBuf,
    /// How many points, for trials side by side
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) count: u16,
    /// The rule by which the next point is chosen: expected-improvement, probability-of-improvement[:MARGIN],
    /// gp-ucb[:SDS], thompson[:FREQUENCIES], entropy-search[:DRAWS] or knowledge-gradient[:POINTS]
    #[arg(long, value_name = "RULE", default_value = "expected-improvement")]
    pub(crate) acquisition: String,
    /// Print this text for each point instead of a table, with {trial} and the {name} of each input replaced
    #[arg(long, value_name = "TEXT")]
    pub(crate) template: Option<String>,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Args)]
#[command(after_help = format!("\
Examples:
  posterior optimize tell study.json 1=0.31
  posterior optimize tell study.json 2=0.28 3=failed
  posterior optimize tell study.json --data earlier.csv --y loss

Of a study with outcome constraints a report has their outcomes by name, as 1=0.31,memory=7.5. A trial that broke off, or whose outcome cannot be used, is `failed`: it counts as the worst outcome so far. A
table has a column for each input, one for each outcome with a bound, and one of outcomes; an empty outcome is a failed trial.

{COURSE}"))]
pub(crate) struct OptimizeTell {
    /// The study
    #[arg(value_name = "STUDY")]
    pub(crate) study: PathBuf,
    /// Trials by number, each with its outcome or `failed`
    #[arg(value_name = "TRIAL=OUTCOME", required_unless_present = "data")]
    pub(crate) outcomes: Vec<String>,
    /// A table of points that were not asked for; also .gz; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "outcomes")]
    pub(crate) data: Option<PathBuf>,
    /// The column of outcomes in the table [default: the last column that is no input]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) y: Option<String>,
    #[command(flatten)]
    pub(crate) table: TableArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Args)]
#[command(after_help = format!("\
Examples:
  posterior optimize show study.json
  posterior optimize show study.json --out out

The page has the outcomes in their order, what the outcome depends on, and all trials. The importance of an input is the part of the variation of
the fitted function over all points that is left when the other inputs are known; with interactions the parts sum to more than 1.

{COURSE}"))]
pub(crate) struct OptimizeShow {
    /// The study
    #[arg(value_name = "STUDY")]
    pub(crate) study: PathBuf,
    /// Folder for the report, plots and the trials as CSV
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) common: Common,
}
