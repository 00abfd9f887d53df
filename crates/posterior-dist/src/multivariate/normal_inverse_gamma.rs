//! Normal-inverse-gamma distribution of a mean and a variance.

use posterior_math::special::{LN_TAU, ln_pochhammer};
use posterior_math::streaming::MeanVariance;
use rand_distr::StandardNormal;

use crate::continuous::InverseGamma;
use crate::grammar::parametric;
use crate::prelude::*;

/// The distribution of a pair (μ, σ²): σ² ~ InverseGamma(α, β), and μ | σ² ~ N(μ₀, σ² / κ); the conjugate
/// prior of mean and variance of a normal distribution.
///
/// # Density
/// p(μ, σ²) = InverseGamma(σ²; α, β) N(μ; μ₀, σ² / κ), of the variance and not of σ
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | μ₀ | `location` | finite | `mu` (SciPy) |
/// | κ | `kappa` | positive: how many points the prior mean counts for | `lmbda` (SciPy) |
/// | α | `shape` | positive: half of what the prior variance counts for | `a` (SciPy) |
/// | β | `scale` | positive | `b` (SciPy) |
///
/// The same prior in terms of the precision is [`NormalGamma`](super::NormalGamma).
///
/// # Moments
/// mean (μ₀, β / (α - 1)) for α > 1, variances β / (κ (α - 1)) and β² / ((α - 1)² (α - 2)), mode (μ₀, β /
/// (α + 3/2))
///
/// # Example
/// ```
/// use posterior_dist::{Conjugate, Normal, NormalInverseGamma, Stats};
///
/// let prior = NormalInverseGamma::new(0.0, 1.0, 2.0, 1.0)?;
/// let posterior = Normal::posterior(&prior, &Stats::of((), &[1.2, 0.7, 2.1, 1.6])?)?;
/// assert!((posterior.location() - 1.12).abs() < 1e-15 && (posterior.scale() - 2.314).abs() < 1e-15);
/// assert_eq!(Normal::predictive(&posterior, &())?.degrees_of_freedom(), 8.0);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NormalInverseGamma {
    location: f64,
    kappa: f64,
    variance: InverseGamma,
}

impl NormalInverseGamma {
    /// The distribution with these μ₀, κ, α and β.
    ///
    /// # Errors
    /// If μ₀ is not finite, or one of the others is not positive and finite.
    pub fn new(location: f64, kappa: f64, shape: f64, scale: f64) -> Result<Self, ParamError> {
        check::finite("NormalInverseGamma", "location", location)?;
        check::positive("NormalInverseGamma", "kappa", kappa)?;
        check::positive("NormalInverseGamma", "shape", shape)?;
        check::positive("NormalInverseGamma", "scale", scale)?;
        Ok(Self { location, kappa, variance: InverseGamma::new(shape, scale)? })
    }

    /// The centre μ₀ of the mean.
    pub const fn location(&self) -> f64 {
        self.location
    }

    /// The number of observations that the prior mean counts for, κ.
    pub const fn kappa(&self) -> f64 {
        self.kappa
    }

    /// The shape α.
    pub const fn shape(&self) -> f64 {
        self.variance.shape()
    }

    /// The scale β.
    pub const fn scale(&self) -> f64 {
        self.variance.scale()
    }

    /// The distribution of σ².
    pub const fn variance_distribution(&self) -> InverseGamma {
        self.variance
    }

    /// The distribution after points of weight n with mean x̄ and squares S about it: κ + n, μ₀ + n / (κ + n)
    /// (x̄ - μ₀), α + n / 2 and β + S / 2 + n κ / (κ + n) (x̄ - μ₀)² / 2.
    ///
    /// # Errors
    /// If a parameter overflows, or the data were not finite.
    pub fn updated(&self, data: &MeanVariance) -> Result<Self, ParamError> {
        let weight = data.weight();
        if weight == 0.0 {
            return Ok(*self);
        }
        let kappa = self.kappa + weight;
        let mu = self.location + weight / kappa * (data.mean() - self.location);
        Self::new(mu, kappa, self.shape() + 0.5 * weight, self.scale() + self.growth(data))
    }

    /// ln p(x₁ … xₙ) = ln Γ(α') - ln Γ(α) - n ln(2π β') / 2 - α ln(β' / β) - ln(κ' / κ) / 2 with the
    /// parameters before and after the data; the ratios keep the digits of a prior that counts for many
    /// points.
    pub fn ln_evidence(&self, data: &MeanVariance) -> f64 {
        let weight = data.weight();
        if weight == 0.0 {
            return 0.0;
        }
        let growth = self.growth(data);
        let half = 0.5 * weight;
        ln_pochhammer(self.shape(), half)
            - half * (LN_TAU + (self.scale() + growth).ln())
            - self.shape() * (growth / self.scale()).ln_1p()
            - 0.5 * (weight / self.kappa).ln_1p()
    }

    /// β' - β of data that are there.
    fn growth(&self, data: &MeanVariance) -> f64 {
        let weight = data.weight();
        let deviation = data.mean() - self.location;
        0.5 * (data.sum_of_squares() + weight / (1.0 + weight / self.kappa) * deviation * deviation)
    }

    /// Degrees of freedom 2 α, location μ₀ and scale √((κ + 1) β / (κ α)) of the
    /// Student t distribution of the next point.
    pub fn predictive_parameters(&self) -> [f64; 3] {
        let scale = ((1.0 + self.kappa.recip()) * (self.scale() / self.shape())).sqrt();
        [2.0 * self.shape(), self.location, scale]
    }

    /// E ln N(x; μ, σ²) = -(ln 2π + E ln σ² + 1 / κ + (x - μ₀)² α / β) / 2.
    pub fn expected_ln_pdf(&self, x: f64) -> f64 {
        let distance = (x - self.location).powi(2) * self.shape() / self.scale();
        -0.5 * (LN_TAU + self.variance.expected_ln() + self.kappa.recip() + distance)
    }
}

parametric!(NormalInverseGamma, "normal_inverse_gamma", new(location, kappa, shape, scale));

impl Density for NormalInverseGamma {
    /// (μ, σ²).
    type Point = (f64, f64);

    fn ln_pdf(&self, &(mean, variance): &(f64, f64)) -> f64 {
        if mean.is_nan() || variance.is_nan() {
            return f64::NAN;
        }
        if !(variance > 0.0 && variance < f64::INFINITY && mean.is_finite()) {
            return f64::NEG_INFINITY;
        }
        let deviation = mean - self.location;
        let distance = (deviation / variance.sqrt() * self.kappa.sqrt()).powi(2);
        let normal = 0.5 * (self.kappa.ln() - LN_TAU - variance.ln() - distance);
        self.variance.ln_pdf(&variance) + normal
    }
}

impl PointGradient for NormalInverseGamma {
    /// By μ and by σ².
    fn point_gradient(&self, &(mean, variance): &(f64, f64)) -> (f64, f64) {
        if !(variance > 0.0) {
            return (f64::NAN, f64::NAN);
        }
        let deviation = mean - self.location;
        let rate = self.scale() + 0.5 * self.kappa * deviation * deviation;
        (-self.kappa * deviation / variance, (rate / variance - self.shape() - 1.5) / variance)
    }
}

impl ParameterGradient for NormalInverseGamma {
    type Gradient = [f64; 4];

    fn parameter_gradient(&self, &(mean, variance): &(f64, f64)) -> [f64; 4] {
        if !(variance > 0.0) {
            return [f64::NAN; 4];
        }
        let deviation = mean - self.location;
        let [by_alpha, by_beta] = self.variance.parameter_gradient(&variance);
        let distance = deviation / variance * deviation;
        [self.kappa * deviation / variance, 0.5 * (self.kappa.recip() - distance), by_alpha, by_beta]
    }
}

/// Means and variances of μ and of σ², which are not correlated.
impl Moments<(f64, f64), (f64, f64)> for NormalInverseGamma {
    /// `None` up to α = 1/2, where the mean of μ is undefined.
    fn mean(&self) -> Option<(f64, f64)> {
        if !(self.shape() > 0.5) {
            return None;
        }
        Some((self.location, self.variance.mean()?))
    }

    /// `None` up to α = 1, where the variance of σ² is undefined.
    fn variance(&self) -> Option<(f64, f64)> {
        Some((self.variance.mean()? / self.kappa, self.variance.variance()?))
    }
}

impl Entropy for NormalInverseGamma {
    fn entropy(&self) -> f64 {
        self.variance.entropy() + 0.5 * (1.0 + LN_TAU - self.kappa.ln() + self.variance.expected_ln())
    }
}

impl Mode for NormalInverseGamma {
    fn mode(&self) -> Option<(f64, f64)> {
        Some((self.location, self.scale() / (self.shape() + 1.5)))
    }
}

impl KlDivergence for NormalInverseGamma {
    fn kl_divergence(&self, other: &Self) -> f64 {
        let excess = (other.kappa - self.kappa) / self.kappa;
        let distance = other.kappa * self.shape() / self.scale() * (self.location - other.location).powi(2);
        self.variance.kl_divergence(&other.variance) + 0.5 * (excess - excess.ln_1p() + distance)
    }
}

impl Distribution<(f64, f64)> for NormalInverseGamma {
    /// (μ, σ²).
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> (f64, f64) {
        let variance: f64 = self.variance.sample(rng);
        let noise: f64 = StandardNormal.sample(rng);
        (self.location + noise * (variance / self.kappa).sqrt(), variance)
    }
}
