//! Normal distribution on the real line.

use posterior_math::special::{
    HALF_LN_TAU, ln_normal_cdf, normal_cdf, normal_quantile, normal_sf, normal_upper_quantile,
    poisson_deviance,
};
use posterior_math::streaming::MeanVariance;

use crate::grammar::parametric;
use crate::prelude::*;
use crate::scaled::{located, standardized};

/// The distribution of a sum of many small independent effects, with mean μ and standard deviation σ.
///
/// # Density
/// p(x) = exp(-z²/2) / (σ √(2π)), z = (x - μ) / σ
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | μ | `mean` | finite | `mean` (R), `loc` (SciPy), `mu` (Stan) |
/// | σ | `sd` | positive | `sd` (R), `scale` (SciPy), `sigma` (Stan) |
///
/// # Moments
/// mean μ, variance σ², skewness 0, excess kurtosis 0, mode μ, entropy ½ ln(2πe σ²)
///
/// # Numerics
/// Tails and quantiles are those of [`normal_cdf`] and [`normal_quantile`], within 4e-13 of the table down to
/// 10⁻²²³. The data that [`Stats`](crate::Stats) keep are the mean and the squares about it, so that points
/// at 10⁸ ± 1 give a variance. Maximum likelihood refuses a σ below 64 ε |μ|: the mean is not known as well
/// as that, and the density at the data would be that of rounding.
///
/// # Example
/// ```
/// use posterior_dist::{ExponentialFamily, Normal, Stats, Univariate};
///
/// let height = Normal::mean_sd(170.0, 10.0)?;
/// assert!((height.sf(190.0) - 0.022750131948179).abs() < 1e-15);
/// assert_eq!(height.to_string(), "normal(170, 10)");
///
/// let fitted = Normal::maximum_likelihood(&Stats::of((), &[1e8 - 1.0, 1e8 + 1.0])?)?;
/// assert_eq!(fitted, Normal::mean_sd(1e8, 1.0)?);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Normal {
    mean: f64,
    sd: f64,
    /// ln(σ √(2π))
    ln_normalizer: f64,
}

impl Normal {
    /// μ = 0 and σ = 1.
    pub const STANDARD: Self = Self { mean: 0.0, sd: 1.0, ln_normalizer: HALF_LN_TAU };

    /// From the mean and the standard deviation.
    ///
    /// # Errors
    /// If the mean is not finite, or the standard deviation not positive and finite.
    pub fn mean_sd(mean: f64, sd: f64) -> Result<Self, ParamError> {
        check::finite("Normal", "mean", mean)?;
        check::positive("Normal", "sd", sd)?;
        Ok(Self { mean, sd, ln_normalizer: sd.ln() + HALF_LN_TAU })
    }

    /// From the mean and the variance.
    ///
    /// # Errors
    /// If the mean is not finite, or the variance not positive and finite.
    pub fn mean_variance(mean: f64, variance: f64) -> Result<Self, ParamError> {
        check::positive("Normal", "variance", variance)?;
        Self::mean_sd(mean, variance.sqrt())
    }

    /// From the mean and the precision 1/σ².
    ///
    /// # Errors
    /// If the mean is not finite, or the precision not positive and finite.
    pub fn mean_precision(mean: f64, precision: f64) -> Result<Self, ParamError> {
        check::positive("Normal", "precision", precision)?;
        Self::mean_sd(mean, precision.sqrt().recip())
    }

    /// The standard deviation σ.
    pub const fn sd(&self) -> f64 {
        self.sd
    }

    /// The precision 1/σ².
    pub fn precision(&self) -> f64 {
        self.sd.recip() / self.sd
    }

    /// (x - μ) / σ.
    pub(crate) fn standardized(&self, x: f64) -> f64 {
        standardized(x, self.mean, self.sd)
    }
}

parametric!(Normal, "normal", mean_sd[mean, sd]);

impl Density for Normal {
    type Point = f64;

    fn ln_pdf(&self, &x: &f64) -> f64 {
        let z = self.standardized(x);
        -0.5 * z * z - self.ln_normalizer
    }
}

impl PointGradient for Normal {
    fn point_gradient(&self, &x: &f64) -> f64 {
        -self.standardized(x) / self.sd
    }
}

impl ParameterGradient for Normal {
    type Gradient = [f64; 2];

    fn parameter_gradient(&self, &x: &f64) -> [f64; 2] {
        let z = self.standardized(x);
        [z / self.sd, (z * z - 1.0) / self.sd]
    }
}

impl Univariate for Normal {
    fn cdf(&self, x: f64) -> f64 {
        normal_cdf(self.standardized(x))
    }

    fn sf(&self, x: f64) -> f64 {
        normal_sf(self.standardized(x))
    }

    fn quantile(&self, p: f64) -> f64 {
        located(self.mean, self.sd, normal_quantile(p))
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        located(self.mean, self.sd, normal_upper_quantile(q))
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        ln_normal_cdf(self.standardized(x))
    }

    fn ln_sf(&self, x: f64) -> f64 {
        ln_normal_cdf(-self.standardized(x))
    }
}

impl Moments for Normal {
    fn mean(&self) -> Option<f64> {
        Some(self.mean)
    }

    fn variance(&self) -> Option<f64> {
        Some(self.sd * self.sd)
    }
}

impl Shape for Normal {
    fn skewness(&self) -> Option<f64> {
        Some(0.0)
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        Some(0.0)
    }
}

impl Entropy for Normal {
    fn entropy(&self) -> f64 {
        self.sd.ln() + (0.5 + HALF_LN_TAU)
    }
}

impl Mode for Normal {
    fn mode(&self) -> Option<f64> {
        Some(self.mean)
    }
}

impl KlDivergence for Normal {
    /// The divergence ½ (σ_p²/σ_q² - 1 - ln(σ_p²/σ_q²) + (μ_p - μ_q)²/σ_q²).
    fn kl_divergence(&self, other: &Self) -> f64 {
        0.5 * other.standardized(self.mean).powi(2) + scale_divergence(self.sd, other.sd)
    }
}

/// KL between normal distributions of the same mean: ½ (r² - 1 - ln r²) for the ratio r of the scales.
pub(super) fn scale_divergence(sd: f64, other: f64) -> f64 {
    let ratio = sd / other;
    if ratio < 0.1 {
        0.5 * (ratio * ratio - 1.0) - (sd.ln() - other.ln())
    } else {
        0.5 * poisson_deviance(1.0, ratio * ratio)
    }
}

impl ExponentialFamily for Normal {
    type Fixed = ();
    type Summary = MeanVariance;

    fn fixed(&self) {}

    fn statistic_len((): &()) -> usize {
        2
    }

    fn check_point((): &(), &x: &f64) -> Result<(), ParamError> {
        check::finite("Normal", "point", x).map(drop)
    }

    /// The statistic (x, x²).
    fn add_statistic((): &(), &x: &f64, weight: f64, sum: &mut [f64]) {
        sum[0] += weight * x;
        sum[1] += weight * x * x;
    }

    /// The log partition function -w₁²/(4 w₂) - ½ ln(-2 w₂) + ½ ln 2π.
    fn ln_partition(natural: &Natural<Self>) -> f64 {
        let [first, second] = pair(natural.as_slice());
        -0.25 * first * (first / second) - 0.5 * (-2.0 * second).ln() + HALF_LN_TAU
    }

    /// The natural parameters (μ/σ², -1/(2σ²)).
    fn natural(&self) -> Natural<Self> {
        let precision = self.precision();
        Natural::of((), vec![self.mean * precision, -0.5 * precision])
    }

    fn from_natural(natural: &Natural<Self>) -> Result<Self, ParamError> {
        let [first, second] = pair(natural.as_slice());
        Self::mean_precision(-0.5 * (first / second), -2.0 * second)
    }

    /// The expectation of the statistic (μ, μ² + σ²).
    fn expectation(&self) -> Expectation<Self> {
        Expectation::of((), vec![self.mean, self.mean * self.mean + self.sd * self.sd])
    }

    /// The variance is the difference of two squares: use [`maximum_likelihood`](Self::maximum_likelihood)
    /// for data.
    fn from_expectation(expectation: &Expectation<Self>) -> Result<Self, ParamError> {
        let [mean, square] = pair(expectation.as_slice());
        Self::mean_variance(mean, square - mean * mean)
    }

    /// The mean and the variance (without correction) of the data, from the squares about the mean.
    fn maximum_likelihood(stats: &Stats<Self>) -> Result<Self, ParamError> {
        fit(stats.summary())
    }
}

#[cfg(feature = "linalg")]
impl FisherInformation for Normal {
    /// The Fisher information ((σ², 2μσ²), (2μσ², 4μ²σ² + 2σ⁴)).
    fn fisher_information(&self) -> DMatrix<f64> {
        let variance = self.sd * self.sd;
        let (covariance, square) =
            (2.0 * self.mean * variance, variance * (4.0 * self.mean * self.mean + 2.0 * variance));
        two_by_two([variance, square], covariance)
    }
}

impl Stats<Normal> {
    /// The statistics of points with this weight, mean and sum of squared deviations from it. A weight of 0
    /// is that of no points, whatever the others are.
    ///
    /// ```
    /// use posterior_dist::{Normal, Stats};
    ///
    /// let counted = Stats::<Normal>::from_moments(2.0, 3.0, 2.0)?;
    /// assert_eq!(counted, Stats::of((), &[2.0, 4.0])?);
    /// # Ok::<(), posterior_math::ParamError>(())
    /// ```
    ///
    /// # Errors
    /// If the weight is negative or infinite, or, with a weight, the mean is not finite or the squares are
    /// negative or not finite.
    pub fn from_moments(weight: f64, mean: f64, squares: f64) -> Result<Self, ParamError> {
        if check::non_negative("Stats", "weight", weight)? > 0.0 {
            check::finite("Stats", "mean", mean)?;
            check::non_negative("Stats", "sum of squares", squares)?;
        }
        Ok(Self::from_summary((), MeanVariance::from_moments(weight, mean, squares), 0.0))
    }
}

/// A family that keeps the mean of numbers, and the squares about it.
pub trait ByMoments: ExponentialFamily<Point = f64> {
    /// The number that is kept of a point.
    fn number(x: f64) -> f64 {
        x
    }
}

impl ByMoments for Normal {}

impl<F: ByMoments> Summary<F> for MeanVariance {
    fn empty(_: &F::Fixed) -> Self {
        Self::new()
    }

    fn add(&mut self, _: &F::Fixed, &x: &f64, weight: f64) {
        if weight < 0.0 {
            self.remove_weighted(F::number(x), -weight);
        } else {
            self.push_weighted(F::number(x), weight);
        }
    }

    fn merge(&mut self, other: &Self) {
        Self::merge(self, other);
    }

    fn scale(&mut self, factor: f64) {
        Self::scale(self, factor);
    }

    fn weight(&self) -> f64 {
        Self::weight(self)
    }

    /// Σ w x, and Σ w x² if the statistic has two numbers.
    fn total(&self, fixed: &F::Fixed) -> Vec<f64> {
        let length = F::statistic_len(fixed);
        if Self::weight(self) == 0.0 {
            return vec![0.0; length];
        }
        let sum = Self::weight(self) * self.mean();
        [sum, self.sum_of_squares() + sum * self.mean()][..length].to_vec()
    }
}

// What a family of distributions of a transformed normal variable shares with the normal family.

fn pair(coordinates: &[f64]) -> [f64; 2] {
    [coordinates[0], coordinates[1]]
}

/// A deviation below this proportion of the mean is that of rounding: the likelihood of such a distribution
/// is accidental.
const RESOLVED: f64 = 64.0 * f64::EPSILON;

/// The distribution of maximum likelihood of what was seen.
pub(super) fn fit(seen: &MeanVariance) -> Result<Normal, ParamError> {
    check::positive("Stats", "weight", seen.weight())?;
    let distribution = Normal::mean_variance(seen.mean(), seen.variance())?;
    let requirement = "more than the rounding of the mean";
    check::require(
        distribution.sd > RESOLVED * distribution.mean.abs(),
        "Stats",
        "sd",
        distribution.sd,
        requirement,
    )?;
    Ok(distribution)
}

impl Distribution<f64> for Normal {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        let standard: f64 = rand_distr::StandardNormal.sample(rng);
        self.mean + self.sd * standard
    }
}
