//! A saved model and new rows: the options of every verb that brings them together.

use std::path::PathBuf;

use clap::Args;

use super::{Common, TableArgs};

/// A saved model, new rows, and where the answer goes.
#[derive(Debug, Args)]
pub(crate) struct NewRowsArgs {
    /// A model.json of `fit` in this area, or the folder that holds it
    pub(crate) model: PathBuf,
    /// A table of rows with the columns of the model; also .gz; `-` is standard input
    pub(crate) data: PathBuf,
    /// Folder for the table of results as CSV
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) table: TableArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}
