//! Functions with what is not known about them: lines in bands, over the data.

use std::fmt::Write as _;

use crate::axes::{Axes, range};
use crate::palette::chain_colour;
use crate::{BandPoint, Picture};

/// A line with bands around it: a posterior mean with intervals.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Ribbon {
    /// What it is; empty if the chart shows nothing else.
    pub name: String,
    /// The line, by rising x.
    pub line: Vec<(f64, f64)>,
    /// The bands, the widest first, each by rising x.
    pub bands: Vec<Vec<BandPoint>>,
}

impl Ribbon {
    /// A line without bands, by rising x.
    pub fn line(name: impl Into<String>, line: impl IntoIterator<Item = (f64, f64)>) -> Self {
        Self { name: name.into(), line: line.into_iter().collect(), bands: Vec::new() }
    }

    /// A line of means with one band of `width` standard deviations to either side.
    ///
    /// # Panics
    /// Unless there is a mean and a standard deviation for each x.
    #[track_caller]
    pub fn around(name: impl Into<String>, x: &[f64], means: &[f64], sds: &[f64], width: f64) -> Self {
        assert!(x.len() == means.len() && x.len() == sds.len(), "a mean and a standard deviation for each x");
        let line: Vec<(f64, f64)> = x.iter().copied().zip(means.iter().copied()).collect();
        let point = |(&(x, mean), sd): (&(f64, f64), &f64)| BandPoint {
            x,
            low: mean - width * sd,
            high: mean + width * sd,
        };
        let band = line.iter().zip(sds).map(point).collect();
        Self { name: name.into(), line, bands: vec![band] }
    }
}

/// Ribbons over each other, and the data as dots; a vertical line where, for instance, the data end.
///
/// `names` are those of the two axes.
pub fn ribbons(names: (&str, &str), ribbons: &[Ribbon], dots: &[(f64, f64)], mark: Option<f64>) -> Picture {
    ribbons_marked(names, ribbons, dots, mark, None)
}

/// As [`ribbons`], where the horizontal axis has these marks with these texts: dates, for instance.
pub fn ribbons_marked(
    names: (&str, &str),
    ribbons: &[Ribbon],
    dots: &[(f64, f64)],
    mark: Option<f64>,
    ticks: Option<&[(f64, String)]>,
) -> Picture {
    let points = || ribbons.iter().flat_map(|ribbon| &ribbon.line).chain(dots);
    let edges = || ribbons.iter().flat_map(|ribbon| ribbon.bands.iter().flatten());
    let x = range(points().map(|p| p.0).chain(edges().map(|edge| edge.x)).chain(mark));
    let y = range(points().map(|p| p.1).chain(edges().flat_map(|edge| [edge.low, edge.high])));
    let mut axes = Axes::new((720.0, 320.0), x, y);
    let below = format!("{}; upwards {}", names.0, names.1);
    match ticks {
        Some(ticks) => axes.grid_named(ticks, &below),
        None => axes.grid(&below),
    }
    if let Some(x) = mark.filter(|x| x.is_finite()) {
        axes.upright(x);
    }
    let colours: Vec<String> =
        (0..ribbons.len()).map(|place| chain_colour(place, ribbons.len().max(2))).collect();
    for (ribbon, colour) in ribbons.iter().zip(&colours) {
        for band in &ribbon.bands {
            // A band may break: its ends are not finite there.
            for run in
                band.split(|point| !(point.x.is_finite() && point.low.is_finite() && point.high.is_finite()))
            {
                let edge = |end: fn(&BandPoint) -> f64| run.iter().map(|b| (b.x, end(b))).collect::<Vec<_>>();
                axes.area(&edge(|b| b.low), &edge(|b| b.high), "ribbon", &format!("fill:{colour}"));
            }
        }
    }
    let radius = if dots.len() > 300 { 1.3 } else { 2.2 };
    for &dot in dots {
        axes.dot(dot, radius, "var(--soft, #66635d)");
    }
    for (ribbon, colour) in ribbons.iter().zip(&colours) {
        axes.line(&ribbon.line, colour);
    }
    axes.legend(ribbons.iter().zip(&colours).map(|(ribbon, colour)| (ribbon.name.as_str(), colour.as_str())));
    let mut description = format!("{} data", dots.len());
    for ribbon in ribbons.iter().filter(|ribbon| !ribbon.name.is_empty()) {
        // Writing to a string cannot fail.
        let _ = write!(description, "; {}", ribbon.name);
    }
    axes.picture(&format!("{} over {}", names.1, names.0), &description)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_band_breaks_where_it_is_not_finite() {
        let mut ribbon = Ribbon::around("f", &[0.0, 1.0, 2.0, 3.0, 4.0], &[0.0; 5], &[1.0; 5], 2.0);
        assert_eq!(ribbon.bands[0][1], BandPoint { x: 1.0, low: -2.0, high: 2.0 });
        ribbon.bands[0][2].high = f64::INFINITY;
        let svg = ribbons(("t", "f"), &[ribbon], &[(0.5, 1.0)], Some(2.5)).svg().to_owned();
        assert_eq!(svg.matches("class=\"ribbon\"").count(), 2);
        assert_eq!(svg.matches("class=\"mark\"").count(), 1);
        assert!(svg.contains("class=\"upright\""));
    }

    #[test]
    fn names_stand_above_the_frame_in_as_many_rows_as_they_need() {
        let named = |name: &str| Ribbon::line(name, [(0.0, 0.0), (1.0, 1.0)]);
        let svg = |of: &[Ribbon]| ribbons(("t", "f"), of, &[], None).svg().to_owned();
        assert!(svg(&[named("")]).contains("viewBox=\"0 0 720 320\""));
        assert!(svg(&[named("a"), named("b")]).contains("viewBox=\"0 -18 720 338\""));
        let long = "a name of some forty letters, and no less";
        assert!(svg(&[named(long), named(long), named(long)]).contains("viewBox=\"0 -36 720 356\""));
    }
}
