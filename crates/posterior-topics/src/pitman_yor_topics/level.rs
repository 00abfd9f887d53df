//! Discount and strength of a Pitman-Yor process, and what is believed of them.

use posterior_math::ParamError;
use posterior_math::check;
use serde::{Deserialize, Serialize};

/// The discount and the strength of a process.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Level {
    /// d in [0, 1): 0 for a Dirichlet process; the larger, the longer the tail of rare words.
    pub discount: f64,
    /// θ > 0: how much the base counts, in tokens.
    pub strength: f64,
}

impl Level {
    /// This discount and strength.
    ///
    /// # Errors
    /// A discount outside of [0, 1), or a strength outside of [1e-30, 1e30].
    pub fn new(discount: f64, strength: f64) -> Result<Self, ParamError> {
        let level = Self { discount, strength };
        level.check()?;
        Ok(level)
    }

    pub(super) fn check(&self) -> Result<(), ParamError> {
        let Self { discount, strength } = *self;
        check::require((0.0..1.0).contains(&discount), "Level", "discount", discount, "in [0, 1)")?;
        let range = (1e-30..=1e30).contains(&strength);
        check::require(range, "Level", "strength", strength, "from 1e-30 to 1e30")?;
        Ok(())
    }
}

/// The distribution of a process's parameters: d ~ Beta(a, b), θ ~ Gamma(shape, rate).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LevelPrior {
    /// a and b of the discount's beta distribution.
    pub discount: [f64; 2],
    /// Shape and rate of the strength's gamma distribution.
    pub strength: [f64; 2],
}

impl Default for LevelPrior {
    /// Uniform discounts; exponential strengths with mean 100.
    fn default() -> Self {
        Self { discount: [1.0, 1.0], strength: [1.0, 0.01] }
    }
}

impl LevelPrior {
    pub(super) fn check(&self) -> Result<(), ParamError> {
        for value in self.discount {
            check::positive("LevelPrior", "discount", value)?;
        }
        for value in self.strength {
            check::positive("LevelPrior", "strength", value)?;
        }
        Ok(())
    }
}
