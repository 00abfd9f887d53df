//! Lomax distribution on [0, ∞), also called Pareto's distribution of type II.

use posterior_math::log_space::ln_1m_exp;

use crate::grammar::parametric;
use crate::prelude::*;
use crate::scaled::{ln_ratio, times_exp};

/// The distribution of an exponential variable whose rate is gamma distributed with shape α and rate λ: the
/// predictive distribution of waiting times.
///
/// # Density
/// p(x) = (α/λ) (1 + x/λ)^(-α-1)
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | α | `shape` | positive | `c` (SciPy), `alpha` (Stan's `pareto_type_2`) |
/// | λ | `scale` | positive | `scale` (SciPy), `lambda` (Stan's `pareto_type_2`) |
///
/// # Moments
/// mean λ/(α - 1) for α > 1, variance λ² α/((α - 1)² (α - 2)) for α > 2, skewness for α > 3, excess kurtosis
/// for α > 4, mode 0, entropy ln(λ/α) + 1 + 1/α. A mean or variance that diverges is infinite; there is no
/// variance without a finite mean.
///
/// # Numerics
/// Elementary functions of ln(1 + x/λ), with full relative precision.
///
/// # Example
/// ```
/// use posterior_dist::{Lomax, Univariate};
///
/// let distribution = Lomax::new(2.0, 3.0)?;
/// assert!((distribution.sf(3.0) - 0.25).abs() < 1e-16);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lomax {
    shape: f64,
    scale: f64,
}

impl Lomax {
    /// α = shape and λ = scale.
    ///
    /// # Errors
    /// If one of them is not positive and finite.
    pub fn new(shape: f64, scale: f64) -> Result<Self, ParamError> {
        check::positive("Lomax", "shape", shape)?;
        check::positive("Lomax", "scale", scale)?;
        Ok(Self { shape, scale })
    }

    /// α ln(1 + x/λ) for x ≥ 0, which is exponential with rate 1.
    fn hazard(&self, x: f64) -> f64 {
        if x / self.scale < f64::MIN_POSITIVE && x > 0.0 {
            self.ln_hazard(x).exp()
        } else {
            self.shape * self.ln_growth(x)
        }
    }

    /// The logarithm of [`hazard`](Self::hazard), for x > 0.
    fn ln_hazard(&self, x: f64) -> f64 {
        let growth = self.ln_growth(x);
        self.shape.ln() + if growth < f64::MIN_POSITIVE { ln_ratio(x, self.scale) } else { growth.ln() }
    }

    /// The x of which this is the [`hazard`](Self::hazard).
    fn of_hazard(&self, hazard: f64) -> f64 {
        let growth = hazard / self.shape;
        if growth > 700.0 {
            times_exp(self.scale, growth)
        } else if growth < f64::MIN_POSITIVE && hazard > 0.0 {
            times_exp(self.scale, hazard.ln() - self.shape.ln())
        } else {
            self.scale * growth.exp_m1()
        }
    }

    /// ln(1 + x/λ) for x ≥ 0.
    fn ln_growth(&self, x: f64) -> f64 {
        let ratio = x / self.scale;
        if ratio < f64::INFINITY { ratio.ln_1p() } else { x.ln() - self.scale.ln() }
    }
}

parametric! { Lomax, "lomax", new:
    /// The shape α.
    shape: f64,
    /// The scale λ.
    scale: f64,
}

impl Density for Lomax {
    type Point = f64;

    fn ln_pdf(&self, &x: &f64) -> f64 {
        if x < 0.0 {
            f64::NEG_INFINITY
        } else {
            (self.shape.ln() - self.scale.ln()) - self.hazard(x) - self.ln_growth(x)
        }
    }
}

impl PointGradient for Lomax {
    fn point_gradient(&self, &x: &f64) -> f64 {
        if x > 0.0 { -(self.shape + 1.0) / (self.scale + x) } else { f64::NAN }
    }
}

impl ParameterGradient for Lomax {
    type Gradient = [f64; 2];

    fn parameter_gradient(&self, &x: &f64) -> [f64; 2] {
        if !(x >= 0.0) {
            return [f64::NAN; 2];
        }
        let part = x / (self.scale + x);
        [self.shape.recip() - self.ln_growth(x), ((self.shape + 1.0) * part - 1.0) / self.scale]
    }
}

impl Univariate for Lomax {
    fn cdf(&self, x: f64) -> f64 {
        if x < 0.0 { 0.0 } else { -(-self.hazard(x)).exp_m1() }
    }

    fn sf(&self, x: f64) -> f64 {
        self.ln_sf(x).exp()
    }

    fn quantile(&self, p: f64) -> f64 {
        if (0.0..=1.0).contains(&p) { self.of_hazard(-(-p).ln_1p()) } else { f64::NAN }
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        if (0.0..=1.0).contains(&q) { self.of_hazard(0.0 - q.ln()) } else { f64::NAN }
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        if x <= 0.0 {
            return f64::NEG_INFINITY;
        }
        let hazard = self.hazard(x);
        if hazard < f64::MIN_POSITIVE { self.ln_hazard(x) } else { ln_1m_exp(-hazard) }
    }

    fn ln_sf(&self, x: f64) -> f64 {
        if x < 0.0 { 0.0 } else { 0.0 - self.hazard(x) }
    }
}

impl Moments for Lomax {
    fn mean(&self) -> Option<f64> {
        let a = self.shape;
        Some(if a > 1.0 { self.scale / (a - 1.0) } else { f64::INFINITY })
    }

    fn variance(&self) -> Option<f64> {
        let a = self.shape;
        let mean = (a > 1.0).then(|| self.scale / (a - 1.0))?;
        Some(if a > 2.0 { mean * mean * (a / (a - 2.0)) } else { f64::INFINITY })
    }
}

impl Shape for Lomax {
    fn skewness(&self) -> Option<f64> {
        let a = self.shape;
        (a > 3.0).then(|| 2.0 * ((1.0 + a) / (a - 3.0)) * ((a - 2.0) / a).sqrt())
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        let a = self.shape;
        let numerator = ((a + 1.0) * a - 6.0) * a - 2.0;
        (a > 4.0).then(|| 6.0 * (numerator / a / (a - 3.0) / (a - 4.0)))
    }
}

impl Entropy for Lomax {
    fn entropy(&self) -> f64 {
        self.scale.ln() - self.shape.ln() + 1.0 + self.shape.recip()
    }
}

impl Mode for Lomax {
    fn mode(&self) -> Option<f64> {
        Some(0.0)
    }
}

impl Distribution<f64> for Lomax {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        let standard: f64 = rand_distr::Exp1.sample(rng);
        self.of_hazard(standard)
    }
}
