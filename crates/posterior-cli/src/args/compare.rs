//! The grammar of `posterior compare`.

use std::path::PathBuf;

use clap::Args;

use super::{Common, TableArgs};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior compare line cubes --data new.csv
  posterior compare line/model.json process/model.json --data new.csv --format json

The models are those of `regress fit`, `gp fit` and `classify fit`, of one outcome. The table has their columns, the outcome among them, in rows
that no model has been fitted to. ln score is the mean logarithm of the probability (for numbers: of the density) that the outcome
had. Stacking weights are those with which the average of all predictions has the highest score.")]
pub(crate) struct Compare {
    /// Files model.json, or the folders that hold them
    #[arg(value_name = "MODEL", required = true, num_args = 2..)]
    pub(crate) models: Vec<PathBuf>,
    /// A table of new rows with their outcomes; also .gz
    #[arg(long, value_name = "CSV")]
    pub(crate) data: PathBuf,
    #[command(flatten)]
    pub(crate) table: TableArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}
