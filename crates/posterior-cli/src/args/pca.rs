//! The grammar of `posterior pca`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::{Common, MissingCellsArgs, NewRowsArgs, TableArgs};

#[derive(Debug, Subcommand)]
pub(crate) enum PcaVerb {
    /// Fit principal components, or factors, to the columns of a table
    Fit(Box<PcaFit>),
    /// Scores of new rows on the components of a fit
    Transform(Box<PcaTransform>),
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

The methods ppca and factor integrate missing cells out. Without --x, all numeric columns are taken, and a note names the others;
a column of numbers with a few cells of words is refused.")]
pub(crate) struct PcaFit {
    /// A table with a header; also .gz; `-` is standard input [default: the embedded irises]
    #[arg(value_name = "DATA")]
    pub(crate) data: Option<PathBuf>,
    /// The columns to use, separated by commas [default: all numeric columns except --label]
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub(crate) x: Vec<String>,
    /// A column with groups, which colour the plot
    #[arg(long, value_name = "COLUMN")]
    pub(crate) label: Option<String>,
    /// Number of components, with bayesian the maximum [default: the most probable number; 10 with bayesian]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) k: Option<u16>,
    /// The method
    #[arg(long, value_enum, default_value = "pca")]
    pub(crate) method: PcaMethod,
    /// Divide each column by its standard deviation first
    #[arg(long)]
    pub(crate) scale: bool,
    /// Folder for report, plots and tables as CSV
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) missing: MissingCellsArgs,
    #[command(flatten)]
    pub(crate) table: TableArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior pca transform out/model.json new.csv
  posterior pca transform out new.csv --out new-scores --format json

scores.csv has a row for each row of the table: its number, its name where the table has a column of names, and a column for each
component. Missing cells are integrated out for the methods ppca, bayesian and factor.")]
pub(crate) struct PcaTransform {
    #[command(flatten)]
    pub(crate) input: NewRowsArgs,
    #[command(flatten)]
    pub(crate) missing: MissingCellsArgs,
}
