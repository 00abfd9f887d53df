//! Points in a plane by their groups, and ellipses around the groups.

use crate::Picture;
use crate::axes::{Axes, range};
use crate::palette::chain_colour;

/// Where a group lies: the points at one distance from its centre, measured by its covariance.
#[derive(Debug, Clone, PartialEq)]
pub struct Ellipse {
    /// Which group it is.
    pub group: usize,
    /// The centre, a number for each coordinate.
    pub centre: Vec<f64>,
    /// The covariance, row by row.
    pub covariance: Vec<Vec<f64>>,
}

/// Standard deviations from the centre to an ellipse: two of them have 86 % of a normal distribution in the
/// plane.
const RADIUS: f64 = 2.0;

/// Corners of a drawn ellipse.
const CORNERS: usize = 72;

impl Ellipse {
    /// The corners of its shadow on two coordinates; none where the covariance has no such entries.
    pub(crate) fn outline(&self, i: usize, j: usize) -> Vec<(f64, f64)> {
        let entry = |row: usize, column: usize| self.covariance.get(row)?.get(column).copied();
        let (Some(xx), Some(xy), Some(yy)) = (entry(i, i), entry(i, j), entry(j, j)) else {
            return Vec::new();
        };
        let (Some(&x), Some(&y)) = (self.centre.get(i), self.centre.get(j)) else { return Vec::new() };
        let across = xx.max(0.0).sqrt();
        let slope = if across > 0.0 { xy / across } else { 0.0 };
        let rest = (yy - slope * slope).max(0.0).sqrt();
        let corner = |k: usize| {
            let (sin, cos) = (k as f64 * std::f64::consts::TAU / CORNERS as f64).sin_cos();
            (x + RADIUS * across * cos, y + RADIUS * (slope * cos + rest * sin))
        };
        (0..=CORNERS).map(corner).collect()
    }
}

/// Points with the colours of their groups, and ellipses over two coordinates around groups.
///
/// `groups` has a number for each point, below `count`; a point without one is drawn in grey.
pub fn scatter(
    name: &str,
    (x_name, y_name): (&str, &str),
    points: &[(f64, f64)],
    groups: &[usize],
    ellipses: &[Ellipse],
) -> Picture {
    let outlines: Vec<_> = ellipses.iter().map(|own| (own.group, own.outline(0, 1))).collect();
    let all = || points.iter().chain(outlines.iter().flat_map(|(_, outline)| outline));
    let mut axes = Axes::new((560.0, 440.0), range(all().map(|p| p.0)), range(all().map(|p| p.1)));
    axes.grid(&format!("{x_name}; upwards {y_name}"));
    let count = group_count(groups, ellipses);
    for (place, &point) in points.iter().enumerate() {
        axes.dot(point, 2.2, &group_colour(groups.get(place).copied(), count));
    }
    for (group, outline) in &outlines {
        axes.line(outline, &group_colour(Some(*group), count));
    }
    let description = format!(
        "{} points of {x_name} and {y_name} in {count} groups, {} ellipses.",
        points.len(),
        ellipses.len()
    );
    axes.picture(name, &description)
}

pub(crate) fn group_count(groups: &[usize], ellipses: &[Ellipse]) -> usize {
    let largest = groups.iter().copied().chain(ellipses.iter().map(|own| own.group)).max();
    largest.map_or(0, |largest| largest.saturating_add(1))
}

pub(crate) fn group_colour(group: Option<usize>, count: usize) -> String {
    group.map_or_else(|| "var(--soft)".to_owned(), |group| chain_colour(group, count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ellipse_is_two_standard_deviations_wide_and_leans_with_the_correlation() {
        let own =
            Ellipse { group: 0, centre: vec![1.0, 2.0], covariance: vec![vec![4.0, 3.0], vec![3.0, 9.0]] };
        let outline = own.outline(0, 1);
        assert_eq!(outline.len(), CORNERS + 1);
        for (x, y) in outline {
            let (u, v) = (x - 1.0, y - 2.0);
            // The inverse of the covariance is [[9, -3], [-3, 4]] / 27.
            let distance = (9.0 * u * u - 6.0 * u * v + 4.0 * v * v) / 27.0;
            assert!((distance - RADIUS * RADIUS).abs() < 1e-12, "{distance}");
        }
        assert_eq!(own.outline(0, 2), []);
    }

    #[test]
    fn groups_have_colours_and_points_without_one_are_grey() {
        let svg = scatter("clusters", ("a", "b"), &[(0.0, 1.0), (1.0, 0.0), (f64::NAN, 0.0)], &[1], &[]);
        assert_eq!(svg.svg().matches("<circle").count(), 2);
        assert!(svg.svg().contains("--chain-1") && svg.svg().contains("--soft"));
    }
}
