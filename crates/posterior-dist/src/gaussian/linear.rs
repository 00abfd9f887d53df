//! The law of an observation that depends on x linearly: the conditional from one Gaussian to the next.

use posterior_math::check::ParamError;
use posterior_math::linalg::{Cholesky, DMatrix, DVector, congruence, multiply, multiply_transpose};

use super::information::InformationGaussian;
use super::moment::{MomentGaussian, ln_density};
use crate::matrix_check;

/// y | x ~ N(A x + b, Λ): a linear observation, a transition of a state, a regression.
///
/// The noise Λ may be singular, or zero: what is observed is then known exactly.
///
/// # Example
/// ```
/// use posterior_dist::{Gaussian, LinearGaussian};
/// use posterior_math::linalg::DMatrix;
///
/// // x ~ N(0, 4), and y = x + noise of variance 1 was 3.
/// let scalar = |value| DMatrix::from_element(1, 1, value);
/// let prior = Gaussian::new(&[0.0], &scalar(4.0))?;
/// let observation = LinearGaussian::new(&scalar(1.0), &[0.0], &scalar(1.0))?;
/// let posterior = prior.bayes(&observation, &[3.0])?.posterior;
/// assert!((posterior.mean()[0] - 2.4).abs() < 1e-15);
/// assert!((posterior.covariance()[(0, 0)] - 0.8).abs() < 1e-15);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct LinearGaussian {
    matrix: DMatrix<f64>,
    offset: DVector<f64>,
    noise: DMatrix<f64>,
    noise_cholesky: Option<Cholesky>,
}

impl LinearGaussian {
    /// The law N(A x + b, Λ) of y given x.
    ///
    /// # Errors
    /// If the sizes do not agree, an entry is not finite, or the noise is not symmetric and positive semidefinite.
    pub fn new(matrix: &DMatrix<f64>, offset: &[f64], noise: &DMatrix<f64>) -> Result<Self, ParamError> {
        matrix_check::finite("LinearGaussian", "matrix", matrix.as_slice())?;
        matrix_check::finite("LinearGaussian", "offset", offset)?;
        matrix_check::length("LinearGaussian", "offset", offset.len(), matrix.nrows())?;
        matrix_check::length("LinearGaussian", "rows of the noise", noise.nrows(), matrix.nrows())?;
        let (noise, noise_cholesky) = matrix_check::semidefinite("LinearGaussian", "noise", noise)?;
        let offset = DVector::from_column_slice(offset);
        Ok(Self { matrix: matrix.clone(), offset, noise, noise_cholesky })
    }

    /// y = A x + b exactly, without noise.
    ///
    /// # Errors
    /// If the sizes do not agree, or an entry is not finite.
    pub fn exact(matrix: &DMatrix<f64>, offset: &[f64]) -> Result<Self, ParamError> {
        Self::new(matrix, offset, &DMatrix::zeros(matrix.nrows(), matrix.nrows()))
    }

    /// A.
    pub const fn matrix(&self) -> &DMatrix<f64> {
        &self.matrix
    }

    /// b.
    pub const fn offset(&self) -> &DVector<f64> {
        &self.offset
    }

    /// Λ.
    pub const fn noise(&self) -> &DMatrix<f64> {
        &self.noise
    }

    /// The factor of Λ; `None` if it is singular.
    pub const fn noise_cholesky(&self) -> Option<&Cholesky> {
        self.noise_cholesky.as_ref()
    }

    /// The law of y at a known x.
    ///
    /// # Errors
    /// If x has another length than A has columns, or a coordinate is not finite.
    pub fn at(&self, x: &[f64]) -> Result<MomentGaussian, ParamError> {
        matrix_check::length("LinearGaussian", "point", x.len(), self.matrix.ncols())?;
        let mean = &self.matrix * DVector::from_column_slice(x) + &self.offset;
        MomentGaussian::computed(mean, self.noise.clone())
    }

    /// The law of y for a random x: N(A μ + b, A Σ Aᵀ + Λ). The prediction of a filter.
    ///
    /// # Errors
    /// If the dimension of x is another than A has columns, or a number overflows.
    pub fn predictive(&self, x: &MomentGaussian) -> Result<MomentGaussian, ParamError> {
        matrix_check::length("LinearGaussian", "dimension of x", x.dimension(), self.matrix.ncols())?;
        let mean = &self.matrix * x.mean() + &self.offset;
        MomentGaussian::computed(mean, congruence(&self.matrix, x.covariance()) + &self.noise)
    }

    /// The law of (x, y), one below the other.
    ///
    /// # Errors
    /// If the dimension of x is another than A has columns, or a number overflows.
    pub fn joint(&self, x: &MomentGaussian) -> Result<MomentGaussian, ParamError> {
        let y = self.predictive(x)?;
        let (n, m) = (x.dimension(), y.dimension());
        let cross = multiply(&self.matrix, x.covariance());
        let mut covariance = DMatrix::zeros(n + m, n + m);
        covariance.view_mut((0, 0), (n, n)).copy_from(x.covariance());
        covariance.view_mut((n, 0), (m, n)).copy_from(&cross);
        covariance.view_mut((0, n), (n, m)).copy_from(&cross.transpose());
        covariance.view_mut((n, n), (m, m)).copy_from(y.covariance());
        let mean = x.mean().iter().chain(y.mean().iter()).copied();
        MomentGaussian::computed(DVector::from_iterator(n + m, mean), covariance)
    }

    /// The likelihood of y as a function of x, in information form: η = Aᵀ Λ⁻¹ (y - b), precision Aᵀ Λ⁻¹ A. Those of
    /// independent observations add up.
    ///
    /// # Errors
    /// If y has another length than A has rows or is not finite, or the noise is singular.
    pub fn likelihood(&self, y: &[f64]) -> Result<InformationGaussian, ParamError> {
        self.check(self.matrix.ncols(), y)?;
        let Some(noise) = self.noise_cholesky() else {
            return Err(singular_noise());
        };
        let white = noise.half_solve(&self.matrix).transpose();
        let residual = DVector::from_column_slice(y) - &self.offset;
        let eta = &white * noise.half_solve_vector(&residual);
        InformationGaussian::new(
            eta.as_slice(),
            &multiply_transpose(&white, &white),
            ln_density(noise, &residual),
        )
    }

    /// Whether x and y have the right sizes, and y is finite.
    pub(super) fn check(&self, dimension: usize, y: &[f64]) -> Result<(), ParamError> {
        matrix_check::length("LinearGaussian", "dimension of x", dimension, self.matrix.ncols())?;
        matrix_check::length("LinearGaussian", "length of y", y.len(), self.matrix.nrows())?;
        matrix_check::finite("LinearGaussian", "y", y)
    }
}

/// What those say who need the inverse of the noise.
pub(super) const fn singular_noise() -> ParamError {
    ParamError::new(
        "LinearGaussian",
        "smallest eigenvalue of the noise",
        0.0,
        "positive here: only the moment form takes it",
    )
}
