//! The distribution of an observation that depends on x linearly: the conditional from one Gaussian to the
//! next.

use posterior_math::check::{self, ParamError};
use posterior_math::linalg::{
    Cholesky, DMatrix, DVector, congruence, gram_of_columns, multiply, multiply_transpose,
};
use posterior_math::special::LN_TAU;

use super::information::InformationGaussian;
use super::moment::{MomentGaussian, remaining};
use super::noise::Noise;
use crate::matrix_check;

/// y | x ~ N(A x + b, Λ): a linear observation, a transition of a state, a regression.
///
/// The noise Λ may be singular, or zero: what is observed is then known exactly.
///
/// # Example
/// ```
/// use posterior_gaussian::{Gaussian, LinearGaussian};
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
    noise: Noise,
}

impl LinearGaussian {
    /// The distribution N(A x + b, Λ) of y given x.
    ///
    /// # Errors
    /// If the sizes do not agree, an entry is not finite, or the noise is not symmetric and positive
    /// semidefinite.
    pub fn new(matrix: &DMatrix<f64>, offset: &[f64], noise: &DMatrix<f64>) -> Result<Self, ParamError> {
        matrix_check::length("LinearGaussian", "rows of the noise", noise.nrows(), matrix.nrows())?;
        let (noise, factor) = matrix_check::semidefinite("LinearGaussian", "noise", noise)?;
        Self::with(matrix, offset, Noise::Correlated(noise, factor))
    }

    /// The distribution of observations with independent noise of these variances: of many, where Λ as a
    /// matrix would be large.
    ///
    /// # Errors
    /// If the sizes do not agree, an entry is not finite, or a variance is negative.
    pub fn independent(matrix: &DMatrix<f64>, offset: &[f64], variances: &[f64]) -> Result<Self, ParamError> {
        matrix_check::length("LinearGaussian", "variances", variances.len(), matrix.nrows())?;
        check::each(variances, |variance| check::non_negative("LinearGaussian", "variance", variance))?;
        Self::with(matrix, offset, Noise::Independent(DVector::from_column_slice(variances)))
    }

    fn with(matrix: &DMatrix<f64>, offset: &[f64], noise: Noise) -> Result<Self, ParamError> {
        matrix_check::finite("LinearGaussian", "matrix", matrix.as_slice())?;
        matrix_check::finite("LinearGaussian", "offset", offset)?;
        matrix_check::length("LinearGaussian", "offset", offset.len(), matrix.nrows())?;
        Ok(Self { matrix: matrix.clone(), offset: DVector::from_column_slice(offset), noise })
    }

    /// y = A x + b exactly, without noise.
    ///
    /// # Errors
    /// If the sizes do not agree, or an entry is not finite.
    pub fn exact(matrix: &DMatrix<f64>, offset: &[f64]) -> Result<Self, ParamError> {
        Self::independent(matrix, offset, &vec![0.0; matrix.nrows()])
    }

    /// The matrix A.
    pub const fn matrix(&self) -> &DMatrix<f64> {
        &self.matrix
    }

    /// The offset b.
    pub const fn offset(&self) -> &DVector<f64> {
        &self.offset
    }

    /// Λ, as a matrix that is made here.
    pub fn noise(&self) -> DMatrix<f64> {
        self.noise.covariance()
    }

    /// Λ in the form that it is held in.
    pub(super) const fn noise_form(&self) -> &Noise {
        &self.noise
    }

    /// The distribution of y at a known x.
    ///
    /// # Errors
    /// If x has another length than A has columns, or a coordinate is not finite.
    pub fn at(&self, x: &[f64]) -> Result<MomentGaussian, ParamError> {
        matrix_check::length("LinearGaussian", "point", x.len(), self.matrix.ncols())?;
        let mean = &self.matrix * DVector::from_column_slice(x) + &self.offset;
        MomentGaussian::computed(mean, self.noise())
    }

    /// The distribution of y for a random x: N(A μ + b, A Σ Aᵀ + Λ). The prediction of a filter.
    ///
    /// # Errors
    /// If the dimension of x is another than A has columns, or a number overflows.
    pub fn predictive(&self, x: &MomentGaussian) -> Result<MomentGaussian, ParamError> {
        matrix_check::length("LinearGaussian", "dimension of x", x.dimension(), self.matrix.ncols())?;
        let mean = &self.matrix * x.mean() + &self.offset;
        MomentGaussian::computed(mean, self.noise.add_to(congruence(&self.matrix, x.covariance())))
    }

    /// The distribution of (x, y), one below the other.
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

    /// The likelihood of y as a function of x, in information form: η = Aᵀ Λ⁻¹ (y - b), precision Aᵀ Λ⁻¹ A.
    /// Those of independent observations add up.
    ///
    /// # Errors
    /// If y has another length than A has rows or is not finite, or the noise is singular.
    pub fn likelihood(&self, y: &[f64]) -> Result<InformationGaussian, ParamError> {
        self.check(self.matrix.ncols(), y)?;
        let noise = self.noise.whitening()?;
        let white = noise.matrix(&self.matrix);
        let residual = noise.vector(&(DVector::from_column_slice(y) - &self.offset));
        let ln_norm = y.len() as f64 * LN_TAU + noise.ln_determinant();
        let ln_scale = -0.5 * (ln_norm + residual.norm_squared());
        InformationGaussian::new(white.tr_mul(&residual).as_slice(), &gram_of_columns(&white), ln_scale)
    }

    /// The distribution of x given y, as a function of y: N(K y + c, Σ - K A Σ) with the gain K. What Bayes'
    /// rule says before y is known; a smoother goes back in time with it.
    ///
    /// # Errors
    /// If the dimension of x is another than A has columns, or the covariance of y is singular.
    pub fn reversed(&self, x: &MomentGaussian) -> Result<Self, ParamError> {
        matrix_check::length("LinearGaussian", "dimension of x", x.dimension(), self.matrix.ncols())?;
        let (factor, cross) = self.innovation(x)?;
        let v = factor.half_solve(&cross);
        let gain = factor.half_solve_transpose(&v).transpose();
        let offset = x.mean() - &gain * (&self.matrix * x.mean() + &self.offset);
        let noise = remaining(x.covariance(), &v);
        let noise_factor = Cholesky::new(&noise).ok();
        Self::with(&gain, offset.as_slice(), Noise::Correlated(noise, noise_factor))
    }

    /// The distribution of z given x, where z given y is `next`: one step after the other.
    ///
    /// # Errors
    /// If `next` is of another dimension than y, or a number overflows.
    pub fn then(&self, next: &Self) -> Result<Self, ParamError> {
        let [y, inputs] = [self.matrix.nrows(), next.matrix.ncols()];
        matrix_check::length("LinearGaussian", "columns of the next matrix", inputs, y)?;
        let offset = &next.matrix * &self.offset + &next.offset;
        let noise = next.noise.add_to(self.noise.mapped_by(&next.matrix));
        matrix_check::finite("LinearGaussian", "noise", noise.as_slice())?;
        let factor = Cholesky::new(&noise).ok();
        let matrix = multiply(&next.matrix, &self.matrix);
        Self::with(&matrix, offset.as_slice(), Noise::Correlated(noise, factor))
    }

    /// The factor of G = A Σ Aᵀ + Λ, and A Σ.
    pub(super) fn innovation(&self, prior: &MomentGaussian) -> Result<(Cholesky, DMatrix<f64>), ParamError> {
        let cross = multiply(&self.matrix, prior.covariance());
        let covariance = self.noise.add_to(multiply_transpose(&cross, &self.matrix));
        let factor = Cholesky::decompose(covariance)
            .map_err(|error| error.of_parameter("LinearGaussian", "covariance of y"))?;
        Ok((factor, cross))
    }

    /// Whether x and y have the right sizes, and y is finite.
    pub(super) fn check(&self, dimension: usize, y: &[f64]) -> Result<(), ParamError> {
        matrix_check::length("LinearGaussian", "dimension of x", dimension, self.matrix.ncols())?;
        matrix_check::length("LinearGaussian", "length of y", y.len(), self.matrix.nrows())?;
        matrix_check::finite("LinearGaussian", "y", y)
    }
}
