//! Generalised Pareto distribution of what exceeds a threshold.

mod fit;

use posterior_math::log_space::ln_1m_exp;

use super::box_cox::{growth, is_inside, logarithm, logarithm_at, point, shape_slope, tilt};
use crate::grammar::parametric;
use crate::prelude::*;
use crate::scaled::{located, standardized};

/// The distribution of what exceeds a high threshold: of losses, of rain, of importance weights. With ξ > 0
/// its tail is a power, with ξ = 0 it is exponential, and with ξ < 0 it ends at μ - σ/ξ.
///
/// # Density
/// p(x) = (1 + ξz)^(-1/ξ - 1) / σ for z ≥ 0 and 1 + ξz > 0, z = (x - μ) / σ; e^(-z)/σ at ξ = 0
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | μ | `location`, the threshold | finite | `loc` (SciPy, R's evd) |
/// | σ | `scale` | positive | `scale` (SciPy, R's evd) |
/// | ξ | `shape` | finite | `c` (SciPy), `shape` (R's evd), `k` (Vehtari and others) |
///
/// # Moments
/// mean μ + σ/(1 - ξ) for ξ < 1, variance σ²/((1 - ξ)² (1 - 2ξ)) for ξ < ½, skewness 2 (1 + ξ) √(1 - 2ξ) /
/// (1 - 3ξ) for ξ < ⅓, excess kurtosis 6 (1 + ξ - 6ξ² - 2ξ³) / ((1 - 3ξ)(1 - 4ξ)) for ξ < ¼; mode μ for ξ >
/// -1, entropy ln σ + ξ + 1. A mean or variance that diverges is infinite; there is no variance without a
/// finite mean.
///
/// # Numerics
/// y = ln(1 + ξz)/ξ is an exponential variable, for ξ next to 0 too.
///
/// # Example
/// ```
/// use posterior_dist::{GeneralizedPareto, Univariate};
///
/// let losses = GeneralizedPareto::new(10.0, 2.0, 0.5)?;
/// assert!((losses.sf(14.0) - 0.25).abs() < 1e-16);
/// assert_eq!(losses.to_string(), "generalized_pareto(10, 2, 0.5)");
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GeneralizedPareto {
    location: f64,
    scale: f64,
    shape: f64,
    ln_scale: f64,
}

impl GeneralizedPareto {
    /// μ, σ and ξ.
    ///
    /// # Errors
    /// If μ or ξ is not finite, or σ not positive and finite.
    pub fn new(location: f64, scale: f64, shape: f64) -> Result<Self, ParamError> {
        check::finite("GeneralizedPareto", "location", location)?;
        check::positive("GeneralizedPareto", "scale", scale)?;
        check::finite("GeneralizedPareto", "shape", shape)?;
        Ok(Self { location, scale, shape, ln_scale: scale.ln() })
    }

    fn standardized(&self, x: f64) -> f64 {
        standardized(x, self.location, self.scale)
    }

    /// The exponential variable at x, 0 below the threshold.
    fn standard(&self, x: f64) -> f64 {
        let z = self.standardized(x);
        if z <= 0.0 { 0.0 } else { logarithm_at(x, self.location, self.scale, self.shape) }
    }

    fn of_standard(&self, y: f64) -> f64 {
        point(self.location, self.scale, self.shape, y)
    }

    /// z and 1/(1 + ξz) inside of the support.
    fn slopes_at(&self, x: f64) -> Option<(f64, f64)> {
        let z = self.standardized(x);
        let growth = growth(self.shape, z);
        (z >= 0.0 && growth > 0.0 && growth < f64::INFINITY).then(|| (z, growth.recip()))
    }
}

parametric! { GeneralizedPareto, "generalized_pareto", new:
    /// The location μ, which is the threshold.
    location: f64,
    /// The scale σ.
    scale: f64,
    /// The shape ξ.
    shape: f64,
}

impl Density for GeneralizedPareto {
    type Point = f64;

    fn ln_pdf(&self, &x: &f64) -> f64 {
        let z = self.standardized(x);
        if z < 0.0 || x == f64::INFINITY || !is_inside(self.shape, z) {
            return f64::NEG_INFINITY;
        }
        tilt(self.shape, self.standard(x)) - self.ln_scale
    }
}

impl PointGradient for GeneralizedPareto {
    fn point_gradient(&self, &x: &f64) -> f64 {
        self.slopes_at(x)
            .filter(|&(z, _)| z > 0.0)
            .map_or(f64::NAN, |(_, inverse)| -(1.0 + self.shape) * inverse / self.scale)
    }
}

impl ParameterGradient for GeneralizedPareto {
    type Gradient = [f64; 3];

    fn parameter_gradient(&self, &x: &f64) -> [f64; 3] {
        let Some((z, inverse)) = self.slopes_at(x) else { return [f64::NAN; 3] };
        let by_z = -(1.0 + self.shape) * inverse;
        let by_shape = -(1.0 + self.shape) * shape_slope(self.shape, z) - logarithm(self.shape, z);
        let by_location = if z > 0.0 { -by_z / self.scale } else { f64::NAN };
        [by_location, (-1.0 - z * by_z) / self.scale, by_shape]
    }
}

impl Univariate for GeneralizedPareto {
    fn cdf(&self, x: f64) -> f64 {
        -(-self.standard(x)).exp_m1()
    }

    fn sf(&self, x: f64) -> f64 {
        (-self.standard(x)).exp()
    }

    fn quantile(&self, p: f64) -> f64 {
        if (0.0..=1.0).contains(&p) { self.of_standard(-(-p).ln_1p()) } else { f64::NAN }
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        if (0.0..=1.0).contains(&q) { self.of_standard(0.0 - q.ln()) } else { f64::NAN }
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        ln_1m_exp(-self.standard(x))
    }

    fn ln_sf(&self, x: f64) -> f64 {
        0.0 - self.standard(x)
    }
}

impl Moments for GeneralizedPareto {
    fn mean(&self) -> Option<f64> {
        let shape = self.shape;
        Some(if shape < 1.0 {
            located(self.location, self.scale, (1.0 - shape).recip())
        } else {
            f64::INFINITY
        })
    }

    fn variance(&self) -> Option<f64> {
        let shape = self.shape;
        if shape >= 0.5 {
            return (shape < 1.0).then_some(f64::INFINITY);
        }
        let excess = self.scale / (1.0 - shape);
        Some(excess * (excess / (1.0 - 2.0 * shape)))
    }
}

impl Shape for GeneralizedPareto {
    fn skewness(&self) -> Option<f64> {
        let shape = self.shape;
        (shape < 1.0 / 3.0).then(|| 2.0 * ((1.0 + shape) / (1.0 - 3.0 * shape)) * (1.0 - 2.0 * shape).sqrt())
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        let shape = self.shape;
        // Divided by 1 - 3ξ in its parts, for shapes of any size.
        let part = shape / (1.0 - 3.0 * shape);
        let first = (1.0 + shape) / (1.0 - 3.0 * shape) / (1.0 - 4.0 * shape);
        let rest = part * (shape / (1.0 - 4.0 * shape)) * (6.0 + 2.0 * shape);
        (shape < 0.25).then_some(6.0 * (first - rest))
    }
}

impl Entropy for GeneralizedPareto {
    fn entropy(&self) -> f64 {
        self.ln_scale + self.shape + 1.0
    }
}

impl Mode for GeneralizedPareto {
    /// `None` for ξ = -1, which is uniform, and below, where the density is unbounded.
    fn mode(&self) -> Option<f64> {
        (self.shape > -1.0).then_some(self.location)
    }
}

impl Distribution<f64> for GeneralizedPareto {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        let standard: f64 = rand_distr::Exp1.sample(rng);
        self.of_standard(standard)
    }
}
