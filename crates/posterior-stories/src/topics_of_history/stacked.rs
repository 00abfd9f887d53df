//! All topics on top of each other: at each time they fill the whole.

use std::fmt::Write as _;

use posterior::report::{Picture, Scale, colour, escape, line_to};

/// One topic.
pub(super) struct Layer {
    pub(super) label: String,
    pub(super) shares: Vec<f64>,
}

/// The data of the chart.
pub(super) struct Stacked {
    pub(super) times: Vec<f64>,
    /// From the bottom.
    pub(super) layers: Vec<Layer>,
    /// Presidents, from when to when.
    pub(super) terms: Vec<(String, f64, f64)>,
}

const SIZE: (f64, f64) = (1000.0, 520.0);
const LEFT: f64 = 46.0;
const RIGHT: f64 = 10.0;
const TOP: f64 = 92.0;
const BOTTOM: f64 = 34.0;
/// The least thickness of a layer that has its name inside, and the width of a term that has a name above it.
const NAMED: f64 = 15.0;
const WIDE: f64 = 12.0;

// Writing to a string cannot fail, hence the results that are dropped.
impl Stacked {
    pub(super) fn picture(&self) -> Picture {
        let ends =
            self.times.iter().fold((f64::INFINITY, 0.0_f64), |(low, high), &t| (low.min(t), high.max(t)));
        let x = Scale { data: ends, pixels: (LEFT, SIZE.0 - RIGHT) };
        let y = Scale { data: (0.0, 1.0), pixels: (SIZE.1 - BOTTOM, TOP) };
        let mut body = String::new();
        let mut names = String::new();
        let mut foot = vec![0.0; self.times.len()];
        for (place, layer) in self.layers.iter().enumerate() {
            let head: Vec<f64> = foot.iter().zip(&layer.shares).map(|(foot, share)| foot + share).collect();
            let along = |values: &[f64]| -> Vec<(f64, f64)> {
                self.times.iter().zip(values).map(|(&t, &share)| (x.at(t), y.at(share))).collect()
            };
            let mut path = String::new();
            line_to(&mut path, 'M', along(&head).into_iter().chain(along(&foot).into_iter().rev()));
            let _ = writeln!(
                body,
                "<path style=\"fill:{};fill-opacity:.8;stroke:var(--paper);stroke-width:.7\" d=\"{path}Z\"><title>{}</title></path>",
                colour(place, self.layers.len()),
                escape(&layer.label)
            );
            self.name(&mut names, layer, &foot, (&x, &y));
            foot = head;
        }
        body.push_str(&names);
        self.axes(&mut body, &x, &y);
        let description = format!("{} topics on top of each other.", self.layers.len());
        Picture::new(SIZE, "Shares of all topics over time", &description, &body)
    }

    /// The name of a layer where it is thickest, if it fits there.
    fn name(&self, names: &mut String, layer: &Layer, foot: &[f64], (x, y): (&Scale, &Scale)) {
        let half = 3.4 * layer.label.chars().count() as f64;
        let fits = |&i: &usize| {
            let at = x.at(self.times[i]);
            at - half > x.pixels.0 && at + half < x.pixels.1
        };
        let thickest =
            (0..foot.len()).filter(fits).max_by(|&a, &b| layer.shares[a].total_cmp(&layer.shares[b]));
        if let Some(i) = thickest.filter(|&i| y.at(0.0) - y.at(layer.shares[i]) >= NAMED) {
            let _ = writeln!(
                names,
                "<text class=\"peak\" style=\"text-anchor:middle\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                x.at(self.times[i]),
                y.at(foot[i] + layer.shares[i] / 2.0) + 4.0,
                escape(&layer.label)
            );
        }
    }

    fn axes(&self, body: &mut String, x: &Scale, y: &Scale) {
        for quarter in 0..=4 {
            let at = y.at(f64::from(quarter) / 4.0) + 4.0;
            let _ = writeln!(
                body,
                "<text class=\"tick\" style=\"text-anchor:end\" x=\"{}\" y=\"{at:.1}\">{} %</text>",
                LEFT - 6.0,
                25 * quarter
            );
        }
        for tick in x.ticks(10) {
            let _ = writeln!(
                body,
                "<text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\">{tick:.0}</text>",
                x.at(tick),
                SIZE.1 - BOTTOM + 18.0
            );
        }
        for (place, (name, from, to)) in self.terms.iter().enumerate() {
            let (from, to) = (x.at(*from).max(x.pixels.0), x.at(*to).min(x.pixels.1));
            let opacity = if place % 2 == 0 { 0.25 } else { 0.55 };
            let _ = writeln!(
                body,
                "<rect style=\"fill:var(--soft);fill-opacity:{opacity}\" x=\"{from:.1}\" y=\"{}\" width=\"{:.1}\" height=\"7\"><title>{}</title></rect>",
                TOP - 10.0,
                (to - from).max(0.5),
                escape(name)
            );
            if to - from >= WIDE {
                let last = name.split_whitespace().last().unwrap_or(name);
                let _ = writeln!(
                    body,
                    "<text class=\"bandname\" transform=\"translate({:.1} {}) rotate(-90)\">{}</text>",
                    f64::midpoint(from, to) + 3.5,
                    TOP - 15.0,
                    escape(last)
                );
            }
        }
    }
}
