//! Discounts and strengths given a seating, by auxiliary variables.

use posterior_dist::{Beta, Gamma};
use rand::distr::Distribution;
use rand::{Rng, RngExt};

use super::level::{Level, LevelPrior};

/// Discounts are kept this far from 0 and 1, where rounding would make them that.
const SMALLEST: f64 = 1e-12;

/// A restaurant: its customers, its tables, and the sizes of these.
pub(super) struct Restaurant<I> {
    pub(super) customers: u32,
    pub(super) tables: u32,
    pub(super) sizes: I,
}

/// Draws the parameters that some restaurants have in common.
///
/// The factors (θ + i d) of new tables are split into θ or i d, those of old tables, j - d, into j - 1 or 1 -
/// d, and 1/(θ + 1)…(θ + c - 1) is a beta integral: given the choices d has a beta distribution and θ a gamma
/// distribution (Teh 2006, appendix C). O(customers).
pub(super) fn draw<'a, I: Iterator<Item = &'a u32>, R: Rng + ?Sized>(
    Level { discount, strength }: Level,
    prior: &LevelPrior,
    restaurants: impl Iterator<Item = Restaurant<I>>,
    rng: &mut R,
) -> Level {
    let ([mut a, mut b], [mut shape, mut rate]) = (prior.discount, prior.strength);
    for restaurant in restaurants {
        if restaurant.customers >= 2 {
            rate -= beta(strength + 1.0, f64::from(restaurant.customers - 1)).sample_ln(rng).0;
        }
        for i in 1..restaurant.tables {
            let whole = strength + discount * f64::from(i);
            if rng.random::<f64>() * whole < strength { shape += 1.0 } else { a += 1.0 }
        }
        for &size in restaurant.sizes {
            for j in 1..size {
                let j = f64::from(j);
                if rng.random::<f64>() * (j - discount) >= j - 1.0 {
                    b += 1.0;
                }
            }
        }
    }
    let strength =
        Gamma::shape_rate(shape, rate).expect("invariant: a positive prior only grows").sample_ln(rng).exp();
    Level {
        discount: beta(a, b).sample(rng).clamp(SMALLEST, 1.0 - SMALLEST),
        strength: strength.clamp(1e-30, 1e30),
    }
}

fn beta(a: f64, b: f64) -> Beta {
    Beta::new(a, b).expect("invariant: numbers of a positive prior and of choices are positive")
}
