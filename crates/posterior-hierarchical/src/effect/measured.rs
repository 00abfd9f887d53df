//! Covariates that were measured with errors.

use posterior_math::check;
use posterior_math::special::LN_TAU;

use super::{EffectPrecision, LatentEffect};
use crate::Error;
use crate::hyperparameter::{HyperScale, Hyperparameter};
use crate::prior::HyperparameterPrior;

/// The true values x of a covariate that is measured with errors, or missing in some rows: xᵢ ~ N(α, σ²) with
/// a flat prior of α, which is the last of the n + 1 values.
/// [`HierarchicalModel::measured_column`](crate::HierarchicalModel::measured_column) makes one.
///
/// The prior of σ is P(σ > 1) = 0.01 unless [another one](super::PlacedEffect::with_prior) is given.
#[derive(Debug, Clone)]
pub struct MeasuredCovariate {
    name: String,
    count: usize,
    prior: HyperparameterPrior,
}

impl MeasuredCovariate {
    /// The true values of so many rows, and their mean.
    ///
    /// # Errors
    /// No row.
    pub fn new(name: impl Into<String>, rows: usize) -> Result<Self, Error> {
        check::at_least_one("MeasuredCovariate", "rows", rows)?;
        let prior = HyperparameterPrior::deviation_above(1.0, 0.01)?;
        Ok(Self { name: name.into(), count: rows, prior })
    }
}

impl LatentEffect for MeasuredCovariate {
    fn name(&self) -> &str {
        &self.name
    }

    fn size(&self) -> usize {
        self.count + 1
    }

    fn hyperparameters(&self) -> Vec<Hyperparameter> {
        vec![Hyperparameter::of_effect("sd", &self.name, HyperScale::Positive, 1.0, &self.prior)]
    }

    fn pattern(&self) -> Vec<(usize, usize)> {
        let n = self.count;
        (0..=n).map(|i| (i, i)).chain((0..n).map(|i| (n, i))).collect()
    }

    fn precision(&self, parameters: &[f64]) -> Result<EffectPrecision, Error> {
        let (sd, n) = (parameters[0], self.count as f64);
        let structure =
            std::iter::repeat_n(1.0, self.count).chain([n]).chain(std::iter::repeat_n(-1.0, self.count));
        let values: Vec<f64> = structure.map(|entry| entry / (sd * sd)).collect();
        let slopes = values.iter().map(|value| -2.0 * value / sd).collect();
        // One direction is flat.
        let ln_determinant = LN_TAU - 2.0 * n * sd.ln();
        Ok(EffectPrecision { values, ln_determinant, derivatives: vec![(slopes, -2.0 * n / sd)] })
    }

    fn labels(&self) -> Vec<String> {
        (1..=self.count).map(|row| row.to_string()).chain(["mean".to_owned()]).collect()
    }
}
