//! By how much a distribution function is off.

use crate::Picture;
use crate::axes::{Axes, range};
use crate::palette::chain_colour;

/// A place, and between what differences a right distribution function would be there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BandPoint {
    /// The place.
    pub x: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// Differences of empirical distribution functions from the one they should have, at the places of their
/// points, with a band that is computed elsewhere. Each curve has its points by rising x.
pub fn ecdf_difference<C: AsRef<[(f64, f64)]>>(name: &str, curves: &[C], band: &[BandPoint]) -> Picture {
    drawn((720.0, 260.0), name, curves, band)
}

/// The same for a place beside other pictures, as small as they.
pub fn small_ecdf_difference<C: AsRef<[(f64, f64)]>>(
    name: &str,
    curves: &[C],
    band: &[BandPoint],
) -> Picture {
    drawn((360.0, 230.0), name, curves, band)
}

fn drawn<C: AsRef<[(f64, f64)]>>(size: (f64, f64), name: &str, curves: &[C], band: &[BandPoint]) -> Picture {
    let curves: Vec<&[(f64, f64)]> = curves.iter().map(AsRef::as_ref).collect();
    let points = || curves.iter().flat_map(|curve| curve.iter());
    let x = range(points().map(|p| p.0).chain(band.iter().map(|b| b.x)));
    let y = range(points().map(|p| p.1).chain(band.iter().flat_map(|b| [b.low, b.high])));
    let mut axes = Axes::new(size, x, y);
    let edge = |end: fn(&BandPoint) -> f64| band.iter().map(|b| (b.x, end(b))).collect::<Vec<_>>();
    axes.area(&edge(|b| b.low), &edge(|b| b.high), "band", "");
    axes.grid(name);
    axes.level(0.0);
    for (place, curve) in curves.iter().enumerate() {
        axes.line(curve, &chain_colour(place, curves.len()));
    }
    let outside = "inside the band if the distribution is right";
    axes.picture(&format!("Difference of the distribution function of {name}"), outside)
}
