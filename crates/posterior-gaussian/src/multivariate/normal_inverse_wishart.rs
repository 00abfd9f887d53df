//! Normal-inverse-Wishart distribution of a mean vector and a covariance matrix.

use posterior_math::linalg::{Cholesky, DVector};
use posterior_math::special::LN_TAU;
use rand_distr::StandardNormal;

use super::{InverseWishart, MultivariateT};
use crate::gaussian::Gaussian;
use crate::matrix_check;
use crate::prelude::*;

/// The distribution of a random [`Gaussian`]: Σ ~ InverseWishart(ν, Ψ), and μ | Σ ~ N(μ₀, Σ / κ); the
/// conjugate prior of its mean and covariance.
///
/// # Density
/// p(μ, Σ) = InverseWishart(Σ; ν, Ψ) N(μ; μ₀, Σ / κ), of the mean and of the entries of Σ on and below the
/// diagonal
///
/// # Parameters
/// | symbol | here | range |
/// |---|---|---|
/// | μ₀ | `location` | finite |
/// | κ | `kappa` | positive: how many points the prior mean counts for |
/// | Ψ | `scale` | positive definite |
/// | ν | `degrees_of_freedom` | above p - 1: how many points the prior covariance counts for |
///
/// The same prior in terms of the precision is [`NormalWishart`](super::NormalWishart).
///
/// # Moments
/// E μ = μ₀, E Σ = Ψ / (ν - p - 1), E Σ⁻¹ = ν Ψ⁻¹, mode (μ₀, Ψ / (ν + p + 2)); μ alone is t with ν - p + 1
/// degrees of freedom
///
/// # Example
/// ```
/// use posterior_dist::{Conjugate, Stats};
/// use posterior_gaussian::{Gaussian, NormalInverseWishart};
/// use posterior_math::linalg::DMatrix;
///
/// let prior = NormalInverseWishart::new(&[0.0, 0.0], 1.0, &DMatrix::identity(2, 2), 4.0)?;
/// let data = Stats::<Gaussian>::of(2, [[1.0, 2.0], [3.0, 0.0]].iter().map(|x| &x[..]))?;
/// let posterior = Gaussian::posterior(&prior, &data)?;
/// assert_eq!((posterior.kappa(), posterior.degrees_of_freedom()), (3.0, 6.0));
/// assert!((posterior.location()[0] - 4.0 / 3.0).abs() < 1e-15);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct NormalInverseWishart {
    location: DVector<f64>,
    kappa: f64,
    covariance: InverseWishart,
}

impl NormalInverseWishart {
    /// The distribution with these μ₀, κ, Ψ and ν.
    ///
    /// # Errors
    /// If the sizes do not agree, μ₀ is not finite, κ is not positive and finite, Ψ is not symmetric and
    /// positive definite with at least one row, or ν is not above p - 1.
    pub fn new(
        location: &[f64],
        kappa: f64,
        scale: &DMatrix<f64>,
        degrees_of_freedom: f64,
    ) -> Result<Self, ParamError> {
        matrix_check::finite("NormalInverseWishart", "location", location)?;
        check::positive("NormalInverseWishart", "kappa", kappa)?;
        matrix_check::length("NormalInverseWishart", "rows of the scale", scale.nrows(), location.len())?;
        Ok(Self {
            location: DVector::from_column_slice(location),
            kappa,
            covariance: InverseWishart::new(degrees_of_freedom, scale)?,
        })
    }

    /// p, the dimension of the Gaussian.
    pub fn dimension(&self) -> usize {
        self.location.len()
    }

    /// The centre μ₀ of the mean.
    pub const fn location(&self) -> &DVector<f64> {
        &self.location
    }

    /// The number of observations that the prior mean counts for, κ.
    pub const fn kappa(&self) -> f64 {
        self.kappa
    }

    /// The scale matrix Ψ.
    pub const fn scale(&self) -> &DMatrix<f64> {
        self.covariance.scale()
    }

    /// The degrees of freedom ν.
    pub const fn degrees_of_freedom(&self) -> f64 {
        self.covariance.degrees_of_freedom()
    }

    /// The distribution of Σ.
    pub const fn covariance_distribution(&self) -> &InverseWishart {
        &self.covariance
    }

    /// The distribution of μ: t with ν - p + 1 degrees of freedom and scale Ψ / (κ (ν - p + 1)).
    ///
    /// # Errors
    /// If the scale overflows or is zero in f64.
    pub fn mean_distribution(&self) -> Result<MultivariateT, ParamError> {
        self.t_distribution(self.kappa.recip())
    }

    /// t at μ₀ with ν - p + 1 degrees of freedom and scale factor · Ψ / (ν - p + 1).
    pub(crate) fn t_distribution(&self, factor: f64) -> Result<MultivariateT, ParamError> {
        let degrees_of_freedom = self.degrees_of_freedom() - self.dimension() as f64 + 1.0;
        let scale = self.scale() * (factor / degrees_of_freedom);
        MultivariateT::new(degrees_of_freedom, self.location.as_slice(), &scale)
    }

    /// E ln N(x; μ, Σ) = -(p ln 2π + E ln |Σ| + p / κ + ν (x - μ₀)ᵀ Ψ⁻¹ (x - μ₀)) / 2.
    ///
    /// # Panics
    /// Unless x has p coordinates.
    #[track_caller]
    pub fn expected_ln_pdf(&self, x: &[f64]) -> f64 {
        let p = self.dimension() as f64;
        let deviation = DVector::from_column_slice(x) - &self.location;
        let distance = self.degrees_of_freedom() * self.covariance.cholesky().quadratic_form(&deviation);
        -0.5 * (p * (LN_TAU + self.kappa.recip()) + self.covariance.expected_ln_determinant() + distance)
    }

    /// A random Gaussian.
    ///
    /// # Errors
    /// If the covariance that was drawn is singular or infinite in f64, as may happen where ν is next to
    /// p - 1.
    pub fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<Gaussian, ParamError> {
        let factor = Cholesky::from_factor(self.covariance.sample_cholesky(rng))
            .map_err(|error| error.of_parameter("NormalInverseWishart", "drawn covariance"))?;
        let noise = DVector::from_fn(self.dimension(), |_, _| StandardNormal.sample(rng));
        let mean = &self.location + factor.factor() * noise / self.kappa.sqrt();
        Gaussian::from_cholesky(mean.as_slice(), factor)
    }
}

impl Density for NormalInverseWishart {
    /// A mean and a covariance.
    type Point = Gaussian;

    /// -∞ for a Gaussian of another dimension.
    fn ln_pdf(&self, distribution: &Gaussian) -> f64 {
        if distribution.dimension() != self.dimension() {
            return f64::NEG_INFINITY;
        }
        let p = self.dimension() as f64;
        let distance = self.kappa * distribution.mahalanobis_squared(self.location.as_slice());
        let normal = p * (self.kappa.ln() - LN_TAU) - distribution.cholesky().ln_determinant() - distance;
        self.covariance.ln_pdf_at(distribution.cholesky()) + 0.5 * normal
    }
}

impl Entropy for NormalInverseWishart {
    fn entropy(&self) -> f64 {
        let p = self.dimension() as f64;
        let normal = p * (1.0 + LN_TAU - self.kappa.ln()) + self.covariance.expected_ln_determinant();
        self.covariance.entropy() + 0.5 * normal
    }
}

impl Mode for NormalInverseWishart {
    /// `None` if the mode of the covariance is zero in f64.
    fn mode(&self) -> Option<Gaussian> {
        let covariance = self.scale() / (self.degrees_of_freedom() + self.dimension() as f64 + 2.0);
        Gaussian::new(self.location.as_slice(), &covariance).ok()
    }
}

impl KlDivergence for NormalInverseWishart {
    fn kl_divergence(&self, other: &Self) -> f64 {
        if self.dimension() != other.dimension() {
            return f64::INFINITY;
        }
        let excess = (other.kappa - self.kappa) / self.kappa;
        let distance = self.covariance.cholesky().quadratic_form(&(&self.location - &other.location));
        let normal = self.dimension() as f64 * (excess - excess.ln_1p())
            + other.kappa * self.degrees_of_freedom() * distance;
        self.covariance.kl_divergence(&other.covariance) + 0.5 * normal
    }
}
