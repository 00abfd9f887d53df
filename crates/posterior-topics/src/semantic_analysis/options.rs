//! What a latent semantic analysis can be told.

use posterior_math::ParamError;
use posterior_math::check;

use crate::Weighting;

/// Options of [`fit`](super::fit). All of them shape the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// The number of components, at least 1. Fewer come back where the matrix has a lower rank. Default 20.
    pub components: usize,
    /// What a count weighs. Default: itself.
    pub weighting: Weighting,
    /// Random directions beyond the components. Default 10.
    pub oversampling: usize,
    /// Power iterations: the more, the nearer are values that are close to the first one left out. Default 4.
    pub power_iterations: usize,
    /// The seed. Default 0.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { components: 20, weighting: Weighting::Counts, oversampling: 10, power_iterations: 4, seed: 0 }
    }
}

impl Options {
    /// The same with another number of components.
    #[must_use]
    pub const fn with_components(self, components: usize) -> Self {
        Self { components, ..self }
    }

    /// The same with other weights of counts.
    #[must_use]
    pub const fn with_weighting(self, weighting: Weighting) -> Self {
        Self { weighting, ..self }
    }

    /// The same with another number of further directions.
    #[must_use]
    pub const fn with_oversampling(self, oversampling: usize) -> Self {
        Self { oversampling, ..self }
    }

    /// The same with another number of power iterations.
    #[must_use]
    pub const fn with_power_iterations(self, power_iterations: usize) -> Self {
        Self { power_iterations, ..self }
    }

    /// The same with another seed.
    #[must_use]
    pub const fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Checks every option.
    ///
    /// # Errors
    /// Names the first option out of its range.
    pub fn check(&self) -> Result<(), ParamError> {
        let components = self.components;
        check::require(components > 0, "SemanticAnalysis", "components", components as f64, "at least 1")?;
        Ok(())
    }
}
