//! A Gaussian by its precision: a log-quadratic function that may be improper.

use posterior_math::check::ParamError;
use posterior_math::linalg::{Cholesky, DMatrix, DVector};
use posterior_math::special::LN_TAU;

use super::moment::block;
use super::{Gaussian, GaussianSampler};
use crate::matrix_check;

/// A Gaussian in information form: f(x) = exp(ηᵀ x - xᵀ Λ x / 2 + c), with the information η = Σ⁻¹ μ, the
/// precision Λ = Σ⁻¹ and the logarithm c of a scale.
///
/// Products add up, whence it is the form of independent observations and of messages. Λ may be singular (a
/// prior that knows nothing of some direction, a likelihood of few observations) and even indefinite (a
/// quotient): what has no integral is refused where the integral is needed.
///
/// # Example
/// ```
/// use posterior_gaussian::{InformationGaussian, LinearGaussian};
/// use posterior_math::linalg::DMatrix;
///
/// // A line through three points, without any prior: the precisions of the observations add up to a proper distribution.
/// let noise = DMatrix::from_element(1, 1, 0.01);
/// let mut belief = InformationGaussian::flat(2);
/// for (x, y) in [(0.0, 1.0), (1.0, 3.0), (2.0, 5.0)] {
///     let observation = LinearGaussian::new(&DMatrix::from_row_slice(1, 2, &[1.0, x]), &[0.0], &noise)?;
///     belief = belief.product(&observation.likelihood(&[y])?)?;
/// }
/// let line = belief.distribution()?;
/// assert!((line.mean()[0] - 1.0).abs() < 1e-12 && (line.mean()[1] - 2.0).abs() < 1e-12);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct InformationGaussian {
    eta: DVector<f64>,
    precision: DMatrix<f64>,
    ln_scale: f64,
}

impl InformationGaussian {
    /// The function exp(ηᵀ x - xᵀ Λ x / 2 + c).
    ///
    /// # Errors
    /// If the sizes do not agree, a number is not finite, or Λ is not symmetric.
    pub fn new(eta: &[f64], precision: &DMatrix<f64>, ln_scale: f64) -> Result<Self, ParamError> {
        matrix_check::finite("InformationGaussian", "eta", eta)?;
        matrix_check::length("InformationGaussian", "rows of the precision", precision.nrows(), eta.len())?;
        matrix_check::finite("InformationGaussian", "ln_scale", &[ln_scale])?;
        let precision = matrix_check::symmetric("InformationGaussian", "precision", precision)?;
        Ok(Self { eta: DVector::from_column_slice(eta), precision, ln_scale })
    }

    /// The constant 1 on n coordinates: knowing nothing.
    pub fn flat(dimension: usize) -> Self {
        let precision = DMatrix::zeros(dimension, dimension);
        Self { eta: DVector::zeros(dimension), precision, ln_scale: 0.0 }
    }

    /// The dimension n.
    pub fn dimension(&self) -> usize {
        self.eta.len()
    }

    /// The precision times the mean η.
    pub const fn eta(&self) -> &DVector<f64> {
        &self.eta
    }

    /// The precision matrix Λ.
    pub const fn precision(&self) -> &DMatrix<f64> {
        &self.precision
    }

    /// c = ln f(0).
    pub const fn ln_scale(&self) -> f64 {
        self.ln_scale
    }

    /// ln f(x) = ηᵀ x - xᵀ Λ x / 2 + c.
    ///
    /// # Panics
    /// Unless x has n coordinates.
    #[track_caller]
    pub fn ln_value(&self, x: &[f64]) -> f64 {
        let x = DVector::from_column_slice(x);
        self.eta.dot(&x) - 0.5 * x.dot(&(&self.precision * &x)) + self.ln_scale
    }

    /// f · g: everything adds up.
    ///
    /// # Errors
    /// If the dimensions differ, or a sum overflows.
    pub fn product(&self, other: &Self) -> Result<Self, ParamError> {
        matrix_check::length("InformationGaussian", "dimension", other.dimension(), self.dimension())?;
        let eta = &self.eta + &other.eta;
        Self::new(eta.as_slice(), &(&self.precision + &other.precision), self.ln_scale + other.ln_scale)
    }

    /// f / g, as when a message is taken out of a belief.
    ///
    /// # Errors
    /// If the dimensions differ, or a difference overflows.
    pub fn quotient(&self, other: &Self) -> Result<Self, ParamError> {
        matrix_check::length("InformationGaussian", "dimension", other.dimension(), self.dimension())?;
        let eta = &self.eta - &other.eta;
        Self::new(eta.as_slice(), &(&self.precision - &other.precision), self.ln_scale - other.ln_scale)
    }

    /// ln ∫ f(x) dx.
    ///
    /// # Errors
    /// If the integral diverges: Λ is not positive definite.
    pub fn ln_integral(&self) -> Result<f64, ParamError> {
        Ok(self.ln_scale + ln_volume(&self.factor()?, &self.eta))
    }

    /// f as a function of the coordinates `indices`, in this order, the others integrated out.
    ///
    /// # Errors
    /// If an index is not below n or there twice, or the integral diverges.
    pub fn marginal(&self, indices: &[usize]) -> Result<Self, ParamError> {
        matrix_check::indices("InformationGaussian", indices, self.dimension())?;
        let hidden = matrix_check::others(indices, self.dimension());
        let factor = Cholesky::new(&block(&self.precision, &hidden, &hidden)).map_err(|error| {
            error.of_parameter("InformationGaussian", "precision of what is integrated out")
        })?;
        let v = factor.half_solve(&block(&self.precision, &hidden, indices));
        let eta = self.eta.select_rows(&hidden);
        let kept = self.eta.select_rows(indices) - v.tr_mul(&factor.half_solve_vector(&eta));
        let precision = block(&self.precision, indices, indices) - v.tr_mul(&v);
        Self::new(kept.as_slice(), &precision, self.ln_scale + ln_volume(&factor, &eta))
    }

    /// f as a function of the other coordinates, in order, those at `indices` having these `values`.
    ///
    /// # Errors
    /// If an index is not below n or there twice, a value is not finite, or there is not one for each index.
    pub fn condition(&self, indices: &[usize], values: &[f64]) -> Result<Self, ParamError> {
        matrix_check::indices("InformationGaussian", indices, self.dimension())?;
        matrix_check::length("InformationGaussian", "values", values.len(), indices.len())?;
        matrix_check::finite("InformationGaussian", "value", values)?;
        let kept = matrix_check::others(indices, self.dimension());
        let values = DVector::from_column_slice(values);
        let eta = self.eta.select_rows(&kept) - block(&self.precision, &kept, indices) * &values;
        let within = block(&self.precision, indices, indices);
        let ln_scale = self.eta.select_rows(indices).dot(&values) - 0.5 * values.dot(&(within * &values));
        Self::new(eta.as_slice(), &block(&self.precision, &kept, &kept), self.ln_scale + ln_scale)
    }

    /// The distribution with this density, up to the scale.
    ///
    /// # Errors
    /// If Λ is not positive definite.
    pub fn distribution(&self) -> Result<Gaussian, ParamError> {
        let factor = self.factor()?;
        Gaussian::new(factor.solve_vector(&self.eta).as_slice(), &factor.inverse())
    }

    /// What draws from the distribution: x = Λ⁻¹ η + L⁻ᵀ e, by the factor of the precision.
    ///
    /// # Errors
    /// If Λ is not positive definite.
    pub fn sampler(&self) -> Result<GaussianSampler, ParamError> {
        let factor = self.factor()?;
        Ok(GaussianSampler::by_precision(factor.solve_vector(&self.eta), factor))
    }

    fn factor(&self) -> Result<Cholesky, ParamError> {
        Cholesky::new(&self.precision).map_err(|error| error.of_parameter("InformationGaussian", "precision"))
    }
}

/// The density of the distribution: its integral is one.
impl From<&Gaussian> for InformationGaussian {
    fn from(distribution: &Gaussian) -> Self {
        let precision = distribution.precision();
        let eta = distribution.cholesky().solve_vector(distribution.mean());
        let ln_scale = -0.5
            * (distribution.dimension() as f64 * LN_TAU
                + distribution.cholesky().ln_determinant()
                + distribution.mean().dot(&eta));
        Self { eta, precision, ln_scale }
    }
}

/// ln ∫ exp(ηᵀ x - xᵀ L Lᵀ x / 2) dx.
fn ln_volume(factor: &Cholesky, eta: &DVector<f64>) -> f64 {
    0.5 * (eta.len() as f64 * LN_TAU - factor.ln_determinant() + factor.quadratic_form(eta))
}
