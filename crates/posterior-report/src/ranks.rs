//! Rank histograms.

use crate::Picture;
use crate::axes::Axes;
use crate::palette::chain_colour;

/// For each chain a histogram of the ranks of its draws among those of all chains (Vehtari et al. 2021), as
/// lines of steps over each other. Chains that agree are flat, inside the band.
///
/// `counts` has, for each chain, the draws in each of the bins, all of the same width; `band` is where the
/// counts of a chain that agrees would be.
pub fn rank_histogram<C: AsRef<[f64]>>(name: &str, counts: &[C], band: (f64, f64)) -> Picture {
    let counts: Vec<&[f64]> = counts.iter().map(AsRef::as_ref).collect();
    let bins = counts.iter().map(|chain| chain.len()).max().unwrap_or(1).max(1);
    let most = counts.iter().flat_map(|chain| chain.iter().copied()).filter(|count| count.is_finite());
    let most = most.fold(band.1, f64::max);
    let mut axes = Axes::new((360.0, 230.0), (0.0, 1.0), (0.0, 1.08 * most.max(f64::MIN_POSITIVE)));
    axes.area(&[(0.0, band.0), (1.0, band.0)], &[(0.0, band.1), (1.0, band.1)], "band", "");
    axes.grid("rank among all draws, by their number");
    if let Some(chain) = counts.iter().find(|chain| !chain.is_empty()) {
        // All chains have as many draws: the level at which all are flat.
        axes.level(chain.iter().sum::<f64>() / chain.len() as f64);
    }
    for (place, chain) in counts.iter().enumerate() {
        let edge = |bin: usize| bin as f64 / bins as f64;
        let steps: Vec<(f64, f64)> = chain
            .iter()
            .enumerate()
            .flat_map(|(bin, &count)| [(edge(bin), count), (edge(bin + 1), count)])
            .collect();
        axes.line(&steps, &chain_colour(place, counts.len()));
    }
    let description = format!(
        "For each of {} chains, how many of its draws of {name} have a rank in each of {bins} bins; flat if the chains agree.",
        counts.len()
    );
    axes.picture(&format!("Ranks of {name}"), &description)
}
