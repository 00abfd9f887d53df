//! How long chains remember.

use crate::Picture;
use crate::axes::{Axes, range};
use crate::palette::chain_colour;

/// For each chain its autocorrelations at the lags 0, 1, ..., with the band ± `band` about 0 inside which
/// independent draws would be.
pub fn autocorrelation<C: AsRef<[f64]>>(name: &str, chains: &[C], band: f64) -> Picture {
    let chains: Vec<&[f64]> = chains.iter().map(AsRef::as_ref).collect();
    let lags = chains.iter().map(|chain| chain.len()).max().unwrap_or(0);
    let last = lags.saturating_sub(1).max(1) as f64;
    let (low, _) = range(chains.iter().flat_map(|chain| chain.iter().copied()));
    let mut axes = Axes::new((360.0, 230.0), (0.0, last), (low.min(-band).clamp(-1.0, 0.0) - 0.02, 1.0));
    axes.area(&[(0.0, -band), (last, -band)], &[(0.0, band), (last, band)], "band", "");
    axes.grid("lag, in draws");
    axes.level(0.0);
    for (place, chain) in chains.iter().enumerate() {
        let points: Vec<(f64, f64)> = chain.iter().enumerate().map(|(lag, &rho)| (lag as f64, rho)).collect();
        axes.line(&points, &chain_colour(place, chains.len()));
    }
    let description =
        format!("The autocorrelations of {name} in {} chains, at lags up to {last}.", chains.len());
    axes.picture(&format!("Autocorrelation of {name}"), &description)
}
