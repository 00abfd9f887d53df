//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use posterior_table::parse_size;

/// Fits on several processes by MPI: the same bits on any number of them
#[derive(Debug, Parser)]
#[command(name = "posterior-mpi", version)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) area: Area,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Area {
    /// Topic models
    #[command(subcommand)]
    Topics(TopicsVerb),
    /// What a fit takes on paper: memory, bytes and time of each process
    #[command(after_help = "\
Example:
  posterior-mpi plan --tokens 1e10 --documents 5e7 --vocabulary 1e6 --topics 1000 --groups 256 --ranks 256 --bandwidth 10Gbit --latency 20us")]
    Plan(Plan),
    /// Write a stored corpus of random words with a power law, to try sizes with
    #[command(after_help = "\
Example:
  posterior-mpi generate big.corpus --documents 1000 --length 200 --vocabulary 5000")]
    Generate(Generate),
}

#[derive(Debug, Subcommand)]
pub(crate) enum TopicsVerb {
    /// Fit latent Dirichlet allocation by collapsed Gibbs sampling
    #[command(after_help = "\
Examples:
  mpirun -n 4 posterior-mpi topics fit big.corpus --topics 100 --groups 8 --out fitted
  mpirun -n 2 posterior-mpi topics fit big.corpus --topics 100 --checkpoint saved --out fitted
  mpirun -n 8 posterior-mpi topics fit big.corpus --topics 100 --resume saved --out fitted

The corpus is what `posterior data pack` writes, in a place that all processes can read. Each of --groups groups of documents
stays with a process, and groups of words go round: the result depends on --groups, never on the number of processes.")]
    Fit(Box<TopicsFit>),
}

/// The shape of a model.
#[derive(Debug, Clone, Args)]
pub(crate) struct ModelArgs {
    /// Number of topics
    #[arg(long, value_name = "K", default_value_t = 20)]
    pub(crate) topics: usize,
    /// Number of groups of documents and of words, at least that of processes. It shapes the result [default:
    /// 1, 4 or 8, by the size of the corpus]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) groups: Option<u16>,
    /// Threads of each process
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) threads: u16,
    /// How the topic of each token is drawn
    #[arg(long, value_enum, default_value = "auto")]
    pub(crate) sampler: Sampler,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sampler {
    /// Sparse with many topics, else dense
    Auto,
    /// Visits all topics for each token
    Dense,
    /// Visits the topics that occur in the document
    Sparse,
}

/// Which concentrations of topics are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DrawnAlpha {
    /// One for each topic
    Asymmetric,
    /// One for all topics
    Symmetric,
}

#[derive(Debug, Args)]
pub(crate) struct TopicsFit {
    /// A stored corpus, as `posterior data pack` writes
    pub(crate) corpus: PathBuf,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// Number of sweeps
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) iterations: usize,
    /// Dirichlet concentration of the topic proportions of a document [default: 5 / K]
    #[arg(long, value_name = "A")]
    pub(crate) alpha: Option<f64>,
    /// Dirichlet concentration of the word probabilities of a topic
    #[arg(long, value_name = "B", default_value_t = 0.01)]
    pub(crate) beta: f64,
    /// Estimate --alpha, one value per topic, and --beta from the corpus
    #[arg(long)]
    pub(crate) optimize_hyper: bool,
    /// Draw --alpha and --beta from their posterior distribution, under gamma distributions of shape and rate
    /// 1 as priors
    #[arg(long, value_enum, value_name = "KIND", conflicts_with = "optimize_hyper")]
    pub(crate) sample_hyper: Option<DrawnAlpha>,
    /// Sweeps between two values of the joint log-likelihood
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) trace_every: usize,
    /// States that are pooled for the estimates
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) draws: usize,
    /// Seed of the random numbers: the same seed gives the same result on any number of processes and threads
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Memory that each process may take, such as 500MB or 2GiB [default: three quarters of the free memory,
    /// shared out over the processes of a machine]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) memory: Option<u64>,
    /// Folder for the parts of the corpus, in a place of each machine, which are removed at the end; with it
    /// they are in files in any case [default: in memory where that is enough, else in a folder of --out]
    #[arg(long, value_name = "DIR")]
    pub(crate) parts: Option<PathBuf>,
    /// Folder for checkpoints, in a place that all processes can write
    #[arg(long, value_name = "DIR")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// Minimum time between two checkpoints
    #[arg(long, value_name = "SECONDS", default_value_t = 600, requires = "checkpoint")]
    pub(crate) checkpoint_every: u32,
    /// Continue from a folder of checkpoints of the same command, on any number of processes
    #[arg(long, value_name = "DIR")]
    pub(crate) resume: Option<PathBuf>,
    /// Folder for the model, in a place that all processes can write
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// No notes
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Plan {
    /// Tokens of the corpus
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) tokens: u64,
    /// Documents [default: one for each 200 tokens]
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) documents: Option<u64>,
    /// Words of the vocabulary
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) vocabulary: u64,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// Processes
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) ranks: usize,
    /// Bits or bytes a second between two processes, such as 10Gbit or 1GB
    #[arg(long, value_name = "RATE", default_value = "10Gbit", value_parser = rate)]
    pub(crate) bandwidth: f64,
    /// Time until a message begins to arrive, such as 20us or 1ms
    #[arg(long, value_name = "TIME", default_value = "20us", value_parser = duration)]
    pub(crate) latency: f64,
    /// Time in which a thread draws the topic of a token, such as 100ns; it depends on topics and machine
    /// [default: 0.7 ns a topic and 40 ns, at most 400 ns]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) token_time: Option<f64>,
}

#[derive(Debug, Args)]
pub(crate) struct Generate {
    /// The file to write
    pub(crate) file: PathBuf,
    /// Documents
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) documents: u64,
    /// Tokens of each document
    #[arg(long, value_name = "N", default_value = "200", value_parser = count)]
    pub(crate) length: u64,
    /// Words of the vocabulary
    #[arg(long, value_name = "N", default_value = "50000", value_parser = count)]
    pub(crate) vocabulary: u64,
    /// Topics that the documents are drawn from
    #[arg(long, value_name = "K", default_value_t = 50)]
    pub(crate) topics: usize,
    /// The frequency of the word of rank r is in proportion to r to the minus this
    #[arg(long, value_name = "S", default_value_t = 1.05)]
    pub(crate) exponent: f64,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
}

/// A whole number, which may be written as 2e8.
fn count(text: &str) -> Result<u64, String> {
    let number: f64 = text.parse().map_err(|_| "expected a number such as 5000 or 2e8".to_owned())?;
    if (1.0..1e18).contains(&number) && number.fract() == 0.0 {
        Ok(number as u64)
    } else {
        Err("expected a whole number from 1 to 1e18".to_owned())
    }
}

/// A number with one of some units.
fn with_unit(text: &str, units: &[(&str, f64)], expected: &str) -> Result<f64, String> {
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let factor = units.iter().find(|(name, _)| *name == unit).map(|&(_, factor)| factor);
    let number = number.parse::<f64>().ok().filter(|own| *own > 0.0);
    match (number, factor) {
        (Some(number), Some(factor)) => Ok(number * factor),
        _ => Err(format!("expected {expected}")),
    }
}

/// Bytes a second.
fn rate(text: &str) -> Result<f64, String> {
    let units = [
        ("Mbit", 1e6 / 8.0),
        ("Gbit", 1e9 / 8.0),
        ("kB", 1e3),
        ("MB", 1e6),
        ("GB", 1e9),
        ("kbit", 1e3 / 8.0),
    ];
    with_unit(text, &units, "a rate such as 10Gbit or 1GB")
}

/// Seconds.
fn duration(text: &str) -> Result<f64, String> {
    let units = [("ns", 1e-9), ("us", 1e-6), ("ms", 1e-3), ("s", 1.0)];
    with_unit(text, &units, "a time such as 20us or 1ms")
}
