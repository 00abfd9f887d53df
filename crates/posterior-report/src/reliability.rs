//! Whether probabilities came true.

use crate::Picture;
use crate::axes::Axes;

/// Predictions of about one probability, and how often what was predicted happened.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReliabilityPoint {
    /// The mean of the predicted probabilities.
    pub predicted: f64,
    /// The proportion of those that happened.
    pub observed: f64,
    /// Where that share would be nine times in ten if the predictions are right.
    pub band: (f64, f64),
    /// How many predictions.
    pub count: usize,
}

/// On a narrow page letters are of 16 pixels: some fifty of them are as wide as the picture.
const BELOW: &str = "predicted probability; upwards what happened";

/// The proportion of what happened against its predicted probability: right predictions are on the diagonal,
/// within their bands. What is no proportion is left out.
pub fn reliability(name: &str, points: &[ReliabilityPoint]) -> Picture {
    let mut axes = Axes::new((420.0, 400.0), (0.0, 1.0), (0.0, 1.0));
    axes.grid(BELOW);
    axes.line(&[(0.0, 0.0), (1.0, 1.0)], "var(--soft)");
    let most = points.iter().map(|point| point.count).max().unwrap_or(0).max(1);
    let is_proportion = |value: f64| (0.0..=1.0).contains(&value);
    let all_proportions = |point: &&ReliabilityPoint| {
        [point.predicted, point.observed, point.band.0, point.band.1].into_iter().all(is_proportion)
    };
    for point in points.iter().filter(all_proportions) {
        let (low, high) = point.band;
        axes.line(&[(point.predicted, low), (point.predicted, high)], "var(--soft)");
        let radius = 2.0 + 4.0 * (point.count as f64 / most as f64).sqrt();
        axes.dot((point.predicted, point.observed), radius, "var(--accent)");
    }
    axes.picture(name, &format!("{} groups of predictions", points.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dot_for_each_group() {
        let point = |predicted| ReliabilityPoint { predicted, observed: 0.5, band: (0.4, 0.6), count: 3 };
        let svg = reliability("calibration", &[point(0.2), point(0.7)]).svg().to_owned();
        assert_eq!(svg.matches("<circle").count(), 2);
        assert_eq!(svg.matches("class=\"line\"").count(), 3);
    }
}
