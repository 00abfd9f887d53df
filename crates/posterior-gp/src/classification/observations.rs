//! What was seen, where, and through which likelihood.

use posterior_math::check;
use posterior_math::linalg::{DMatrix, DVector};

use crate::likelihood::Likelihood;
use crate::{Error, GaussianProcess};

/// Inputs, one observation for each, and the likelihood of the observations.
#[derive(Debug, Clone, PartialEq)]
pub struct ObservationModel<L: Likelihood> {
    inputs: DMatrix<f64>,
    outputs: Vec<L::Output>,
    likelihood: L,
}

impl<L: Likelihood> ObservationModel<L> {
    /// The observations `outputs` of the function at the rows of `inputs`.
    ///
    /// # Errors
    /// If there is not one output for each row, an input is not finite, or the likelihood refuses an output.
    pub fn new(inputs: DMatrix<f64>, outputs: &[L::Output], likelihood: L) -> Result<Self, Error> {
        check_inputs(&inputs)?;
        check::dimension("number of outputs", inputs.nrows(), outputs.len())?;
        for (row, &output) in outputs.iter().enumerate() {
            likelihood.check(output).map_err(|error| error.at(row))?;
        }
        Ok(Self { inputs, outputs: outputs.to_vec(), likelihood })
    }

    /// The same observations with another likelihood of its kind.
    #[must_use]
    pub fn with_likelihood(self, likelihood: L) -> Self {
        Self { likelihood, ..self }
    }

    /// One row for each observation.
    pub const fn inputs(&self) -> &DMatrix<f64> {
        &self.inputs
    }

    /// What was seen.
    pub fn outputs(&self) -> &[L::Output] {
        &self.outputs
    }

    /// The distribution of one observation.
    pub const fn likelihood(&self) -> &L {
        &self.likelihood
    }

    /// The number of observations.
    pub fn len(&self) -> usize {
        self.outputs.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.outputs.is_empty()
    }

    /// Σ ln p(yᵢ | fᵢ).
    pub(super) fn ln_likelihood(&self, latent: &DVector<f64>) -> f64 {
        let terms = self.outputs.iter().zip(latent.iter());
        terms.map(|(&output, &f)| self.likelihood.ln_density(output, f)).sum()
    }

    /// One of the three derivatives of each term.
    pub(super) fn derivatives(&self, latent: &DVector<f64>) -> [DVector<f64>; 3] {
        let mut columns = [0; 3].map(|_| DVector::zeros(self.len()));
        for (i, &output) in self.outputs.iter().enumerate() {
            let derivatives = self.likelihood.derivatives(output, latent[i]);
            for (column, derivative) in columns.iter_mut().zip(derivatives) {
                column[i] = derivative;
            }
        }
        columns
    }
}

/// Refuses inputs that are not finite.
pub(crate) fn check_inputs(inputs: &DMatrix<f64>) -> Result<(), Error> {
    for row in 0..inputs.nrows() {
        if let Some(&value) = inputs.row(row).iter().find(|value| !value.is_finite()) {
            return Err(Error::NotFinite { what: "an input", row, value });
        }
    }
    Ok(())
}

/// Refuses inputs of which the prior has no distribution.
pub(super) fn check_prior(prior: &GaussianProcess, inputs: &DMatrix<f64>) -> Result<(), Error> {
    prior.kernel().check(inputs)?;
    prior.mean().check(inputs)
}
