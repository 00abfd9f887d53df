//! Letters as pictures, side by side.

use posterior::report::{Picture, heat_map};

use super::glyphs::{COLUMNS, PIXELS, ROWS};

/// A line of letters, each pixel a number.
pub(super) struct Strip {
    /// What stands to its left, from above.
    pub(super) names: Vec<String>,
    pub(super) letters: Vec<[f64; PIXELS]>,
}

/// Strips one under the other, what is positive in one colour and what is negative in the other.
pub(super) fn strips(title: &str, heads: &[String], strips: &[Strip]) -> Picture {
    let longest = strips.iter().map(|strip| strip.letters.len()).max().unwrap_or(0);
    let width = longest * (COLUMNS + 1);
    let (mut names, mut values) = (Vec::new(), Vec::new());
    for strip in strips {
        // A row of paper below each.
        for row in 0..=ROWS {
            let name = if row % 2 == 1 { strip.names.get(row / 2) } else { None };
            names.push(name.cloned().unwrap_or_default());
            values.extend((0..width).map(|column| pixel(strip, row, column)));
        }
    }
    let head = |column: usize| {
        let head =
            if column % (COLUMNS + 1) == COLUMNS / 2 { heads.get(column / (COLUMNS + 1)) } else { None };
        head.cloned().unwrap_or_default()
    };
    let heads: Vec<String> = (0..width).map(head).collect();
    heat_map(title, ("rows of pixels", "columns of pixels, letter by letter"), &names, &heads, &values)
}

/// Not a number between the letters.
fn pixel(strip: &Strip, row: usize, column: usize) -> f64 {
    let (letter, inside) = (column / (COLUMNS + 1), column % (COLUMNS + 1));
    match strip.letters.get(letter) {
        Some(pixels) if row < ROWS && inside < COLUMNS => pixels[row * COLUMNS + inside],
        _ => f64::NAN,
    }
}
