//! Every two of several coordinates against each other.

use std::fmt::Write as _;

use crate::axes::range;
use crate::number::short;
use crate::picture::Picture;
use crate::scatter::{Ellipse, group_colour, group_count};
use crate::svg::{Scale, escape, line_to};

/// The side of the whole chart in pixels.
const SIDE: f64 = 760.0;
const LEFT: f64 = 44.0;
const FOOT: f64 = 34.0;
/// Between two cells.
const GAP: f64 = 8.0;
/// About what a letter of a name takes.
const LETTER: f64 = 7.0;
/// Bars of a histogram.
const BARS: usize = 24;

/// Where a cell is, and what it spans.
struct Cell {
    x: Scale,
    y: Scale,
}

/// Scatter plots of every two coordinates below the diagonal, ellipses above it, histograms by group on it.
///
/// `columns` has the values of each coordinate. Of more than a few coordinates the cells are too small to
/// read: the caller chooses.
pub fn pairs(
    name: &str,
    names: &[String],
    columns: &[Vec<f64>],
    groups: &[usize],
    ellipses: &[Ellipse],
) -> Picture {
    let count = columns.len();
    let colours = group_count(groups, ellipses);
    let ranges: Vec<(f64, f64)> = columns.iter().map(|column| with_margin(column)).collect();
    let mut body = String::new();
    for row in 0..count {
        for column in 0..count {
            let cell = cell(row, column, count, &ranges);
            frame(&mut body, &cell);
            match row.cmp(&column) {
                std::cmp::Ordering::Greater => {
                    dots(&mut body, &cell, &columns[column], &columns[row], groups, colours);
                }
                std::cmp::Ordering::Less => {
                    for own in ellipses {
                        outline(&mut body, &cell, own, (column, row), colours);
                    }
                }
                std::cmp::Ordering::Equal => {
                    bars(&mut body, &cell, &columns[row], groups, colours);
                    label(&mut body, &cell, names.get(row).map_or("", String::as_str));
                }
            }
            ticks(&mut body, &cell, row + 1 == count, column == 0 && row > 0);
        }
    }
    let rows = columns.first().map_or(0, Vec::len);
    let description = format!("{rows} points in {count} coordinates and {colours} groups.");
    Picture::new((SIDE, SIDE), name, &description, &body)
}

/// The name of a coordinate at the top of its cell; a long one is set narrow.
fn label(body: &mut String, cell: &Cell, name: &str) {
    let (left, right) = cell.x.pixels;
    let room = right - left - 12.0;
    let narrow = if LETTER * name.chars().count() as f64 > room {
        format!(" textLength=\"{room:.0}\" lengthAdjust=\"spacingAndGlyphs\"")
    } else {
        String::new()
    };
    let (x, y, name) = (left + 6.0, cell.y.pixels.1 + 15.0, escape(name));
    // Writing to a string cannot fail.
    let _ = writeln!(body, "<text class=\"label\" x=\"{x:.1}\" y=\"{y:.1}\"{narrow}>{name}</text>");
}

// Writing to a string cannot fail, hence the results that are dropped.

/// The range of the values and a twelfth on each side, for what is around them.
fn with_margin(column: &[f64]) -> (f64, f64) {
    let (low, high) = range(column.iter().copied());
    let margin = high / 12.0 - low / 12.0;
    ((low - margin).max(f64::MIN), (high + margin).min(f64::MAX))
}

fn cell(row: usize, column: usize, count: usize, ranges: &[(f64, f64)]) -> Cell {
    let step = (SIDE - LEFT - 6.0) / count as f64;
    let rise = (SIDE - FOOT - 6.0) / count as f64;
    let (left, top) = (LEFT + step * column as f64, 6.0 + rise * row as f64);
    Cell {
        x: Scale { data: ranges[column], pixels: (left + 3.0, left + step - GAP - 3.0) },
        y: Scale { data: ranges[row], pixels: (top + rise - GAP - 3.0, top + 3.0) },
    }
}

fn frame(body: &mut String, cell: &Cell) {
    let ((left, right), (foot, top)) = (cell.x.pixels, cell.y.pixels);
    let _ = writeln!(
        body,
        "<rect class=\"grid\" style=\"fill:none\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\"/>",
        left - 3.0,
        top - 3.0,
        right - left + 6.0,
        foot - top + 6.0
    );
}

fn dots(body: &mut String, cell: &Cell, x: &[f64], y: &[f64], groups: &[usize], colours: usize) {
    for (place, (&x, &y)) in x.iter().zip(y).enumerate().filter(|(_, (x, y))| x.is_finite() && y.is_finite())
    {
        let colour = group_colour(groups.get(place).copied(), colours);
        let _ = writeln!(
            body,
            "<circle class=\"mark\" style=\"fill:{colour}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"1.7\"/>",
            cell.x.at(x),
            cell.y.at(y)
        );
    }
}

fn outline(body: &mut String, cell: &Cell, own: &Ellipse, (i, j): (usize, usize), colours: usize) {
    let inside = |value: f64, scale: &Scale| {
        let (low, high) = scale.data;
        scale.at(value.clamp(low, high))
    };
    let corners = own.outline(i, j);
    if corners.iter().any(|(x, y)| !(x.is_finite() && y.is_finite())) {
        return;
    }
    let mut path = String::new();
    line_to(&mut path, 'M', corners.iter().map(|&(x, y)| (inside(x, &cell.x), inside(y, &cell.y))));
    let colour = group_colour(Some(own.group), colours);
    let _ = writeln!(body, "<path class=\"line\" style=\"stroke:{colour}\" d=\"{path}\"/>");
}

/// Bars of all groups on top of each other.
fn bars(body: &mut String, cell: &Cell, values: &[f64], groups: &[usize], colours: usize) {
    let (low, high) = cell.x.data;
    let mut heights = vec![[0.0; BARS]; colours.max(1)];
    for (place, value) in values.iter().enumerate().filter(|(_, value)| value.is_finite()) {
        let proportion = (value / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0);
        let bar = ((proportion * BARS as f64) as usize).min(BARS - 1);
        heights[groups.get(place).copied().unwrap_or(0)][bar] += 1.0;
    }
    let most = (0..BARS).map(|bar| heights.iter().map(|own| own[bar]).sum::<f64>()).fold(1.0, f64::max);
    let ((left, right), (foot, top)) = (cell.x.pixels, cell.y.pixels);
    let (width, unit) = ((right - left) / BARS as f64, 0.8 * (foot - top) / most);
    for bar in 0..BARS {
        let mut floor = foot;
        for (group, own) in heights.iter().enumerate().filter(|(_, own)| own[bar] > 0.0) {
            let height = own[bar] * unit;
            floor -= height;
            let _ = writeln!(
                body,
                "<rect class=\"fill\" style=\"fill:{}\" x=\"{:.1}\" y=\"{floor:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>",
                group_colour(groups.get(group).map(|_| group), colours),
                left + bar as f64 * width
            );
        }
    }
}

fn ticks(body: &mut String, cell: &Cell, below: bool, beside: bool) {
    if below {
        for tick in cell.x.ticks(3) {
            let (x, y) = (cell.x.at(tick), cell.y.pixels.0 + 18.0);
            let _ = writeln!(body, "<text class=\"tick\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", short(tick));
        }
    }
    if beside {
        for tick in cell.y.ticks(3) {
            let (x, y) = (cell.x.pixels.0 - 7.0, cell.y.at(tick) + 4.0);
            let _ = writeln!(
                body,
                "<text class=\"tick\" style=\"text-anchor:end\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>",
                short(tick)
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_below_the_diagonal_and_ellipses_above() {
        let columns = vec![vec![0.0, 1.0, 2.0], vec![1.0, f64::NAN, 0.0], vec![5.0, 5.0, 5.0]];
        let names = ["a", "<b>", "c"].map(str::to_owned);
        let covariance = vec![vec![1.0, 0.0, 0.0], vec![0.0, 1.0, 0.0], vec![0.0, 0.0, 1.0]];
        let around = Ellipse { group: 1, centre: vec![0.0; 3], covariance };
        let svg = pairs("all", &names, &columns, &[0, 1, 1], &[around]).svg().to_owned();
        assert_eq!(svg.matches("<circle").count(), 2 + 3 + 2);
        assert_eq!(svg.matches("class=\"line\"").count(), 3);
        assert!(svg.contains("&lt;b&gt;") && !svg.contains("NaN") && !svg.contains("textLength"));
        let names = ["a".repeat(50), String::new(), String::new()];
        assert_eq!(pairs("all", &names, &columns, &[], &[]).svg().matches("textLength").count(), 1);
    }

    #[test]
    fn no_points_and_no_groups_are_a_picture() {
        let svg = pairs("all", &["a".to_owned()], &[vec![1.0, 2.0]], &[], &[]);
        assert!(svg.svg().contains("<rect"));
        assert!(pairs("none", &[], &[], &[], &[]).svg().starts_with("<svg"));
    }
}
