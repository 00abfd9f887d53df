//! Rows with missing cells: the option of every verb with a model that has no place for them.

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

/// What becomes of missing cells, where some methods have a place for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MissingCells {
    /// Their rows are left out, and counted
    Drop,
    /// They are refused
    Error,
    /// They are averaged over, given the other cells of their rows
    #[value(alias = "impute")]
    Integrate,
}

/// What becomes of missing cells, where some methods have a place for them.
#[derive(Debug, Clone, Args)]
pub(crate) struct MissingCellsArgs {
    /// What becomes of rows with a missing cell [default: integrate, by the methods that have a place for
    /// them; drop, by the others]
    #[arg(long, value_enum, value_name = "WHAT", help_heading = "Table")]
    pub(crate) na: Option<MissingCells>,
}

impl MissingCellsArgs {
    /// What was asked for; else what a method does that has a place for missing cells, or has none.
    pub(crate) fn of_method(&self, has_place: bool) -> MissingCells {
        self.na.unwrap_or(if has_place { MissingCells::Integrate } else { MissingCells::Drop })
    }
}
