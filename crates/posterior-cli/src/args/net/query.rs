//! The verbs that infer: `query`, `map`, `uai`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::NetFile;
use crate::args::Common;
use crate::memory::size;

/// An engine of inference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// The cheapest exact one
    Auto,
    /// Junction tree: exact, all variables at once
    Jt,
    /// Variable elimination: exact, for few targets
    Ve,
    /// Belief propagation: exact on trees, an approximation elsewhere
    Bp,
    /// Mean field: a lower bound, and posteriors that are too sure of themselves
    MeanField,
    /// Likelihood weighting: random draws that agree with what was seen, weighted; with standard errors
    Lw,
    /// Gibbs sampling: each variable drawn given all others, in four chains; with standard errors
    Gibbs,
    /// Random draws of which those are kept that agree with what was seen; with standard errors
    Rejection,
}

/// What was seen.
#[derive(Debug, Args)]
#[command(next_help_heading = "What was seen")]
pub(crate) struct Findings {
    /// The variable was seen in this state; may be given again
    #[arg(long, value_name = "V=STATE", num_args = 1..)]
    pub(crate) evidence: Vec<String>,
    /// What was seen is this probable in each state of the variable, up to a factor (virtual evidence): its
    /// likelihoods in the order of the states, or by their names, as V=yes:0.9,no:0.2
    #[arg(long, value_name = "V=P1:P2..", num_args = 1..)]
    pub(crate) soft: Vec<String>,
    /// The posterior that the variable is to have (Jeffrey's rule), written as for --soft
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
    /// A variable that is asked about; may be given again [default: all]
    #[arg(long, value_name = "X", num_args = 1..)]
    pub(crate) target: Vec<String>,
    #[command(flatten)]
    pub(crate) findings: Findings,
    /// How the answer is computed
    #[arg(long, value_enum, default_value = "auto")]
    pub(crate) engine: Engine,
    /// How many draws lw, gibbs (in all chains) and rejection make [default: 100,000; of gibbs 20,000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) draws: Option<u64>,
    /// Also the joint posterior of the targets
    #[arg(long, requires = "target")]
    pub(crate) joint: bool,
    /// Show every variable, in the order of the file
    #[arg(long)]
    pub(crate) all: bool,
    /// The memory that tables may take, as 500MB or 2GiB [default: three quarters of what is free]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) budget: Option<u64>,
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
    /// Only these variables: the others are summed over (marginal MAP)
    #[arg(long, value_name = "X", num_args = 1.., conflicts_with = "best")]
    pub(crate) of: Vec<String>,
    /// How many joint states, best first
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) best: u32,
    /// Show every variable
    #[arg(long)]
    pub(crate) all: bool,
    /// The memory that tables may take, as 500MB or 2GiB [default: three quarters of what is free]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) budget: Option<u64>,
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
    /// The evidence, also .gz; `none` says that nothing was seen
    #[arg(value_name = "EVID")]
    pub(crate) evidence: PathBuf,
    /// The question
    #[arg(value_enum, value_name = "TASK")]
    pub(crate) task: UaiTask,
    /// How the answer is computed
    #[arg(long, value_enum, default_value = "auto")]
    pub(crate) engine: Engine,
    /// The memory that tables may take, as 500MB or 2GiB [default: three quarters of what is free]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) budget: Option<u64>,
    /// Folder for the answer as MODEL.TASK [default: standard output]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) common: Common,
}
