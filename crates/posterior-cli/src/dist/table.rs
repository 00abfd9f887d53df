//! Aligned tables in text.

/// Rows below a header, columns aligned to the right with two spaces between them.
pub(super) fn right(header: &[&str], rows: &[Vec<String>]) -> String {
    let header: Vec<String> = header.iter().map(|&cell| cell.to_owned()).collect();
    let all = || std::iter::once(&header).chain(rows);
    let widths: Vec<usize> =
        (0..header.len()).map(|column| all().map(|row| width(&row[column])).max().unwrap_or(0)).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, &wide)| format!("{cell:>wide$}"));
        cells.collect::<Vec<_>>().join("  ") + "\n"
    };
    all().map(line).collect()
}

/// Names and values, both aligned to the left.
pub(super) fn pairs(rows: &[(String, String)]) -> String {
    let wide = rows.iter().map(|(name, _)| width(name)).max().unwrap_or(0);
    let lines: Vec<String> = rows.iter().map(|(name, value)| format!("{name:wide$}  {value}\n")).collect();
    lines.concat()
}

fn width(text: &str) -> usize {
    text.chars().count()
}
