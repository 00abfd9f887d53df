//! Aligned tables in text.

/// A table: the first column to the left, the others to the right.
pub(crate) fn aligned<S: AsRef<str>>(header: &[S], rows: Vec<Vec<String>>) -> String {
    let header = header.iter().map(|name| name.as_ref().to_owned()).collect();
    let all: Vec<Vec<String>> = std::iter::once(header).chain(rows).collect();
    let widths = widths(&all);
    let line = |row: &Vec<String>| {
        let cell = |(column, cell): (usize, &String)| match (column, widths[column]) {
            (0, wide) => format!("{cell:<wide$}"),
            (_, wide) => format!("{cell:>wide$}"),
        };
        let line = row.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ");
        line.trim_end().to_owned() + "\n"
    };
    all.iter().map(line).collect()
}

/// Rows below a header, all columns to the right.
pub(crate) fn right<S: AsRef<str>>(header: &[S], rows: &[Vec<String>]) -> String {
    let header = header.iter().map(|name| name.as_ref().to_owned()).collect();
    let all: Vec<Vec<String>> = std::iter::once(header).chain(rows.iter().cloned()).collect();
    let widths = widths(&all);
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, &wide)| format!("{cell:>wide$}"));
        cells.collect::<Vec<_>>().join("  ") + "\n"
    };
    all.iter().map(line).collect()
}

/// Names and values, both to the left.
pub(crate) fn pairs(rows: &[(String, String)]) -> String {
    let wide = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let lines: Vec<String> = rows.iter().map(|(name, value)| format!("{name:wide$}  {value}\n")).collect();
    lines.concat()
}

/// The width of each column of rows of one length.
fn widths(rows: &[Vec<String>]) -> Vec<usize> {
    let columns = rows.first().map_or(0, Vec::len);
    let wide = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    (0..columns).map(wide).collect()
}
