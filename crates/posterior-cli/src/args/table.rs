//! How a table is read: the options of every verb that reads one.

use clap::Args;

use crate::memory::size;

/// How a table is read.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct TableArgs {
    /// What stands between fields: a character or `tab`
    /// [default: recognised from the header, of comma, semicolon, tab and bar; tab in files named .tsv]
    #[arg(long, value_name = "C", help_heading = "Table")]
    pub(crate) delimiter: Option<String>,
    /// The marks of missing values, with commas between them; an empty cell is always one
    /// [default: NA, N/A, n/a, #N/A, <NA>, NaN, nan, null, NULL, None, ?; in columns of numbers also . and -]
    #[arg(
        long,
        value_name = "MARK,..",
        value_delimiter = ',',
        allow_hyphen_values = true,
        help_heading = "Table"
    )]
    pub(crate) missing: Vec<String>,
    /// The memory that the table and the work on it may take, as 500MB or 2GiB [default: three quarters of
    /// what is free]
    #[arg(long, value_name = "SIZE", value_parser = size, help_heading = "Table")]
    pub(crate) memory: Option<u64>,
}
