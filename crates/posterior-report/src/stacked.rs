//! All topics over time on top of each other: at each time they fill the whole.

use std::fmt::Write as _;

use posterior_report::{Scale, escape, line_to, short};

use super::marks::{Stretch, draw_events, events_height};

/// One topic.
pub(super) struct Layer {
    pub(super) label: String,
    pub(super) colour: String,
    pub(super) shares: Vec<f64>,
}

/// The data of the chart.
pub(super) struct Stacked {
    pub(super) times: Vec<f64>,
    /// From the bottom.
    pub(super) layers: Vec<Layer>,
    /// Who held the office.
    pub(super) bands: Vec<Stretch>,
    pub(super) events: Vec<Stretch>,
}

/// Where things stand, in pixels.
struct Layout {
    width: f64,
    left: f64,
    right: f64,
    height: f64,
    /// For the names of bands.
    top: f64,
    ticks: usize,
    /// The least thickness of a layer that has its name inside.
    least: f64,
}

const WIDE: Layout =
    Layout { width: 1200.0, left: 44.0, right: 12.0, height: 460.0, top: 96.0, ticks: 12, least: 17.0 };
const NARROW: Layout =
    Layout { width: 400.0, left: 42.0, right: 4.0, height: 380.0, top: 10.0, ticks: 5, least: 17.0 };

/// The least width of a band that has its name above it.
const LETTER_HEIGHT: f64 = 11.0;

impl Stacked {
    pub(super) fn wide(&self) -> String {
        self.draw(&WIDE)
    }

    pub(super) fn narrow(&self) -> String {
        self.draw(&NARROW)
    }

    fn draw(&self, layout: &Layout) -> String {
        let last = self.times.len() - 1;
        let x = Scale {
            data: (self.times[0], self.times[last]),
            pixels: (layout.left, layout.width - layout.right),
        };
        let bottom = layout.top + layout.height;
        let y = Scale { data: (0.0, 1.0), pixels: (bottom, layout.top) };
        let below = events_height(&self.events, &x);
        let mut svg = String::new();
        // Writing to a string cannot fail.
        let _ = writeln!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"stacked\" viewBox=\"0 0 {} {}\" role=\"img\" \
             aria-label=\"Shares of all topics over time, on top of each other\">",
            layout.width,
            bottom + below + 34.0
        );
        let mut foot = vec![0.0; self.times.len()];
        let mut names = Names { svg: String::new(), places: Vec::new() };
        for layer in &self.layers {
            let head: Vec<f64> = foot.iter().zip(&layer.shares).map(|(foot, share)| foot + share).collect();
            let along = |values: &[f64]| -> Vec<(f64, f64)> {
                self.times.iter().zip(values).map(|(&t, &v)| (x.at(t), y.at(v))).collect()
            };
            let mut path = String::new();
            line_to(&mut path, 'M', along(&head).into_iter().chain(along(&foot).into_iter().rev()));
            let _ = writeln!(
                svg,
                "<path class=\"layer\" style=\"fill:{}\" d=\"{path}Z\"><title>{}</title></path>",
                layer.colour,
                escape(&layer.label)
            );
            names.add(layer, &foot, (&x, &y, &self.times), layout.least);
            foot = head;
        }
        svg.push_str(&names.svg);
        self.axes(&mut svg, &x, &y, layout);
        draw_events(&mut svg, &self.events, &x, (layout.top, bottom + 20.0));
        svg.push_str("</svg>\n");
        svg
    }

    fn axes(&self, svg: &mut String, x: &Scale, y: &Scale, layout: &Layout) {
        let bottom = y.pixels.0;
        for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
            let at = y.at(share);
            let _ = writeln!(
                svg,
                "<text class=\"tick\" style=\"text-anchor:end\" x=\"{}\" y=\"{:.1}\">{:.0} %</text>",
                layout.left - 6.0,
                at + 4.0,
                100.0 * share
            );
        }
        for tick in x.ticks(layout.ticks) {
            let at = x.at(tick);
            let _ = writeln!(
                svg,
                "<line class=\"base\" x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{bottom}\" y2=\"{}\"/>\
                 <text class=\"tick\" x=\"{at:.1}\" y=\"{}\">{}</text>",
                bottom + 4.0,
                bottom + 16.0,
                short(tick)
            );
        }
        if layout.top < LETTER_HEIGHT + 10.0 {
            return;
        }
        for (i, band) in self.bands.iter().enumerate() {
            let (from, to) = band.clipped(x);
            let strip = if i % 2 == 1 { "band strong" } else { "band" };
            let _ = writeln!(
                svg,
                "<rect class=\"{strip}\" x=\"{from:.1}\" y=\"{}\" width=\"{:.1}\" height=\"8\"/>",
                layout.top - 10.0,
                to - from
            );
            if to - from >= LETTER_HEIGHT {
                let _ = writeln!(
                    svg,
                    "<text class=\"bandname\" transform=\"translate({:.1} {}) rotate(-90)\">{}</text>",
                    f64::midpoint(from, to) + 3.5,
                    layout.top - 15.0,
                    escape(&band.label)
                );
            }
        }
    }
}

/// Names of layers, none over another.
struct Names {
    svg: String,
    /// Middle, line and half the width of each.
    places: Vec<(f64, f64, f64)>,
}

impl Names {
    /// The name of a layer where it is thickest, if it fits there.
    fn add(&mut self, layer: &Layer, foot: &[f64], (x, y, times): (&Scale, &Scale, &[f64]), least: f64) {
        let half = 3.8 * layer.label.chars().count() as f64;
        let place = |i: usize| (x.at(times[i]), y.at(foot[i] + layer.shares[i] / 2.0) + 4.0);
        let fits = |i: &usize| {
            let (at, line) = place(*i);
            let free = |other: &(f64, f64, f64)| {
                (other.0 - at).abs() > other.2 + half || (other.1 - line).abs() > 14.0
            };
            at - half > x.pixels.0 && at + half < x.pixels.1 && self.places.iter().all(free)
        };
        let thickest =
            (0..times.len()).filter(fits).max_by(|&a, &b| layer.shares[a].total_cmp(&layer.shares[b]));
        if let Some(i) = thickest.filter(|&i| y.at(0.0) - y.at(layer.shares[i]) >= least) {
            let (at, line) = place(i);
            self.places.push((at, line, half));
            // Writing to a string cannot fail.
            let _ = writeln!(
                self.svg,
                "<text class=\"layername\" x=\"{at:.1}\" y=\"{line:.1}\">{}</text>",
                escape(&layer.label)
            );
        }
    }
}
