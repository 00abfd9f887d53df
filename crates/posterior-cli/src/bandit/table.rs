//! Tables in text.

/// A table: the first column to the left, the others to the right.
pub(super) fn aligned(header: &[&str], rows: Vec<Vec<String>>) -> String {
    let all: Vec<Vec<String>> =
        std::iter::once(header.iter().map(|name| (*name).to_owned()).collect()).chain(rows).collect();
    let widths: Vec<usize> =
        (0..header.len()).map(|i| all.iter().map(|row| row[i].chars().count()).max().unwrap_or(0)).collect();
    let mut text = String::new();
    for row in all {
        let cell = |(i, cell): (usize, &String)| {
            if i == 0 {
                format!("{cell:<width$}", width = widths[i])
            } else {
                format!("{cell:>width$}", width = widths[i])
            }
        };
        let line = row.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ");
        text += line.trim_end();
        text.push('\n');
    }
    text
}
