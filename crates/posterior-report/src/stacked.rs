//! Proportions over time on top of each other: at each time they fill the whole.

use std::fmt::Write as _;

use crate::axes::range;
use crate::number::short;
use crate::picture::Picture;
use crate::stretch::{Stretch, draw_events, events_height};
use crate::svg::{Scale, escape, line_to};

/// One of the proportions, such as a topic.
#[derive(Debug, Clone, PartialEq)]
pub struct StackedLayer {
    /// Its name, which is written where the layer is thickest, if there is room.
    pub label: String,
    /// A colour of CSS.
    pub colour: String,
    /// Its proportion of the whole at each time.
    pub proportions: Vec<f64>,
}

/// Proportions over time, whose areas lie on top of each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Stacked {
    /// What is shown, for those who do not see it.
    pub title: String,
    /// By rising time.
    pub times: Vec<f64>,
    /// From the bottom.
    pub layers: Vec<StackedLayer>,
    /// Stretches that follow each other, above the chart: who held the office.
    pub bands: Vec<Stretch>,
    /// Stretches that are shaded, with their names below.
    pub events: Vec<Stretch>,
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
    /// The chart for a page.
    ///
    /// # Panics
    /// Unless each layer has a proportion for each time.
    #[track_caller]
    pub fn wide(&self) -> Picture {
        self.draw(&WIDE)
    }

    /// The chart for a phone, without the bands.
    ///
    /// # Panics
    /// Unless each layer has a proportion for each time.
    #[track_caller]
    pub fn narrow(&self) -> Picture {
        self.draw(&NARROW)
    }

    #[track_caller]
    fn draw(&self, layout: &Layout) -> Picture {
        let complete = self.layers.iter().all(|layer| layer.proportions.len() == self.times.len());
        assert!(complete, "a proportion for each time");
        let x = Scale {
            data: range(self.times.iter().copied()),
            pixels: (layout.left, layout.width - layout.right),
        };
        let bottom = layout.top + layout.height;
        let y = Scale { data: (0.0, 1.0), pixels: (bottom, layout.top) };
        let below = events_height(&self.events, &x);
        let mut svg = String::new();
        let mut foot = vec![0.0; self.times.len()];
        let mut names = Names { svg: String::new(), places: Vec::new() };
        for layer in &self.layers {
            let head: Vec<f64> =
                foot.iter().zip(&layer.proportions).map(|(foot, proportion)| foot + proportion).collect();
            let along = |values: &[f64]| -> Vec<(f64, f64)> {
                self.times.iter().zip(values).map(|(&t, &v)| (x.at(t), y.at(v))).collect()
            };
            let mut path = String::new();
            line_to(&mut path, 'M', along(&head).into_iter().chain(along(&foot).into_iter().rev()));
            // Writing to a string cannot fail.
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
        let names: Vec<&str> = self.layers.iter().map(|layer| layer.label.as_str()).collect();
        let description = format!("From the bottom: {}.", names.join(", "));
        Picture::new((layout.width, bottom + below + 34.0), &self.title, &description, &svg)
    }

    fn axes(&self, svg: &mut String, x: &Scale, y: &Scale, layout: &Layout) {
        let bottom = y.pixels.0;
        for proportion in [0.0, 0.25, 0.5, 0.75, 1.0] {
            let at = y.at(proportion);
            let _ = writeln!(
                svg,
                "<text class=\"tick\" style=\"text-anchor:end\" x=\"{}\" y=\"{:.1}\">{:.0} %</text>",
                layout.left - 6.0,
                at + 4.0,
                100.0 * proportion
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
    fn add(
        &mut self,
        layer: &StackedLayer,
        foot: &[f64],
        (x, y, times): (&Scale, &Scale, &[f64]),
        least: f64,
    ) {
        let half = 3.8 * layer.label.chars().count() as f64;
        let place = |i: usize| (x.at(times[i]), y.at(foot[i] + layer.proportions[i] / 2.0) + 4.0);
        let fits = |i: &usize| {
            let (at, line) = place(*i);
            let free = |other: &(f64, f64, f64)| {
                (other.0 - at).abs() > other.2 + half || (other.1 - line).abs() > 14.0
            };
            at - half > x.pixels.0 && at + half < x.pixels.1 && self.places.iter().all(free)
        };
        let thickest = (0..times.len())
            .filter(fits)
            .max_by(|&a, &b| layer.proportions[a].total_cmp(&layer.proportions[b]));
        if let Some(i) = thickest.filter(|&i| y.at(0.0) - y.at(layer.proportions[i]) >= least) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn layer(label: &str, proportions: &[f64]) -> StackedLayer {
        StackedLayer { label: label.to_owned(), colour: "red".to_owned(), proportions: proportions.to_vec() }
    }

    /// Two layers that are thickest at the same time and place: one name gives way.
    #[test]
    fn names_do_not_lie_over_each_other_and_thin_layers_have_none() {
        let times: Vec<f64> = (0..101).map(f64::from).collect();
        let peak =
            |at: f64| -> Vec<f64> { times.iter().map(|t| 0.04 + 0.02 / (1.0 + (t - at).powi(2))).collect() };
        let mut layers: Vec<StackedLayer> =
            (0..20).map(|k| layer("commerce", &peak(40.0 + f64::from(k % 2)))).collect();
        layers.push(layer("thin", &[1e-3; 101]));
        let chart =
            Stacked { title: "Proportions".to_owned(), times, layers, bands: Vec::new(), events: Vec::new() };
        let places = |svg: &str| -> Vec<(f64, f64)> {
            let number = |text: &str, key: &str| -> f64 {
                let rest = &text[text.find(key).expect("is there") + key.len()..];
                rest[..rest.find('"').expect("ends")].parse().expect("a number")
            };
            let texts = svg.split("<text class=\"layername\"").skip(1);
            texts.map(|text| (number(text, " x=\""), number(text, " y=\""))).collect()
        };
        let svg = chart.wide().svg().to_owned();
        let found = places(&svg);
        assert!(found.len() > 15, "{}", found.len());
        for (i, a) in found.iter().enumerate() {
            for b in &found[..i] {
                assert!((a.0 - b.0).abs() > 60.0 || (a.1 - b.1).abs() > 14.0, "{a:?} {b:?}");
            }
        }
        assert!(!svg.contains(">thin</text>") && svg.contains("<title>thin</title>"));
    }

    #[test]
    fn a_chart_without_times_is_empty() {
        let chart = Stacked {
            title: "Proportions".to_owned(),
            times: Vec::new(),
            layers: vec![layer("a", &[])],
            bands: Vec::new(),
            events: Vec::new(),
        };
        assert!(!chart.narrow().svg().contains("NaN"));
    }
}
