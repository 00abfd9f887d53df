//! Options of a non-negative factorisation.

use posterior_math::ParamError;
use posterior_math::check;
use serde::{Deserialize, Serialize};

use crate::Weighting;

/// The type's name in errors.
const NAME: &str = "Factorization";

/// The divergence that is made small.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FactorizationDivergence {
    /// `sum x ln(x / y) - x + y`.
    #[default]
    KullbackLeibler,
    /// `sum (x - y)² / 2`.
    Frobenius,
}

/// The update of the factors under the Kullback-Leibler divergence.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum FactorizationUpdate {
    /// First W, then H given the new W.
    #[default]
    Alternating,
    /// Both from the same expectations: EM, the iterates of probabilistic latent semantic analysis.
    Joint,
}

/// The start of the factors.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum FactorizationStart {
    /// Random numbers of the scale of the data.
    #[default]
    Random,
    /// The positive parts of the leading singular vectors (NNDSVD). Zeros are filled with the mean of the
    /// data for multiplicative updates, which could not leave them.
    SingularVectors,
}

/// Options of [`fit`](super::fit). All of them shape the result.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FactorizationOptions {
    /// The number of topics, at least 1. Default 20.
    pub topics: usize,
    /// The divergence that is made small. Default: the Kullback-Leibler divergence.
    pub divergence: FactorizationDivergence,
    /// The update of the factors under the Kullback-Leibler divergence. Default: in turn.
    pub update: FactorizationUpdate,
    /// The weight of a count. Default: itself.
    pub weighting: Weighting,
    /// The start of the factors. Default: at random.
    pub start: FactorizationStart,
    /// The fit converges when a step lowers the divergence by no more than this proportion of that of the
    /// start. Default 1e-6.
    pub tolerance: f64,
    /// The largest number of steps. Default 200.
    pub max_iterations: usize,
    /// The seed. Default 0.
    pub seed: u64,
}

impl Default for FactorizationOptions {
    fn default() -> Self {
        Self {
            topics: 20,
            divergence: FactorizationDivergence::KullbackLeibler,
            update: FactorizationUpdate::Alternating,
            weighting: Weighting::Counts,
            start: FactorizationStart::Random,
            tolerance: 1e-6,
            max_iterations: 200,
            seed: 0,
        }
    }
}

impl FactorizationOptions {
    /// Checks every option.
    ///
    /// # Errors
    /// Names the first option out of its range.
    pub fn check(&self) -> Result<(), ParamError> {
        check::at_least_one(NAME, "topics", self.topics)?;
        check::non_negative(NAME, "tolerance", self.tolerance)?;
        Ok(())
    }
}
