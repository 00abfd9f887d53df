//! How a table is read: the options of every verb that reads one.

use clap::Args;

use crate::memory::size;

/// How a table is read.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct TableArgs {
    /// The separator of fields: a character or `tab` [default: recognised from the header, of comma,
    /// semicolon, tab and bar; tab in files named .tsv]
    #[arg(long, value_name = "C", help_heading = "Table")]
    pub(crate) delimiter: Option<String>,
    /// The marks of missing values, separated by commas; an empty cell is always missing [default: NA, N/A,
    /// n/a, #N/A, <NA>, NaN, nan, null, NULL, None, ?; in columns of numbers also . and -]
    #[arg(
        long,
        value_name = "MARK,..",
        value_delimiter = ',',
        allow_hyphen_values = true,
        help_heading = "Table"
    )]
    pub(crate) missing: Vec<String>,
    /// Memory limit for the table and the computation, such as 500MB or 2GiB [default: three quarters of the
    /// free memory]
    #[arg(long, value_name = "SIZE", value_parser = size, help_heading = "Table")]
    pub(crate) memory: Option<u64>,
}
