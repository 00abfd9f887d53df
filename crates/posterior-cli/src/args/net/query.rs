//! The verbs that infer: `query`, `map`, `uai`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use posterior::table::parse_size;

use super::NetFile;
use crate::args::Common;

/// An engine of inference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// The cheapest exact engine
    Auto,
    /// Junction tree: exact, all variables at once
    Jt,
    /// Variable elimination: exact, for few targets
    Ve,
    /// Belief propagation: exact on trees, an approximation elsewhere
    Bp,
    /// Join-graph propagation: an approximation, with bounds on the probability of the evidence
    JoinGraph,
    /// Mean field: a lower bound, and posteriors that are overconfident
    MeanField,
    /// Likelihood weighting: random draws with the evidence fixed, weighted; with standard errors
    Lw,
    /// Gibbs sampling: each variable drawn given all others, in four chains; with standard errors
    Gibbs,
    /// Rejection: random draws, kept where they agree with the evidence; with standard errors
    Rejection,
}

/// What was seen.
#[derive(Debug, Args)]
#[command(next_help_heading = "Evidence")]
pub(crate) struct Findings {
    /// The observed state of a variable; may be repeated
    #[arg(long, value_name = "V=STATE", num_args = 1..)]
    pub(crate) evidence: Vec<String>,
    /// Virtual evidence: the likelihood of each state of the variable, up to a factor, in the order of the
    /// states or by name, as V=yes:0.9,no:0.2
    #[arg(long, value_name = "V=P1:P2..", num_args = 1..)]
    pub(crate) soft: Vec<String>,
    /// The posterior that the variable must have (Jeffrey's rule), written as for --soft
    #[arg(long, value_name = "V=P1:P2..", num_args = 1..)]
    pub(crate) belief: Vec<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior net query alarm.bif --evidence CVP=HIGH --evidence HRBP=LOW
  posterior net query alarm.bif --target LVFAILURE --evidence HISTORY=TRUE --format json
  posterior net query alarm.bif --target LVFAILURE CVP --joint
  posterior net query alarm.bif --target CVP --soft PCWP=1:1:5 --out out
  posterior net query alarm.bif --evidence CVP=HIGH --engine lw --draws 1000000")]
pub(crate) struct NetQuery {
    #[command(flatten)]
    pub(crate) input: NetFile,
    /// A variable to query; may be repeated [default: all]
    #[arg(long, value_name = "X", num_args = 1..)]
    pub(crate) target: Vec<String>,
    #[command(flatten)]
    pub(crate) findings: Findings,
    /// How the answer is computed
    #[arg(long, value_enum, default_value = "auto")]
    pub(crate) engine: Engine,
    /// Number of draws of lw, rejection and gibbs (in all chains) [default: 100,000; 20,000 for gibbs]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) draws: Option<u64>,
    /// Also the joint posterior of the targets
    #[arg(long, requires = "target")]
    pub(crate) joint: bool,
    /// Show every variable, in the order of the file
    #[arg(long)]
    pub(crate) all: bool,
    /// Memory limit for tables, such as 500MB or 2GiB [default: three quarters of the free memory]
    #[arg(long, alias = "budget", value_name = "SIZE", value_parser = parse_size)]
    pub(crate) memory: Option<u64>,
    /// Folder for a report, a picture of the network and the posteriors as CSV
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior net map alarm.bif --evidence CVP=HIGH
  posterior net map alarm.bif --of LVFAILURE HYPOVOLEMIA --evidence CVP=HIGH
  posterior net map alarm.bif --best 5")]
pub(crate) struct NetMap {
    #[command(flatten)]
    pub(crate) input: NetFile,
    #[command(flatten)]
    pub(crate) findings: Findings,
    /// Maximise over these variables only, and sum over the others (marginal MAP)
    #[arg(long, value_name = "X", num_args = 1.., conflicts_with = "best")]
    pub(crate) of: Vec<String>,
    /// Number of joint states, the most probable first
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) best: u32,
    /// Show every variable
    #[arg(long)]
    pub(crate) all: bool,
    /// Memory limit for tables, such as 500MB or 2GiB [default: three quarters of the free memory]
    #[arg(long, alias = "budget", value_name = "SIZE", value_parser = parse_size)]
    pub(crate) memory: Option<u64>,
    /// Folder for a report, a picture of the network and the states as CSV
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

/// A question of the UAI competitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum UaiTask {
    /// The logarithm, of base ten, of the partition function or of the probability of the evidence
    #[value(name = "PR", alias = "pr")]
    Pr,
    /// The posterior of each variable
    #[value(name = "MAR", alias = "mar")]
    Mar,
    /// The most probable joint state
    #[value(name = "MAP", aliases = ["map", "MPE", "mpe"])]
    Map,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior net uai model.uai model.uai.evid PR
  posterior net uai model.uai model.uai.evid MAR --out results")]
pub(crate) struct NetUai {
    /// The model, also .gz
    #[arg(value_name = "MODEL")]
    pub(crate) model: PathBuf,
    /// The evidence, also .gz; `none` for no evidence
    #[arg(value_name = "EVID")]
    pub(crate) evidence: PathBuf,
    /// The question
    #[arg(value_enum, value_name = "TASK")]
    pub(crate) task: UaiTask,
    /// How the answer is computed
    #[arg(long, value_enum, default_value = "auto")]
    pub(crate) engine: Engine,
    /// Memory limit for tables, such as 500MB or 2GiB [default: three quarters of the free memory]
    #[arg(long, alias = "budget", value_name = "SIZE", value_parser = parse_size)]
    pub(crate) memory: Option<u64>,
    /// Folder for the answer as MODEL.TASK [default: standard output]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) common: Common,
}
