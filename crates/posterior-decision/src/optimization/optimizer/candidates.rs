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

/// Of points that are spread evenly, at most so many for one that satisfies the constraints.
const RARE: usize = 256;

/// Halvings on the way from a point that violates constraints to one that does not.
const HALVINGS: usize = 40;

/// All points if there are few; else `count` evenly all over the space, and some about those that were
/// `good`. What violates constraints is left out; near a good point it is pulled back to the wall.
pub(super) fn candidates<R: Rng + ?Sized>(
    space: &Space,
    count: usize,
    good: &[&[f64]],
    rng: &mut R,
) -> Result<Vec<Vec<f64>>, Error> {
    if let Some(all) = space.enumerate(ALL) {
        return Ok(all.into_iter().filter(|point| space.allows(point)).collect());
    }
    let net = Sobol::scrambled(space.axes().len(), rng.random())?;
    let allowed = net.take(RARE * count).map(|unit| space.at(&unit)).filter(|point| space.allows(point));
    let mut points: Vec<Vec<f64>> = allowed.take(count).collect();
    for point in good {
        let unit = space.unit(point);
        for spread in SPREADS {
            for _ in 0..LOCAL {
                let mut moved = |place: &f64| {
                    let normal: f64 = StandardNormal.sample(rng);
                    (place + spread * normal).clamp(0.0, 1.0)
                };
                let near: Vec<f64> = unit.iter().map(&mut moved).collect();
                points.push(pulled_back(space, &unit, &near));
            }
        }
    }
    Ok(points)
}

/// A place, or, where that violates constraints, the last on the way to it from a good one that does not.
fn pulled_back(space: &Space, good: &[f64], place: &[f64]) -> Vec<f64> {
    let whole = space.at(place);
    if space.allows(&whole) {
        return whole;
    }
    let on_the_way = |part: f64| {
        let unit: Vec<f64> = good.iter().zip(place).map(|(from, to)| from + part * (to - from)).collect();
        space.at(&unit)
    };
    let (mut inside, mut outside) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(inside, outside);
        if space.allows(&on_the_way(middle)) {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    on_the_way(inside)
}
