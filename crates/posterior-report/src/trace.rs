//! Draws of several chains in their order.

use crate::Picture;
use crate::axes::{Axes, range};
use crate::palette::chain_colour;

/// Points of a line: more would fall on the same pixels.
const POINTS: usize = 600;

/// The draws of each chain in their order, the chains over each other. Chains that agree look like one
/// caterpillar.
///
/// Of long chains, the smallest and the largest draw of each stretch are drawn.
pub fn trace<C: AsRef<[f64]>>(name: &str, chains: &[C]) -> Picture {
    let chains: Vec<&[f64]> = chains.iter().map(AsRef::as_ref).collect();
    let longest = chains.iter().map(|chain| chain.len()).max().unwrap_or(0);
    let values = || chains.iter().flat_map(|chain| chain.iter().copied());
    let mut axes = Axes::new((720.0, 230.0), (0.0, longest.max(1) as f64), range(values()));
    axes.grid("draw");
    for (place, chain) in chains.iter().enumerate() {
        axes.line(&thinned(chain), &chain_colour(place, chains.len()));
    }
    let description = format!("The draws of {name} in their order, {} chains of {longest}.", chains.len());
    axes.picture(&format!("Trace of {name}"), &description)
}

/// The draws with their places; of each stretch of a long chain the smallest and the largest, in their order.
fn thinned(chain: &[f64]) -> Vec<(f64, f64)> {
    let all = || chain.iter().copied().enumerate();
    if chain.len() <= POINTS {
        return all().map(|(i, x)| ((i + 1) as f64, x)).collect();
    }
    let stretch = chain.len().div_ceil(POINTS / 2);
    let mut points = Vec::with_capacity(POINTS);
    let places: Vec<(usize, f64)> = all().collect();
    for part in places.chunks(stretch) {
        let low = part.iter().min_by(|a, b| a.1.total_cmp(&b.1));
        let high = part.iter().max_by(|a, b| a.1.total_cmp(&b.1));
        let mut ends: Vec<(usize, f64)> = low.into_iter().chain(high).copied().collect();
        ends.sort_by_key(|end| end.0);
        points.extend(ends.into_iter().map(|(i, x)| ((i + 1) as f64, x)));
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_chains_keep_their_extremes() {
        let mut chain: Vec<f64> = (0..100_000).map(|i| f64::from(i % 7)).collect();
        chain[31_337] = -50.0;
        chain[99_999] = 80.0;
        let points = thinned(&chain);
        assert!(points.len() <= POINTS);
        assert!(points.contains(&(31_338.0, -50.0)) && points.contains(&(100_000.0, 80.0)));
        assert!(points.windows(2).all(|pair| pair[0].0 <= pair[1].0));
    }
}
