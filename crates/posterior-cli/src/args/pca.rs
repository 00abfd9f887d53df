//! The grammar of `posterior pca`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::{Common, TableArgs};

#[derive(Debug, Subcommand)]
pub(crate) enum PcaVerb {
    /// Fit principal components, or factors, to the columns of a table
    Fit(Box<PcaFit>),
}

/// How components are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PcaMethod {
    /// Principal components: directions of most variance
    Pca,
    /// Probabilistic: noise of one variance; cells may be missing
    Ppca,
    /// Bayesian: components that the data do not need switch themselves off
    Bayesian,
    /// Factor analysis: noise of a variance for each column; cells may be missing
    Factor,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior pca fit --out out                                   the embedded irises
  posterior pca fit wine.csv --scale --k 3 --label cultivar --out out
  posterior pca fit survey.csv --method factor --k 2 --format json

Missing cells are integrated out by ppca and factor. Without --x, every column of numbers is taken, and a note names the others;
a column that is numbers but for a few cells is refused.")]
pub(crate) struct PcaFit {
    /// A table with a header; also .gz; `-` is standard input [default: the embedded irises]
    #[arg(value_name = "DATA")]
    pub(crate) data: Option<PathBuf>,
    /// The columns, with commas between them [default: all that are numbers, but for --label]
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub(crate) x: Vec<String>,
    /// A column with groups, for the colours of the plot
    #[arg(long, value_name = "COLUMN")]
    pub(crate) label: Option<String>,
    /// How many components; at most so many with bayesian [default: the most probable number; bayesian: up to
    /// 10]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) k: Option<u16>,
    /// How they are found
    #[arg(long, value_enum, default_value = "pca")]
    pub(crate) method: PcaMethod,
    /// Divide each column by its standard deviation first
    #[arg(long)]
    pub(crate) scale: bool,
    /// Folder for report, plots and tables as CSV
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) table: TableArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}
