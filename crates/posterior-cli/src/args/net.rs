//! The grammar of `posterior net`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Format;

#[derive(Debug, Subcommand)]
pub(crate) enum NetVerb {
    /// Sizes, the cost of exact inference, and what was repaired on reading
    #[command(after_help = "Example:\n  posterior net info alarm.bif")]
    Info(NetFile),
    /// Whether sets of variables are independent given others, with an active path if not
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
}

/// A file with a network, and how the answer is printed.
#[derive(Debug, Args)]
pub(crate) struct NetFile {
    /// BIF, XMLBIF or UAI, also .gz; `-` is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// How results are printed
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
    /// No notes
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior net dsep student.bif --x difficulty --y intelligence --given grade
  posterior net dsep alarm.bif --x HISTORY --y CVP,PCWP --given LVFAILURE")]
pub(crate) struct NetDsep {
    #[command(flatten)]
    pub(crate) input: NetFile,
    /// Variables of one side
    #[arg(long, value_name = "A,..", required = true, value_delimiter = ',')]
    pub(crate) x: Vec<String>,
    /// Variables of the other side
    #[arg(long, value_name = "B,..", required = true, value_delimiter = ',')]
    pub(crate) y: Vec<String>,
    /// Variables that are known
    #[arg(long, value_name = "C,..", value_delimiter = ',')]
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
    /// BIF, XMLBIF or UAI, also .gz; `-` is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Variables to draw as observed
    #[arg(long, value_name = "A,..", value_delimiter = ',')]
    pub(crate) observed: Vec<String>,
}
