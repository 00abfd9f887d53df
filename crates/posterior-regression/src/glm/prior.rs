//! What is known about coefficients before the data.

use std::f64::consts::TAU;

use posterior_math::check::{self, DimensionError};

use super::observations::GlmData;
use crate::Error;

/// Independent Gaussian priors of the coefficients, each N(mⱼ, 1/τⱼ); flat where the precision τⱼ is 0.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "Unchecked"))]
pub struct CoefficientPrior {
    mean: Vec<f64>,
    precision: Vec<f64>,
}

impl CoefficientPrior {
    /// Flat: maximum likelihood.
    pub fn flat(columns: usize) -> Self {
        Self { mean: vec![0.0; columns], precision: vec![0.0; columns] }
    }

    /// N(0, sd²) for each coefficient.
    ///
    /// # Errors
    /// A standard deviation that is not positive and finite, or whose square is out of range.
    pub fn isotropic(columns: usize, sd: f64) -> Result<Self, Error> {
        Self::diagonal(vec![0.0; columns], &vec![sd; columns])
    }

    /// N(0, sd²) for the coefficients of all columns but intercepts, which are left free (flat): ridge
    /// regression.
    ///
    /// # Errors
    /// As [`isotropic`](Self::isotropic).
    pub fn shrinking(data: &GlmData<'_>, sd: f64) -> Result<Self, Error> {
        let sd_of = |column| if data.is_intercept(column) { f64::INFINITY } else { sd };
        check::positive("CoefficientPrior", "sd", sd)?;
        Self::diagonal(vec![0.0; data.columns()], &(0..data.columns()).map(sd_of).collect::<Vec<_>>())
    }

    /// N(mean, sd²) for each coefficient; an infinite standard deviation leaves it free.
    ///
    /// # Errors
    /// Other numbers of means than of standard deviations; a mean that is not finite; a standard deviation
    /// that is not positive, or whose square is out of range.
    pub fn diagonal(mean: Vec<f64>, sds: &[f64]) -> Result<Self, Error> {
        check::dimension("standard deviations of the prior", mean.len(), sds.len())?;
        for (j, m) in mean.iter().enumerate() {
            check::finite("CoefficientPrior", "mean", *m).map_err(|error| error.at(j))?;
        }
        let mut precision = Vec::with_capacity(sds.len());
        for (j, &sd) in sds.iter().enumerate() {
            let square = sd.recip() * sd.recip();
            let possible = sd > 0.0 && square.is_finite() && (square > 0.0 || sd == f64::INFINITY);
            check::require(
                possible,
                "CoefficientPrior",
                "sd",
                sd,
                "positive, with a square in range, or infinite",
            )
            .map_err(|error| error.at(j))?;
            precision.push(square);
        }
        Ok(Self { mean, precision })
    }

    /// This prior, if it is one of `columns` coefficients.
    pub(super) fn of_columns(self, columns: usize) -> Result<Self, Error> {
        if self.len() == columns {
            return Ok(self);
        }
        Err(DimensionError::new("coefficients of the prior", columns, self.len()).into())
    }

    /// The number of coefficients.
    pub const fn len(&self) -> usize {
        self.mean.len()
    }

    /// Whether it is about no coefficient.
    pub const fn is_empty(&self) -> bool {
        self.mean.is_empty()
    }

    /// The prior means.
    pub fn mean(&self) -> &[f64] {
        &self.mean
    }

    /// The prior precisions, 0 where the prior is flat.
    pub fn precision(&self) -> &[f64] {
        &self.precision
    }

    /// Whether it is flat for every coefficient.
    pub fn is_flat(&self) -> bool {
        self.precision.iter().all(|precision| *precision == 0.0)
    }

    /// Whether it is a distribution, flat for no coefficient.
    pub fn is_proper(&self) -> bool {
        self.precision.iter().all(|precision| *precision > 0.0)
    }

    /// ln p(β), without a constant for the coefficients whose prior is flat.
    ///
    /// # Panics
    /// Unless there are as many coefficients.
    #[track_caller]
    pub fn ln_density(&self, coefficients: &[f64]) -> f64 {
        assert_eq!(coefficients.len(), self.len(), "coefficients");
        let term = |j: usize| {
            let (deviation, precision) = (coefficients[j] - self.mean[j], self.precision[j]);
            if precision == 0.0 {
                0.0
            } else {
                0.5 * ((precision / TAU).ln() - precision * deviation * deviation)
            }
        };
        (0..self.len()).map(term).sum()
    }

    /// Adds the gradient of ln p.
    pub(crate) fn add_gradient(&self, coefficients: &[f64], gradient: &mut [f64]) {
        for (j, slope) in gradient.iter_mut().enumerate() {
            *slope -= self.precision[j] * (coefficients[j] - self.mean[j]);
        }
    }
}

/// A prior as somebody wrote it.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct Unchecked {
    mean: Vec<f64>,
    precision: Vec<f64>,
}

#[cfg(feature = "serde")]
impl TryFrom<Unchecked> for CoefficientPrior {
    type Error = Error;

    fn try_from(Unchecked { mean, precision }: Unchecked) -> Result<Self, Error> {
        check::dimension("precisions of the prior", mean.len(), precision.len())?;
        for (j, (&mean, &precision)) in mean.iter().zip(&precision).enumerate() {
            check::finite("CoefficientPrior", "mean", mean).map_err(|error| error.at(j))?;
            check::non_negative("CoefficientPrior", "precision", precision).map_err(|error| error.at(j))?;
        }
        Ok(Self { mean, precision })
    }
}
