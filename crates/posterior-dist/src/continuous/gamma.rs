//! Gamma distribution on (0, ∞).

mod shape;

use std::f64::consts::TAU;

use posterior_math::special::{
    digamma, ln_gamma, poisson_deviance, stirling_remainder, stirling_remainder_derivative,
};
use rand::distr::Open01;

use crate::gamma_divergence::beyond_deviance;
use crate::gamma_kernel::GammaKernel;
use crate::gamma_variate::sample_ln_gamma;
use crate::grammar::parametric;
use crate::prelude::*;
use crate::scaled::{Positive, times_exp};

pub(crate) use shape::shape_of_gap;

/// The distribution of the waiting time for a events that come at rate b, for any real a > 0; the conjugate
/// prior of rates and of precisions.
///
/// # Density
/// p(x) = bᵃ x^(a-1) e^(-bx) / Γ(a)
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | a | `shape` | positive | `shape` (R), `a` (SciPy), `alpha` (Stan) |
/// | b | `rate` | positive | `rate` (R), 1 / `scale` (SciPy), `beta` (Stan) |
///
/// # Moments
/// mean a/b, variance a/b², skewness 2/√a, excess kurtosis 6/a, E ln X = ψ(a) - ln b, mode (a - 1)/b for a ≥
/// 1, entropy a - ln b + ln Γ(a) + (1 - a) ψ(a)
///
/// # Numerics
/// From a = 10 on the density is Loader's saddle-point form, and entropy and divergence have the large terms
/// combined by hand, so that no digits are lost however large a is. Draws are by Marsaglia and Tsang's method
/// (`rand_distr`), for a < 1 through logarithms: a shape of 10⁻⁴ gives the tiny numbers that it should while
/// f64 can hold them, and [`Gamma::sample_ln`] beyond.
///
/// # Example
/// ```
/// use posterior_dist::{Density, Gamma, Univariate};
///
/// let distribution = Gamma::shape_rate(3.0, 2.0)?;
/// assert!((distribution.ln_pdf(&1.0) - -0.6137056388801093).abs() < 1e-15);
/// assert!((distribution.sf(1.0) - 5.0 * (-2_f64).exp()).abs() < 1e-15); // no more than two events in a time of 1
/// assert_eq!(distribution, Gamma::shape_scale(3.0, 0.5)?);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
///
/// # References
/// G. Marsaglia, W. W. Tsang, A simple method for generating gamma variables, ACM TOMS 26 (2000). T. Minka,
/// Estimating a Gamma distribution, 2002. C. Loader, Fast and accurate computation of binomial
/// probabilities, 2000.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gamma {
    shape: f64,
    rate: f64,
    ln_rate: f64,
    kernel: GammaKernel,
    sampler: rand_distr::Gamma<f64>,
}

impl Gamma {
    /// a = shape and b = rate.
    ///
    /// # Errors
    /// If one of them is not positive and finite.
    pub fn shape_rate(shape: f64, rate: f64) -> Result<Self, ParamError> {
        check::positive("Gamma", "shape", shape)?;
        check::positive("Gamma", "rate", rate)?;
        // Of shape a + 1 below 1, to which a power of a uniform number is then applied.
        let drawn = if shape < 1.0 { shape + 1.0 } else { shape };
        let sampler = rand_distr::Gamma::new(drawn, 1.0)
            .map_err(|_| ParamError::new("Gamma", "shape", shape, "positive and finite"))?;
        Ok(Self { shape, rate, ln_rate: rate.ln(), kernel: GammaKernel::new(shape), sampler })
    }

    /// a = shape and b = 1 / scale.
    ///
    /// # Errors
    /// If one of them is not positive and finite, or 1 / scale is not.
    pub fn shape_scale(shape: f64, scale: f64) -> Result<Self, ParamError> {
        check::positive("Gamma", "scale", scale)?;
        Self::shape_rate(shape, scale.recip())
    }

    /// The scale 1/b.
    pub const fn scale(&self) -> f64 {
        self.rate.recip()
    }

    /// E ln X = ψ(a) - ln b.
    pub fn expected_ln(&self) -> f64 {
        digamma(self.shape) - self.ln_rate
    }

    /// The logarithm of a draw, which is finite where the draw itself is too small for f64.
    pub fn sample_ln<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        sample_ln_gamma(self.shape, rng) - self.ln_rate
    }
}

parametric! { Gamma, "gamma", shape_rate:
    /// The shape a.
    shape: f64,
    /// The rate b.
    rate: f64,
}

impl Density for Gamma {
    type Point = f64;

    fn ln_pdf(&self, &x: &f64) -> f64 {
        if x > 0.0 {
            self.kernel.ln(self.rate * x, || self.ln_product(x), -1.0) + self.ln_rate
        } else if x == 0.0 {
            at_zero(self.shape, self.ln_rate)
        } else if x < 0.0 {
            f64::NEG_INFINITY
        } else {
            x
        }
    }
}

/// ln p(0) of a density that behaves like x^(a-1) there, given its value for a = 1.
fn at_zero(shape: f64, value: f64) -> f64 {
    if shape < 1.0 {
        f64::INFINITY
    } else if shape > 1.0 {
        f64::NEG_INFINITY
    } else {
        value
    }
}

impl PointGradient for Gamma {
    fn point_gradient(&self, &x: &f64) -> f64 {
        if x > 0.0 { (self.shape - 1.0) / x - self.rate } else { f64::NAN }
    }
}

impl ParameterGradient for Gamma {
    type Gradient = [f64; 2];

    fn parameter_gradient(&self, &x: &f64) -> [f64; 2] {
        if x > 0.0 {
            [self.ln_rate + x.ln() - digamma(self.shape), self.shape / self.rate - x]
        } else {
            [f64::NAN; 2]
        }
    }
}

impl Univariate for Gamma {
    fn cdf(&self, x: f64) -> f64 {
        if x <= 0.0 { 0.0 } else { self.kernel.tails(self.rate * x, || self.ln_product(x)).0 }
    }

    fn sf(&self, x: f64) -> f64 {
        if x <= 0.0 { 1.0 } else { self.kernel.tails(self.rate * x, || self.ln_product(x)).1 }
    }

    fn quantile(&self, p: f64) -> f64 {
        self.over_rate(self.kernel.quantile(p))
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        self.over_rate(self.kernel.upper_quantile(q))
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        if x <= 0.0 { f64::NEG_INFINITY } else { self.kernel.ln_lower(self.rate * x, || self.ln_product(x)) }
    }

    fn ln_sf(&self, x: f64) -> f64 {
        if x <= 0.0 { 0.0 } else { self.kernel.ln_upper(self.rate * x, || self.ln_product(x)) }
    }
}

impl Gamma {
    /// A draw of rate 1, of which the exponential of the second number is a factor.
    pub(super) fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> (f64, Option<f64>) {
        let draw = self.sampler.sample(rng);
        let small = self.shape < 1.0;
        (draw, small.then(|| Distribution::<f64>::sample(&Open01, rng).ln() / self.shape))
    }

    /// ln(bx).
    fn ln_product(&self, x: f64) -> f64 {
        self.ln_rate + x.ln()
    }

    /// t/b.
    fn over_rate(&self, t: Positive) -> f64 {
        match t {
            Positive::Number(t) => t / self.rate,
            Positive::Logarithm(ln_t) => (ln_t - self.ln_rate).exp(),
        }
    }
}

impl Moments for Gamma {
    fn mean(&self) -> Option<f64> {
        Some(self.shape / self.rate)
    }

    fn variance(&self) -> Option<f64> {
        Some(self.shape / self.rate / self.rate)
    }
}

impl Shape for Gamma {
    fn skewness(&self) -> Option<f64> {
        Some(2.0 / self.shape.sqrt())
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        Some(6.0 / self.shape)
    }
}

impl Entropy for Gamma {
    fn entropy(&self) -> f64 {
        let a = self.shape;
        let of_rate_one = if a < 1.0 {
            a + ln_gamma(a) + (1.0 - a) * digamma(a)
        } else {
            let remainders = stirling_remainder(a) + (1.0 - a) * stirling_remainder_derivative(a);
            0.5 * (TAU * a).ln() + 0.5 - 0.5 / a + remainders
        };
        of_rate_one - self.ln_rate
    }
}

impl Mode for Gamma {
    /// `None` for a < 1, where the density is unbounded.
    fn mode(&self) -> Option<f64> {
        (self.shape >= 1.0).then(|| (self.shape - 1.0) / self.rate)
    }
}

impl KlDivergence for Gamma {
    fn kl_divergence(&self, other: &Self) -> f64 {
        gamma_divergence([self.shape, self.rate], [other.shape, other.rate])
    }
}

/// KL(Gamma(a, b) ‖ Gamma(a', b')): the deviance of a' from a b'/b, and what is beyond it.
pub(crate) fn gamma_divergence([shape, rate]: [f64; 2], [other_shape, other_rate]: [f64; 2]) -> f64 {
    poisson_deviance(other_shape, shape * (other_rate / rate)) + beyond_deviance(other_shape, shape)
}

impl ExponentialFamily for Gamma {
    type Fixed = ();
    type Summary = Sums;

    fn fixed(&self) {}

    fn statistic_len((): &()) -> usize {
        2
    }

    fn check_point((): &(), &x: &f64) -> Result<(), ParamError> {
        check::positive("Gamma", "point", x).map(drop)
    }

    /// The statistic (ln x, x).
    fn add_statistic((): &(), &x: &f64, weight: f64, sum: &mut [f64]) {
        sum[0] += weight * x.ln();
        sum[1] += weight * x;
    }

    /// The log partition function ln Γ(w₁ + 1) - (w₁ + 1) ln(-w₂).
    fn ln_partition(natural: &Natural<Self>) -> f64 {
        let [w, v] = [natural.as_slice()[0], natural.as_slice()[1]];
        if w > -1.0 { ln_gamma(w + 1.0) - (w + 1.0) * (-v).ln() } else { f64::NAN }
    }

    /// The natural parameters (a - 1, -b).
    fn natural(&self) -> Natural<Self> {
        Natural::of((), vec![self.shape - 1.0, -self.rate])
    }

    fn from_natural(natural: &Natural<Self>) -> Result<Self, ParamError> {
        Self::shape_rate(natural.as_slice()[0] + 1.0, -natural.as_slice()[1])
    }

    /// The expectation of the statistic (ψ(a) - ln b, a/b).
    fn expectation(&self) -> Expectation<Self> {
        Expectation::of((), vec![self.expected_ln(), self.shape / self.rate])
    }

    /// By Newton's method in ln a (Minka).
    fn from_expectation(expectation: &Expectation<Self>) -> Result<Self, ParamError> {
        let [mean_ln, mean] = [expectation.as_slice()[0], expectation.as_slice()[1]];
        let shape = shape_of_gap("Gamma", mean.ln() - mean_ln)?;
        Self::shape_rate(shape, shape / mean)
    }
}

#[cfg(feature = "linalg")]
impl FisherInformation for Gamma {
    /// The Fisher information ((ψ₁(a), 1/b), (1/b, a/b²)).
    fn fisher_information(&self) -> DMatrix<f64> {
        let inverse = self.rate.recip();
        two_by_two([posterior_math::special::trigamma(self.shape), self.shape * inverse * inverse], inverse)
    }
}

impl Distribution<f64> for Gamma {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        match self.draw(rng) {
            (draw, Some(exponent)) => times_exp(draw, exponent - self.ln_rate),
            (draw, None) => draw / self.rate,
        }
    }
}
