//! What is wrong with a CSV file, in this crate's words.

use std::path::Path;

use crate::Error;

/// The error with its file and line.
pub(super) fn csv_error(path: &Path, error: csv::Error) -> Error {
    let place = error.position().map(|position| (position.line() as usize, position.byte()));
    let (line, byte) = place.unwrap_or((1, 0));
    match error.into_kind() {
        csv::ErrorKind::Io(source) => Error::io(path, source),
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            let error = Error::parse(path, line, format!("expected {expected_len} fields, found {len}"));
            error.with_hint("put fields that hold a comma, a quote or a line end in double quotes")
        }
        csv::ErrorKind::Utf8 { err, .. } => {
            let field = err.field() + 1;
            let message = format!("not UTF-8 text in field {field} of the row at byte {byte}");
            let error = Error::parse(path, line, message);
            error.with_hint("save it as UTF-8, for instance by `iconv -f LATIN1 -t UTF-8`")
        }
        _ => Error::parse(path, line, "expected a row of a CSV table"),
    }
}
