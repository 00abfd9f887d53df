//! A small network as a picture: what is asked of each node before and after the news.

use std::fmt::Write as _;

use posterior::report::{Picture, escape};

/// A node, by its place in a grid.
pub(super) struct Node {
    pub(super) name: String,
    pub(super) column: f64,
    pub(super) row: f64,
    /// The probability of what the name says, before and after the news.
    pub(super) proportions: [f64; 2],
    pub(super) seen: bool,
}

const WIDTH: f64 = 186.0;
const HEIGHT: f64 = 66.0;
const ACROSS: f64 = 214.0;
const DOWN: f64 = 118.0;
const MARGIN: f64 = 14.0;
/// The longest bar.
const BAR: f64 = WIDTH - 88.0;

impl Node {
    fn corner(&self) -> (f64, f64) {
        (MARGIN + ACROSS * self.column, MARGIN + DOWN * self.row)
    }
}

// Writing to a string cannot fail, hence the results that are dropped.

/// Nodes with two bars each, before (pale) and after, and arrows between them.
pub(super) fn network(title: &str, nodes: &[Node], arrows: &[(usize, usize)]) -> Picture {
    let mut body = String::new();
    for &(from, to) in arrows {
        arrow(&mut body, &nodes[from], &nodes[to]);
    }
    for node in nodes {
        card(&mut body, node);
    }
    let end = |of: fn(&Node) -> f64, step: f64, size: f64| {
        2.0 * MARGIN + size + step * nodes.iter().map(of).fold(0.0, f64::max)
    };
    let size = (end(|node| node.column, ACROSS, WIDTH), end(|node| node.row, DOWN, HEIGHT));
    let output: Vec<String> = nodes
        .iter()
        .map(|node| format!("{} {:.4} to {:.4}", node.name, node.proportions[0], node.proportions[1]))
        .collect();
    Picture::new(size, title, &output.join("; "), &body)
}

fn card(body: &mut String, node: &Node) {
    let (x, y) = node.corner();
    let edge = if node.seen { "var(--accent)" } else { "var(--soft)" };
    let _ = writeln!(
        body,
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"6\" style=\"fill:var(--band);stroke:{edge};stroke-width:1.3\"/>\
         <text class=\"label lead\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
        x + 10.0,
        y + 20.0,
        escape(&node.name)
    );
    for (place, proportion) in node.proportions.into_iter().enumerate() {
        let (at, opacity) = (y + 30.0 + 16.0 * place as f64, if place == 0 { 0.35 } else { 0.9 });
        let _ = writeln!(
            body,
            "<rect x=\"{:.1}\" y=\"{at:.1}\" width=\"{:.1}\" height=\"10\" rx=\"2\" style=\"fill:var(--accent);fill-opacity:{opacity}\"/>\
             <text class=\"share\" x=\"{:.1}\" y=\"{:.1}\" style=\"text-anchor:end\">{}</text>",
            x + 10.0,
            (BAR * proportion).max(1.0),
            x + WIDTH - 10.0,
            at + 9.5,
            percent(proportion)
        );
    }
}

fn percent(proportion: f64) -> String {
    if proportion > 0.0 && proportion < 0.01 {
        format!("{:.3} %", 100.0 * proportion)
    } else {
        format!("{:.1} %", 100.0 * proportion)
    }
}

/// From the foot of one card to the head of another.
fn arrow(body: &mut String, from: &Node, to: &Node) {
    let ((x, y), (to_x, to_y)) = (from.corner(), to.corner());
    let (start, end) = ((x + WIDTH / 2.0, y + HEIGHT), (to_x + WIDTH / 2.0, to_y));
    let (dx, dy) = (end.0 - start.0, end.1 - start.1);
    let length = dx.hypot(dy).max(1.0);
    let (ux, uy) = (dx / length, dy / length);
    let neck = (end.0 - 9.0 * ux, end.1 - 9.0 * uy);
    let _ = writeln!(
        body,
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" style=\"stroke:var(--soft);stroke-width:1.4\"/>\
         <path style=\"fill:var(--soft)\" d=\"M{:.1},{:.1}L{:.1},{:.1}L{:.1},{:.1}Z\"/>",
        start.0,
        start.1,
        neck.0,
        neck.1,
        end.0,
        end.1,
        neck.0 - 4.5 * uy,
        neck.1 + 4.5 * ux,
        neck.0 + 4.5 * uy,
        neck.1 - 4.5 * ux,
    );
}
