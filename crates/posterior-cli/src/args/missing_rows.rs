//! Rows with missing cells: the option of every verb whose model has no place for them.

use clap::{Args, ValueEnum};

/// What becomes of rows with missing cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MissingRows {
    /// They are left out, and counted
    Drop,
    /// They are refused
    Error,
}

/// What becomes of rows with missing cells.
#[derive(Debug, Clone, Args)]
pub(crate) struct MissingRowsArgs {
    /// What becomes of rows with a missing cell in a column that the model needs
    #[arg(long, value_enum, default_value = "drop", help_heading = "Table")]
    pub(crate) na: MissingRows,
}
