//! The data: a table with a column of texts, or with columns of numbers and categories.

use std::path::Path;

use posterior::table::{DataFrame, TableFile, TableReadOptions, has_ending};

use crate::args::ClassifyFile;
use crate::failure::Failure;

/// Reads the columns of a file that are wanted of those that it has.
pub(super) fn read(
    path: &Path,
    file: &ClassifyFile,
    wanted: impl FnOnce(&[String]) -> Vec<String>,
) -> Result<DataFrame, Failure> {
    let options = TableReadOptions { no_header: file.no_header, ..file.table.options()? };
    if file.table.delimiter.is_none() && has_ending(path, &["jsonl", "ndjson"]) {
        return Ok(DataFrame::read_json_lines(path, &options)?);
    }
    let opened = TableFile::open(path, &options)?;
    let names = wanted(opened.header());
    Ok(opened.read(&names, |rows| (rows as u64).saturating_mul(24 * names.len() as u64 + 200))?)
}

/// The column of texts, where no model says which.
pub(super) fn text_column(file: &ClassifyFile) -> String {
    file.text.clone().unwrap_or_else(|| "text".to_owned())
}

/// The texts of a table; one that is missing is empty. A mark of missing values may be a text.
pub(super) fn texts<'a>(table: &'a DataFrame, column: &str) -> Result<Vec<&'a str>, Failure> {
    Ok(table.cells(column)?.map(|text| if text == "NA" { "" } else { text }).collect())
}
