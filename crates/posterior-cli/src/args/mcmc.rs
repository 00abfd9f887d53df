//! The grammar of `posterior mcmc`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use posterior::table::parse_size;

use super::{Common, LevelArgs};

#[derive(Debug, Subcommand)]
pub(crate) enum McmcVerb {
    /// Convergence of chains, effective sample sizes, standard errors, and advice
    Diagnose(McmcDiagnose),
    /// Models by how well they predict what they have not seen: leave-one-out, WAIC, weights to average by
    Compare(McmcCompare),
    /// Write draws in another format: a table, or the JSON or netCDF of ArviZ
    Convert(McmcConvert),
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

/// What says how well a model predicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PredictiveCriterion {
    /// Leave-one-out cross-validation by Pareto-smoothed importance sampling
    Loo,
    /// The widely applicable information criterion
    Waic,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior mcmc compare one_mean.csv two_means.csv
  posterior mcmc compare one_mean.csv two_means.csv --criterion waic --format json
  posterior mcmc compare one_mean.csv two_means.csv --out out

The draws of each model have ln p of each observation in columns log_lik[1], log_lik[2], ..., the same observations in the
same order. elpd is the expected log predictive density of all observations: the larger, the better. Differences are to
be judged by their own error, which is smaller than that of either.")]
pub(crate) struct McmcCompare {
    /// The draws of each model: a table with all its chains, or a folder with one file of CmdStan a chain
    #[arg(value_name = "MODEL", required = true, num_args = 2..)]
    pub(crate) models: Vec<PathBuf>,
    /// The array of ln p of the observations
    #[arg(long, value_name = "NAME", default_value = "log_lik")]
    pub(crate) ln_likelihood: String,
    /// What is estimated from the draws
    #[arg(long, value_enum, default_value_t = PredictiveCriterion::Loo)]
    pub(crate) criterion: PredictiveCriterion,
    /// Folder for report, the table as CSV, and the terms of each observation
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Memory limit for the draws of a model, such as 500MB or 2GiB [default: three quarters of the free
    /// memory]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) memory: Option<u64>,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior mcmc convert output_1.csv output_2.csv output_3.csv output_4.csv --to draws.nc
  posterior mcmc convert docs/data/chains.csv --to chains.json
  posterior mcmc convert output_1.csv output_2.csv --data schools.json --to draws.nc

A name that ends in .nc is netCDF-4, which ArviZ reads with from_netcdf; .json is the JSON that it reads with from_json;
.csv is a table with the columns chain and draw. Statistics of the sampler are of the group sample_stats.")]
pub(crate) struct McmcConvert {
    /// Tables of draws, or files of CmdStan with one chain each; also .gz; `-` is standard input
    #[arg(value_name = "DRAWS", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// The file to write: .nc, .json or .csv
    #[arg(long, value_name = "FILE")]
    pub(crate) to: PathBuf,
    /// The array of ln p of the observations: the group log_likelihood [default: log_lik, where it is]
    #[arg(long, value_name = "NAME")]
    pub(crate) ln_likelihood: Option<String>,
    /// An array of drawn observations: the group posterior_predictive; may be repeated [default: y_rep, where
    /// it is]
    #[arg(long, value_name = "NAME")]
    pub(crate) predictive: Vec<String>,
    /// The data of the program, as JSON: its lists of which there are drawn observations (y of y_rep) are the
    /// group observed_data
    #[arg(long, value_name = "DATA")]
    pub(crate) data: Option<PathBuf>,
    /// Memory limit for the draws and the file, such as 500MB or 2GiB [default: three quarters of the free
    /// memory]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) memory: Option<u64>,
    /// No notes
    #[arg(long)]
    pub(crate) quiet: bool,
}
