//! The verbs about the graph alone, and `convert`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::NetFile;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior net info alarm.bif
  posterior net info alarm.bif --out out")]
pub(crate) struct NetInfo {
    #[command(flatten)]
    pub(crate) input: NetFile,
    /// Folder for a report with a picture of the network
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior net dsep student.bif --x difficulty --y intelligence --given grade
  posterior net dsep alarm.bif --x HISTORY --y CVP,PCWP --given LVFAILURE")]
pub(crate) struct NetDsep {
    #[command(flatten)]
    pub(crate) input: NetFile,
    /// Variables of the first set
    #[arg(long, value_name = "A,..", required = true, num_args = 1..)]
    pub(crate) x: Vec<String>,
    /// Variables of the second set
    #[arg(long, value_name = "B,..", required = true, num_args = 1..)]
    pub(crate) y: Vec<String>,
    /// Variables that are given
    #[arg(long, value_name = "C,..", num_args = 1..)]
    pub(crate) given: Vec<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  posterior net blanket student.bif --node grade")]
pub(crate) struct NetBlanket {
    #[command(flatten)]
    pub(crate) input: NetFile,
    /// The variable
    #[arg(long, value_name = "X")]
    pub(crate) node: String,
}

#[derive(Debug, Args)]
pub(crate) struct NetDot {
    /// BIF, XMLBIF, NET or UAI, also .gz, detected from the content; `-` is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Variables to draw as observed
    #[arg(long, value_name = "A,..", num_args = 1..)]
    pub(crate) observed: Vec<String>,
}

/// A format that networks are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum NetworkFormat {
    /// The interchange format of Bayesian networks
    Bif,
    /// The same as XML
    Xmlbif,
    /// The format of the UAI competitions: no names
    Uai,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior net convert alarm.bif alarm.uai
  posterior net convert alarm.xml.gz alarm.bif
  posterior net convert alarm.bif - --to xmlbif")]
pub(crate) struct NetConvert {
    /// BIF, XMLBIF, NET or UAI, also .gz, detected from the content; `-` is standard input
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    /// The file to write, also .gz; `-` is standard output
    #[arg(value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// The format to write [default: detected from the ending of OUT]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) to: Option<NetworkFormat>,
    /// No notes
    #[arg(long)]
    pub(crate) quiet: bool,
}
