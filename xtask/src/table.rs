//! Tables of text whose columns line up.

/// To which side the cells of a column are pushed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

/// The rows as lines, two spaces between columns and before the first; a column beyond `sides` goes left.
pub(crate) fn aligned(rows: &[Vec<String>], sides: &[Side]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            rows.iter().filter_map(|row| row.get(column)).map(|cell| width(cell)).max().unwrap_or(0)
        })
        .collect();
    rows.iter().map(|row| line(row, &widths, sides)).collect()
}

fn line(row: &[String], widths: &[usize], sides: &[Side]) -> String {
    let mut text = String::new();
    for (column, cell) in row.iter().enumerate() {
        let gap = " ".repeat(widths[column] - width(cell));
        text.push_str("  ");
        if sides.get(column) == Some(&Side::Right) {
            text.push_str(&gap);
            text.push_str(cell);
        } else {
            text.push_str(cell);
            text.push_str(&gap);
        }
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

fn width(cell: &str) -> usize {
    cell.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(cells: &[&str]) -> Vec<String> {
        cells.iter().map(|&cell| cell.to_owned()).collect()
    }

    #[test]
    fn columns_line_up_by_characters_and_lines_end_without_spaces() {
        let rows = [row(&["µs", "1"]), row(&["name", "10"]), row(&["x"])];
        assert_eq!(aligned(&rows, &[Side::Left, Side::Right]), "  µs     1\n  name  10\n  x\n");
    }

    #[test]
    fn no_rows_make_no_text() {
        assert_eq!(aligned(&[], &[]), "");
    }
}
