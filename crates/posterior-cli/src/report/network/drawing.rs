//! The picture of a network: a card for each variable with its states as bars, arrows between them.

use std::fmt::Write as _;

use posterior_report::escape;

use super::layout::{Laid, Place, Size, lay_out};

pub(super) const STYLE: &str = include_str!("network.css");
const THEME: &str = include_str!("theme.css");

const MARGIN: f64 = 14.0;
/// What can be shrunk to the width of a page, in pixels.
const WIDE: f64 = 1650.0;
const HEAD: f64 = 27.0;
const LINE: f64 = 18.0;
const FOOT: f64 = 7.0;
/// What a percentage takes.
const NUMBER: f64 = 42.0;
const STATE_FONT: f64 = 11.5;

/// What stands out about a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    Plain,
    Seen,
    Target,
}

/// A state with its probability, and what that was before.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub(crate) label: String,
    pub(crate) proportion: f64,
    pub(crate) before: Option<f64>,
}

/// The card of a variable.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) name: String,
    pub(crate) mark: Mark,
    pub(crate) rows: Vec<Row>,
    /// What is said below the rows: how many states are not shown.
    pub(crate) remark: String,
}

/// Cards, and arrows or edges between them, which form no cycle.
#[derive(Debug, Clone)]
pub(crate) struct Picture {
    pub(crate) nodes: Vec<Node>,
    pub(crate) arrows: Vec<(usize, usize)>,
    pub(crate) is_directed: bool,
}

impl Picture {
    /// The picture for a page that has the colours.
    pub(super) fn svg(&self) -> String {
        let sizes: Vec<Size> = self.nodes.iter().map(|node| self.size(node)).collect();
        let laid = lay_out(&sizes, &self.arrows);
        let (width, height) = (laid.width + 2.0 * MARGIN, laid.height + 2.0 * MARGIN);
        let mut svg = format!(
            "<svg class=\"network\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
             width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\" aria-label=\"The network\">\n\
             <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
             orient=\"auto\"><path class=\"tip\" d=\"M0 0.8L8 4L0 7.2z\"/></marker></defs>\n\
             <g transform=\"translate({MARGIN} {MARGIN})\">\n"
        );
        self.write_arrows(&mut svg, &laid);
        for ((node, &place), &size) in self.nodes.iter().zip(&laid.places).zip(&sizes) {
            write_node(&mut svg, node, place, size);
        }
        svg.push_str("</g>\n</svg>\n");
        svg
    }

    /// Whether letters would be too small if the picture were shrunk to the width of a page.
    pub(super) fn is_wide(&self) -> bool {
        let sizes: Vec<Size> = self.nodes.iter().map(|node| self.size(node)).collect();
        lay_out(&sizes, &self.arrows).width > WIDE
    }

    /// The picture as a file of its own, in light and dark.
    pub(crate) fn standalone(&self) -> String {
        self.svg().replacen(">\n", &format!(">\n<style>\n{THEME}{STYLE}</style>\n"), 1)
    }

    fn size(&self, node: &Node) -> Size {
        let width = match self.nodes.len() {
            0..=12 => 196.0,
            13..=45 => 164.0,
            _ => 138.0,
        };
        let remark = if node.remark.is_empty() { 0.0 } else { LINE - 3.0 };
        let lines = node.rows.len() as f64 * LINE + remark;
        Size { width, height: HEAD + lines + if lines > 0.0 { FOOT } else { 2.0 } }
    }

    fn write_arrows(&self, svg: &mut String, laid: &Laid) {
        let marker = if self.is_directed { " marker-end=\"url(#tip)\"" } else { "" };
        for (route, &(from, to)) in laid.routes.iter().zip(&self.arrows) {
            let mut path = String::new();
            for (i, &(x, y)) in route.iter().enumerate() {
                let Some(&(x0, y0)) = i.checked_sub(1).and_then(|before| route.get(before)) else {
                    let _ = write!(path, "M{x:.1} {y:.1}");
                    continue;
                };
                let bend = (y - y0) * 0.5;
                let _ = write!(path, "C{x0:.1} {:.1} {x:.1} {:.1} {x:.1} {y:.1}", y0 + bend, y - bend);
            }
            let is_near = [from, to].iter().any(|&i| self.nodes[i].mark != Mark::Plain);
            let class = if is_near { "arrow near" } else { "arrow" };
            let _ = writeln!(svg, "<path class=\"{class}\" d=\"{path}\"{marker}/>");
        }
    }
}

fn write_node(svg: &mut String, node: &Node, place: Place, size: Size) {
    let class = match node.mark {
        Mark::Plain => "node",
        Mark::Seen => "node seen",
        Mark::Target => "node target",
    };
    let _ = writeln!(
        svg,
        "<g class=\"{class}\" transform=\"translate({:.1} {:.1})\"><title>{}</title>\
         <rect class=\"box\" width=\"{:.0}\" height=\"{:.0}\" rx=\"5\"/>\
         <text class=\"name\" x=\"10\" y=\"18\">{}</text>",
        place.x,
        place.y,
        escape(&node.name),
        size.width,
        size.height,
        escape(&fitted(&node.name, size.width - 20.0, 13.5))
    );
    let longest = node.rows.iter().map(|row| width_of(&row.label, STATE_FONT)).fold(0.0, f64::max);
    let label = longest.clamp(24.0, (size.width - NUMBER - 20.0) * 0.58);
    for (i, row) in node.rows.iter().enumerate() {
        write_row(svg, row, HEAD + i as f64 * LINE, size.width, label);
    }
    if !node.remark.is_empty() {
        let y = HEAD + node.rows.len() as f64 * LINE + 10.0;
        let _ = writeln!(svg, "<text class=\"more\" x=\"10\" y=\"{y:.1}\">{}</text>", escape(&node.remark));
    }
    svg.push_str("</g>\n");
}

/// A state: its name, a bar with a mark where it was before, and its probability.
fn write_row(svg: &mut String, row: &Row, top: f64, width: f64, label: f64) {
    let (left, full) = (10.0 + label + 6.0, width - NUMBER - 20.0 - label - 6.0);
    let _ = write!(
        svg,
        "<text class=\"state\" x=\"10\" y=\"{:.1}\">{}</text>\
         <rect class=\"track\" x=\"{left:.1}\" y=\"{:.1}\" width=\"{full:.1}\" height=\"9\" rx=\"1.5\"/>\
         <rect class=\"bar\" x=\"{left:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"9\" rx=\"1.5\"/>",
        top + 10.0,
        escape(&fitted(&row.label, label, STATE_FONT)),
        top + 2.0,
        top + 2.0,
        full * row.proportion.clamp(0.0, 1.0)
    );
    if let Some(before) = row.before {
        let x = left + full * before.clamp(0.0, 1.0);
        let _ = write!(svg, "<path class=\"before\" d=\"M{x:.1} {top:.1}v13\"/>");
    }
    let _ = writeln!(
        svg,
        "<text class=\"p\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
        width - 9.0,
        top + 10.0,
        short_percent(row.proportion)
    );
}

/// A probability in percent, in at most five letters.
fn short_percent(p: f64) -> String {
    match 100.0 * p {
        x if x >= 100.0 => "100 %".to_owned(),
        x if x >= 99.95 => "> 99.9".to_owned(),
        x if x >= 0.095 => format!("{x:.1} %"),
        x if x > 0.0 && x < 0.01 => "< 0.01".to_owned(),
        x if x > 0.0 => format!("{x:.2} %"),
        _ => "0 %".to_owned(),
    }
}

/// About how wide a text is: capitals and wide letters take more.
fn width_of(text: &str, font: f64) -> f64 {
    let letter = |c: char| match c {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | '|' | ':' => 0.3,
        'm' | 'w' | 'M' | 'W' | '@' => 0.88,
        c if c.is_uppercase() => 0.72,
        c if c.is_ascii() => 0.57,
        _ => 1.0,
    };
    font * text.chars().map(letter).sum::<f64>()
}

/// As much of a text as fits, with … where it was cut.
fn fitted(text: &str, width: f64, font: f64) -> String {
    if width_of(text, font) <= width {
        return text.to_owned();
    }
    let mut cut: String = text.to_owned();
    while cut.pop().is_some() && width_of(&cut, font) + font * 0.9 > width {}
    cut + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_are_short() {
        let output = [1.0, 0.9996, 0.5, 0.0123, 0.00034, 0.000_001, 0.0].map(short_percent);
        assert_eq!(output, ["100 %", "> 99.9", "50.0 %", "1.2 %", "0.03 %", "< 0.01", "0 %"]);
    }

    #[test]
    fn names_are_cut_and_escaped() {
        assert_eq!(fitted("lung", 50.0, 10.0), "lung");
        assert_eq!(fitted("a very long name", 50.0, 10.0), "a very …");
        let node =
            Node { name: "<a & b>".to_owned(), mark: Mark::Seen, rows: Vec::new(), remark: String::new() };
        let picture = Picture { nodes: vec![node], arrows: Vec::new(), is_directed: true };
        let svg = picture.standalone();
        assert!(svg.contains("&lt;a &amp; b&gt;") && !svg.contains("<a & b>"), "{svg}");
    }
}
