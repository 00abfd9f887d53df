//! How much each value has to do with those before it.

use crate::Picture;
use crate::axes::{Axes, range};
use crate::palette::chain_colour;

/// Correlations at the lags 0, 1, … as stems, with the band ± `band` about 0 inside which independent values
/// would be. Lag 0 is left out; what is no correlation counts as the nearest one.
pub fn correlogram(name: &str, correlations: &[f64], band: f64) -> Picture {
    let last = correlations.len().saturating_sub(1).max(1) as f64;
    let shown =
        || correlations.iter().enumerate().skip(1).map(|(lag, &rho)| (lag as f64, rho.clamp(-1.0, 1.0)));
    let (low, high) = range(shown().map(|point| point.1).chain([-band, band]));
    let (low, high) = (low.clamp(-1.0, 0.0) - 0.05, high.clamp(0.0, 1.0) + 0.05);
    let mut axes = Axes::new((360.0, 230.0), (0.0, last + 0.5), (low, high));
    axes.area(&[(0.0, -band), (last + 0.5, -band)], &[(0.0, band), (last + 0.5, band)], "band", "");
    axes.grid("lag");
    axes.level(0.0);
    let colour = chain_colour(0, 2);
    for (lag, rho) in shown() {
        axes.line(&[(lag, 0.0), (lag, rho)], &colour);
        axes.dot((lag, rho), 2.6, &colour);
    }
    let description = format!("The autocorrelations of {name} at lags up to {last}.");
    axes.picture(&format!("Autocorrelations of {name}"), &description)
}
