//! Penalised likelihoods.

use posterior_math::check::{self, ParamError};
use posterior_math::log_space::x_ln_x;

use crate::error::Error;
use crate::gaussian_mixture::GaussianMixture;
use crate::observations::Observations;

/// By what models are compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Criterion {
    /// Schwarz's.
    #[default]
    Bic,
    /// Akaike's.
    Aic,
    /// BIC with the entropy of the assignments.
    Icl,
    /// The likelihood of data that the fit has not seen.
    HeldOut,
}

/// What the criteria are made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Criteria {
    ln_likelihood: f64,
    free_parameters: usize,
    observations: f64,
    entropy: f64,
}

impl Criteria {
    /// Of a model with this maximal ln L, number of free parameters, number of observations (their total
    /// weight), and entropy of the assignments, -Σ r ln r.
    ///
    /// # Errors
    /// If there are no observations, a number is not finite, or the entropy is negative.
    pub fn new(
        ln_likelihood: f64,
        free_parameters: usize,
        observations: f64,
        entropy: f64,
    ) -> Result<Self, ParamError> {
        check::finite("Criteria", "ln_likelihood", ln_likelihood)?;
        check::positive("Criteria", "observations", observations)?;
        check::non_negative("Criteria", "entropy", entropy)?;
        Ok(Self { ln_likelihood, free_parameters, observations, entropy })
    }

    /// Of a Gaussian mixture and the data that it was fitted to.
    ///
    /// # Errors
    /// If the data have another dimension, or an observation is impossible.
    pub fn of(mixture: &GaussianMixture, data: &Observations) -> Result<Self, Error> {
        let data = data.counted().into_owned();
        let (proportions, ln_pdf) = (mixture.responsibilities(&data)?, mixture.ln_pdf_rows(&data)?);
        let ln_likelihood = ln_pdf.iter().enumerate().map(|(i, ln_pdf)| data.weight(i) * ln_pdf).sum();
        let entropy = proportions
            .row_iter()
            .enumerate()
            .map(|(i, row)| -data.weight(i) * row.iter().map(|&proportion| x_ln_x(proportion)).sum::<f64>());
        let entropy = entropy.sum::<f64>().max(0.0);
        Ok(Self::new(ln_likelihood, mixture.free_parameters(), data.total_weight(), entropy)?)
    }

    /// ln L.
    pub const fn ln_likelihood(&self) -> f64 {
        self.ln_likelihood
    }

    /// The number p of free parameters.
    pub const fn free_parameters(&self) -> usize {
        self.free_parameters
    }

    /// -Σ r ln r.
    pub const fn entropy(&self) -> f64 {
        self.entropy
    }

    /// -2 ln L + 2 p.
    pub fn aic(&self) -> f64 {
        -2.0 * self.ln_likelihood + 2.0 * self.free_parameters as f64
    }

    /// -2 ln L + p ln n.
    pub fn bic(&self) -> f64 {
        -2.0 * self.ln_likelihood + self.free_parameters as f64 * self.observations.ln()
    }

    /// BIC - 2 Σ r ln r.
    pub fn icl(&self) -> f64 {
        self.bic() + 2.0 * self.entropy
    }
}
