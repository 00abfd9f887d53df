//! Topics as circles in a plane: near where they share words, large where they have many.

use std::fmt::Write as _;

use posterior_report::{Scale, escape};

/// One topic.
pub(super) struct Circle {
    pub(super) id: usize,
    /// Its first word.
    pub(super) lead: String,
    /// Its title.
    pub(super) title: String,
    pub(super) colour: String,
    pub(super) weight: f64,
    pub(super) at: [f64; 2],
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 520.0;
const MARGIN: f64 = 64.0;
/// The radius of a topic that has all words.
const RADIUS: f64 = 120.0;

/// The map. Each circle is a link to its topic, so that it can be reached by the keyboard.
pub(super) fn svg(circles: &[Circle], description: &str) -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"map\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"group\" \
         aria-labelledby=\"map-title map-desc\">\n<title id=\"map-title\">Map of topics</title>\n\
         <desc id=\"map-desc\">{}</desc>\n",
        escape(description)
    );
    let (x, y) = scales(circles);
    let mut order: Vec<&Circle> = circles.iter().collect();
    order.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    let mut labels: Vec<(f64, f64, f64)> = Vec::new();
    // After all circles, so that none hides a name.
    let mut names = String::new();
    // Writing to a string cannot fail.
    for circle in order {
        let (cx, cy, radius) = (x.at(circle.at[0]), y.at(circle.at[1]), RADIUS * circle.weight.sqrt());
        let _ = write!(
            svg,
            "<a href=\"#topic-{}\" aria-label=\"{title}, {percent:.1} % of all words\">\
             <circle class=\"bubble\" style=\"fill:{}\" cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"{radius:.1}\">\
             <title>{title}: {percent:.1} %</title></circle>",
            circle.id,
            circle.colour,
            title = escape(&circle.title),
            percent = 100.0 * circle.weight,
        );
        let half = 3.6 * circle.lead.chars().count() as f64;
        let free =
            |at: &f64| !labels.iter().any(|l| (l.0 - cx).abs() < l.2 + half && (l.1 - at).abs() < 13.0);
        if let Some(at) = [cy + 4.0, cy + 4.0 - radius, cy + 4.0 + radius].into_iter().find(free) {
            labels.push((cx, at, half));
            let _ = writeln!(
                names,
                "<text class=\"bubblename\" aria-hidden=\"true\" x=\"{cx:.1}\" y=\"{at:.1}\">{}</text>",
                escape(&circle.lead)
            );
        }
        svg.push_str("</a>\n");
    }
    svg.push_str(&names);
    svg.push_str("</svg>\n");
    svg
}

/// One unit is as long upwards as it is to the right.
fn scales(circles: &[Circle]) -> (Scale, Scale) {
    let range = |axis: usize| {
        let values = circles.iter().map(|circle| circle.at[axis]);
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        (f64::midpoint(low, high), high - low)
    };
    let ((cx, width), (cy, height)) = (range(0), range(1));
    let unit = (width / (WIDTH - 2.0 * MARGIN)).max(height / (HEIGHT - 2.0 * MARGIN)).max(1e-6);
    let (half_x, half_y) = (unit * WIDTH / 2.0, unit * HEIGHT / 2.0);
    (
        Scale { data: (cx - half_x, cx + half_x), pixels: (0.0, WIDTH) },
        Scale { data: (cy - half_y, cy + half_y), pixels: (HEIGHT, 0.0) },
    )
}
