//! How to optimise.

use posterior_gp::Kernel;
use posterior_math::check::{self, ParamError};

use crate::Error;

/// Outcomes and their bounds may be this large: their differences are numbers then.
pub(super) const LARGEST: f64 = 1e300;

/// What is wanted of them.
pub(super) const SIZE: &str = "finite, and at most 1e300 in size";

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

impl OutcomeNoise {
    fn check(self, name: &'static str) -> Result<(), ParamError> {
        if let Self::Variance(variance) = self {
            check::positive(name, "noise", variance)?;
        }
        Ok(())
    }
}

/// A further number that each trial gives, and which must be at most a bound: a memory, a time, a rate of
/// errors. Where it is too large is learned from the trials; what is known of the inputs alone is a
/// [`LinearConstraint`](super::LinearConstraint). A bound from below has the opposite signs.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OutcomeConstraint {
    /// The most that it may be.
    pub bound: f64,
    /// How it scatters from trial to trial.
    pub noise: OutcomeNoise,
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
    /// The covariance of the surrogate, on the unit cube (a coordinate for each category) and of standardised
    /// outcomes; by default, none, Matérn's of order 5/2 with a length scale for each coordinate. Its
    /// parameters are where the search for the largest evidence begins; those of a fixed part stay.
    #[cfg_attr(feature = "serde", serde(default))]
    pub kernel: Option<Kernel>,
    /// Outcomes that must be at most a bound. None by default.
    #[cfg_attr(feature = "serde", serde(default))]
    pub constraints: Vec<OutcomeConstraint>,
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
            kernel: None,
            constraints: Vec::new(),
        }
    }
}

impl OptimizerOptions {
    pub(super) fn check(&self) -> Result<(), Error> {
        const NAME: &str = "OptimizerOptions";
        self.noise.check(NAME)?;
        for (index, OutcomeConstraint { bound, noise }) in self.constraints.iter().enumerate() {
            let bound = check::require(bound.abs() <= LARGEST, "OutcomeConstraint", "bound", *bound, SIZE);
            bound.and_then(|_| noise.check("OutcomeConstraint")).map_err(|error| error.at(index))?;
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
