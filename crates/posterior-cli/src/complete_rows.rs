//! Rows with missing cells, where a model has no place for them.

use posterior::table::DataFrame;

use crate::args::MissingRows;
use crate::failure::Failure;
use crate::output::grouped;

/// The rows of a table in which all of these columns are there, with a note about the others. Where rows with
/// missing cells are refused, the table stays as it is: the column that needs them says which they are.
pub(crate) fn complete<S: AsRef<str>>(
    table: DataFrame,
    names: &[S],
    missing: MissingRows,
) -> Result<(DataFrame, Option<String>), Failure> {
    let complete = table.complete_rows(names)?;
    let left_out = table.len() - complete.len();
    if missing == MissingRows::Error || left_out == 0 {
        return Ok((table, None));
    }
    let mut columns = Vec::new();
    for name in names.iter().map(AsRef::as_ref) {
        let cells = table.missing(name)?.into_iter().filter(|&missing| missing).count();
        if cells > 0 && cells < table.len() {
            columns.push(format!("{name} in {}", grouped(cells as u64)));
        }
    }
    let columns = columns.join(", ");
    if complete.is_empty() {
        let message = format!("{}: a cell is missing in each row: {columns}", table.source);
        return Err(Failure::data(message).with_hint("--x names the columns to take: leave the emptiest out"));
    }
    let (left_out, rows) = (grouped(left_out as u64), grouped(table.len() as u64));
    let note = format!(
        "left out, as cells are missing: {left_out} of {rows} rows ({columns}); --na error refuses them"
    );
    Ok((table.rows(&complete), Some(note)))
}
