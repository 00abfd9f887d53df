//! Numbers as bars.

use crate::Picture;
use crate::axes::{Axes, range};

/// A bar for each number in its order, counted from 1, and a line over them such as their running sum; the
/// line has its own names in `line_name`, and is scaled like the bars.
pub fn bars(name: &str, below: &str, heights: &[f64], line: &[f64], line_name: &str) -> Picture {
    let (low, high) = range(heights.iter().chain(line).copied().chain([0.0]));
    let mut axes = Axes::new((560.0, 260.0), (0.4, heights.len() as f64 + 0.6), (low.min(0.0), 1.05 * high));
    let step = heights.len().div_ceil(12).max(1);
    let ticks: Vec<f64> =
        (1..=heights.len()).filter(|place| place % step == 0).map(|place| place as f64).collect();
    axes.grid_at(&ticks, below);
    for (place, &height) in heights.iter().enumerate().filter(|(_, height)| height.is_finite()) {
        let x = place as f64 + 1.0;
        let (low, high) = (height.min(0.0), height.max(0.0));
        axes.cell((x - 0.36, low), (x + 0.36, high), "#3b5ba5", 0.8);
    }
    axes.level(0.0);
    let points: Vec<(f64, f64)> = line.iter().enumerate().map(|(i, &y)| (i as f64 + 1.0, y)).collect();
    axes.line(&points, "var(--accent)");
    for &point in &points {
        axes.dot(point, 2.6, "var(--accent)");
    }
    axes.legend([(line_name, "var(--accent)")].into_iter());
    axes.picture(name, &format!("{} bars", heights.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_for_each_finite_number() {
        let svg =
            bars("scree", "component", &[3.0, -1.0, f64::NAN], &[0.5, 0.9], "proportion").svg().to_owned();
        assert_eq!(svg.matches("<rect").count(), 2);
        assert_eq!(svg.matches("<circle").count(), 2);
        assert!(svg.contains(">proportion<"));
    }
}
