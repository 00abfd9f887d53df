//! Data that come in batches, and data that are taken back.

use super::distribution::Spread;
use super::known_noise::{LinearPosterior, known_noise};
use super::{LinearData, PosteriorForm, WeightPrior};
use crate::Error;
use posterior_math::check;
use posterior_math::linalg::{Cholesky, DVector};

impl LinearPosterior {
    /// The posterior after more rows, with the same noise variance: what all rows together would have given,
    /// in any order, up to rounding.
    ///
    /// # Errors
    /// As [`known_noise`].
    pub fn update(&self, more: &LinearData<'_>) -> Result<Self, Error> {
        let updated = known_noise(more, &self.as_prior()?, self.noise_variance)?;
        let ln_evidence = self.ln_evidence.zip(updated.ln_evidence).map(|(before, after)| before + after);
        Ok(Self { ln_evidence, prior: self.prior.clone(), names: self.names.clone(), ..updated })
    }

    /// The posterior without these rows, which it was computed from: each is taken out of the factor of the
    /// precision.
    ///
    /// # Numerics
    /// What is left may be much less certain than what was there; its error grows by that much.
    ///
    /// # Errors
    /// If the data are of another number of features, or the rest does not determine the weights, as when a
    /// row is taken out that was never there.
    pub fn forget(&self, rows: &LinearData<'_>) -> Result<Self, Error> {
        check::dimension("features", self.mean.len(), rows.features())?;
        check::dimension("outputs", 1, rows.outputs)?;
        let mut factor = match &self.spread {
            Spread::Precision(factor) => factor.clone(),
            Spread::Reduced { .. } => Cholesky::new(&Cholesky::decompose(self.covariance())?.inverse())?,
        };
        let fitted = rows.design * &self.mean;
        let mut pull = DVector::zeros(self.mean.len());
        for row in 0..rows.rows() {
            let scale = (rows.weight(row) / self.noise_variance).sqrt();
            let white = rows.design.row(row).transpose() * scale;
            factor.rank_one_downdate(&white)?;
            let offset = rows.offset.map_or(0.0, |offset| offset[row]);
            pull += white * (scale * (rows.response[row] - offset - fitted[row]));
        }
        // C'⁻¹ m' = C⁻¹ m - Φᵀ y/σ², about the old mean.
        let mean = &self.mean - factor.solve_vector(&pull);
        let before = WeightPrior::of_precision(mean.clone(), factor.clone());
        let taken = known_noise(rows, &before, self.noise_variance)?.ln_evidence;
        let ln_evidence = self.ln_evidence.zip(taken).map(|(all, taken)| all - taken);
        let (spread, form) = (Spread::Precision(factor), PosteriorForm::Precision);
        Ok(Self { mean, spread, ln_evidence, form, ..self.clone() })
    }

    /// The distribution of the weights, as the prior of what comes next.
    ///
    /// # Errors
    /// If rounding has left a covariance that is not positive definite, in [`PosteriorForm::Gain`].
    pub fn as_prior(&self) -> Result<WeightPrior, Error> {
        Ok(self.spread.as_prior(&self.mean)?)
    }
}
