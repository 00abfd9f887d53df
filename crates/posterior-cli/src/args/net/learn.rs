//! The verbs about data: `sample`, `learn`.

use std::path::PathBuf;

use clap::Args;

use super::NetFile;
use crate::args::TableArgs;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior net sample alarm.bif -n 1000 > alarm.csv
  posterior net sample alarm.bif -n 1000 --seed 7 --hide HYPOVOLEMIA")]
pub(crate) struct NetSample {
    #[command(flatten)]
    pub(crate) input: NetFile,
    /// Number of records
    #[arg(short, long = "records", value_name = "N")]
    pub(crate) n: u32,
    /// Variables to leave out
    #[arg(long, value_name = "H,..", num_args = 1..)]
    pub(crate) hide: Vec<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior net learn alarm.bif alarm.csv --pseudocount 1 --out out
  posterior net learn alarm.bif alarm.csv --hidden HYPOVOLEMIA --restarts 5")]
pub(crate) struct NetLearn {
    /// The network whose structure is kept: BIF, XMLBIF, NET or UAI, also .gz
    #[command(flatten)]
    pub(crate) input: NetFile,
    /// A table with a column for each variable, holding names of states; a missing value is empty or one of
    /// the marks of --missing
    #[arg(value_name = "DATA.csv")]
    pub(crate) data: PathBuf,
    /// The number that is added to each count; 0 is maximum likelihood
    #[arg(long, alias = "prior", value_name = "A", default_value_t = 0.0, allow_negative_numbers = true)]
    pub(crate) pseudocount: f64,
    /// Variables that are never observed, even if the data have a column for them
    #[arg(long, value_name = "H,..", num_args = 1..)]
    pub(crate) hidden: Vec<String>,
    /// Maximum number of iterations of expectation maximisation
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) iterations: usize,
    /// Number of starts of expectation maximisation: the first from the tables of FILE, the others random
    #[arg(long, value_name = "R", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) restarts: u16,
    /// Folder for the fitted network as BIF and JSON, and a report
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) table: TableArgs,
}
