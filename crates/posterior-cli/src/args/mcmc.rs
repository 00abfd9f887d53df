//! The grammar of `posterior mcmc`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use posterior::table::parse_size;

use super::{Common, LevelArgs};

#[derive(Debug, Subcommand)]
pub(crate) enum McmcVerb {
    /// Convergence of chains, effective sample sizes, standard errors, and advice
    Diagnose(McmcDiagnose),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior mcmc diagnose docs/data/chains.csv
  posterior mcmc diagnose docs/data/chains.csv --parameter tau --format json
  posterior mcmc diagnose docs/data/chains.csv --out out
  posterior mcmc diagnose output_1.csv output_2.csv output_3.csv output_4.csv

A table has a header and one row per draw, with a column `chain`, perhaps a column `draw` or `iteration`, and a column for
each parameter. A file of CmdStan is one chain. Columns that end in `__` are statistics of the sampler: `divergent__`,
`treedepth__`, `energy__`.")]
pub(crate) struct McmcDiagnose {
    /// Tables of draws, or files of CmdStan with one chain each; also .gz; `-` is standard input
    #[arg(value_name = "DRAWS", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// A parameter to show; `theta` is all of theta[1], theta[2], ...; may be repeated [default: all]
    #[arg(long, value_name = "NAME")]
    pub(crate) parameter: Vec<String>,
    #[command(flatten)]
    pub(crate) level: LevelArgs,
    /// Folder for report, plots and the table as CSV
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Memory limit for the draws and the computation, such as 500MB or 2GiB [default: three quarters of the
    /// free memory]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) memory: Option<u64>,
    #[command(flatten)]
    pub(crate) common: Common,
}
