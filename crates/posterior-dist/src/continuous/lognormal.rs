//! Log-normal distribution on (0, ∞).

use posterior_math::streaming::MeanVariance;

use super::exponential_of::{self, ln_or_end};
use super::normal::{self, ByMoments, Normal};
use crate::grammar::{Parametric, parametric};
use crate::prelude::*;

/// The distribution of e^Y for a normal Y: of a product of many small independent effects.
///
/// # Density
/// p(x) = exp(-z²/2) / (x σ √(2π)), z = (ln x - μ) / σ
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | μ | `mu` | finite | `meanlog` (R), ln `scale` (SciPy), `mu` (Stan) |
/// | σ | `sigma` | positive | `sdlog` (R), `s` (SciPy), `sigma` (Stan) |
///
/// # Moments
/// mean e^(μ + σ²/2), variance (e^σ² - 1) e^(2μ + σ²), skewness (e^σ² + 2) √(e^σ² - 1), excess kurtosis
/// e^(4σ²) + 2 e^(3σ²) + 3 e^(2σ²) - 6, mode e^(μ - σ²), entropy μ + ½ ln(2πe σ²)
///
/// # Example
/// ```
/// use posterior_dist::{LogNormal, Univariate};
///
/// let income = LogNormal::new(10.0, 0.5)?;
/// assert!((income.quantile(0.5) - 10_f64.exp()).abs() < 1e-10);
/// assert_eq!(income.to_string(), "lognormal(10, 0.5)");
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LogNormal {
    logarithm: Normal,
}

impl LogNormal {
    /// From mean and standard deviation of ln X.
    ///
    /// # Errors
    /// If μ is not finite, or σ not positive and finite.
    pub fn new(mu: f64, sigma: f64) -> Result<Self, ParamError> {
        check::finite("LogNormal", "mu", mu)?;
        check::positive("LogNormal", "sigma", sigma)?;
        Ok(Self { logarithm: Normal::mean_sd(mu, sigma)? })
    }

    /// The distribution of ln X.
    pub const fn logarithm(&self) -> Normal {
        self.logarithm
    }

    /// μ, the mean of ln X.
    pub fn mu(&self) -> f64 {
        self.logarithm.parameters()[0]
    }

    /// σ, the standard deviation of ln X.
    pub const fn sigma(&self) -> f64 {
        self.logarithm.sd()
    }
}

impl From<Normal> for LogNormal {
    /// The distribution of e^Y, of the distribution of Y.
    fn from(logarithm: Normal) -> Self {
        Self { logarithm }
    }
}

parametric!(LogNormal, "lognormal", new(mu, sigma));

impl Density for LogNormal {
    type Point = f64;

    fn ln_pdf(&self, &x: &f64) -> f64 {
        exponential_of::ln_pdf(&self.logarithm, x)
    }
}

impl PointGradient for LogNormal {
    fn point_gradient(&self, &x: &f64) -> f64 {
        exponential_of::point_gradient(&self.logarithm, x)
    }
}

impl ParameterGradient for LogNormal {
    type Gradient = [f64; 2];

    fn parameter_gradient(&self, &x: &f64) -> [f64; 2] {
        if x > 0.0 { self.logarithm.parameter_gradient(&x.ln()) } else { [f64::NAN; 2] }
    }
}

impl Univariate for LogNormal {
    fn cdf(&self, x: f64) -> f64 {
        self.logarithm.cdf(ln_or_end(x))
    }

    fn sf(&self, x: f64) -> f64 {
        self.logarithm.sf(ln_or_end(x))
    }

    fn quantile(&self, p: f64) -> f64 {
        self.logarithm.quantile(p).exp()
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        self.logarithm.upper_quantile(q).exp()
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        self.logarithm.ln_cdf(ln_or_end(x))
    }

    fn ln_sf(&self, x: f64) -> f64 {
        self.logarithm.ln_sf(ln_or_end(x))
    }
}

impl Moments for LogNormal {
    fn mean(&self) -> Option<f64> {
        Some((self.mu() + 0.5 * self.sigma().powi(2)).exp())
    }

    fn variance(&self) -> Option<f64> {
        let square = self.sigma().powi(2);
        if square > 1.0 {
            // With e^σ² inside, so that no factor overflows before the product does.
            return Some((2.0 * (self.mu() + square)).exp() * -(-square).exp_m1());
        }
        let square_of_mean = (2.0 * self.mu() + square).exp();
        if square_of_mean == f64::INFINITY {
            // The product may be in the range where this factor is not; a tiny σ² may be below it.
            let ln_excess = if square < 1e-16 { 2.0 * self.sigma().ln() } else { square.exp_m1().ln() };
            return Some((2.0 * self.mu() + square + ln_excess).exp());
        }
        Some(square.exp_m1() * square_of_mean)
    }
}

impl Shape for LogNormal {
    fn skewness(&self) -> Option<f64> {
        let square = self.sigma().powi(2);
        Some((square.exp() + 2.0) * square.exp_m1().sqrt())
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        let square = self.sigma().powi(2);
        Some((4.0 * square).exp_m1() + 2.0 * (3.0 * square).exp_m1() + 3.0 * (2.0 * square).exp_m1())
    }
}

impl Entropy for LogNormal {
    fn entropy(&self) -> f64 {
        self.mu() + self.logarithm.entropy()
    }
}

impl Mode for LogNormal {
    fn mode(&self) -> Option<f64> {
        Some((self.mu() - self.sigma().powi(2)).exp())
    }
}

impl KlDivergence for LogNormal {
    /// That of the distributions of ln X.
    fn kl_divergence(&self, other: &Self) -> f64 {
        self.logarithm.kl_divergence(&other.logarithm)
    }
}

impl ExponentialFamily for LogNormal {
    type Fixed = ();
    type Summary = MeanVariance;

    fn fixed(&self) {}

    fn statistic_len((): &()) -> usize {
        2
    }

    fn check_point((): &(), &x: &f64) -> Result<(), ParamError> {
        check::positive("LogNormal", "point", x).map(drop)
    }

    /// The statistic (ln x, ln² x).
    fn add_statistic((): &(), &x: &f64, weight: f64, sum: &mut [f64]) {
        Normal::add_statistic(&(), &x.ln(), weight, sum);
    }

    /// The logarithm of the base measure -ln x.
    fn ln_base((): &(), &x: &f64) -> f64 {
        -x.ln()
    }

    /// That of the normal distribution.
    fn ln_partition(natural: &Natural<Self>) -> f64 {
        Normal::ln_partition(&natural.of_another())
    }

    /// The natural parameters (μ/σ², -1/(2σ²)).
    fn natural(&self) -> Natural<Self> {
        self.logarithm.natural().of_another()
    }

    fn from_natural(natural: &Natural<Self>) -> Result<Self, ParamError> {
        Normal::from_natural(&natural.of_another()).map(Self::from)
    }

    /// The expectation of the statistic (μ, μ² + σ²).
    fn expectation(&self) -> Expectation<Self> {
        self.logarithm.expectation().of_another()
    }

    fn from_expectation(expectation: &Expectation<Self>) -> Result<Self, ParamError> {
        Normal::from_expectation(&expectation.of_another()).map(Self::from)
    }

    /// Mean and variance of the logarithms.
    fn maximum_likelihood(stats: &Stats<Self>) -> Result<Self, ParamError> {
        normal::fit(stats.summary()).map(Self::from)
    }
}

#[cfg(feature = "linalg")]
impl FisherInformation for LogNormal {
    fn fisher_information(&self) -> DMatrix<f64> {
        self.logarithm.fisher_information()
    }
}

/// Of the logarithms of the points.
impl ByMoments for LogNormal {
    fn number(x: f64) -> f64 {
        x.ln()
    }
}

impl Distribution<f64> for LogNormal {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        self.logarithm.sample(rng).exp()
    }
}
