//! A Gaussian by its mean and its covariance, which may be singular.

use posterior_math::check::ParamError;
use posterior_math::linalg::{Cholesky, DMatrix, DVector, congruence, gram_of_columns};
use posterior_math::special::LN_TAU;

use super::{Gaussian, GaussianSampler};
use crate::matrix_check;

/// A Gaussian in moment form: μ and Σ, which may be singular, down to a point that is known exactly.
///
/// What filters and smoothers compute with: an operation costs what its formula costs, and no factor is made
/// that is not asked for. [`distribution`](Self::distribution) prepares the [`Gaussian`] with a density.
///
/// # Numerics
/// A covariance that an observation leaves is a difference. A variance in it below 4 n ε of what it was taken
/// from is rounding, and becomes zero.
///
/// # Example
/// ```
/// use posterior_gaussian::MomentGaussian;
/// use posterior_math::linalg::DMatrix;
///
/// // Two independent numbers whose sum is known: their difference is all that stays uncertain.
/// let prior = MomentGaussian::new(&[0.0, 0.0], &DMatrix::identity(2, 2))?;
/// let sum = prior.affine(&DMatrix::from_row_slice(3, 2, &[1.0, 0.0, 0.0, 1.0, 1.0, 1.0]), &[0.0; 3])?;
/// let posterior = sum.condition(&[2], &[3.0])?;
/// assert!((posterior.mean()[0] - 1.5).abs() < 1e-15);
/// assert!((posterior.covariance()[(0, 1)] + 0.5).abs() < 1e-15);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct MomentGaussian {
    mean: DVector<f64>,
    covariance: DMatrix<f64>,
}

impl MomentGaussian {
    /// The distribution with this mean and covariance.
    ///
    /// # Errors
    /// If the sizes do not agree, an entry is not finite, or the covariance is not symmetric and positive
    /// semidefinite.
    pub fn new(mean: &[f64], covariance: &DMatrix<f64>) -> Result<Self, ParamError> {
        matrix_check::finite("MomentGaussian", "mean", mean)?;
        matrix_check::length("MomentGaussian", "rows of the covariance", covariance.nrows(), mean.len())?;
        let (covariance, _) = matrix_check::semidefinite("MomentGaussian", "covariance", covariance)?;
        Ok(Self { mean: DVector::from_column_slice(mean), covariance })
    }

    /// A point that is known exactly: covariance zero.
    ///
    /// # Errors
    /// If a coordinate is not finite.
    pub fn point(x: &[f64]) -> Result<Self, ParamError> {
        Self::new(x, &DMatrix::zeros(x.len(), x.len()))
    }

    /// From parts that agree.
    pub(crate) const fn trusted(mean: DVector<f64>, covariance: DMatrix<f64>) -> Self {
        Self { mean, covariance }
    }

    /// From numbers that were computed, and may have overflowed.
    pub(super) fn computed(mean: DVector<f64>, covariance: DMatrix<f64>) -> Result<Self, ParamError> {
        matrix_check::finite("MomentGaussian", "mean", mean.as_slice())?;
        matrix_check::finite("MomentGaussian", "covariance", covariance.as_slice())?;
        Ok(Self { mean, covariance })
    }

    /// The dimension n.
    pub fn dimension(&self) -> usize {
        self.mean.len()
    }

    /// The mean μ.
    pub const fn mean(&self) -> &DVector<f64> {
        &self.mean
    }

    /// The covariance matrix Σ.
    pub const fn covariance(&self) -> &DMatrix<f64> {
        &self.covariance
    }

    /// μ and Σ.
    pub fn into_parts(self) -> (DVector<f64>, DMatrix<f64>) {
        (self.mean, self.covariance)
    }

    /// The distribution with a density.
    ///
    /// # Errors
    /// If the covariance is not positive definite.
    pub fn distribution(self) -> Result<Gaussian, ParamError> {
        let factor = self.factor("Gaussian", "covariance")?;
        Ok(Gaussian::prepared(self.mean, self.covariance, factor))
    }

    /// The factor of Σ.
    pub(super) fn factor(
        &self,
        type_name: &'static str,
        parameter: &'static str,
    ) -> Result<Cholesky, ParamError> {
        Cholesky::new(&self.covariance).map_err(|error| error.of_parameter(type_name, parameter))
    }

    /// F with Σ = F Fᵀ: the Cholesky factor, or, of a singular Σ, a matrix with as many columns as Σ has
    /// rank.
    ///
    /// # Errors
    /// If rounding has made Σ indefinite by more than 8 n ε of its variances.
    pub fn root(&self) -> Result<DMatrix<f64>, ParamError> {
        if let Ok(factor) = Cholesky::new(&self.covariance) {
            return Ok(factor.into_factor());
        }
        matrix_check::semidefinite_root(&self.covariance)
            .map_err(|error| error.of_parameter("MomentGaussian", "covariance"))
    }

    /// What draws from the distribution, singular or not.
    ///
    /// # Errors
    /// As [`root`](Self::root).
    pub fn sampler(&self) -> Result<GaussianSampler, ParamError> {
        Ok(GaussianSampler::by_root(self.mean.clone(), self.root()?))
    }

    /// The distribution of A x + b: N(A μ + b, A Σ Aᵀ).
    ///
    /// # Errors
    /// If the sizes do not agree, or an entry is not finite.
    pub fn affine(&self, matrix: &DMatrix<f64>, offset: &[f64]) -> Result<Self, ParamError> {
        matrix_check::length("MomentGaussian", "columns of the map", matrix.ncols(), self.dimension())?;
        matrix_check::length("MomentGaussian", "offset", offset.len(), matrix.nrows())?;
        let mean = matrix * &self.mean + DVector::from_column_slice(offset);
        Self::computed(mean, congruence(matrix, &self.covariance))
    }

    /// The distribution of x + y for an independent y: means and covariances add.
    ///
    /// # Errors
    /// If the dimensions differ, or a sum overflows.
    pub fn plus_independent(&self, other: &Self) -> Result<Self, ParamError> {
        matrix_check::length("MomentGaussian", "dimension", other.dimension(), self.dimension())?;
        Self::computed(&self.mean + &other.mean, &self.covariance + &other.covariance)
    }

    /// The distribution of the coordinates `indices`, in this order.
    ///
    /// # Errors
    /// If an index is not below n, or there twice.
    pub fn marginal(&self, indices: &[usize]) -> Result<Self, ParamError> {
        matrix_check::indices("MomentGaussian", indices, self.dimension())?;
        Ok(Self {
            mean: self.mean.select_rows(indices),
            covariance: block(&self.covariance, indices, indices),
        })
    }

    /// The distribution of the other coordinates, in order, given that the coordinates `indices` have these
    /// `values`: mean μ₁ + Σ₁₂ Σ₂₂⁻¹ (v - μ₂), covariance Σ₁₁ - Σ₁₂ Σ₂₂⁻¹ Σ₂₁.
    ///
    /// # Errors
    /// If an index is not below n or there twice, a value is not finite or there is not one for each index,
    /// or what is observed has a singular covariance.
    pub fn condition(&self, indices: &[usize], values: &[f64]) -> Result<Self, ParamError> {
        matrix_check::indices("MomentGaussian", indices, self.dimension())?;
        matrix_check::length("MomentGaussian", "values", values.len(), indices.len())?;
        matrix_check::finite("MomentGaussian", "value", values)?;
        let observed = self.marginal(indices)?;
        let factor = observed.factor("MomentGaussian", "covariance of what is observed")?;
        let kept = matrix_check::others(indices, self.dimension());
        let prior = self.marginal(&kept)?;
        let cross = factor.half_solve(&block(&self.covariance, indices, &kept));
        let residual = factor.half_solve_vector(&(DVector::from_column_slice(values) - &observed.mean));
        Self::computed(&prior.mean + cross.tr_mul(&residual), remaining(&prior.covariance, &cross))
    }

    /// The joint distribution of this vector and, below it, an independent one.
    #[must_use]
    pub fn stack(&self, other: &Self) -> Self {
        let (n, m) = (self.dimension(), other.dimension());
        let mut covariance = DMatrix::zeros(n + m, n + m);
        covariance.view_mut((0, 0), (n, n)).copy_from(&self.covariance);
        covariance.view_mut((n, n), (m, m)).copy_from(&other.covariance);
        let mean = self.mean.iter().chain(other.mean.iter()).copied();
        Self { mean: DVector::from_iterator(n + m, mean), covariance }
    }

    /// ln N(x; μ, Σ).
    ///
    /// # Errors
    /// If the covariance is singular, or x has another length.
    pub fn ln_pdf(&self, x: &[f64]) -> Result<f64, ParamError> {
        matrix_check::length("MomentGaussian", "point", x.len(), self.dimension())?;
        let factor = self.factor("MomentGaussian", "covariance")?;
        Ok(ln_density(&factor, &(DVector::from_column_slice(x) - &self.mean)))
    }
}

/// ln N(r; 0, L Lᵀ).
pub(super) fn ln_density(factor: &Cholesky, residual: &DVector<f64>) -> f64 {
    let size = residual.len() as f64;
    -0.5 * (size * LN_TAU + factor.ln_determinant() + factor.quadratic_form(residual))
}

/// The block of these rows and columns.
pub(super) fn block(matrix: &DMatrix<f64>, rows: &[usize], columns: &[usize]) -> DMatrix<f64> {
    DMatrix::from_fn(rows.len(), columns.len(), |i, j| matrix[(rows[i], columns[j])])
}

/// Σ - Vᵀ V, in which variances that are rounding are zero.
pub(super) fn remaining(covariance: &DMatrix<f64>, v: &DMatrix<f64>) -> DMatrix<f64> {
    let n = covariance.nrows();
    let mut rest = covariance - gram_of_columns(v);
    let tolerance = 4.0 * n as f64 * f64::EPSILON;
    for i in 0..n {
        if rest[(i, i)] <= tolerance * covariance[(i, i)] {
            rest.row_mut(i).fill(0.0);
            rest.column_mut(i).fill(0.0);
        }
    }
    rest
}
