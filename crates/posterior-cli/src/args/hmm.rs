//! The grammar of `posterior hmm`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::{Common, TableArgs};

#[derive(Debug, Subcommand)]
pub(crate) enum HmmVerb {
    /// Fit a hidden Markov model
    Fit(Box<HmmFit>),
    /// The log likelihood of sequences under a fitted model
    Score(HmmScore),
    /// The hidden states of sequences under a fitted model
    Decode(HmmDecode),
    /// Draw states and observations from a fitted model
    Sample(HmmSample),
}

/// What a state shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum EmissionKind {
    /// Symbols: any text
    Categorical,
    /// Numbers, in one column or in several together
    Gaussian,
    /// Counts
    Poisson,
}

/// Which state can follow which.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TopologyShape {
    /// Each state can follow each state
    Ergodic,
    /// From the first state to the last, without a way back
    LeftToRight,
}

/// Which states stand for a sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DecodingKind {
    /// The most probable path of states
    Viterbi,
    /// The most probable state of each row
    Posterior,
}

/// Which cells of a table are observations.
#[derive(Debug, Args)]
pub(crate) struct HmmColumns {
    /// The columns of the observations, separated by commas; several columns are one vector [default: the
    /// columns of the fitted model; for a fit all numeric columns with gaussian, else the last column]
    #[arg(long, alias = "value", value_name = "COLUMNS", value_delimiter = ',')]
    pub(crate) y: Vec<String>,
    /// The column that names the sequence of a row [default: all rows are one sequence]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) sequence: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior hmm fit --topology left-to-right --out out      the flow of the Nile, embedded
  posterior hmm fit calls.csv --y calls --emission poisson --states 3 --out out
  posterior hmm fit words.csv --y letter --sequence word --emission categorical --restarts 20
  posterior hmm decode out/model.json more.csv --format json

The rows of a sequence are in order of time. A row with a missing cell has no observation.")]
pub(crate) struct HmmFit {
    /// A table with a header; also .gz; `-` is standard input [default: the embedded flow of the Nile]
    #[arg(value_name = "DATA")]
    pub(crate) data: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) columns: HmmColumns,
    /// The distribution of an observation, given its state
    #[arg(long, value_enum, default_value = "gaussian")]
    pub(crate) emission: EmissionKind,
    /// Number of states
    #[arg(long, value_name = "S", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) states: u16,
    /// Which transitions are possible
    #[arg(long, value_enum, default_value = "ergodic")]
    pub(crate) topology: TopologyShape,
    /// Number of random starts, of which the best after ten steps goes on
    #[arg(long, value_name = "R", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) restarts: u16,
    /// The number that is added to the count of each possible start, transition and symbol, against
    /// probabilities of zero [default: 0]
    #[arg(long, alias = "prior", value_name = "A")]
    pub(crate) pseudocount: Option<f64>,
    /// How the states of a sequence are chosen
    #[arg(long, value_enum, default_value = "viterbi")]
    pub(crate) decode: DecodingKind,
    /// Maximum number of steps
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) iterations: u32,
    /// Folder for the model, tables as CSV, plots and report
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) table: TableArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// A model, and what it is asked about.
#[derive(Debug, Args)]
pub(crate) struct HmmInput {
    /// A model.json of `hmm fit`, or the folder that holds it
    pub(crate) model: PathBuf,
    /// A table with the columns of the model; also .gz; `-` is standard input
    pub(crate) data: PathBuf,
    #[command(flatten)]
    pub(crate) columns: HmmColumns,
    #[command(flatten)]
    pub(crate) table: TableArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  posterior hmm score out/model.json more.csv --sequence word")]
pub(crate) struct HmmScore {
    #[command(flatten)]
    pub(crate) input: HmmInput,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  posterior hmm decode out/model.json more.csv --decode posterior")]
pub(crate) struct HmmDecode {
    #[command(flatten)]
    pub(crate) input: HmmInput,
    /// How the states of a sequence are chosen
    #[arg(long, value_enum, default_value = "viterbi")]
    pub(crate) decode: DecodingKind,
    /// Folder for states.csv
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  posterior hmm sample out/model.json -n 20 --seed 7")]
pub(crate) struct HmmSample {
    /// A model.json of `hmm fit`, or the folder that holds it
    pub(crate) model: PathBuf,
    /// Number of rows
    #[arg(short, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(0..=10_000_000))]
    pub(crate) n: u32,
    #[command(flatten)]
    pub(crate) common: Common,
}
