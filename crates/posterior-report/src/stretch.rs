//! Stretches of time that pictures mark: offices and events.

use std::fmt::Write as _;

use crate::svg::{Scale, escape};

/// A named stretch of time, such as a presidency or a war.
#[derive(Debug, Clone, PartialEq)]
pub struct Stretch {
    /// What it is called.
    pub label: String,
    /// When it begins.
    pub from: f64,
    /// When it ends.
    pub to: f64,
}

/// Pixels that a letter of a label takes.
const LETTER: f64 = 6.1;
/// Pixels between lines of labels.
const LINE: f64 = 15.0;

/// The colour of events; charts may stand alone, without the style of the page.
const ACCENT: &str = "var(--accent, #a3341f)";
/// The look of the shades of events.
pub const EVENT_SHADE: &str = "fill:var(--accent, #a3341f);fill-opacity:.13";

impl Stretch {
    /// Where it begins and ends in pixels, inside of the picture.
    pub fn clipped(&self, x: &Scale) -> (f64, f64) {
        (x.at(self.from.clamp(x.data.0, x.data.1)), x.at(self.to.clamp(x.data.0, x.data.1)))
    }

    fn within(&self, x: &Scale) -> bool {
        self.to >= x.data.0 && self.from <= x.data.1
    }
}

/// Draws events as shades from `top` to `bottom` with their names below, in as many lines as they need not to
/// touch; the height of these lines.
pub fn draw_events(svg: &mut String, events: &[Stretch], x: &Scale, (top, bottom): (f64, f64)) -> f64 {
    let mut ends: Vec<f64> = Vec::new();
    for event in events.iter().filter(|event| event.within(x)) {
        let (from, to) = event.clipped(x);
        let width = LETTER * event.label.chars().count() as f64;
        let middle = f64::midpoint(from, to).clamp(x.pixels.0 + width / 2.0, x.pixels.1 - width / 2.0);
        let line = ends.iter().position(|&end| end < middle - width / 2.0 - 6.0).unwrap_or(ends.len());
        let end = middle + width / 2.0;
        if line < ends.len() {
            ends[line] = end;
        } else {
            ends.push(end);
        }
        let foot = bottom + 13.0 + LINE * line as f64;
        // Writing to a string cannot fail.
        let _ = writeln!(
            svg,
            "<rect style=\"{EVENT_SHADE}\" x=\"{from:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\"/>\
             <text class=\"tick\" style=\"fill:{ACCENT};font-size:11.5px\" x=\"{middle:.1}\" y=\"{foot:.1}\">{}</text>",
            (to - from).max(1.5),
            bottom - top,
            escape(&event.label)
        );
    }
    LINE * ends.len() as f64
}

/// The height that the names of events need.
pub fn events_height(events: &[Stretch], x: &Scale) -> f64 {
    draw_events(&mut String::new(), events, x, (0.0, 0.0))
}
