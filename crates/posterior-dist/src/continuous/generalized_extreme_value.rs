//! Generalised extreme value distribution: Gumbel, Fréchet and reversed Weibull in one.

use std::f64::consts::{EULER_GAMMA, PI};

use posterior_math::special::ln_gamma_1p;

use super::Gumbel;
use super::box_cox::{growth, is_inside, logarithm, logarithm_at, point, shape_slope, tilt};
use super::exponential_of::moments::{standardized, zeta};
use crate::grammar::parametric;
use crate::prelude::*;
use crate::scaled::{located, standardized as place};

/// Below this |ξ| the distribution has the moments of Gumbel's.
const GUMBEL_BELOW: f64 = 1e-17;

/// The distribution of the largest one of many: of floods in a year, or of losses in a month.
///
/// # Density
/// F(x) = exp(-(1 + ξz)^(-1/ξ)) where 1 + ξz > 0, z = (x - μ) / σ; exp(-e^(-z)) at ξ = 0
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | μ | `location` | finite | `loc` (SciPy, R's evd) |
/// | σ | `scale` | positive | `scale` (SciPy, R's evd) |
/// | ξ | `shape`, positive for a heavy upper tail | finite | `shape` (R's evd); SciPy's `c` is -ξ |
///
/// # Moments
/// With g = Γ(1 - ξ): mean μ + σ (g - 1)/ξ for ξ < 1, variance σ² (Γ(1 - 2ξ) - g²)/ξ² for ξ < ½, skewness
/// for ξ < ⅓, excess kurtosis for ξ < ¼; mode μ + σ ((1 + ξ)^(-ξ) - 1)/ξ for ξ ≥ -1, entropy ln σ + γ (1 + ξ)
/// + 1. A mean or variance that diverges is infinite; there is no variance without a finite mean.
///
/// # Numerics
/// y = ln(1 + ξz)/ξ is a Gumbel variable, for ξ next to 0 too. Moments are power series for |ξ| ≤ 0.2, where
/// their closed forms cancel.
///
/// # Example
/// ```
/// use posterior_dist::{GeneralizedExtremeValue, Univariate};
///
/// // The flood of a hundred years.
/// let floods = GeneralizedExtremeValue::new(30.0, 8.0, 0.1)?;
/// assert!((floods.upper_quantile(0.01) - 76.73).abs() < 0.01);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GeneralizedExtremeValue {
    location: f64,
    scale: f64,
    shape: f64,
    ln_scale: f64,
}

impl GeneralizedExtremeValue {
    /// μ, σ and ξ.
    ///
    /// # Errors
    /// If μ or ξ is not finite, or σ not positive and finite.
    pub fn new(location: f64, scale: f64, shape: f64) -> Result<Self, ParamError> {
        check::finite("GeneralizedExtremeValue", "location", location)?;
        check::positive("GeneralizedExtremeValue", "scale", scale)?;
        check::finite("GeneralizedExtremeValue", "shape", shape)?;
        Ok(Self { location, scale, shape, ln_scale: scale.ln() })
    }

    fn standardized(&self, x: f64) -> f64 {
        place(x, self.location, self.scale)
    }

    /// The Gumbel variable at x; the ends of the line beyond those of the support.
    fn standard(&self, x: f64) -> f64 {
        logarithm_at(x, self.location, self.scale, self.shape)
    }

    /// x at a Gumbel variable.
    fn of_standard(&self, y: f64) -> f64 {
        point(self.location, self.scale, self.shape, y)
    }

    /// The deviation over the mean of e^(|ξ|L), its skewness and its excess kurtosis, for a Gumbel variable L
    /// or the opposite of one.
    fn powers(&self) -> [f64; 3] {
        let (h, rises) = (self.shape.abs(), self.shape > 0.0);
        // κₘ/m! = ζ(m)/m
        let cumulant =
            |m: i32| if rises || m % 2 == 0 { zeta(m) / f64::from(m) } else { -zeta(m) / f64::from(m) };
        standardized(h, cumulant, |t| ln_gamma_1p(if rises { -t } else { t }))
    }
}

parametric! { GeneralizedExtremeValue, "generalized_extreme_value", new:
    /// The location μ.
    location: f64,
    /// The scale σ.
    scale: f64,
    /// The shape ξ.
    shape: f64,
}

impl Density for GeneralizedExtremeValue {
    type Point = f64;

    fn ln_pdf(&self, &x: &f64) -> f64 {
        let z = self.standardized(x);
        if !is_inside(self.shape, z) || x.is_infinite() {
            return f64::NEG_INFINITY;
        }
        let y = self.standard(x);
        let decay = (-y).exp();
        if decay == f64::INFINITY { f64::NEG_INFINITY } else { tilt(self.shape, y) - decay - self.ln_scale }
    }
}

impl GeneralizedExtremeValue {
    /// z, 1/(1 + ξz), e^(-y) and whether z is inside of the support.
    fn slopes_at(&self, x: f64) -> Option<(f64, f64, f64)> {
        let z = self.standardized(x);
        let growth = growth(self.shape, z);
        (growth > 0.0 && growth < f64::INFINITY)
            .then(|| (z, growth.recip(), (-logarithm(self.shape, z)).exp()))
    }
}

impl PointGradient for GeneralizedExtremeValue {
    fn point_gradient(&self, &x: &f64) -> f64 {
        self.slopes_at(x)
            .map_or(f64::NAN, |(_, inverse, decay)| inverse * (decay - (1.0 + self.shape)) / self.scale)
    }
}

impl ParameterGradient for GeneralizedExtremeValue {
    type Gradient = [f64; 3];

    fn parameter_gradient(&self, &x: &f64) -> [f64; 3] {
        let Some((z, inverse, decay)) = self.slopes_at(x) else { return [f64::NAN; 3] };
        let by_y = decay - (1.0 + self.shape);
        let by_z = inverse * by_y;
        let by_shape = by_y * shape_slope(self.shape, z) - logarithm(self.shape, z);
        [-by_z / self.scale, (-1.0 - z * by_z) / self.scale, by_shape]
    }
}

impl Univariate for GeneralizedExtremeValue {
    fn cdf(&self, x: f64) -> f64 {
        Gumbel::STANDARD.cdf(self.standard(x))
    }

    fn sf(&self, x: f64) -> f64 {
        Gumbel::STANDARD.sf(self.standard(x))
    }

    fn quantile(&self, p: f64) -> f64 {
        self.of_standard(Gumbel::STANDARD.quantile(p))
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        self.of_standard(Gumbel::STANDARD.upper_quantile(q))
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        Gumbel::STANDARD.ln_cdf(self.standard(x))
    }

    fn ln_sf(&self, x: f64) -> f64 {
        Gumbel::STANDARD.ln_sf(self.standard(x))
    }
}

impl Moments for GeneralizedExtremeValue {
    fn mean(&self) -> Option<f64> {
        let shape = self.shape;
        Some(if shape >= 1.0 {
            f64::INFINITY
        } else if shape.abs() < GUMBEL_BELOW {
            located(self.location, self.scale, EULER_GAMMA)
        } else {
            located(self.location, self.scale, ln_gamma_1p(-shape).exp_m1() / shape)
        })
    }

    fn variance(&self) -> Option<f64> {
        if self.shape >= 0.5 {
            return (self.shape < 1.0).then_some(f64::INFINITY);
        }
        let sd = if self.shape.abs() < GUMBEL_BELOW {
            self.scale * (PI / 6_f64.sqrt())
        } else {
            let [deviation, ..] = self.powers();
            self.scale * (deviation / self.shape.abs()) * ln_gamma_1p(-self.shape).exp()
        };
        Some(sd * sd)
    }
}

impl Shape for GeneralizedExtremeValue {
    fn skewness(&self) -> Option<f64> {
        if self.shape.abs() < GUMBEL_BELOW {
            return Gumbel::STANDARD.skewness();
        }
        let [_, skewness, _] = self.powers();
        (self.shape < 1.0 / 3.0).then(|| if self.shape > 0.0 { skewness } else { -skewness })
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        if self.shape.abs() < GUMBEL_BELOW {
            return Gumbel::STANDARD.excess_kurtosis();
        }
        let [.., kurtosis] = self.powers();
        (self.shape < 0.25).then_some(kurtosis)
    }
}

impl Entropy for GeneralizedExtremeValue {
    fn entropy(&self) -> f64 {
        self.ln_scale + EULER_GAMMA * (1.0 + self.shape) + 1.0
    }
}

impl Mode for GeneralizedExtremeValue {
    /// `None` for ξ < -1, where the density is unbounded.
    fn mode(&self) -> Option<f64> {
        (self.shape >= -1.0).then(|| self.of_standard(-self.shape.ln_1p()))
    }
}

impl Distribution<f64> for GeneralizedExtremeValue {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        self.of_standard(Gumbel::STANDARD.sample(rng))
    }
}
