//! Weibull distribution on [0, ∞).

use std::f64::consts::EULER_GAMMA;

use posterior_math::log_space::ln_1m_exp;
use posterior_math::special::{exp_excess, gamma, ln_gamma, ln_pochhammer, poisson_deviance, ratio_power};

use super::exponential_of::moments::{standardized, zeta};
use crate::gamma_divergence::beyond_deviance;
use crate::grammar::parametric;
use crate::prelude::*;
use crate::scaled::{ln_ratio, times_exp};

/// The distribution of a time until failure whose rate is a power of the age: λ Y^(1/k) for a standard
/// exponential variable Y.
///
/// # Density
/// p(x) = (k/λ) (x/λ)^(k-1) e^(-(x/λ)ᵏ)
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | k | `shape` | positive | `shape` (R), `c` (SciPy), `alpha` (Stan) |
/// | λ | `scale` | positive | `scale` (R, SciPy), `sigma` (Stan) |
///
/// # Moments
/// E Xʲ = λʲ Γ(1 + j/k), mode λ ((k - 1)/k)^(1/k) for k ≥ 1, entropy γ (1 - 1/k) + ln(λ/k) + 1
///
/// # Numerics
/// Variance, skewness and kurtosis are differences of moments that are nearly equal for large k: they are
/// power series in 1/k there.
///
/// # Example
/// ```
/// use posterior_dist::{Univariate, Weibull};
///
/// let distribution = Weibull::new(2.0, 3.0)?;
/// assert!((distribution.sf(3.0) - (-1_f64).exp()).abs() < 1e-16);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weibull {
    shape: f64,
    scale: f64,
}

impl Weibull {
    /// k = shape and λ = scale.
    ///
    /// # Errors
    /// If one of them is not positive and finite.
    pub fn new(shape: f64, scale: f64) -> Result<Self, ParamError> {
        check::positive("Weibull", "shape", shape)?;
        check::positive("Weibull", "scale", scale)?;
        Ok(Self { shape, scale })
    }

    /// The deviation over the mean, the skewness and the excess kurtosis. The logarithm of an exponential
    /// variable has the cumulants (-1)ᵐ Γ(m) ζ(m), m ≥ 2.
    fn standardized(&self) -> [f64; 3] {
        let cumulant = |m: i32| if m % 2 == 0 { zeta(m) } else { -zeta(m) } / f64::from(m);
        standardized(self.shape.recip(), cumulant, |t| ln_pochhammer(1.0, t))
    }

    /// (x/λ)ᵏ, which is exponential with rate 1.
    fn standard(&self, x: f64) -> f64 {
        ratio_power(x, self.scale, self.shape)
    }

    /// The x of which this is the standard.
    fn of_standard(&self, standard: f64) -> f64 {
        let power = standard.powf(self.shape.recip());
        if power.is_normal() { self.scale * power } else { times_exp(self.scale, standard.ln() / self.shape) }
    }
}

parametric! { Weibull, "weibull", new:
    /// The shape k.
    shape: f64,
    /// The scale λ.
    scale: f64,
}

impl Density for Weibull {
    type Point = f64;

    fn ln_pdf(&self, &x: &f64) -> f64 {
        let k = self.shape;
        if x < 0.0 || x == f64::INFINITY {
            return f64::NEG_INFINITY;
        }
        let ln_factor = ln_ratio(k, self.scale);
        if k == 1.0 {
            return ln_factor - x / self.scale;
        }
        let standard = self.standard(x);
        if standard == f64::INFINITY {
            return f64::NEG_INFINITY;
        }
        ln_factor + (k - 1.0) * ln_ratio(x, self.scale) - standard
    }
}

impl PointGradient for Weibull {
    fn point_gradient(&self, &x: &f64) -> f64 {
        if x > 0.0 { (self.shape - 1.0 - self.shape * self.standard(x)) / x } else { f64::NAN }
    }
}

impl ParameterGradient for Weibull {
    type Gradient = [f64; 2];

    fn parameter_gradient(&self, &x: &f64) -> [f64; 2] {
        if x > 0.0 {
            let excess = self.standard(x) - 1.0;
            [self.shape.recip() - ln_ratio(x, self.scale) * excess, self.shape / self.scale * excess]
        } else {
            [f64::NAN; 2]
        }
    }
}

impl Univariate for Weibull {
    fn cdf(&self, x: f64) -> f64 {
        if x <= 0.0 { 0.0 } else { -(-self.standard(x)).exp_m1() }
    }

    fn sf(&self, x: f64) -> f64 {
        if x <= 0.0 { 1.0 } else { (-self.standard(x)).exp() }
    }

    fn quantile(&self, p: f64) -> f64 {
        if (0.0..=1.0).contains(&p) { self.of_standard(-(-p).ln_1p()) } else { f64::NAN }
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        if (0.0..=1.0).contains(&q) { self.of_standard(0.0 - q.ln()) } else { f64::NAN }
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        if x <= 0.0 {
            return f64::NEG_INFINITY;
        }
        let standard = self.standard(x);
        if standard < f64::MIN_POSITIVE { self.shape * ln_ratio(x, self.scale) } else { ln_1m_exp(-standard) }
    }

    fn ln_sf(&self, x: f64) -> f64 {
        if x <= 0.0 { 0.0 } else { 0.0 - self.standard(x) }
    }
}

impl Moments for Weibull {
    fn mean(&self) -> Option<f64> {
        Some(self.scale * gamma(1.0 + self.shape.recip()))
    }

    fn variance(&self) -> Option<f64> {
        let [deviation, ..] = self.standardized();
        Some((self.mean()? * deviation).powi(2))
    }
}

impl Shape for Weibull {
    fn skewness(&self) -> Option<f64> {
        let [_, skewness, _] = self.standardized();
        Some(skewness)
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        let [.., kurtosis] = self.standardized();
        Some(kurtosis)
    }
}

impl Entropy for Weibull {
    fn entropy(&self) -> f64 {
        EULER_GAMMA * (1.0 - self.shape.recip()) + (self.scale.ln() - self.shape.ln()) + 1.0
    }
}

impl Mode for Weibull {
    /// `None` for k < 1, where the density is unbounded.
    fn mode(&self) -> Option<f64> {
        let k = self.shape;
        (k >= 1.0).then(|| self.scale * ((k - 1.0) / k).powf(k.recip()))
    }
}

impl KlDivergence for Weibull {
    /// With r = k'/k and v = ln E (X/λ')^k' it is (eᵛ - 1 - v) + ln Γ(r) + γ (r - 1), two terms that are not
    /// negative.
    fn kl_divergence(&self, other: &Self) -> f64 {
        let ratio = other.shape / self.shape;
        let v = other.shape * (self.scale.ln() - other.scale.ln()) + ln_gamma(1.0 + ratio);
        exp_excess(v) + poisson_deviance(ratio, 1.0) + beyond_deviance(ratio, 1.0)
    }
}

impl Distribution<f64> for Weibull {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        let standard: f64 = rand_distr::Exp1.sample(rng);
        self.of_standard(standard)
    }
}
