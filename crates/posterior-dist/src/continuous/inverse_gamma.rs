//! Inverse gamma distribution on (0, ∞).

use std::f64::consts::TAU;

use posterior_math::special::{digamma, ln_gamma, stirling_remainder, stirling_remainder_derivative};

use super::gamma::{Gamma, gamma_divergence, shape_of_gap};
use crate::gamma_kernel::GammaKernel;
use crate::grammar::parametric;
use crate::prelude::*;
use crate::scaled::{Positive, times_exp};

/// The distribution of 1/Y for a [`Gamma`] variable Y with shape a and rate b; the conjugate prior of the
/// variance of a normal distribution.
///
/// # Density
/// p(x) = bᵃ x^(-a-1) e^(-b/x) / Γ(a)
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | a | `shape` | positive | `a` (SciPy), `alpha` (Stan) |
/// | b | `scale` | positive | `scale` (SciPy), `beta` (Stan) |
///
/// # Moments
/// mean b/(a - 1) for a > 1, variance b²/((a - 1)² (a - 2)) for a > 2, skewness 4 √(a - 2)/(a - 3) for a > 3,
/// excess kurtosis 6 (5a - 11)/((a - 3)(a - 4)) for a > 4, mode b/(a + 1), entropy a + ln b + ln Γ(a) - (1 +
/// a) ψ(a). A mean or variance that diverges is infinite; there is no variance without a finite mean.
///
/// # Numerics
/// As for [`Gamma`], whose tails are the other way round here.
///
/// # Example
/// ```
/// use posterior_dist::{InverseGamma, Mode, Univariate};
///
/// let distribution = InverseGamma::new(3.0, 2.0)?;
/// assert_eq!(distribution.mode(), Some(0.5));
/// assert!((distribution.cdf(1.0) - 5.0 * (-2_f64).exp()).abs() < 1e-15);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InverseGamma {
    shape: f64,
    scale: f64,
    ln_scale: f64,
    kernel: GammaKernel,
    reciprocal: Gamma,
}

impl InverseGamma {
    /// a = shape and b = scale.
    ///
    /// # Errors
    /// If one of them is not positive and finite.
    pub fn new(shape: f64, scale: f64) -> Result<Self, ParamError> {
        check::positive("InverseGamma", "shape", shape)?;
        check::positive("InverseGamma", "scale", scale)?;
        let reciprocal = Gamma::shape_rate(shape, scale)?;
        Ok(Self { shape, scale, ln_scale: scale.ln(), kernel: GammaKernel::new(shape), reciprocal })
    }

    /// The distribution of 1/X.
    pub const fn reciprocal(&self) -> Gamma {
        self.reciprocal
    }

    /// E ln X = ln b - ψ(a).
    pub fn expected_ln(&self) -> f64 {
        self.ln_scale - digamma(self.shape)
    }

    /// The logarithm of a draw, which is finite where the draw itself is too large for f64.
    pub fn sample_ln<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        -self.reciprocal.sample_ln(rng)
    }
}

parametric! { InverseGamma, "inverse_gamma", new:
    /// The shape a.
    shape: f64,
    /// The scale b.
    scale: f64,
}

impl Density for InverseGamma {
    type Point = f64;

    fn ln_pdf(&self, &x: &f64) -> f64 {
        if x > 0.0 && x < f64::INFINITY {
            self.kernel.ln(self.scale / x, || self.ln_quotient(x), 1.0) - self.ln_scale
        } else if x.is_nan() {
            x
        } else {
            f64::NEG_INFINITY
        }
    }
}

impl PointGradient for InverseGamma {
    fn point_gradient(&self, &x: &f64) -> f64 {
        if x > 0.0 { (self.scale / x - (self.shape + 1.0)) / x } else { f64::NAN }
    }
}

impl ParameterGradient for InverseGamma {
    type Gradient = [f64; 2];

    fn parameter_gradient(&self, &x: &f64) -> [f64; 2] {
        if x > 0.0 {
            [self.ln_scale - x.ln() - digamma(self.shape), self.shape / self.scale - x.recip()]
        } else {
            [f64::NAN; 2]
        }
    }
}

impl Univariate for InverseGamma {
    fn cdf(&self, x: f64) -> f64 {
        if x <= 0.0 { 0.0 } else { self.kernel.tails(self.scale / x, || self.ln_quotient(x)).1 }
    }

    fn sf(&self, x: f64) -> f64 {
        if x <= 0.0 { 1.0 } else { self.kernel.tails(self.scale / x, || self.ln_quotient(x)).0 }
    }

    fn quantile(&self, p: f64) -> f64 {
        self.scale_over(self.kernel.upper_quantile(p))
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        self.scale_over(self.kernel.quantile(q))
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        if x <= 0.0 {
            f64::NEG_INFINITY
        } else {
            self.kernel.ln_upper(self.scale / x, || self.ln_quotient(x))
        }
    }

    fn ln_sf(&self, x: f64) -> f64 {
        if x <= 0.0 { 0.0 } else { self.kernel.ln_lower(self.scale / x, || self.ln_quotient(x)) }
    }
}

impl InverseGamma {
    /// ln(b/x).
    fn ln_quotient(&self, x: f64) -> f64 {
        self.ln_scale - x.ln()
    }

    /// b/t.
    fn scale_over(&self, t: Positive) -> f64 {
        match t {
            Positive::Number(t) => self.scale / t,
            Positive::Logarithm(ln_t) => (self.ln_scale - ln_t).exp(),
        }
    }
}

impl Moments for InverseGamma {
    fn mean(&self) -> Option<f64> {
        Some(if self.shape > 1.0 { self.scale / (self.shape - 1.0) } else { f64::INFINITY })
    }

    fn variance(&self) -> Option<f64> {
        let a = self.shape;
        let mean = (a > 1.0).then(|| self.scale / (a - 1.0))?;
        Some(if a > 2.0 { mean * (mean / (a - 2.0)) } else { f64::INFINITY })
    }
}

impl Shape for InverseGamma {
    fn skewness(&self) -> Option<f64> {
        let a = self.shape;
        (a > 3.0).then(|| 4.0 * (a - 2.0).sqrt() / (a - 3.0))
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        let a = self.shape;
        (a > 4.0).then(|| 6.0 * ((5.0 * a - 11.0) / (a - 3.0)) / (a - 4.0))
    }
}

impl Entropy for InverseGamma {
    fn entropy(&self) -> f64 {
        let a = self.shape;
        if a < 1.0 {
            return a + ln_gamma(a) - (1.0 + a) * digamma(a) + self.ln_scale;
        }
        let remainders = stirling_remainder(a) - (1.0 + a) * stirling_remainder_derivative(a);
        let ratio = self.scale / a / a.sqrt();
        let ln_ratio = if ratio.is_normal() { ratio.ln() } else { self.ln_scale - 1.5 * a.ln() };
        0.5 * TAU.ln() + ln_ratio + 0.5 + 0.5 / a + remainders
    }
}

impl Mode for InverseGamma {
    fn mode(&self) -> Option<f64> {
        Some(self.scale / (self.shape + 1.0))
    }
}

impl KlDivergence for InverseGamma {
    fn kl_divergence(&self, other: &Self) -> f64 {
        gamma_divergence([self.shape, self.scale], [other.shape, other.scale])
    }
}

impl ExponentialFamily for InverseGamma {
    type Fixed = ();
    type Summary = Sums;

    fn fixed(&self) {}

    fn statistic_len((): &()) -> usize {
        2
    }

    fn check_point((): &(), &x: &f64) -> Result<(), ParamError> {
        check::positive("InverseGamma", "point", x)?;
        check::positive("InverseGamma", "reciprocal of the point", x.recip()).map(drop)
    }

    /// The statistic (ln x, 1/x).
    fn add_statistic((): &(), &x: &f64, weight: f64, sum: &mut [f64]) {
        sum[0] += weight * x.ln();
        sum[1] += weight / x;
    }

    /// The log partition function ln Γ(-w₁ - 1) + (w₁ + 1) ln(-w₂).
    fn ln_partition(natural: &Natural<Self>) -> f64 {
        let [w, v] = [natural.as_slice()[0], natural.as_slice()[1]];
        if w < -1.0 { ln_gamma(-w - 1.0) + (w + 1.0) * (-v).ln() } else { f64::NAN }
    }

    /// The natural parameters (-a - 1, -b).
    fn natural(&self) -> Natural<Self> {
        Natural::of((), vec![-self.shape - 1.0, -self.scale])
    }

    fn from_natural(natural: &Natural<Self>) -> Result<Self, ParamError> {
        Self::new(-natural.as_slice()[0] - 1.0, -natural.as_slice()[1])
    }

    /// The expectation of the statistic (ln b - ψ(a), a/b).
    fn expectation(&self) -> Expectation<Self> {
        Expectation::of((), vec![self.expected_ln(), self.shape / self.scale])
    }

    /// As for the [`Gamma`] distribution of the reciprocals.
    fn from_expectation(expectation: &Expectation<Self>) -> Result<Self, ParamError> {
        let [mean_ln, mean_reciprocal] = [expectation.as_slice()[0], expectation.as_slice()[1]];
        let shape = shape_of_gap("InverseGamma", mean_reciprocal.ln() + mean_ln)?;
        Self::new(shape, shape / mean_reciprocal)
    }
}

#[cfg(feature = "linalg")]
impl FisherInformation for InverseGamma {
    /// The Fisher information ((ψ₁(a), -1/b), (-1/b, a/b²)).
    fn fisher_information(&self) -> DMatrix<f64> {
        let inverse = self.scale.recip();
        two_by_two([posterior_math::special::trigamma(self.shape), self.shape * inverse * inverse], -inverse)
    }
}

impl Distribution<f64> for InverseGamma {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        match self.reciprocal.draw(rng) {
            (draw, Some(exponent)) => times_exp(draw.recip(), self.ln_scale - exponent),
            (draw, None) => self.scale / draw,
        }
    }
}
