//! Options of a latent semantic analysis.

use posterior_math::ParamError;
use posterior_math::check;

use crate::Weighting;

/// Options of [`fit`](super::fit). All of them shape the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SemanticAnalysisOptions {
    /// The number of components, at least 1. Fewer come back where the matrix has a lower rank. Default 20.
    pub components: usize,
    /// The weight of a count. Default: itself.
    pub weighting: Weighting,
    /// Random directions beyond the components. Default 10.
    pub oversampling: usize,
    /// Power iterations: the more, the nearer are values that are close to the first one left out. Default 4.
    pub power_iterations: usize,
    /// The seed. Default 0.
    pub seed: u64,
}

impl Default for SemanticAnalysisOptions {
    fn default() -> Self {
        Self { components: 20, weighting: Weighting::Counts, oversampling: 10, power_iterations: 4, seed: 0 }
    }
}

impl SemanticAnalysisOptions {
    /// Checks every option.
    ///
    /// # Errors
    /// Names the first option out of its range.
    pub fn check(&self) -> Result<(), ParamError> {
        let components = self.components;
        check::at_least_one("SemanticAnalysis", "components", components)?;
        Ok(())
    }
}
