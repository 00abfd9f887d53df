//! Aligned tables in text.

use posterior_report::{PageTable, TableColumn};

/// A table: the first column to the left, the others to the right.
pub(crate) fn aligned<S: AsRef<str>>(header: &[S], rows: Vec<Vec<String>>) -> String {
    PageTable::new(header, rows).text()
}

/// Rows below a header, all columns to the right.
pub(crate) fn right<S: AsRef<str>>(header: &[S], rows: Vec<Vec<String>>) -> String {
    PageTable { columns: header.iter().map(|name| TableColumn::number(name.as_ref())).collect(), rows }.text()
}

/// Names and values, both to the left.
pub(crate) fn pairs(rows: &[(String, String)]) -> String {
    let wide = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let lines: Vec<String> = rows.iter().map(|(name, value)| format!("{name:wide$}  {value}\n")).collect();
    lines.concat()
}
