//! Half-normal distribution on [0, ∞).

use std::f64::consts::{FRAC_1_SQRT_2, LN_2, PI, SQRT_2};

use posterior_math::special::{HALF_LN_TAU, erf, erf_inv, erfc_inv, ln_normal_cdf, normal_sf};

use super::location_scale::scale_alone;
use super::normal::scale_divergence;
use crate::prelude::*;
use crate::scaled::ln_ratio;

/// √(2/π)
const SQRT_2_OVER_PI: f64 = 0.797_884_560_802_865_4;

/// The distribution of |X| for a normal X with mean 0: a weak prior of a scale.
///
/// # Density
/// p(x) = √(2/π) exp(-x²/(2σ²)) / σ
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | σ | `scale`, of the normal distribution | positive | `scale` (SciPy), `sigma` (Stan, truncated normal) |
///
/// # Moments
/// mean σ √(2/π), variance σ² (1 - 2/π), skewness √2 (4 - π) / (π - 2)^(3/2), excess kurtosis 8 (π - 3) /
/// (π - 2)², mode 0, entropy ½ ln(πe σ²/2)
///
/// # Example
/// ```
/// use posterior_dist::{HalfNormal, Univariate};
///
/// let scale = HalfNormal::new(2.0)?;
/// assert!((scale.sf(4.0) - 0.04550026389635842).abs() < 1e-16);
/// assert_eq!(scale.to_string(), "half_normal(2)");
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HalfNormal {
    scale: f64,
    /// ln(σ √(π/2))
    ln_normalizer: f64,
}

scale_alone!(HalfNormal, "half_normal", ln_normalizer = |scale| scale.ln() + (HALF_LN_TAU - LN_2));

impl Density for HalfNormal {
    type Point = f64;

    fn ln_pdf(&self, &x: &f64) -> f64 {
        let z = x / self.scale;
        if x < 0.0 { f64::NEG_INFINITY } else { -0.5 * z * z - self.ln_normalizer }
    }
}

impl PointGradient for HalfNormal {
    fn point_gradient(&self, &x: &f64) -> f64 {
        if x > 0.0 { -x / self.scale / self.scale } else { f64::NAN }
    }
}

impl ParameterGradient for HalfNormal {
    type Gradient = [f64; 1];

    fn parameter_gradient(&self, &x: &f64) -> [f64; 1] {
        let z = x / self.scale;
        [if x >= 0.0 { (z * z - 1.0) / self.scale } else { f64::NAN }]
    }
}

impl Univariate for HalfNormal {
    fn cdf(&self, x: f64) -> f64 {
        if x <= 0.0 { 0.0 } else { erf(x / self.scale * FRAC_1_SQRT_2) }
    }

    fn sf(&self, x: f64) -> f64 {
        if x <= 0.0 { 1.0 } else { 2.0 * normal_sf(x / self.scale) }
    }

    fn quantile(&self, p: f64) -> f64 {
        if p < 0.0 { f64::NAN } else { self.scale * (SQRT_2 * erf_inv(p)) }
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        if q > 1.0 { f64::NAN } else { self.scale * (SQRT_2 * erfc_inv(q)) }
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        let lower = self.cdf(x);
        if lower >= 0.5 {
            (-self.sf(x)).ln_1p()
        } else if x > 0.0 && lower < f64::MIN_POSITIVE {
            ln_ratio(x, self.scale) + 0.5 * (LN_2 - PI.ln())
        } else {
            lower.ln()
        }
    }

    fn ln_sf(&self, x: f64) -> f64 {
        let lower = self.cdf(x);
        if lower < 0.5 { (-lower).ln_1p() } else { LN_2 + ln_normal_cdf(-x / self.scale) }
    }
}

impl Moments for HalfNormal {
    fn mean(&self) -> Option<f64> {
        Some(self.scale * SQRT_2_OVER_PI)
    }

    fn variance(&self) -> Option<f64> {
        Some(self.scale * self.scale * ((PI - 2.0) / PI))
    }
}

impl Shape for HalfNormal {
    fn skewness(&self) -> Option<f64> {
        Some(0.995_271_746_431_156)
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        Some(0.869_177_303_605_974_1)
    }
}

impl Entropy for HalfNormal {
    fn entropy(&self) -> f64 {
        0.5 + self.ln_normalizer
    }
}

impl Mode for HalfNormal {
    fn mode(&self) -> Option<f64> {
        Some(0.0)
    }
}

impl KlDivergence for HalfNormal {
    /// ½ (r² - 1 - ln r²) with r = σ_p/σ_q.
    fn kl_divergence(&self, other: &Self) -> f64 {
        scale_divergence(self.scale, other.scale)
    }
}

impl ExponentialFamily for HalfNormal {
    type Fixed = ();
    type Summary = Sums;

    fn fixed(&self) {}

    fn statistic_len((): &()) -> usize {
        1
    }

    fn check_point((): &(), &x: &f64) -> Result<(), ParamError> {
        check::non_negative("HalfNormal", "point", x).map(drop)
    }

    /// The statistic x².
    fn add_statistic((): &(), &x: &f64, weight: f64, sum: &mut [f64]) {
        sum[0] += weight * x * x;
    }

    /// The log partition function -½ ln(-2w) + ½ ln(π/2).
    fn ln_partition(natural: &Natural<Self>) -> f64 {
        (HALF_LN_TAU - LN_2) - 0.5 * (-2.0 * natural.as_slice()[0]).ln()
    }

    /// The natural parameter -1/(2σ²).
    fn natural(&self) -> Natural<Self> {
        Natural::of((), vec![-0.5 / self.scale / self.scale])
    }

    fn from_natural(natural: &Natural<Self>) -> Result<Self, ParamError> {
        Self::new((-2.0 * natural.as_slice()[0]).sqrt().recip())
    }

    /// The expectation of the statistic σ².
    fn expectation(&self) -> Expectation<Self> {
        Expectation::of((), vec![self.scale * self.scale])
    }

    fn from_expectation(expectation: &Expectation<Self>) -> Result<Self, ParamError> {
        Self::new(expectation.as_slice()[0].sqrt())
    }
}

#[cfg(feature = "linalg")]
impl FisherInformation for HalfNormal {
    /// The Fisher information 2σ⁴.
    fn fisher_information(&self) -> DMatrix<f64> {
        DMatrix::from_element(1, 1, 2.0 * self.scale.powi(4))
    }
}

impl Distribution<f64> for HalfNormal {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        let standard: f64 = rand_distr::StandardNormal.sample(rng);
        self.scale * standard.abs()
    }
}
