//! Values with flat priors.

use posterior_math::check;
use posterior_math::special::LN_TAU;

use super::{EffectPrecision, LatentEffect};
use crate::Error;
use crate::hyperparameter::Hyperparameter;

/// Values with flat priors, one for each of many groups: fixed effects of groups without a column for each,
/// at the cost of a sparse matrix. Each value needs a row that has a response.
///
/// # Multinomial responses
/// Counts of categories are Poisson counts with a free value for each observation (Poisson's trick): given
/// their sum, they are multinomial, and the free values take the sums in.
///
/// ```
/// use posterior_hierarchical::{FamilyResponse, FreeValues, HierarchicalModel, HierarchicalOptions,
/// PlaceEffect as _};
///
/// // Of three districts, how many people take the car, the bus, the bicycle: a row for each pair.
/// let counts = [41.0, 22.0, 7.0, 30.0, 30.0, 12.0, 13.0, 35.0, 17.0];
/// let district = [0, 0, 0, 1, 1, 1, 2, 2, 2];
/// let is = |category: usize| (0..9).map(|row| f64::from(u8::from(row % 3 == category))).collect::<Vec<_>>();
/// let model = HierarchicalModel::new(FamilyResponse::poisson(), &counts)?
///     .column("bus", &is(1))?
///     .column("bicycle", &is(2))?
///     .effect(FreeValues::new("district", 3)?.at(&district)?)?;
/// let fit = model.fit(&HierarchicalOptions::default())?;
/// // The logarithm of the odds of bus against car: 87 of 171.
/// let bus = fit.fixed("bus")?;
/// assert!((bus.mean() - (87.0_f64 / 84.0).ln()).abs() < 0.01);
/// # Ok::<(), posterior_hierarchical::Error>(())
/// ```
///
/// # References
/// S. G. Baker, The multinomial-Poisson transformation, The Statistician 43 (1994).
#[derive(Debug, Clone)]
pub struct FreeValues {
    name: String,
    count: usize,
}

impl FreeValues {
    /// So many values.
    ///
    /// # Errors
    /// No value.
    pub fn new(name: impl Into<String>, count: usize) -> Result<Self, Error> {
        check::at_least_one("FreeValues", "values", count)?;
        Ok(Self { name: name.into(), count })
    }
}

impl LatentEffect for FreeValues {
    fn name(&self) -> &str {
        &self.name
    }

    fn size(&self) -> usize {
        self.count
    }

    fn hyperparameters(&self) -> Vec<Hyperparameter> {
        Vec::new()
    }

    fn pattern(&self) -> Vec<(usize, usize)> {
        (0..self.count).map(|i| (i, i)).collect()
    }

    fn precision(&self, _parameters: &[f64]) -> Result<EffectPrecision, Error> {
        let ln_determinant = self.count as f64 * LN_TAU;
        Ok(EffectPrecision { values: vec![0.0; self.count], ln_determinant, derivatives: Vec::new() })
    }
}
