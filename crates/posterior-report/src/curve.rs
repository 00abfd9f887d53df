//! Small line charts: the course of a fit, and the course of one topic.

use std::fmt::Write as _;

use super::number::short;
use super::svg::{Scale, line_to};

/// A filled curve without axes, in the colour `colour`. Zero is at the bottom.
pub fn sparkline(times: &[f64], values: &[f64], colour: &str) -> String {
    let most = values.iter().copied().fold(0.0, f64::max);
    let x = Scale { data: (times[0], times[times.len() - 1]), pixels: (1.0, 259.0) };
    let y = Scale { data: (0.0, most), pixels: (43.0, 4.0) };
    let mut line = String::new();
    line_to(&mut line, 'M', times.iter().zip(values).map(|(&t, &v)| (x.at(t), y.at(v))));
    format!(
        "<svg class=\"spark\" viewBox=\"0 0 260 58\" aria-hidden=\"true\">\
         <path class=\"fill\" style=\"fill:{colour}\" d=\"{line}L259 43L1 43Z\"/>\
         <path class=\"line\" style=\"stroke:{colour}\" d=\"{line}\"/>\
         <line class=\"base\" x1=\"1\" x2=\"259\" y1=\"43\" y2=\"43\"/>\
         <text class=\"tick\" style=\"text-anchor:start\" x=\"1\" y=\"56\">{}</text>\
         <text class=\"tick\" style=\"text-anchor:end\" x=\"259\" y=\"56\">{}</text></svg>",
        short(times[0]),
        short(times[times.len() - 1])
    )
}

/// A line through points with ticks on both axes.
pub fn line_chart(points: &[(f64, f64)], label: &str) -> String {
    let low = points.iter().map(|p| p.1).fold(f64::INFINITY, f64::min);
    let high = points.iter().map(|p| p.1).fold(f64::NEG_INFINITY, f64::max);
    let x = Scale { data: (points[0].0, points[points.len() - 1].0), pixels: (52.0, 708.0) };
    let y = Scale { data: (low, high), pixels: (176.0, 12.0) };
    let mut svg = format!("<svg viewBox=\"0 0 720 210\" role=\"img\" aria-label=\"{label}\">");
    // Writing to a string cannot fail.
    for tick in y.ticks(5) {
        let _ = write!(
            svg,
            "<line class=\"grid\" x1=\"52\" x2=\"708\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>\
             <text class=\"tick\" style=\"text-anchor:end\" x=\"44\" y=\"{:.1}\">{}</text>",
            y.at(tick) + 4.0,
            short(tick),
            at = y.at(tick)
        );
    }
    for tick in x.ticks(6) {
        let _ = write!(svg, "<text class=\"tick\" x=\"{:.1}\" y=\"198\">{}</text>", x.at(tick), short(tick));
    }
    let mut line = String::new();
    line_to(&mut line, 'M', points.iter().map(|&(t, v)| (x.at(t), y.at(v))));
    let _ = write!(svg, "<path class=\"line\" style=\"stroke:var(--accent)\" d=\"{line}\"/></svg>");
    svg
}
