//! Letters as pictures, side by side.

use posterior::report::{Picture, heat_map};

/// A line of letters, each pixel a number.
pub(super) struct Strip {
    /// What stands to its left, from above.
    pub(super) names: Vec<String>,
    /// Of each its pixels, row by row.
    pub(super) letters: Vec<Vec<f64>>,
}

/// Strips of letters with so many rows and columns, one under the other; what is positive in one colour and
/// what is negative in the other.
pub(super) fn strips(
    title: &str,
    heads: &[String],
    (rows, columns): (usize, usize),
    strips: &[Strip],
) -> Picture {
    let longest = strips.iter().map(|strip| strip.letters.len()).max().unwrap_or(0);
    let width = longest * (columns + 1);
    let (mut names, mut values) = (Vec::new(), Vec::new());
    for strip in strips {
        // A row of paper below each.
        for row in 0..=rows {
            let name = if row % 2 == 1 { strip.names.get(row / 2) } else { None };
            names.push(name.cloned().unwrap_or_default());
            values.extend((0..width).map(|column| pixel(strip, (rows, columns), (row, column))));
        }
    }
    let head = |column: usize| {
        let head =
            if column % (columns + 1) == columns / 2 { heads.get(column / (columns + 1)) } else { None };
        head.cloned().unwrap_or_default()
    };
    let heads: Vec<String> = (0..width).map(head).collect();
    heat_map(title, ("rows of pixels", "columns of pixels, letter by letter"), &names, &heads, &values)
}

/// Not a number between the letters.
fn pixel(strip: &Strip, (rows, columns): (usize, usize), (row, column): (usize, usize)) -> f64 {
    let (letter, inside) = (column / (columns + 1), column % (columns + 1));
    match strip.letters.get(letter) {
        Some(pixels) if row < rows && inside < columns => pixels[row * columns + inside],
        _ => f64::NAN,
    }
}
