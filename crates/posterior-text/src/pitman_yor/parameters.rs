//! Discounts and strengths given a seating, by auxiliary variables.

use posterior_dist::{Beta, Gamma};
use rand::distr::Distribution;
use rand::{Rng, RngExt};

use super::levels::{DiscountLevel, LevelPrior};
use super::seating::Seating;
use crate::error::Error;

/// Discounts are kept this far from 0 and 1, and strengths from 0, where rounding would make them that.
const SMALLEST: f64 = 1e-12;

impl Seating<'_> {
    /// Draws the parameters of every level given the seating.
    ///
    /// The factors (θ + i d) of new tables are split into θ or i d, those of old tables, j - d, into j - 1 or
    /// 1 - d, and 1/(θ + 1)…(θ + c - 1) is a beta integral: given the choices d has a beta distribution and θ
    /// a gamma distribution (Teh 2006, appendix C). O(customers).
    ///
    /// # Errors
    /// A parameter of the prior that is not positive and finite.
    #[expect(clippy::missing_panics_doc, reason = "parameters that are positive only grow")]
    pub fn draw_parameters<R: Rng + ?Sized>(&mut self, prior: &LevelPrior, rng: &mut R) -> Result<(), Error> {
        prior.check()?;
        for length in 0..self.levels.len() {
            let DiscountLevel { discount, strength } = self.levels[length];
            let ([mut a, mut b], [mut shape, mut rate]) = (prior.discount, prior.strength);
            for restaurant in self.counts.trie.level(length) {
                let (customers, tables) = self.totals[restaurant];
                if customers >= 2 {
                    rate -= beta(strength + 1.0, f64::from(customers - 1)).sample_ln(rng).0;
                }
                for i in 1..tables {
                    let whole = strength + discount * f64::from(i);
                    if rng.random::<f64>() * whole < strength { shape += 1.0 } else { a += 1.0 }
                }
                let dishes = &self.tables[self.counts.trie.children(restaurant)];
                for &size in dishes.iter().flatten() {
                    for j in 1..size {
                        let j = f64::from(j);
                        if rng.random::<f64>() * (j - discount) >= j - 1.0 {
                            b += 1.0;
                        }
                    }
                }
            }
            let discount = beta(a, b).sample(rng);
            let strength = Gamma::shape_rate(shape, rate)
                .expect("invariant: the prior's shape and rate are positive, and both only grow")
                .sample(rng);
            self.levels[length] = DiscountLevel {
                discount: discount.clamp(SMALLEST, 1.0 - SMALLEST),
                strength: strength.max(SMALLEST),
            };
        }
        Ok(())
    }
}

fn beta(a: f64, b: f64) -> Beta {
    Beta::new(a, b).expect("invariant: numbers of a positive prior and of choices are positive")
}
