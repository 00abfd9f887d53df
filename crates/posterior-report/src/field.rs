//! A function over a plane, and points in it.

use std::fmt::Write as _;

use crate::Picture;
use crate::axes::{Axes, range};
use crate::number::short;
use crate::palette::chain_colour;

/// A function over a plane, by its values on a grid.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// The places of the columns, ascending, in equal steps.
    pub x: Vec<f64>,
    /// The places of the rows, ascending, in equal steps.
    pub y: Vec<f64>,
    /// The values, row by row.
    pub values: Vec<f64>,
    /// The values that get the two strongest colours; what is in the middle has none.
    pub ends: (f64, f64),
}

/// A point over a field.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FieldDot {
    /// Where it is.
    pub at: (f64, f64),
    /// Its radius in pixels.
    pub radius: f64,
    /// Whether it is of the colour of the low or of the high end, or of neither.
    pub side: Side,
}

/// One of the two ends of a field, or neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The lower end.
    Low,
    /// The upper end.
    High,
    /// Neither of them.
    Neither,
}

/// Shades on each side of the middle.
const SHADES: f64 = 12.0;

/// The values as shades of two colours, which are strongest at the ends and vanish in the middle, and points
/// over them. The scale of the shades stands above.
///
/// Values that are not finite leave a hole.
pub fn field(name: &str, (x_name, y_name): (&str, &str), field: &Field, dots: &[FieldDot]) -> Picture {
    let edges = |centers: &[f64], dots: &mut dyn Iterator<Item = f64>| {
        let half = step(centers) / 2.0;
        let ends = centers.first().map(|x| x - half).into_iter().chain(centers.last().map(|x| x + half));
        range(ends.chain(dots))
    };
    let x = edges(&field.x, &mut dots.iter().map(|dot| dot.at.0));
    let y = edges(&field.y, &mut dots.iter().map(|dot| dot.at.1));
    let mut axes = Axes::new((400.0, 360.0), x, y);
    let (half_x, half_y) = (step(&field.x) / 2.0, step(&field.y) / 2.0);
    for (row, &y) in field.values.chunks(field.x.len().max(1)).zip(&field.y) {
        let mut start = 0;
        while start < row.len() {
            let shade = shade(row[start], field.ends);
            let run =
                row[start..].iter().take_while(|&&value| self::shade(value, field.ends) == shade).count();
            let (from, to) = (field.x[start] - half_x, field.x[start + run - 1] + half_x);
            if shade != 0.0 {
                let (corner, opposite) = ((from, y - half_y), (to, y + half_y));
                axes.cell(corner, opposite, &colour(side(shade)), opacity(shade));
            }
            start += run;
        }
    }
    axes.grid(&format!("{x_name}; upwards {y_name}"));
    for dot in dots {
        axes.dot(dot.at, dot.radius, &colour(dot.side));
    }
    let scale = -(SHADES as i32)..=SHADES as i32;
    let scale: Vec<(String, f64)> =
        scale.map(f64::from).map(|shade| (colour(side(shade)), opacity(shade))).collect();
    axes.shades(field.ends, &scale);
    let mut description = format!("{} by {} values of {name}", field.x.len(), field.y.len());
    // Writing to a string cannot fail.
    let _ = write!(
        description,
        " from {} to {}, {} points",
        short(field.ends.0),
        short(field.ends.1),
        dots.len()
    );
    axes.picture(name, &description)
}

fn step(centers: &[f64]) -> f64 {
    match centers {
        [first, .., last] => (last - first) / (centers.len() - 1) as f64,
        _ => 1.0,
    }
}

/// From -12 at the lower end to 12 at the upper one; 0 for the middle and for what is not finite.
fn shade(value: f64, (low, high): (f64, f64)) -> f64 {
    let proportion = (2.0 * (value - low) / (high - low) - 1.0).clamp(-1.0, 1.0);
    if value.is_finite() && proportion.is_finite() { (SHADES * proportion).round() } else { 0.0 }
}

const fn side(shade: f64) -> Side {
    if shade < 0.0 { Side::Low } else { Side::High }
}

fn opacity(shade: f64) -> f64 {
    0.8 * shade.abs() / SHADES
}

fn colour(side: Side) -> String {
    match side {
        Side::Low => chain_colour(0, 2),
        Side::High => chain_colour(1, 2),
        Side::Neither => "var(--soft, #66635d)".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_one_shade_are_one_cell() {
        let values = vec![0.0, 0.0, 1.0, f64::NAN, 0.5, 0.5, 0.5, 1.0];
        let plane = Field { x: vec![0.0, 1.0, 2.0, 3.0], y: vec![0.0, 1.0], values, ends: (0.0, 1.0) };
        let dot = FieldDot { at: (1.0, 0.5), radius: 2.0, side: Side::High };
        let svg = field("p", ("a", "b"), &plane, &[dot]).svg().to_owned();
        assert_eq!(svg.matches("<rect class=\"cell\"").count(), 3);
        assert_eq!(svg.matches("<rect class=\"shade\"").count(), 25);
        assert!(svg.contains(">0.00<") && svg.contains(">1.00<"));
        assert_eq!(svg.matches("<circle").count(), 1);
    }
}
