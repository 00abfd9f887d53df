//! What a fit says: coefficients with their errors, and how well they fit.

use posterior_math::check;
use posterior_math::linalg::{Cholesky, DMatrix, MatrixError};
use posterior_math::special::normal_quantile;

use super::model::Glm;
use super::pass::{At, Want, pass};
use super::response_distribution::{Curvature, ResponseDistribution};
use crate::Error;
use crate::coefficients::Coefficient;

/// A fitted generalised linear model.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct GlmFit {
    /// The names of the columns.
    pub names: Vec<String>,
    /// The coefficients β̂ at the mode.
    pub coefficients: Vec<f64>,
    /// The inverse of the information that is expected at β̂, with that of the prior: what R's `glm` has.
    pub covariance: DMatrix<f64>,
    /// φ: known, or Pearson's χ² over the residual degrees of freedom. NaN if there are none.
    pub dispersion: f64,
    /// Whether the dispersion was estimated.
    pub dispersion_is_estimated: bool,
    /// Twice what the log-likelihood lacks of a perfect fit's, for dispersion 1.
    pub deviance: f64,
    /// Pearson's χ²: Σ w (y - μ)² / V(μ).
    pub pearson_chi_squared: f64,
    /// ln p(y | β̂), at the known dispersion, or at the mean deviance (as R). None for quasi-likelihoods, and
    /// for dispersions of 0.
    pub ln_likelihood: Option<f64>,
    /// Rows of positive weight.
    pub rows: usize,
}

impl GlmFit {
    /// The figures at coefficients that were found with this dispersion.
    pub(super) fn new<L: ResponseDistribution + Sync>(
        model: &Glm<'_, L>,
        coefficients: Vec<f64>,
        dispersion: f64,
    ) -> Result<Self, Error> {
        let data = model.data();
        let rows = data.informative_rows();
        let weights = data.weights().map_or(rows as f64, |weights| weights.iter().sum());
        let want = Want::Information(Curvature::Expected);
        let mut sums = pass(model.distribution(), data, At::Coefficients(&coefficients), want, 1);
        // A difference, so that a perfect fit has 0 and not -0.
        let (deviance, pearson_chi_squared) = (0.0 - 2.0 * sums.value, sums.pearson);
        let estimated = model.dispersion().is_none();
        let degrees = rows.saturating_sub(coefficients.len());
        let scale = match model.dispersion() {
            Some(dispersion) => dispersion,
            None if degrees == 0 => f64::NAN,
            None => pearson_chi_squared / degrees as f64,
        };
        // Under a prior the information is that of the dispersion at which the coefficients were found.
        let at = if model.prior().is_flat() { 1.0 } else { dispersion };
        model.add_prior(&mut sums, &coefficients, at, want);
        let mut covariance = independent(&sums.information, data.names())?.inverse();
        if model.prior().is_flat() {
            covariance *= scale;
        }
        let likely = if estimated { deviance / mean_weight_rows(model, rows, weights) } else { scale };
        let ln_likelihood = (likely > 0.0)
            .then(|| model.ln_best(likely).map(|best| best - 0.5 * deviance / likely))
            .flatten();
        Ok(Self {
            names: data.names().to_vec(),
            coefficients,
            covariance,
            dispersion: scale,
            dispersion_is_estimated: estimated,
            deviance,
            pearson_chi_squared,
            ln_likelihood,
            rows,
        })
    }

    /// The standard errors: the roots of the diagonal of the covariance.
    pub fn standard_errors(&self) -> Vec<f64> {
        self.covariance.diagonal().iter().map(|variance| variance.sqrt()).collect()
    }

    /// The table of coefficients: estimates with their normal distributions.
    ///
    /// # Errors
    /// Standard errors that do not exist: no degrees of freedom for a dispersion.
    pub fn table(&self) -> Result<Vec<Coefficient>, Error> {
        let rows = self.names.iter().zip(&self.coefficients).zip(self.standard_errors());
        rows.map(|((name, mean), sd)| Ok(Coefficient::normal(name.as_str(), *mean, sd)?)).collect()
    }

    /// The central interval of each coefficient that holds it with this chance, by the normal distribution.
    ///
    /// # Errors
    /// A level that is not strictly between 0 and 1.
    pub fn intervals(&self, level: f64) -> Result<Vec<[f64; 2]>, Error> {
        check::open_probability("GlmFit", "level", level)?;
        let half = normal_quantile(0.5 + 0.5 * level);
        let errors = self.standard_errors();
        Ok(self
            .coefficients
            .iter()
            .zip(errors)
            .map(|(b, error)| [b - half * error, b + half * error])
            .collect())
    }

    /// The residual degrees of freedom: rows less coefficients.
    pub const fn residual_degrees(&self) -> usize {
        self.rows.saturating_sub(self.coefficients.len())
    }

    /// Akaike's criterion, 2 k - 2 ln p(y | β̂), where k counts an estimated dispersion too, as in R.
    pub fn aic(&self) -> Option<f64> {
        Some(2.0 * self.parameters() - 2.0 * self.ln_likelihood?)
    }

    /// The Bayesian information criterion, k ln n - 2 ln p(y | β̂).
    pub fn bic(&self) -> Option<f64> {
        Some(self.parameters() * (self.rows as f64).ln() - 2.0 * self.ln_likelihood?)
    }

    fn parameters(&self) -> f64 {
        (self.coefficients.len() + usize::from(self.dispersion_is_estimated)) as f64
    }
}

/// What the deviance is divided by for the dispersion at which the log-likelihood is taken: the rows of a
/// Gaussian distribution, whose weights are inverse variances, and the sum of weights else.
fn mean_weight_rows<L: ResponseDistribution + Sync>(model: &Glm<'_, L>, rows: usize, weights: f64) -> f64 {
    if model.distribution().weights_count_rows() { weights } else { rows as f64 }
}

/// A column is a combination of those before it if they leave no larger proportion of its square.
const COLLINEAR: f64 = 1e-13;

/// The factor of an information matrix.
///
/// # Errors
/// The first column that those before it determine.
pub(super) fn independent(information: &DMatrix<f64>, names: &[String]) -> Result<Cholesky, Error> {
    let collinear = |column: usize| Error::Collinear { column: names[column].clone() };
    match Cholesky::new(information) {
        Ok(factor) => {
            let left = |j: usize| factor.factor()[(j, j)].powi(2) / information[(j, j)];
            match (0..names.len()).find(|&j| !(left(j) > COLLINEAR)) {
                None => Ok(factor),
                Some(column) => Err(collinear(column)),
            }
        }
        Err(MatrixError::NotPositiveDefinite { pivot, .. }) if information.iter().all(|x| x.is_finite()) => {
            Err(collinear(pivot))
        }
        Err(error) => Err(error.into()),
    }
}
