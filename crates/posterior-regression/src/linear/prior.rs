//! What is believed of the weights before the data.

use posterior_math::check::{self, ParamError};
use posterior_math::linalg::{
    Cholesky, DMatrix, DVector, MatrixError, multiply, solve_lower_transpose_in_place, transpose_multiply,
};

/// A normal distribution of the weights, N(μ, S), which may be flat in some of them or in all.
///
/// Where the noise variance is not known, S is in its units: N(μ, σ² S).
///
/// ```
/// use posterior_regression::linear::WeightPrior;
///
/// // An intercept about which nothing is believed, and a slope.
/// let prior = WeightPrior::independent(&[0.0, 0.0], &[f64::INFINITY, 4.0])?;
/// assert!(!prior.is_proper());
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct WeightPrior {
    mean: DVector<f64>,
    shape: Shape,
}

#[derive(Debug, Clone, PartialEq)]
enum Shape {
    /// Standard deviations; infinite where the distribution is flat.
    Independent(Vec<f64>),
    /// The factor L of S.
    Covariance(Cholesky),
    /// The factor L of S⁻¹.
    Precision(Cholesky),
}

const NAME: &str = "WeightPrior";

impl WeightPrior {
    /// Every value of each of F weights alike.
    pub fn flat(features: usize) -> Self {
        Self { mean: DVector::zeros(features), shape: Shape::Independent(vec![f64::INFINITY; features]) }
    }

    /// N(0, v I) for F weights: ridge regression with the penalty σ²/v.
    ///
    /// # Errors
    /// If the variance is not positive; infinity is flat.
    pub fn isotropic(features: usize, variance: f64) -> Result<Self, ParamError> {
        Self::independent(&vec![0.0; features], &vec![variance; features])
    }

    /// Independent weights with these means and variances; a variance of infinity is flat.
    ///
    /// # Errors
    /// If the lengths differ, a mean is not finite, or a variance is not positive.
    pub fn independent(mean: &[f64], variances: &[f64]) -> Result<Self, ParamError> {
        check::require(
            mean.len() == variances.len(),
            NAME,
            "variances",
            variances.len() as f64,
            "as many as means",
        )?;
        for (index, &variance) in variances.iter().enumerate() {
            check::require(variance > 0.0, NAME, "variances", variance, "positive")
                .map_err(|e| e.at(index))?;
        }
        let shape = Shape::Independent(variances.iter().map(|variance| variance.sqrt()).collect());
        Ok(Self { mean: checked_mean(mean)?, shape })
    }

    /// N(μ, S).
    ///
    /// # Errors
    /// If the sizes do not agree, a number is not finite, or S is not positive definite.
    pub fn gaussian(mean: &[f64], covariance: &DMatrix<f64>) -> Result<Self, ParamError> {
        let distribution = posterior_gaussian::Gaussian::new(mean, covariance)?;
        Ok(Self {
            mean: distribution.mean().clone(),
            shape: Shape::Covariance(distribution.cholesky().clone()),
        })
    }

    /// N(μ, (L Lᵀ)⁻¹), by the factor of the precision.
    ///
    /// # Errors
    /// If the sizes do not agree, or a mean is not finite.
    pub fn with_precision(mean: &[f64], precision: Cholesky) -> Result<Self, ParamError> {
        let agree = mean.len() == precision.size();
        check::require(agree, NAME, "rows of the precision", precision.size() as f64, "as many as means")?;
        Ok(Self { mean: checked_mean(mean)?, shape: Shape::Precision(precision) })
    }

    /// The number F of features.
    pub fn features(&self) -> usize {
        self.mean.len()
    }

    /// The mean μ of the weights.
    pub const fn mean(&self) -> &DVector<f64> {
        &self.mean
    }

    /// Whether the distribution is flat in no weight.
    pub fn is_proper(&self) -> bool {
        self.flat_weights() == 0
    }

    /// In how many weights the distribution is flat.
    pub(super) fn flat_weights(&self) -> usize {
        match &self.shape {
            Shape::Independent(deviations) => deviations.iter().filter(|sd| sd.is_infinite()).count(),
            Shape::Covariance(_) | Shape::Precision(_) => 0,
        }
    }

    /// Whether it is flat in this one.
    pub(super) fn is_flat_in(&self, index: usize) -> bool {
        matches!(&self.shape, Shape::Independent(deviations) if deviations[index].is_infinite())
    }

    /// ln |S⁻¹|, over the weights in which the distribution is not flat.
    pub(super) fn ln_precision(&self) -> f64 {
        match &self.shape {
            Shape::Independent(deviations) => {
                deviations.iter().filter(|sd| sd.is_finite()).map(|sd| -2.0 * sd.ln()).sum()
            }
            Shape::Covariance(factor) => -factor.ln_determinant(),
            Shape::Precision(factor) => factor.ln_determinant(),
        }
    }

    /// S⁻¹.
    pub(super) fn precision(&self) -> DMatrix<f64> {
        match &self.shape {
            Shape::Independent(deviations) => DMatrix::from_diagonal(&DVector::from_iterator(
                deviations.len(),
                deviations.iter().map(|sd| (sd * sd).recip()),
            )),
            Shape::Covariance(factor) => factor.inverse(),
            Shape::Precision(factor) => factor.reconstruct(),
        }
    }

    /// R₀ with R₀ᵀ R₀ = S⁻¹.
    pub(super) fn precision_root(&self) -> DMatrix<f64> {
        let features = self.features();
        self.whitened(DMatrix::identity(features, features))
    }

    /// R₀ B.
    pub(super) fn whitened(&self, mut b: DMatrix<f64>) -> DMatrix<f64> {
        match &self.shape {
            Shape::Independent(deviations) => {
                for mut column in b.column_iter_mut() {
                    column.iter_mut().zip(deviations).for_each(|(b, sd)| *b /= sd);
                }
                b
            }
            Shape::Covariance(factor) => factor.half_solve(&b),
            Shape::Precision(factor) => transpose_multiply(factor.factor(), &b),
        }
    }

    /// S⁻¹ B.
    pub(super) fn times_precision(&self, b: &DMatrix<f64>) -> DMatrix<f64> {
        let white = self.whitened(b.clone());
        match &self.shape {
            Shape::Independent(_) => self.whitened(white),
            Shape::Covariance(factor) => factor.half_solve_transpose(&white),
            Shape::Precision(factor) => multiply(factor.factor(), &white),
        }
    }

    /// S^(1/2) Z, where S = S^(1/2) S^(T/2); of a proper distribution.
    pub(super) fn root_times(&self, mut z: DMatrix<f64>) -> DMatrix<f64> {
        match &self.shape {
            Shape::Independent(deviations) => {
                for mut column in z.column_iter_mut() {
                    column.iter_mut().zip(deviations).for_each(|(z, sd)| *z *= sd);
                }
                z
            }
            Shape::Covariance(factor) => multiply(factor.factor(), &z),
            Shape::Precision(factor) => {
                solve_lower_transpose_in_place(factor.factor(), &mut z);
                z
            }
        }
    }

    /// S^(T/2) B; of a proper distribution.
    pub(super) fn root_transpose_times(&self, b: DMatrix<f64>) -> DMatrix<f64> {
        match &self.shape {
            Shape::Independent(_) => self.root_times(b),
            Shape::Covariance(factor) => transpose_multiply(factor.factor(), &b),
            Shape::Precision(factor) => factor.half_solve(&b),
        }
    }

    /// The distribution with this mean and covariance, where rounding may have left no positive definite
    /// matrix.
    pub(super) fn of_covariance(mean: DVector<f64>, covariance: DMatrix<f64>) -> Result<Self, MatrixError> {
        Ok(Self { mean, shape: Shape::Covariance(Cholesky::decompose(covariance)?) })
    }

    /// The distribution with this mean and factor of the precision.
    pub(super) const fn of_precision(mean: DVector<f64>, factor: Cholesky) -> Self {
        Self { mean, shape: Shape::Precision(factor) }
    }
}

fn checked_mean(mean: &[f64]) -> Result<DVector<f64>, ParamError> {
    for (index, &value) in mean.iter().enumerate() {
        check::finite(NAME, "mean", value).map_err(|error| error.at(index))?;
    }
    Ok(DVector::from_column_slice(mean))
}
