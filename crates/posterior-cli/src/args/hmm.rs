//! The grammar of `posterior hmm`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::{Common, TableArgs};

#[derive(Debug, Subcommand)]
pub(crate) enum HmmVerb {
    /// Learn hidden states, what they show, and how one follows another
    Fit(Box<HmmFit>),
    /// How probable sequences are under a fitted model
    Score(HmmScore),
    /// The states behind sequences under a fitted model
    Decode(HmmDecode),
    /// Draw states and observations from a fitted model
    Sample(HmmSample),
}

/// What a state shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum EmissionKind {
    /// Symbols: any text
    Categorical,
    /// Numbers, of one column or of several together
    Gaussian,
    /// Counts
    Poisson,
}

/// Which state can follow which.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TopologyShape {
    /// Each can follow each
    Ergodic,
    /// From the first to the last, without a way back
    LeftToRight,
}

/// Which states stand for a sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DecodingKind {
    /// The most probable path
    Viterbi,
    /// The most probable state of each row, by itself
    Posterior,
}

/// Which cells of a table are observations.
#[derive(Debug, Args)]
pub(crate) struct HmmColumns {
    /// The columns of the observations, with commas between them; several are one vector
    /// [default: all numbers for gaussian, else the last column; those of the model, where there is one]
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub(crate) value: Vec<String>,
    /// The column that names the sequence of a row [default: all rows are one sequence]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) sequence: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior hmm fit --topology left-to-right --out out      the flow of the Nile, embedded
  posterior hmm fit calls.csv --value calls --emission poisson --states 3 --out out
  posterior hmm fit words.csv --value letter --sequence word --emission categorical --restarts 20
  posterior hmm decode out/model.json more.csv --format json

Rows of a sequence stand in the order of time. A row with a missing cell is one at which nothing was seen.")]
pub(crate) struct HmmFit {
    /// A table with a header; also .gz; `-` is standard input [default: the embedded flow of the Nile]
    #[arg(value_name = "DATA")]
    pub(crate) data: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) columns: HmmColumns,
    /// What a state shows
    #[arg(long, value_enum, default_value = "gaussian")]
    pub(crate) emission: EmissionKind,
    /// How many states
    #[arg(long, value_name = "S", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) states: u16,
    /// Which state can follow which
    #[arg(long, value_enum, default_value = "ergodic")]
    pub(crate) topology: TopologyShape,
    /// Starts, of which the best is taken
    #[arg(long, value_name = "R", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) restarts: u16,
    /// Observations added to each possible start, step, and symbol of a state: against probabilities of zero
    /// [default: 0]
    #[arg(long, value_name = "A")]
    pub(crate) prior: Option<f64>,
    /// Which states stand for a sequence
    #[arg(long, value_enum, default_value = "viterbi")]
    pub(crate) decode: DecodingKind,
    /// Steps at most of each start
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
    /// Which states stand for a sequence
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
    /// How many rows
    #[arg(short, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(0..=10_000_000))]
    pub(crate) n: u32,
    #[command(flatten)]
    pub(crate) common: Common,
}
