//! The grammar of `posterior hmm`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::{Common, CovarianceShape, TableArgs};

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
    /// Such numbers, of one of several Gaussian distributions in each state
    Mixture,
    /// Counts
    Poisson,
}

impl EmissionKind {
    /// Whether observations are numbers, in any number of columns.
    pub(crate) const fn is_of_numbers(self) -> bool {
        matches!(self, Self::Gaussian | Self::Mixture)
    }
}

/// How states follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum HmmModel {
    /// A hidden Markov model: a state lasts one row more with the same probability at each row
    Hmm,
    /// A hidden semi-Markov model: the number of rows that a state lasts has a distribution of its own
    SemiMarkov,
    /// As many states as the data need, up to --states, each likely to go on (sticky HDP-HMM): by Gibbs
    /// sampling in four chains
    Sticky,
}

/// The distribution of the number of rows that a state lasts, less one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DurationKind {
    /// A probability for each number
    Table,
    /// Poisson
    Poisson,
    /// Negative binomial, of which the geometric distribution of a hidden Markov model is one
    NegativeBinomial,
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
    /// columns of the fitted model; for a fit all numeric columns with gaussian
    /// and mixture, else the last column]
    #[arg(long, alias = "value", value_name = "COLUMNS", value_delimiter = ',')]
    pub(crate) y: Vec<String>,
    /// The column that names the sequence of a row [default: all rows are one sequence]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) sequence: Option<String>,
    /// The column of labels, each of which is a state; a fit counts instead of guessing, and elsewhere states
    /// are compared with it. A row without a label may be in any state
    #[arg(long, value_name = "COLUMN")]
    pub(crate) labels: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior hmm fit --topology left-to-right --out out      the flow of the Nile, embedded
  posterior hmm fit calls.csv --y calls --emission poisson --states 3 --out out
  posterior hmm fit words.csv --y letter --sequence word --emission categorical --restarts 20
  posterior hmm fit calls.csv --y calls --emission mixture --components 2 --states 3
  posterior hmm fit tagged.csv --y word --labels tag --sequence sentence --emission categorical \\
    --pseudocount 0.1 --min-count 2 --held-out 0.2 --out tagger
  posterior hmm fit calls.csv --y calls --emission poisson --model semi-markov --longest 30
  posterior hmm fit --model sticky --states 6
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
    /// The shape of the covariances of several columns: what is free, and what states share
    #[arg(long, value_enum, default_value = "full")]
    pub(crate) covariance: CovarianceShape,
    /// Number of Gaussian distributions in each state
    #[arg(long, value_name = "M", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..))]
    pub(crate) components: u8,
    /// Symbols that come less often than this are one, called <unk>, and so are later those that were never
    /// seen [default: a symbol that was never seen is an error]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) min_count: Option<u32>,
    /// How states follow each other
    #[arg(long, value_enum, default_value = "hmm")]
    pub(crate) model: HmmModel,
    /// The distribution of the number of rows that a state lasts
    #[arg(long, value_enum, default_value = "negative-binomial")]
    pub(crate) duration: DurationKind,
    /// The largest number of rows that a state may last
    #[arg(long, value_name = "D", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) longest: u32,
    /// Number of states; with sticky the largest number [default: 2; 10 with sticky]
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) states: Option<u16>,
    /// Which transitions are possible
    #[arg(long, value_enum, default_value = "ergodic")]
    pub(crate) topology: TopologyShape,
    /// Number of random starts, of which the best after ten steps goes on
    #[arg(long, value_name = "R", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) restarts: u16,
    /// The number that is added to the count of each possible start, transition and symbol (of symbols alone
    /// with semi-markov), against probabilities of zero [default: 0]
    #[arg(long, alias = "prior", value_name = "A")]
    pub(crate) pseudocount: Option<f64>,
    /// Proportion of the sequences, or the end of the only one, that the fit does not see, to measure the
    /// likelihood and, of rows with a label, the accuracy [default: none]
    #[arg(long, alias = "holdout", value_name = "F")]
    pub(crate) held_out: Option<f64>,
    /// How the states of a sequence are chosen
    #[arg(long, value_enum, default_value = "viterbi")]
    pub(crate) decode: DecodingKind,
    /// Maximum number of steps; with sticky the number of sweeps, the first third of them warm-up
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

impl HmmFit {
    /// How many states there are, or may be.
    pub(crate) fn most_states(&self) -> usize {
        let default = if self.model == HmmModel::Sticky { 10 } else { 2 };
        usize::from(self.states.unwrap_or(default))
    }
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
#[command(after_help = "\
Examples:
  posterior hmm decode out/model.json more.csv --decode posterior
  posterior hmm decode out more.csv --sequence word --best 3 --out states")]
pub(crate) struct HmmDecode {
    #[command(flatten)]
    pub(crate) input: HmmInput,
    /// How the states of a sequence are chosen
    #[arg(long, value_enum, default_value = "viterbi")]
    pub(crate) decode: DecodingKind,
    /// Number of most probable paths to print for each sequence, with their probabilities [default: the
    /// states alone]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) best: Option<u32>,
    /// Folder for states.csv, and paths.csv with --best
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
