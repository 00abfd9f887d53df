//! Points among which an acquisition begins to look.

use posterior_sampling::estimate::Sobol;
use rand::{Rng, RngExt};
use rand_distr::{Distribution, StandardNormal};

use crate::Error;
use crate::optimization::Space;

/// A space with at most so many points is looked through.
const ALL: u64 = 4096;

/// Spreads of the points about good ones, in units of the space.
const SPREADS: [f64; 3] = [0.1, 0.01, 0.001];

/// How many points with each spread about each good one.
const LOCAL: usize = 8;

/// All points if there are few; else `count` evenly all over the space, and some about those that were
/// `good`.
pub(super) fn candidates<R: Rng + ?Sized>(
    space: &Space,
    count: usize,
    good: &[&[f64]],
    rng: &mut R,
) -> Result<Vec<Vec<f64>>, Error> {
    if let Some(all) = space.enumerate(ALL) {
        return Ok(all);
    }
    let net = Sobol::scrambled(space.axes().len(), rng.random())?;
    let mut points: Vec<Vec<f64>> = net.take(count).map(|unit| space.at(&unit)).collect();
    for point in good {
        let unit = space.unit(point);
        for spread in SPREADS {
            for _ in 0..LOCAL {
                let mut moved = |place: &f64| {
                    let normal: f64 = StandardNormal.sample(rng);
                    (place + spread * normal).clamp(0.0, 1.0)
                };
                let near: Vec<f64> = unit.iter().map(&mut moved).collect();
                points.push(space.at(&near));
            }
        }
    }
    Ok(points)
}
