//! Discounts and strengths, one pair for all contexts of a length.

use posterior_math::check;

use crate::error::Error;

/// The discount and the strength (concentration) of the processes of one level.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct DiscountLevel {
    /// d in [0, 1).
    pub discount: f64,
    /// θ ≥ 0; not zero together with d.
    pub strength: f64,
}

impl DiscountLevel {
    /// This discount and strength.
    ///
    /// # Errors
    /// A discount outside of [0, 1), a strength that is negative or infinite, both zero.
    pub fn new(discount: f64, strength: f64) -> Result<Self, Error> {
        let level = Self { discount, strength };
        level.check()?;
        Ok(level)
    }

    pub(super) fn check(&self) -> Result<(), Error> {
        let Self { discount, strength } = *self;
        check::require((0.0..1.0).contains(&discount), "Level", "discount", discount, "in [0, 1)")?;
        check::non_negative("Level", "strength", strength)?;
        check::require(
            discount + strength > 0.0,
            "Level",
            "strength",
            strength,
            "positive where the discount is 0",
        )?;
        Ok(())
    }
}

impl Default for DiscountLevel {
    /// d = 0.5, θ = 1.
    fn default() -> Self {
        Self { discount: 0.5, strength: 1.0 }
    }
}

/// The distribution of a level's parameters: d ~ Beta(a, b), θ ~ Gamma(shape, rate).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LevelPrior {
    /// a and b of the discount's beta distribution.
    pub discount: [f64; 2],
    /// Shape and rate of the strength's gamma distribution.
    pub strength: [f64; 2],
}

impl Default for LevelPrior {
    /// Uniform discounts; strengths exponential with mean 1 (Teh 2006).
    fn default() -> Self {
        Self { discount: [1.0, 1.0], strength: [1.0, 1.0] }
    }
}

impl LevelPrior {
    pub(super) fn check(&self) -> Result<(), Error> {
        for (place, &value) in self.discount.iter().enumerate() {
            check::positive("LevelPrior", "discount", value).map_err(|error| error.at(place))?;
        }
        for (place, &value) in self.strength.iter().enumerate() {
            check::positive("LevelPrior", "strength", value).map_err(|error| error.at(place))?;
        }
        Ok(())
    }
}
