//! Topics over time as a ridge chart: one row a topic, in the order of their mean times.
//!
//! All rows share one vertical scale, so that areas compare. The chart comes in a wide form with labels
//! beside the rows, and in a narrow one for phones with labels above them.

use std::fmt::Write as _;

use posterior_report::{Scale, Stretch, draw_events, escape, events_height, line_to, short, standalone};

/// One topic over time.
#[derive(Debug, Clone)]
pub(super) struct Ridge {
    /// Its words.
    pub(super) label: Vec<String>,
    /// Its proportion of all tokens.
    pub(super) weight: f64,
    /// Its colour, as `#rrggbb`.
    pub(super) colour: String,
    /// Its proportion at each time of the chart.
    pub(super) proportions: Vec<f64>,
}

impl Ridge {
    /// Where its proportion is largest.
    fn peak(&self) -> usize {
        (0..self.proportions.len())
            .max_by(|&a, &b| self.proportions[a].total_cmp(&self.proportions[b]))
            .unwrap_or(0)
    }
}

/// The data of the chart.
#[derive(Debug, Clone)]
pub(super) struct Ridges {
    /// The grid of times.
    pub(super) times: Vec<f64>,
    pub(super) rows: Vec<Ridge>,
    pub(super) bands: Vec<Stretch>,
    pub(super) events: Vec<Stretch>,
}

/// Where things stand, in pixels.
struct Layout {
    width: f64,
    left: f64,
    right: f64,
    top: f64,
    row: f64,
    /// How many rows tall the largest proportion is drawn.
    overlap: f64,
    ticks: usize,
    labels_above: bool,
}

const WIDE: Layout = Layout {
    width: 1200.0,
    left: 268.0,
    right: 64.0,
    top: 112.0,
    row: 36.0,
    overlap: 2.6,
    ticks: 12,
    labels_above: false,
};

/// The least width of a band that has its name beside it.
const LETTER_HEIGHT: f64 = 11.0;

const NARROW: Layout = Layout {
    width: 400.0,
    left: 4.0,
    right: 8.0,
    top: 40.0,
    row: 64.0,
    overlap: 0.66,
    ticks: 5,
    labels_above: true,
};

impl Ridges {
    pub(super) fn wide(&self) -> String {
        self.draw(&WIDE)
    }

    pub(super) fn narrow(&self) -> String {
        self.draw(&NARROW)
    }

    /// The wide chart as a picture of its own, with its style inside.
    pub(super) fn standalone(&self) -> String {
        standalone(&self.wide())
    }

    fn draw(&self, layout: &'static Layout) -> String {
        let most = self.rows.iter().flat_map(|row| &row.proportions).copied().fold(0.0, f64::max);
        let top = layout.top + self.headroom(layout, most);
        let mut drawing = Drawing {
            svg: String::new(),
            layout,
            times: &self.times,
            x: Scale {
                data: (self.times[0], self.times[self.times.len() - 1]),
                pixels: (layout.left, layout.width - layout.right),
            },
            bottom: top + self.rows.len() as f64 * layout.row + 8.0,
            peaks: Vec::new(),
        };
        drawing.open(&self.rows, events_height(&self.events, &drawing.x));
        for (i, band) in self.bands.iter().enumerate() {
            drawing.band(band, i % 2 == 1);
        }
        drawing.axis();
        let ends = (layout.top - 6.0, drawing.bottom + 22.0);
        draw_events(&mut drawing.svg, &self.events, &drawing.x, ends);
        let scale = |i: usize| {
            let baseline = top + (i + 1) as f64 * layout.row;
            Scale { data: (0.0, most), pixels: (baseline, baseline - layout.overlap * layout.row) }
        };
        for (i, row) in self.rows.iter().enumerate() {
            drawing.ridge(row, &scale(i));
        }
        // Labels last, so that no ridge hides them.
        for (i, row) in self.rows.iter().enumerate() {
            drawing.label(row, &scale(i));
            drawing.peak(row, &scale(i));
        }
        drawing.svg.push_str("</svg>\n");
        drawing.svg
    }

    /// How far the ridges reach above the row of the first one.
    fn headroom(&self, layout: &Layout, most: f64) -> f64 {
        let above = |(i, row): (usize, &Ridge)| {
            let peak = row.proportions.iter().copied().fold(0.0, f64::max);
            (layout.overlap * peak / most - (i + 1) as f64) * layout.row
        };
        self.rows.iter().enumerate().map(above).fold(0.0, f64::max)
    }
}

/// A chart under way.
struct Drawing<'a> {
    svg: String,
    layout: &'static Layout,
    times: &'a [f64],
    x: Scale,
    /// Where bands and grid end.
    bottom: f64,
    /// Where the times of peaks stand already.
    peaks: Vec<(f64, f64)>,
}

// Writing to a string cannot fail, hence the results that are dropped.
impl Drawing<'_> {
    fn open(&mut self, rows: &[Ridge], below: f64) {
        let first: Vec<&str> = rows.iter().filter_map(|row| row.label.first()).map(String::as_str).collect();
        let _ = writeln!(
            self.svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"ridges\" viewBox=\"0 0 {} {}\" role=\"img\" \
             aria-label=\"Proportion of each topic over time: {}\">",
            self.layout.width,
            self.bottom + below + 32.0,
            escape(&first.join(", "))
        );
    }

    fn band(&mut self, band: &Stretch, shaded: bool) {
        let (from, to) = band.clipped(&self.x);
        if shaded {
            let top = self.layout.top - 30.0;
            let (width, height) = (to - from, self.bottom - top);
            let _ = writeln!(
                self.svg,
                "<rect class=\"band\" x=\"{from:.1}\" y=\"{top}\" width=\"{width:.1}\" height=\"{height}\"/>"
            );
        }
        if !self.layout.labels_above && to - from >= LETTER_HEIGHT {
            let (middle, foot) = (f64::midpoint(from, to) + 3.5, self.layout.top - 36.0);
            let _ = writeln!(
                self.svg,
                "<text class=\"bandname\" transform=\"translate({middle:.1} {foot}) rotate(-90)\">{}</text>",
                escape(&band.label)
            );
        }
    }

    fn axis(&mut self) {
        for tick in self.x.ticks(self.layout.ticks) {
            let (at, top, name) = (self.x.at(tick), self.layout.top - 12.0, short(tick));
            let (above, bottom, below) = (top - 5.0, self.bottom, self.bottom + 18.0);
            let _ = writeln!(
                self.svg,
                "<line class=\"grid\" x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{top}\" y2=\"{bottom}\"/>\
                 <text class=\"tick\" x=\"{at:.1}\" y=\"{above}\">{name}</text>\
                 <text class=\"tick\" x=\"{at:.1}\" y=\"{below}\">{name}</text>"
            );
        }
    }

    fn ridge(&mut self, row: &Ridge, y: &Scale) {
        let mut line = String::new();
        let points = self.times.iter().zip(&row.proportions);
        line_to(&mut line, 'M', points.map(|(&t, &proportion)| (self.x.at(t), y.at(proportion))));
        let (left, right, base) = (self.x.pixels.0, self.x.pixels.1, y.pixels.0);
        let from = if self.layout.labels_above { left } else { 0.0 };
        let _ = writeln!(
            self.svg,
            "<path class=\"veil\" d=\"{line}L{right:.1} {base:.1}L{left:.1} {base:.1}Z\"/>\
             <path class=\"fill\" style=\"fill:{colour}\" d=\"{line}L{right:.1} {base:.1}L{left:.1} {base:.1}Z\"/>\
             <path class=\"line\" style=\"stroke:{colour}\" d=\"{line}\"/>\
             <line class=\"base\" x1=\"{from}\" x2=\"{right:.1}\" y1=\"{base:.1}\" y2=\"{base:.1}\"/>",
            colour = row.colour
        );
    }

    fn label(&mut self, row: &Ridge, y: &Scale) {
        let lead = row.label.first().map_or_else(String::new, |word| escape(word));
        let mut rest = String::new();
        for word in row.label.iter().skip(1) {
            rest.push_str(" · ");
            rest.push_str(&escape(word));
        }
        let percent = format!("{:.1} %", 100.0 * row.weight);
        let layout = self.layout;
        if layout.labels_above {
            let (at, peak) = (y.pixels.1 - 5.0, short(self.times[row.peak()].round()));
            let _ = writeln!(
                self.svg,
                "<text class=\"label\" x=\"{}\" y=\"{at:.1}\"><tspan class=\"lead\">{lead}</tspan>{rest}\
                 <tspan class=\"share\" dx=\"6\">{percent}, peak {peak}</tspan></text>",
                layout.left
            );
        } else {
            let (x, end, at) = (layout.left - 12.0, self.x.pixels.1 + 12.0, y.pixels.0 - 4.0);
            let _ = writeln!(
                self.svg,
                "<text class=\"label\" text-anchor=\"end\" x=\"{x}\" y=\"{at:.1}\">\
                 <tspan class=\"lead\">{lead}</tspan>{rest}</text>\
                 <text class=\"share\" x=\"{end}\" y=\"{at:.1}\">{percent}</text>"
            );
        }
    }

    /// A dot at the largest proportion, and its time, unless that would cover another one or the label has
    /// it.
    fn peak(&mut self, row: &Ridge, y: &Scale) {
        let time = self.times[row.peak()];
        let (at, top) = (self.x.at(time), y.at(row.proportions[row.peak()]));
        let _ = writeln!(
            self.svg,
            "<circle class=\"dot\" style=\"fill:{}\" cx=\"{at:.1}\" cy=\"{top:.1}\" r=\"3\"/>",
            row.colour
        );
        // Near the right edge the text stands to the left of the dot.
        let (anchor, shift) = if at > self.x.pixels.1 - 44.0 { ("end", -6.0) } else { ("start", 6.0) };
        let place = (at + 3.0 * shift, top);
        let near = |other: &(f64, f64)| (other.0 - place.0).abs() < 32.0 && (other.1 - place.1).abs() < 11.0;
        if !self.layout.labels_above && !self.peaks.iter().any(near) {
            let _ = writeln!(
                self.svg,
                "<text class=\"peak\" text-anchor=\"{anchor}\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                at + shift,
                top + 3.0,
                short(time.round())
            );
            self.peaks.push(place);
        }
    }
}
