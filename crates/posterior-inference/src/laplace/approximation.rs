//! The Gaussian at the mode.

use posterior_gaussian::{Gaussian, InformationGaussian};
use posterior_math::check::ParamError;
use posterior_math::iteration::Report;
use posterior_math::linalg::{DMatrix, DVector};

/// The Gaussian at the mode of a density, and the integral that it gives.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LaplaceApproximation {
    /// The mode x̂.
    pub mode: Vec<f64>,
    /// N(x̂, Λ⁻¹).
    pub distribution: Gaussian,
    /// Λ = -∇² ln p(x̂).
    pub precision: DMatrix<f64>,
    /// ln p(x̂), as the target has it.
    pub ln_density: f64,
    /// ln ∫ p(x) dx ≈ ln p(x̂) + n/2 ln 2π - ½ ln |Λ|.
    pub ln_evidence: f64,
    /// How the search for the mode went; the objective is ln p.
    pub report: Report,
}

impl LaplaceApproximation {
    /// The expansion of p itself, p(x̂) exp(-½ (x - x̂)ᵀ Λ (x - x̂)), whose integral is the evidence.
    ///
    /// # Errors
    /// If a number is beyond the range of f64.
    pub fn expansion(&self) -> Result<InformationGaussian, ParamError> {
        let mode = DVector::from_column_slice(&self.mode);
        let eta = &self.precision * &mode;
        let ln_scale = self.ln_density - 0.5 * mode.dot(&eta);
        InformationGaussian::new(eta.as_slice(), &self.precision, ln_scale)
    }
}
