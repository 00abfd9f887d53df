//! How a table is read: the options of every verb that reads one.

use clap::Args;
use posterior::table::{TableReadOptions, parse_size};

use crate::failure::Failure;

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
        alias = "na-values",
        value_name = "MARK,..",
        value_delimiter = ',',
        allow_hyphen_values = true,
        help_heading = "Table"
    )]
    pub(crate) missing: Vec<String>,
    /// Memory limit for the table and the computation, such as 500MB or 2GiB [default: three quarters of the
    /// free memory]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, help_heading = "Table")]
    pub(crate) memory: Option<u64>,
}

impl TableArgs {
    /// The same for the library.
    pub(crate) fn options(&self) -> Result<TableReadOptions, Failure> {
        let delimiter = self.delimiter.as_deref().map(delimiter).transpose()?;
        Ok(TableReadOptions {
            delimiter,
            missing: self.missing.clone(),
            memory: self.memory,
            no_header: false,
        })
    }
}

/// The byte that `--delimiter` names.
fn delimiter(text: &str) -> Result<u8, Failure> {
    match text.as_bytes() {
        _ if text == "tab" => Ok(b'\t'),
        &[byte] if byte.is_ascii() && !b"\"\r\n".contains(&byte) => Ok(byte),
        _ => {
            let message = format!("--delimiter: expected one character or `tab`, found {text:?}");
            Err(Failure::Usage(message))
        }
    }
}
