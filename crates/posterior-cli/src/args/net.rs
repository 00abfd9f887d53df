//! The grammar of `posterior net`.

mod learn;
mod query;
mod structure;

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Common;

pub(crate) use learn::{NetLearn, NetSample};
pub(crate) use query::{Engine, Findings, NetMap, NetQuery, NetUai, UaiTask};
pub(crate) use structure::{NetBlanket, NetConvert, NetDot, NetDsep, NetInfo, NetworkFormat};

#[derive(Debug, Subcommand)]
pub(crate) enum NetVerb {
    /// Sizes, the cost of exact inference, and repairs made on reading
    Info(NetInfo),
    /// Posterior probabilities of variables, given evidence
    Query(Box<NetQuery>),
    /// The most probable joint state of all variables, given evidence
    Map(NetMap),
    /// Whether sets of variables are independent given others (d-separation), with an active path if not
    Dsep(NetDsep),
    /// The Markov blanket of a variable
    Blanket(NetBlanket),
    /// The moral graph: the edges, and which were added
    #[command(after_help = "Example:\n  posterior net moralize alarm.bif --format json")]
    Moralize(NetFile),
    /// The cliques of the junction tree
    #[command(after_help = "Example:\n  posterior net cliques alarm.bif")]
    Cliques(NetFile),
    /// The graph in the language of Graphviz
    #[command(after_help = "Example:\n  posterior net dot alarm.bif | dot -Tsvg > alarm.svg")]
    Dot(NetDot),
    /// Draw records from a Bayesian network, as CSV
    Sample(NetSample),
    /// Estimate the conditional tables of a network from data, also with missing values and hidden variables
    Learn(NetLearn),
    /// Write a network in another format
    Convert(NetConvert),
    /// Answer the files of the UAI inference competitions
    Uai(NetUai),
}

/// A file with a network, and how the answer is printed.
#[derive(Debug, Args)]
pub(crate) struct NetFile {
    /// BIF, XMLBIF, NET or UAI, also .gz, detected from the content; `-` is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) common: Common,
}
