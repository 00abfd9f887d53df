//! Normal-gamma distribution of a mean and a precision.

use posterior_math::special::LN_TAU;
use rand_distr::StandardNormal;

use super::NormalInverseGamma;
use crate::continuous::Gamma;
use crate::grammar::parametric;
use crate::prelude::*;

/// The distribution of a pair (μ, τ): τ ~ Gamma(α, rate β), and μ | τ ~ N(μ₀, 1 / (κ τ)); the conjugate prior
/// of mean and precision of a normal distribution.
///
/// # Density
/// p(μ, τ) = Gamma(τ; α, β) N(μ; μ₀, 1 / (κ τ))
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | μ₀ | `location` | finite | |
/// | κ | `kappa` | positive: how many points the prior mean counts for | λ, ν |
/// | α | `shape` | positive: half of what the prior precision counts for | `a` |
/// | β | `rate` | positive | `b` |
///
/// It is the [`NormalInverseGamma`] of the variance 1 / τ with the same four numbers, and converts to it and
/// back.
///
/// # Moments
/// mean (μ₀, α / β), variances β / (κ (α - 1)) and α / β², mode (μ₀, (α - 1/2) / β) for α ≥ 1/2
///
/// # Example
/// ```
/// use posterior_dist::{Moments, NormalGamma};
///
/// let prior = NormalGamma::new(0.0, 1.0, 2.0, 1.0)?;
/// assert_eq!(prior.mean(), Some((0.0, 2.0)));
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NormalGamma {
    inverse: NormalInverseGamma,
    precision: Gamma,
}

impl NormalGamma {
    /// The distribution with these μ₀, κ, α and β.
    ///
    /// # Errors
    /// If μ₀ is not finite, or one of the others is not positive and finite.
    pub fn new(location: f64, kappa: f64, shape: f64, rate: f64) -> Result<Self, ParamError> {
        check::finite("NormalGamma", "location", location)?;
        check::positive("NormalGamma", "kappa", kappa)?;
        check::positive("NormalGamma", "shape", shape)?;
        check::positive("NormalGamma", "rate", rate)?;
        Ok(Self::from(NormalInverseGamma::new(location, kappa, shape, rate)?))
    }

    /// The centre μ₀ of the mean.
    pub const fn location(&self) -> f64 {
        self.inverse.location()
    }

    /// The number of observations that the prior mean counts for, κ.
    pub const fn kappa(&self) -> f64 {
        self.inverse.kappa()
    }

    /// The shape α.
    pub const fn shape(&self) -> f64 {
        self.inverse.shape()
    }

    /// The rate β.
    pub const fn rate(&self) -> f64 {
        self.inverse.scale()
    }

    /// The distribution of τ.
    pub const fn precision_distribution(&self) -> Gamma {
        self.precision
    }
}

/// The same prior, of the precision.
impl From<NormalInverseGamma> for NormalGamma {
    fn from(inverse: NormalInverseGamma) -> Self {
        Self { inverse, precision: inverse.variance_distribution().reciprocal() }
    }
}

/// The same prior, of the variance.
impl From<NormalGamma> for NormalInverseGamma {
    fn from(distribution: NormalGamma) -> Self {
        distribution.inverse
    }
}

parametric!(NormalGamma, "normal_gamma", new(location, kappa, shape, rate));

impl Density for NormalGamma {
    /// (μ, τ).
    type Point = (f64, f64);

    fn ln_pdf(&self, &(mean, precision): &(f64, f64)) -> f64 {
        if mean.is_nan() || precision.is_nan() {
            return f64::NAN;
        }
        if !(precision > 0.0 && precision < f64::INFINITY && mean.is_finite()) {
            return f64::NEG_INFINITY;
        }
        let deviation = mean - self.location();
        let distance = (precision.sqrt() * self.kappa().sqrt() * deviation).powi(2);
        let normal = 0.5 * (self.kappa().ln() - LN_TAU + precision.ln() - distance);
        self.precision.ln_pdf(&precision) + normal
    }
}

impl PointGradient for NormalGamma {
    /// By μ and by τ.
    fn point_gradient(&self, &(mean, precision): &(f64, f64)) -> (f64, f64) {
        if !(precision > 0.0) {
            return (f64::NAN, f64::NAN);
        }
        let deviation = mean - self.location();
        let rate = self.rate() + 0.5 * self.kappa() * deviation * deviation;
        (-self.kappa() * precision * deviation, (self.shape() - 0.5) / precision - rate)
    }
}

impl ParameterGradient for NormalGamma {
    type Gradient = [f64; 4];

    fn parameter_gradient(&self, &(mean, precision): &(f64, f64)) -> [f64; 4] {
        if !(precision > 0.0) {
            return [f64::NAN; 4];
        }
        let deviation = mean - self.location();
        let [by_alpha, by_beta] = self.precision.parameter_gradient(&precision);
        let by_kappa = 0.5 * (self.kappa().recip() - precision * deviation * deviation);
        [self.kappa() * precision * deviation, by_kappa, by_alpha, by_beta]
    }
}

/// Means and variances of μ and of τ, which are not correlated.
impl Moments<(f64, f64), (f64, f64)> for NormalGamma {
    /// `None` up to α = 1/2, where the mean of μ is undefined.
    fn mean(&self) -> Option<(f64, f64)> {
        if !(self.shape() > 0.5) {
            return None;
        }
        Some((self.location(), self.precision.mean()?))
    }

    /// `None` up to α = 1/2.
    fn variance(&self) -> Option<(f64, f64)> {
        let of_variance = self.inverse.mean()?.1;
        Some((of_variance / self.kappa(), self.precision.variance()?))
    }
}

impl Entropy for NormalGamma {
    fn entropy(&self) -> f64 {
        self.precision.entropy() + 0.5 * (1.0 + LN_TAU - self.kappa().ln() - self.precision.expected_ln())
    }
}

impl Mode for NormalGamma {
    /// `None` below α = 1/2, where the density is unbounded.
    fn mode(&self) -> Option<(f64, f64)> {
        (self.shape() >= 0.5).then(|| (self.location(), (self.shape() - 0.5) / self.rate()))
    }
}

impl KlDivergence for NormalGamma {
    /// It does not depend on which of precision and variance is the coordinate.
    fn kl_divergence(&self, other: &Self) -> f64 {
        self.inverse.kl_divergence(&other.inverse)
    }
}

impl Distribution<(f64, f64)> for NormalGamma {
    /// (μ, τ).
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> (f64, f64) {
        let precision: f64 = self.precision.sample(rng);
        let noise: f64 = StandardNormal.sample(rng);
        (self.location() + noise / (precision * self.kappa()).sqrt(), precision)
    }
}
