//! A frame with two axes.

use std::fmt::Write as _;

use crate::picture::Picture;
use crate::svg::{Scale, escape, line_to};

const LEFT: f64 = 54.0;
const RIGHT: f64 = 18.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 38.0;
/// Between rows of the legend.
const LEGEND_ROW: f64 = 18.0;

/// A chart under way: both scales, and the elements so far.
pub(crate) struct Axes {
    pub(crate) x: Scale,
    pub(crate) y: Scale,
    size: (f64, f64),
    /// The height of the legend, which is above the frame.
    head: f64,
    body: String,
}

/// The smallest and the largest of the finite values, a little apart if they are one; 0 and 1 if there are
/// none.
pub(crate) fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let finite = values.filter(|value| value.is_finite());
    let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
    if low > high {
        (0.0, 1.0)
    } else if low == high {
        let margin = if low == 0.0 { 1.0 } else { 0.1 * low.abs() };
        (low - margin, high + margin)
    } else {
        (low, high)
    }
}

// Writing to a string cannot fail, hence the results that are dropped.
impl Axes {
    pub(crate) const fn new(size: (f64, f64), x: (f64, f64), y: (f64, f64)) -> Self {
        // A margin may have made the ends infinite.
        let y = (y.0.clamp(f64::MIN, f64::MAX), y.1.clamp(f64::MIN, f64::MAX));
        Self {
            x: Scale { data: x, pixels: (LEFT, size.0 - RIGHT) },
            y: Scale { data: y, pixels: (size.1 - BOTTOM, TOP) },
            size,
            head: 0.0,
            body: String::new(),
        }
    }

    /// Grid, ticks, and what the horizontal axis shows.
    pub(crate) fn grid(&mut self, below: &str) {
        self.grid_at(&self.x.ticks(6), below);
    }

    /// As [`grid`](Self::grid), with ticks of the horizontal axis and their texts of one's own.
    pub(crate) fn grid_named(&mut self, across: &[(f64, String)], below: &str) {
        self.levels();
        let foot = self.y.pixels.0;
        for (tick, name) in across {
            let at = self.x.at(*tick);
            let _ = writeln!(
                self.body,
                "<text class=\"tick\" x=\"{at:.1}\" y=\"{:.1}\">{}</text>",
                foot + 16.0,
                escape(name)
            );
        }
        let middle = f64::midpoint(self.x.pixels.0, self.x.pixels.1);
        let _ = writeln!(
            self.body,
            "<text class=\"tick\" x=\"{middle:.1}\" y=\"{:.1}\">{}</text>",
            foot + 32.0,
            escape(below)
        );
    }

    /// As [`grid`](Self::grid), with ticks of the horizontal axis of one's own.
    pub(crate) fn grid_at(&mut self, across: &[f64], below: &str) {
        let named: Vec<(f64, String)> = across.iter().copied().zip(names(across)).collect();
        self.grid_named(&named, below);
    }

    /// The horizontal lines of the grid, and their numbers.
    fn levels(&mut self) {
        let ticks = self.y.ticks(5);
        for (tick, name) in ticks.iter().zip(names(&ticks)) {
            let at = self.y.at(*tick);
            let _ = writeln!(
                self.body,
                "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>\
                 <text class=\"tick\" style=\"text-anchor:end\" x=\"{}\" y=\"{:.1}\">{name}</text>",
                self.x.pixels.1,
                LEFT - 7.0,
                at + 4.0
            );
        }
    }

    /// A line through the points; it breaks where they are not finite.
    pub(crate) fn line(&mut self, points: &[(f64, f64)], colour: &str) {
        let mut path = String::new();
        for run in points.split(|(x, y)| !(x.is_finite() && y.is_finite())) {
            line_to(&mut path, 'M', run.iter().map(|&(x, y)| (self.x.at(x), self.y.at(y))));
        }
        let _ = writeln!(self.body, "<path class=\"line\" style=\"stroke:{colour}\" d=\"{path}\"/>");
    }

    /// The area between two curves.
    pub(crate) fn area(&mut self, low: &[(f64, f64)], high: &[(f64, f64)], class: &str, style: &str) {
        let mut path = String::new();
        let forth = low.iter().map(|&(x, y)| (self.x.at(x), self.y.at(y)));
        let back = high.iter().rev().map(|&(x, y)| (self.x.at(x), self.y.at(y)));
        line_to(&mut path, 'M', forth.chain(back));
        if !path.is_empty() {
            let _ = writeln!(self.body, "<path class=\"{class}\" style=\"{style}\" d=\"{path}Z\"/>");
        }
    }

    /// A horizontal line.
    pub(crate) fn level(&mut self, y: f64) {
        if !y.is_finite() {
            return;
        }
        let (at, (left, right)) = (self.y.at(y), self.x.pixels);
        let _ = writeln!(
            self.body,
            "<line class=\"base\" x1=\"{left:.1}\" x2=\"{right:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>"
        );
    }

    /// A vertical line.
    pub(crate) fn upright(&mut self, x: f64) {
        let (at, (foot, top)) = (self.x.at(x), self.y.pixels);
        let _ = writeln!(
            self.body,
            "<line class=\"upright\" x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{foot:.1}\" y2=\"{top:.1}\"/>"
        );
    }

    /// Names in the colours of their lines, above the frame, in as many rows as they need; nothing for those
    /// without a name.
    pub(crate) fn legend<'a>(&mut self, entries: impl Iterator<Item = (&'a str, &'a str)>) {
        let (left, right) = self.x.pixels;
        let named: Vec<(&str, &str)> = entries.filter(|(name, _)| !name.is_empty()).collect();
        let width = |name: &str| 21.0 + 6.2 * name.chars().count() as f64;
        let (mut at, mut row, mut places) = (left, 0.0, Vec::new());
        for (name, _) in &named {
            if at > left && at + width(name) > right {
                (at, row) = (left, row + 1.0);
            }
            places.push((at, row));
            at += width(name) + 16.0;
        }
        self.head = if named.is_empty() { 0.0 } else { LEGEND_ROW * (row + 1.0) };
        for ((name, colour), (at, row)) in named.iter().zip(places) {
            let line = LEGEND_ROW * (row + 0.5) - self.head;
            let _ = writeln!(
                self.body,
                "<line class=\"line\" style=\"stroke:{colour};stroke-width:3\" x1=\"{at:.1}\" x2=\"{:.1}\" y1=\"{line:.1}\" y2=\"{line:.1}\"/>\
                 <text class=\"peak\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                at + 16.0,
                at + 21.0,
                line + 4.0,
                escape(name)
            );
        }
    }

    /// The colours of a scale with their opacities, from the lower to the higher end, and the numbers at
    /// both, above the frame.
    pub(crate) fn shades(&mut self, ends: (f64, f64), colours: &[(String, f64)]) {
        let largest = ends.0.abs().max(ends.1.abs());
        if !(largest > 0.0 && largest.is_finite()) {
            return;
        }
        self.head = LEGEND_ROW;
        // Three digits of the larger one.
        let digits = (2.0 - largest.log10().floor()).max(0.0) as usize;
        let number = |value: f64| match digits {
            ..=5 if largest < 1e5 => format!("{value:.digits$}").replace('-', "−"),
            _ => short_power(value),
        };
        let (left, width) = (self.x.pixels.0 + 60.0, (self.x.pixels.1 - self.x.pixels.0 - 120.0).max(0.0));
        let step = width / colours.len() as f64;
        for (place, (colour, opacity)) in colours.iter().enumerate() {
            let _ = writeln!(
                self.body,
                "<rect class=\"shade\" style=\"fill:{colour};fill-opacity:{opacity:.2}\" x=\"{:.2}\" y=\"-14\" width=\"{step:.2}\" height=\"10\"/>",
                left + step * place as f64
            );
        }
        for (value, anchor, at) in [(ends.0, "end", left - 6.0), (ends.1, "start", left + width + 6.0)] {
            let _ = writeln!(
                self.body,
                "<text class=\"peak\" style=\"text-anchor:{anchor}\" x=\"{at:.1}\" y=\"-5\">{}</text>",
                number(value)
            );
        }
    }

    /// A filled box between two corners.
    pub(crate) fn cell(&mut self, low: (f64, f64), high: (f64, f64), colour: &str, opacity: f64) {
        let (left, right) = (self.x.at(low.0), self.x.at(high.0));
        let (foot, top) = (self.y.at(low.1), self.y.at(high.1));
        if [left, right, foot, top].iter().all(|pixel| pixel.is_finite()) {
            let _ = writeln!(
                self.body,
                "<rect class=\"cell\" style=\"fill:{colour};fill-opacity:{opacity:.2}\" x=\"{left:.2}\" y=\"{top:.2}\" width=\"{:.2}\" height=\"{:.2}\"/>",
                right - left,
                foot - top
            );
        }
    }

    pub(crate) fn dot(&mut self, (x, y): (f64, f64), radius: f64, colour: &str) {
        if x.is_finite() && y.is_finite() {
            let (x, y) = (self.x.at(x), self.y.at(y));
            let _ = writeln!(
                self.body,
                "<circle class=\"mark\" style=\"fill:{colour}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\"/>"
            );
        }
    }

    pub(crate) fn picture(self, title: &str, description: &str) -> Picture {
        let (width, height) = self.size;
        Picture::with_head(self.head, (width, height), title, description, &self.body)
    }
}

/// The ticks as text, all with as many digits as tell them apart.
fn names(ticks: &[f64]) -> Vec<String> {
    let largest = ticks.iter().fold(0.0_f64, |largest, tick| largest.max(tick.abs()));
    let step = ticks.windows(2).map(|pair| pair[1] - pair[0]).fold(largest, f64::min);
    let digits = (0..=4).find(|&digits| {
        let unit = step * 10_f64.powi(digits);
        unit >= 1.0 - 1e-9 && (unit - unit.round()).abs() < 1e-6 * unit
    });
    let name = |&tick: &f64| match digits {
        _ if tick == 0.0 => "0".to_owned(),
        Some(digits) if largest < 1e5 => format!("{tick:.*}", digits as usize).replace('-', "−"),
        _ => short_power(tick),
    };
    ticks.iter().map(name).collect()
}

/// `2.5e−7`
fn short_power(value: f64) -> String {
    let text = format!("{value:.2e}");
    let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
    let digits = digits.trim_end_matches('0').trim_end_matches('.');
    format!("{digits}e{power}").replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_have_the_digits_that_tell_them_apart() {
        assert_eq!(names(&[-0.5, 0.0, 0.5]), ["−0.5", "0", "0.5"]);
        assert_eq!(names(&[0.25, 0.5, 0.75]), ["0.25", "0.50", "0.75"]);
        assert_eq!(names(&[200.0, 400.0]), ["200", "400"]);
        assert_eq!(names(&[1e-7, 2.5e-7]), ["1e−7", "2.5e−7"]);
        assert_eq!(names(&[2e6]), ["2e6"]);
    }

    #[test]
    fn a_range_has_a_width() {
        assert_eq!(range([1.0, f64::NAN, 3.0, f64::INFINITY].into_iter()), (1.0, 3.0));
        assert_eq!(range([0.0].into_iter()), (-1.0, 1.0));
        assert_eq!(range([].into_iter()), (0.0, 1.0));
    }
}
