//! Rayleigh distribution on [0, ∞).

use std::f64::consts::{EULER_GAMMA, LN_2, PI};

use posterior_math::log_space::ln_1m_exp;

use super::location_scale::scale_alone;
use super::normal::scale_divergence;
use crate::prelude::*;
use crate::scaled::ln_ratio;

/// √(π/2)
const SQRT_HALF_PI: f64 = 1.253_314_137_315_500_3;

/// Below this z the lower tail is z²/2 in f64.
const SQUARE_BELOW: f64 = 1e-8;

/// The distribution of the length of a normal vector in the plane.
///
/// # Density
/// p(x) = x/σ² exp(-x²/(2σ²))
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | σ | `scale`, of each coordinate | positive | `scale` (SciPy), `sigma` (Stan) |
///
/// # Moments
/// mean σ √(π/2), variance (2 - π/2) σ², skewness 2 √π (π - 3) / (4 - π)^(3/2), excess kurtosis -(6π² -
/// 24π + 16) / (4 - π)², mode σ, entropy 1 + ln(σ/√2) + γ/2 with Euler's γ
///
/// # Example
/// ```
/// use posterior_dist::{Rayleigh, Univariate};
///
/// let distance = Rayleigh::new(2.0)?;
/// assert!((distance.sf(4.0) - (-2_f64).exp()).abs() < 1e-16);
/// assert_eq!(distance.to_string(), "rayleigh(2)");
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rayleigh {
    scale: f64,
    ln_scale: f64,
}

scale_alone!(Rayleigh, "rayleigh", ln_scale = |scale| scale.ln());

impl Density for Rayleigh {
    type Point = f64;

    fn ln_pdf(&self, &x: &f64) -> f64 {
        if x <= 0.0 || x == f64::INFINITY {
            return f64::NEG_INFINITY;
        }
        let z = x / self.scale;
        (x.ln() - self.ln_scale) - 0.5 * z * z - self.ln_scale
    }
}

impl PointGradient for Rayleigh {
    fn point_gradient(&self, &x: &f64) -> f64 {
        if x > 0.0 { x.recip() - x / self.scale / self.scale } else { f64::NAN }
    }
}

impl ParameterGradient for Rayleigh {
    type Gradient = [f64; 1];

    fn parameter_gradient(&self, &x: &f64) -> [f64; 1] {
        let z = x / self.scale;
        [if x > 0.0 { (z * z - 2.0) / self.scale } else { f64::NAN }]
    }
}

impl Univariate for Rayleigh {
    fn cdf(&self, x: f64) -> f64 {
        -self.ln_sf(x).exp_m1()
    }

    fn sf(&self, x: f64) -> f64 {
        self.ln_sf(x).exp()
    }

    fn quantile(&self, p: f64) -> f64 {
        if p < 0.0 { f64::NAN } else { self.scale * (-2.0 * (-p).ln_1p()).abs().sqrt() }
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        if q > 1.0 { f64::NAN } else { self.scale * (-2.0 * q.ln()).abs().sqrt() }
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        let z = x / self.scale;
        if x <= 0.0 {
            f64::NEG_INFINITY
        } else if z < SQUARE_BELOW {
            2.0 * ln_ratio(x, self.scale) - LN_2
        } else {
            ln_1m_exp(-0.5 * z * z)
        }
    }

    fn ln_sf(&self, x: f64) -> f64 {
        let z = x / self.scale;
        if z <= 0.0 { 0.0 } else { -0.5 * z * z }
    }
}

impl Moments for Rayleigh {
    fn mean(&self) -> Option<f64> {
        Some(self.scale * SQRT_HALF_PI)
    }

    fn variance(&self) -> Option<f64> {
        Some(self.scale * self.scale * (2.0 - 0.5 * PI))
    }
}

impl Shape for Rayleigh {
    fn skewness(&self) -> Option<f64> {
        Some(0.631_110_657_818_937_1)
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        Some(0.245_089_300_687_639_1)
    }
}

impl Entropy for Rayleigh {
    fn entropy(&self) -> f64 {
        self.ln_scale + (1.0 - 0.5 * LN_2 + 0.5 * EULER_GAMMA)
    }
}

impl Mode for Rayleigh {
    fn mode(&self) -> Option<f64> {
        Some(self.scale)
    }
}

impl KlDivergence for Rayleigh {
    /// r² - 1 - ln r² with r = σ_p/σ_q.
    fn kl_divergence(&self, other: &Self) -> f64 {
        2.0 * scale_divergence(self.scale, other.scale)
    }
}

impl ExponentialFamily for Rayleigh {
    type Fixed = ();
    type Summary = Sums;

    fn fixed(&self) {}

    fn statistic_len((): &()) -> usize {
        1
    }

    fn check_point((): &(), &x: &f64) -> Result<(), ParamError> {
        check::positive("Rayleigh", "point", x).map(drop)
    }

    /// The statistic x².
    fn add_statistic((): &(), &x: &f64, weight: f64, sum: &mut [f64]) {
        sum[0] += weight * x * x;
    }

    /// The logarithm of the base measure ln x.
    fn ln_base((): &(), &x: &f64) -> f64 {
        x.ln()
    }

    /// The log partition function -ln(-2w).
    fn ln_partition(natural: &Natural<Self>) -> f64 {
        -(-2.0 * natural.as_slice()[0]).ln()
    }

    /// The natural parameter -1/(2σ²).
    fn natural(&self) -> Natural<Self> {
        Natural::of((), vec![-0.5 / self.scale / self.scale])
    }

    fn from_natural(natural: &Natural<Self>) -> Result<Self, ParamError> {
        Self::new((-2.0 * natural.as_slice()[0]).sqrt().recip())
    }

    /// The expectation of the statistic 2σ².
    fn expectation(&self) -> Expectation<Self> {
        Expectation::of((), vec![2.0 * self.scale * self.scale])
    }

    fn from_expectation(expectation: &Expectation<Self>) -> Result<Self, ParamError> {
        Self::new((0.5 * expectation.as_slice()[0]).sqrt())
    }
}

#[cfg(feature = "linalg")]
impl FisherInformation for Rayleigh {
    /// The Fisher information 4σ⁴.
    fn fisher_information(&self) -> DMatrix<f64> {
        DMatrix::from_element(1, 1, 4.0 * self.scale.powi(4))
    }
}

impl Distribution<f64> for Rayleigh {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        let standard: f64 = rand_distr::Exp1.sample(rng);
        self.scale * (2.0 * standard).sqrt()
    }
}
