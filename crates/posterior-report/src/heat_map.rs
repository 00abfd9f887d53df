//! Numbers between two lists of names.

use std::fmt::Write as _;

use crate::Picture;
use crate::number::short;
use crate::palette::chain_colour;
use crate::svg::{escape, shortened};

const CELL: f64 = 22.0;
/// The side of the cells of a small matrix, which have room for their numbers; so many names make one.
const WIDE_CELL: f64 = 46.0;
const FEW: usize = 10;
/// The least width, so that a small matrix is not blown up to the width of the page, and the width of a
/// letter below it.
const LEAST_WIDTH: f64 = 420.0;
const LETTER: f64 = 6.6;
/// Pixels for names to the left and above.
const MARGIN: f64 = 74.0;
/// What the last of the slanted names needs to the right.
const SLANT: f64 = 24.0;
/// Letters of a name that fit there.
const LETTERS: usize = 10;

/// A matrix as shades of two colours, negative and positive, strongest for the largest |value|; each row and
/// column with its name.
///
/// `values` are row by row. Those that are not finite, or missing, leave a hole. The number stands in the
/// title of each cell, and in the cell itself if there are few.
pub fn heat_map(
    name: &str,
    (rows, columns): (&str, &str),
    row_names: &[String],
    column_names: &[String],
    values: &[f64],
) -> Picture {
    let finite = values.iter().copied().filter(|value| value.is_finite());
    let largest = finite.fold(0.0, |largest: f64, value| largest.max(value.abs()));
    let is_small = row_names.len().max(column_names.len()) <= FEW;
    let cell = if is_small { WIDE_CELL } else { CELL };
    let caption = format!("rows: {rows}; columns: {columns}");
    let matrix = MARGIN + cell * column_names.len() as f64 + SLANT;
    let width = matrix.max(MARGIN + LETTER * caption.chars().count() as f64).max(LEAST_WIDTH);
    let height = MARGIN + cell * row_names.len() as f64 + 22.0;
    let mut body = String::new();
    // Writing to a string cannot fail, hence the results that are dropped.
    for (j, column) in column_names.iter().enumerate() {
        let (x, y) = (MARGIN + cell * (j as f64 + 0.5) + 3.0, MARGIN - 6.0);
        let _ = writeln!(
            body,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" transform=\"rotate(-60 {x:.1} {y:.1})\" class=\"label\" style=\"font-size:10px;text-anchor:start\">{}</text>",
            shortened(column, LETTERS)
        );
    }
    for (i, row) in row_names.iter().enumerate() {
        let y = MARGIN + cell * i as f64;
        let _ = writeln!(
            body,
            "<text x=\"{:.1}\" y=\"{:.1}\" class=\"label\" style=\"font-size:10px;text-anchor:end\">{}</text>",
            MARGIN - 6.0,
            y + 0.5 * cell + 3.0,
            shortened(row, LETTERS)
        );
        let values = values.get(i * column_names.len()..).unwrap_or(&[]);
        for ((j, column), value) in column_names.iter().enumerate().zip(values) {
            if value.is_finite() && largest > 0.0 && *value != 0.0 {
                let colour = chain_colour(usize::from(*value > 0.0), 2);
                let _ = writeln!(
                    body,
                    "<rect x=\"{:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" style=\"fill:{colour};fill-opacity:{:.2}\"><title>{} {} {}</title></rect>",
                    MARGIN + cell * j as f64,
                    cell - 1.0,
                    cell - 1.0,
                    (value.abs() / largest).clamp(0.03, 1.0),
                    escape(row),
                    escape(column),
                    short(*value)
                );
            }
            if is_small && value.is_finite() {
                let _ = writeln!(
                    body,
                    "<text x=\"{:.1}\" y=\"{:.1}\" class=\"label\" style=\"font-size:10px;text-anchor:middle\">{}</text>",
                    MARGIN + cell * (j as f64 + 0.5),
                    y + 0.5 * cell + 3.0,
                    short(*value)
                );
            }
        }
    }
    let _ = writeln!(
        body,
        "<text x=\"{MARGIN}\" y=\"{:.1}\" class=\"tick\" style=\"text-anchor:start\">{}</text>",
        height - 6.0,
        escape(&caption)
    );
    let description = format!(
        "{} by {} values of {name}, the largest {} in size",
        row_names.len(),
        column_names.len(),
        short(largest)
    );
    Picture::new((width, height), name, &description, &body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_have_their_numbers_and_what_is_not_a_number_leaves_a_hole() {
        let names = ["a<b", "a name that is long"].map(str::to_owned);
        let values = [1.0, -2.0, f64::NAN, 0.0];
        let svg = heat_map("w", ("from", "to"), &names, &names, &values).svg().to_owned();
        assert_eq!(svg.matches("<rect").count(), 2);
        assert!(svg.contains("<title>a&lt;b a name that is long -2</title>"), "{svg}");
        assert!(svg.contains(">a name th…</text>") && svg.contains("fill-opacity:0.50"));
        assert!(svg.contains(">-2</text>"), "{svg}");
        let many: Vec<String> = (0..=FEW).map(|i| i.to_string()).collect();
        assert!(!heat_map("w", ("from", "to"), &many, &many, &values).svg().contains(">-2</text>"));
        let empty = heat_map("w", ("from", "to"), &[], &[], &[]).svg().to_owned();
        assert!(empty.contains("<svg") && !empty.contains("NaN"));
        // Fewer values than cells.
        let few = heat_map("w", ("from", "to"), &names, &names, &[1.0]).svg().to_owned();
        assert_eq!(few.matches("<rect").count(), 1);
    }
}
