//! Normal-Wishart distribution of a mean vector and a precision matrix.

use posterior_math::linalg::DVector;
use posterior_math::special::LN_TAU;

use super::{NormalInverseWishart, Wishart};
use crate::gaussian::Gaussian;
use crate::matrix_check;
use crate::prelude::*;

/// The distribution of a random [`Gaussian`] by its precision: Λ ~ Wishart(ν, W), and μ | Λ ~ N(μ₀, (κ Λ)⁻¹);
/// the conjugate prior of its mean and precision.
///
/// # Density
/// p(μ, Λ) = Wishart(Λ; ν, W) N(μ; μ₀, (κ Λ)⁻¹), of the mean and of the entries of Λ on and below the
/// diagonal
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | μ₀ | `location` | finite | m |
/// | κ | `kappa` | positive: how many points the prior mean counts for | β |
/// | W | `scale` | positive definite | W |
/// | ν | `degrees_of_freedom` | above p - 1: how many points the prior precision counts for | ν |
///
/// It is the [`NormalInverseWishart`] of the covariance Λ⁻¹ with Ψ = W⁻¹, to which data add, and converts to
/// it and back.
///
/// # Moments
/// E μ = μ₀, E Λ = ν W, E ln |Λ| = Σ ψ((ν + 1 - i) / 2) + p ln 2 + ln |W|, mode (μ₀, (ν - p) W) for ν > p
///
/// # Example
/// ```
/// use posterior_gaussian::NormalWishart;
/// use posterior_math::linalg::DMatrix;
///
/// let prior = NormalWishart::new(&[0.0, 0.0], 1.0, &DMatrix::identity(2, 2), 5.0)?;
/// assert!((prior.precision_distribution().expected_ln_determinant() - 2.5122353368636006).abs() < 1e-15);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
///
/// # References
/// C. Bishop, Pattern Recognition and Machine Learning, 2006, section 10.2.
#[derive(Debug, Clone, PartialEq)]
pub struct NormalWishart {
    inverse: NormalInverseWishart,
    precision: Wishart,
}

impl NormalWishart {
    /// The distribution with these μ₀, κ, W and ν.
    ///
    /// # Errors
    /// If the sizes do not agree, μ₀ is not finite, κ is not positive and finite, W is not symmetric and
    /// positive definite with at least one row, or ν is not above p - 1.
    pub fn new(
        location: &[f64],
        kappa: f64,
        scale: &DMatrix<f64>,
        degrees_of_freedom: f64,
    ) -> Result<Self, ParamError> {
        matrix_check::finite("NormalWishart", "location", location)?;
        check::positive("NormalWishart", "kappa", kappa)?;
        matrix_check::length("NormalWishart", "rows of the scale", scale.nrows(), location.len())?;
        let precision = Wishart::new(degrees_of_freedom, scale)?;
        let inverse =
            NormalInverseWishart::new(location, kappa, precision.inverse_scale(), degrees_of_freedom)?;
        Ok(Self { inverse, precision })
    }

    /// p, the dimension of the Gaussian.
    pub fn dimension(&self) -> usize {
        self.inverse.dimension()
    }

    /// The centre μ₀ of the mean.
    pub const fn location(&self) -> &DVector<f64> {
        self.inverse.location()
    }

    /// The number of observations that the prior mean counts for, κ.
    pub const fn kappa(&self) -> f64 {
        self.inverse.kappa()
    }

    /// The scale matrix W.
    pub const fn scale(&self) -> &DMatrix<f64> {
        self.precision.scale()
    }

    /// The degrees of freedom ν.
    pub const fn degrees_of_freedom(&self) -> f64 {
        self.inverse.degrees_of_freedom()
    }

    /// The distribution of Λ.
    pub const fn precision_distribution(&self) -> &Wishart {
        &self.precision
    }

    /// The same prior, of the covariance.
    pub const fn as_inverse(&self) -> &NormalInverseWishart {
        &self.inverse
    }

    /// The prior of the precision that is this one of the covariance.
    ///
    /// # Errors
    /// If Ψ⁻¹ overflows.
    pub fn from_inverse(inverse: NormalInverseWishart) -> Result<Self, ParamError> {
        let precision = Wishart::from_inverse_scale(inverse.degrees_of_freedom(), inverse.scale())?;
        Ok(Self { inverse, precision })
    }

    /// A random Gaussian.
    ///
    /// # Errors
    /// If the covariance that was drawn is singular or infinite in f64, as may happen where ν is next to
    /// p - 1.
    pub fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<Gaussian, ParamError> {
        self.inverse.draw(rng)
    }
}

impl Density for NormalWishart {
    /// A mean and, by its covariance, a precision.
    type Point = Gaussian;

    /// That of the normal-inverse-Wishart distribution, with |dΣ / dΛ| = |Σ|^(p + 1).
    fn ln_pdf(&self, distribution: &Gaussian) -> f64 {
        let jacobian = (self.dimension() as f64 + 1.0) * distribution.cholesky().ln_determinant();
        if distribution.dimension() == self.dimension() {
            self.inverse.ln_pdf(distribution) + jacobian
        } else {
            f64::NEG_INFINITY
        }
    }
}

impl Entropy for NormalWishart {
    fn entropy(&self) -> f64 {
        let p = self.dimension() as f64;
        let normal = p * (1.0 + LN_TAU - self.kappa().ln()) - self.precision.expected_ln_determinant();
        self.precision.entropy() + 0.5 * normal
    }
}

impl Mode for NormalWishart {
    /// `None` up to ν = p, where the mode is at Λ = 0 or the density is unbounded.
    fn mode(&self) -> Option<Gaussian> {
        let power = self.degrees_of_freedom() - self.dimension() as f64;
        let covariance = self.precision.inverse_scale() / power;
        if power > 0.0 { Gaussian::new(self.location().as_slice(), &covariance).ok() } else { None }
    }
}

impl KlDivergence for NormalWishart {
    /// It does not depend on which of precision and covariance is the coordinate.
    fn kl_divergence(&self, other: &Self) -> f64 {
        self.inverse.kl_divergence(&other.inverse)
    }
}
