//! How to optimise.

use posterior_math::check;

use crate::Error;

/// How outcomes scatter about the function.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum OutcomeNoise {
    /// They are values of the function: no point is tried twice. The surrogate has a variance of 10⁻¹⁰ of
    /// that of the outcomes, so that close points do not make its matrix singular.
    None,
    /// With this variance, in squared units of the outcomes.
    Variance(f64),
    /// With a variance that is learned from the outcomes.
    Learned,
}

/// How to optimise.
///
/// ```
/// use posterior_decision::optimization::{OptimizerOptions, OutcomeNoise};
///
/// let options = OptimizerOptions {
///     seed: 7,
///     noise: OutcomeNoise::Learned,
///     ..OptimizerOptions::default()
/// };
/// assert_eq!(options.restarts, 1);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OptimizerOptions {
    /// How many points are spread evenly before the surrogate chooses; 2 (d + 1) for d axes if none is given,
    /// which is the default.
    pub initial: Option<usize>,
    /// How outcomes scatter. They do not, by default.
    pub noise: OutcomeNoise,
    /// After so many new trials the hyperparameters are fitted anew. 1 by default.
    pub refit_every: usize,
    /// How many searches for hyperparameters begin at random places, besides one at common values. 1 by
    /// default.
    pub restarts: usize,
    /// At how many points all over the space the acquisition is evaluated before the best are refined. 512 by
    /// default.
    pub candidates: usize,
    /// How many of them are refined. 4 by default.
    pub starts: usize,
    /// The seed of all that is random. 0 by default.
    pub seed: u64,
}

impl Default for OptimizerOptions {
    fn default() -> Self {
        Self {
            initial: None,
            noise: OutcomeNoise::None,
            refit_every: 1,
            restarts: 1,
            candidates: 512,
            starts: 4,
            seed: 0,
        }
    }
}

impl OptimizerOptions {
    pub(super) fn check(&self) -> Result<(), Error> {
        const NAME: &str = "OptimizerOptions";
        if let OutcomeNoise::Variance(variance) = self.noise {
            check::positive(NAME, "noise", variance)?;
        }
        for (name, value) in [("candidates", self.candidates), ("refit_every", self.refit_every)] {
            check::require(
                (1..=1_000_000).contains(&value),
                NAME,
                name,
                value as f64,
                "from 1 to 1,000,000",
            )?;
        }
        Ok(())
    }
}
