//! The data: a table with a column of texts, or with columns of numbers and categories.

use std::path::Path;

use crate::args::ClassifyFile;
use crate::failure::Failure;
use crate::table::Table;

/// Reads a file as its name and the options say.
pub(super) fn read(path: &Path, file: &ClassifyFile) -> Result<Table, Failure> {
    let name = path.to_string_lossy().to_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    let ends = |ending: &str| Path::new(name).extension().is_some_and(|own| own == ending);
    if file.delimiter.is_none() && (ends("jsonl") || ends("ndjson")) {
        return Table::read_json_lines(path);
    }
    let delimiter = match file.delimiter.as_deref() {
        None if ends("tsv") || ends("tab") => b'\t',
        None => b',',
        Some("tab") => b'\t',
        Some(text) => match text.as_bytes() {
            &[byte] if byte.is_ascii() => byte,
            _ => {
                let message = format!("--delimiter: expected one character or `tab`, found {text:?}");
                return Err(Failure::Usage(message));
            }
        },
    };
    Table::read_delimited(path, delimiter, !file.no_header)
}

/// The texts of a table; a missing one is empty.
pub(super) fn texts<'a>(table: &'a Table, column: &str) -> Result<Vec<&'a str>, Failure> {
    let texts = table.texts_or_missing(column)?;
    Ok(texts.into_iter().map(Option::unwrap_or_default).collect())
}
