//! Numbers with their intervals, one under the other.

use std::fmt::Write as _;

use crate::axes::range;
use crate::number::short;
use crate::picture::Picture;
use crate::svg::{Scale, shortened};

/// A number and how well it is known.
#[derive(Debug, Clone, PartialEq)]
pub struct Interval {
    /// What it is.
    pub name: String,
    /// The lower end.
    pub low: f64,
    /// The value inside.
    pub middle: f64,
    /// The upper end.
    pub high: f64,
}

const WIDTH: f64 = 640.0;
const LEFT: f64 = 190.0;
/// What fits to the left.
const LETTERS: usize = 23;
const LINE: f64 = 24.0;
const FOOT: f64 = 26.0;

/// One line for each number, with its interval and its middle; a rule at 0 where that is inside.
pub fn intervals(name: &str, rows: &[Interval]) -> Picture {
    shrinkage(name, rows, &[])
}

/// As [`intervals`], with a ring for each number: what it would be without what draws it to the others, and a
/// line from there to the middle. Rings that are not finite, or missing, are left out.
pub fn shrinkage(name: &str, rows: &[Interval], alone: &[f64]) -> Picture {
    let ends = rows.iter().flat_map(|row| [row.low, row.middle, row.high]).chain(alone.iter().copied());
    let x = Scale { data: range(ends), pixels: (LEFT, WIDTH - 16.0) };
    let foot = LINE * rows.len() as f64 + 8.0;
    let mut body = String::new();
    // Writing to a string cannot fail, hence the results that are dropped.
    for tick in x.ticks(6) {
        let (class, at) = (if tick == 0.0 { "upright" } else { "grid" }, x.at(tick));
        let _ = writeln!(
            body,
            "<line class=\"{class}\" x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"4\" y2=\"{foot:.1}\"/>\
             <text class=\"tick\" x=\"{at:.1}\" y=\"{:.1}\">{}</text>",
            foot + 16.0,
            short(tick)
        );
    }
    for (place, row) in rows.iter().enumerate() {
        let y = 4.0 + LINE * (place as f64 + 0.5);
        let _ = writeln!(
            body,
            "<text class=\"label\" style=\"text-anchor:end\" x=\"{}\" y=\"{:.1}\">{}</text>",
            LEFT - 12.0,
            y + 4.5,
            shortened(&row.name, LETTERS)
        );
        if [row.low, row.middle, row.high].iter().all(|value| value.is_finite()) {
            let _ = writeln!(
                body,
                "<line class=\"line\" style=\"stroke:var(--accent);stroke-width:3;stroke-opacity:.55\" x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
                 <circle class=\"mark\" style=\"fill:var(--accent);fill-opacity:1\" cx=\"{:.1}\" cy=\"{y:.1}\" r=\"4\"/>",
                x.at(row.low),
                x.at(row.high),
                x.at(row.middle)
            );
        }
        let ring = alone.get(place).filter(|ring| ring.is_finite() && row.middle.is_finite());
        if let Some(ring) = ring {
            let _ = writeln!(
                body,
                "<line class=\"line\" style=\"stroke:var(--soft, #66635d);stroke-width:1\" x1=\"{0:.1}\" x2=\"{1:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
                 <circle class=\"ring\" style=\"fill:none;stroke:var(--soft, #66635d);stroke-width:1.5\" cx=\"{0:.1}\" cy=\"{y:.1}\" r=\"4\"/>",
                x.at(*ring),
                x.at(row.middle)
            );
        }
    }
    Picture::new((WIDTH, foot + FOOT), name, &format!("{} numbers with their intervals.", rows.len()), &body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_without_an_interval_keeps_its_line() {
        let row = |name: &str, low: f64| Interval { name: name.to_owned(), low, middle: 1.0, high: 2.0 };
        let svg =
            intervals("coefficients", &[row("a&b", -1.0), row("c", f64::NEG_INFINITY)]).svg().to_owned();
        assert_eq!(svg.matches("class=\"label\"").count(), 2);
        assert_eq!(svg.matches("<circle").count(), 1);
        assert!(svg.contains("a&amp;b") && svg.contains("class=\"upright\""));
        let rings = shrinkage("groups", &[row("a", -1.0), row("b", 0.0)], &[3.0, f64::NAN]).svg().to_owned();
        assert_eq!(rings.matches("class=\"ring\"").count(), 1);
    }
}
