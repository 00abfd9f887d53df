//! The grammar of `posterior model`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use posterior::table::parse_size;

use super::validation::proportion;
use super::{Common, Format, LevelArgs};

#[derive(Debug, Subcommand)]
pub(crate) enum ModelVerb {
    /// Find what is wrong with a program: all errors at once, each with its place
    Check(ModelCheck),
    /// Print a program in one form, with its comments
    Fmt(ModelFmt),
    /// Draw from the posterior of a program with its data, by the No-U-Turn sampler
    Sample(ModelSample),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior model check schools.stan
  posterior model check old.stan --current
  posterior model check schools.stan --format json

A program in Stan's modelling language. Its parameters, data and quantities are listed with their types, and what may be meant otherwise is said; nothing is
run. Files of #include are looked for beside the program.")]
pub(crate) struct ModelCheck {
    /// The program; `-` is standard input
    #[arg(value_name = "PROGRAM")]
    pub(crate) program: PathBuf,
    /// Old syntax, such as <- and int x[N], is an error, as for Stan's compiler since version 2.33
    #[arg(long)]
    pub(crate) current: bool,
    /// What is printed
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior model fmt schools.stan
  posterior model fmt schools.stan --write

Old syntax is written as it is today. A program that includes files is refused.")]
pub(crate) struct ModelFmt {
    /// The program; `-` is standard input
    #[arg(value_name = "PROGRAM")]
    pub(crate) program: PathBuf,
    /// Put the printed form in the place of the file
    #[arg(long)]
    pub(crate) write: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior model sample schools.stan --data schools.json
  posterior model sample schools.stan --data schools.json --adapt-delta 0.95 --out draws

Data are one JSON object with a member for each variable of the data block, as for CmdStan. The table has parameters, transformed parameters and generated
quantities. With --out, each chain is a file chain_1.csv, chain_2.csv, ... as CmdStan writes it, and `posterior mcmc diagnose` makes a report of them.")]
pub(crate) struct ModelSample {
    /// The program; `-` is standard input
    #[arg(value_name = "PROGRAM")]
    pub(crate) program: PathBuf,
    /// The data as JSON; also .gz [default: none, for a program without data]
    #[arg(long, value_name = "DATA")]
    pub(crate) data: Option<PathBuf>,
    /// Draws of each chain after the warm-up
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) num_samples: u32,
    /// Steps of each chain in which step size and metric are tuned; they are not kept
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) num_warmup: u32,
    /// Chains
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) num_chains: u16,
    /// The acceptance rate that the step size is tuned for: nearer to 1 where divergences are reported
    #[arg(long, value_name = "RATE", default_value_t = 0.8, value_parser = proportion)]
    pub(crate) adapt_delta: f64,
    /// The most doublings of a trajectory
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u8).range(1..=30))]
    pub(crate) max_depth: u8,
    /// One of so many draws is kept
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) thin: u32,
    #[command(flatten)]
    pub(crate) level: LevelArgs,
    /// Memory limit for the draws, such as 500MB or 2GiB [default: three quarters of the free memory]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) memory: Option<u64>,
    /// Folder for the draws: a file for each chain
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) common: Common,
}
