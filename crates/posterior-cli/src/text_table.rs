//! Aligned tables in text.

/// A table: the first column to the left, the others to the right.
pub(crate) fn aligned<S: AsRef<str>>(header: &[S], rows: Vec<Vec<String>>) -> String {
    lines(1, header, rows)
}

/// Rows below a header, all columns to the right.
pub(crate) fn right<S: AsRef<str>>(header: &[S], rows: Vec<Vec<String>>) -> String {
    lines(0, header, rows)
}

/// Names and values, both to the left.
pub(crate) fn pairs(rows: &[(String, String)]) -> String {
    let wide = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let lines: Vec<String> = rows.iter().map(|(name, value)| format!("{name:wide$}  {value}\n")).collect();
    lines.concat()
}

/// Rows of one length, so many columns to the left and the others to the right.
fn lines<S: AsRef<str>>(left: usize, header: &[S], rows: Vec<Vec<String>>) -> String {
    let header = header.iter().map(|name| name.as_ref().to_owned()).collect();
    let all: Vec<Vec<String>> = std::iter::once(header).chain(rows).collect();
    let wide = |column: usize| all.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..all[0].len()).map(wide).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &wide))| {
            if column < left { format!("{cell:<wide$}") } else { format!("{cell:>wide$}") }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    all.iter().map(line).collect()
}
