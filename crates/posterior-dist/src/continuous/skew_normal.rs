//! Skew-normal distribution on the real line.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_PI, LN_2, PI};

use posterior_math::optimize::{RootOptions, find_root};
use posterior_math::special::{
    HALF_LN_TAU, erf, inverse_mills, ln_normal_cdf, normal_quantile, normal_sf, normal_upper_quantile,
    owens_t,
};
use rand_distr::StandardNormal;

use crate::fixed_quadrature::integrate_up_to;
use crate::grammar::parametric;
use crate::inversion::{first_reaching, from_end_to_end};
use crate::prelude::*;
use crate::scaled::{located, standardized};

/// The distribution of a normal variable given that another one, correlated with it, is positive: a normal
/// one that leans to one side.
///
/// # Density
/// p(x) = 2 φ(z) Φ(αz) / ω, z = (x - ξ) / ω
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | ξ | `location` | finite | `loc` (SciPy), `xi` (Stan) |
/// | ω | `scale` | positive | `scale` (SciPy), `omega` (Stan) |
/// | α | `shape`, negative to lean to the left | finite | `a` (SciPy), `alpha` (Stan) |
///
/// # Moments
/// With δ = α/√(1 + α²) and m = δ √(2/π): mean ξ + ωm, variance ω² (1 - m²), skewness ½ (4 - π) m³ / (1 -
/// m²)^(3/2), excess kurtosis 2 (π - 3) m⁴ / (1 - m²)². The mode is the root of a function; the entropy has
/// no closed form.
///
/// # Numerics
/// Both tails have full relative precision: P(Z ≤ z) = Φ(z) - 2 T(z, α) by Owen's function where that does
/// not cancel, and elsewhere by Gauss's rule on ∫ e^(-z²(1 + t²)/2) / (1 + t²) dt from α on, of which all
/// other cases are sums of positive terms. Tails that f64 cannot hold keep their logarithm.
///
/// # Example
/// ```
/// use posterior_dist::{SkewNormal, Univariate};
///
/// let distribution = SkewNormal::new(0.0, 1.0, 1.0)?; // the larger one of two normal variables
/// assert!((distribution.cdf(0.0) - 0.25).abs() < 1e-16);
/// assert_eq!(distribution.to_string(), "skew_normal(0, 1, 1)");
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
///
/// # References
/// A. Azzalini, A class of distributions which includes the normal ones, Scandinavian Journal of Statistics
/// 12 (1985).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SkewNormal {
    location: f64,
    scale: f64,
    shape: f64,
    ln_scale: f64,
}

impl SkewNormal {
    /// ξ, ω and α.
    ///
    /// # Errors
    /// If ξ or α is not finite, or ω not positive and finite.
    pub fn new(location: f64, scale: f64, shape: f64) -> Result<Self, ParamError> {
        check::finite("SkewNormal", "location", location)?;
        check::positive("SkewNormal", "scale", scale)?;
        check::finite("SkewNormal", "shape", shape)?;
        Ok(Self { location, scale, shape, ln_scale: scale.ln() })
    }

    fn standardized(&self, x: f64) -> f64 {
        standardized(x, self.location, self.scale)
    }

    /// α/√(1 + α²) and 1/√(1 + α²).
    fn parts(&self) -> (f64, f64) {
        let length = self.shape.hypot(1.0);
        // Beyond the square root of f64's range.
        if length.is_infinite() { (self.shape.signum(), 0.0) } else { (self.shape / length, length.recip()) }
    }

    /// E Z.
    fn standard_mean(&self) -> f64 {
        self.parts().0 * FRAC_2_PI.sqrt()
    }

    /// Var Z = 1 - m², as (1 - 2/π) + 2/π / (1 + α²).
    fn standard_variance(&self) -> f64 {
        let (_, rest) = self.parts();
        (1.0 - FRAC_2_PI) + FRAC_2_PI * rest * rest
    }

    /// The point with p below and q above it.
    fn point(&self, p: f64, q: f64, of_lower: bool) -> f64 {
        let given = if of_lower { p } else { q };
        let ends =
            if of_lower { [f64::NEG_INFINITY, f64::INFINITY] } else { [f64::INFINITY, f64::NEG_INFINITY] };
        from_end_to_end(given, ends, || {
            // The mirror image has the other tail.
            let z = if p <= q { lower_quantile(p, self.shape) } else { -lower_quantile(q, -self.shape) };
            located(self.location, self.scale, z)
        })
    }
}

parametric! { SkewNormal, "skew_normal", new:
    /// The location ξ, which is not the mean.
    location: f64,
    /// The scale ω, which is not the standard deviation.
    scale: f64,
    /// The shape α.
    shape: f64,
}

/// ln((1/π) ∫ e^(-h²(1 + t²)/2) / (1 + t²) dt) from α on, which is ln P(Z ≤ -h), for h ≥ 0 and α ≥ 0.
fn ln_outer(h: f64, alpha: f64) -> f64 {
    // Without a shape there is no slope, also at the ends of the line.
    let steep = if alpha == 0.0 { 0.0 } else { alpha * h };
    if steep <= 1.0 && h <= 5.0 {
        return if alpha <= 1.0 {
            (normal_sf(h) - 2.0 * owens_t(h, alpha)).ln()
        } else {
            let far = alpha * h;
            (2.0 * owens_t(far, alpha.recip()) - normal_sf(far) * erf(h * FRAC_1_SQRT_2)).ln()
        };
    }
    let top = -0.5 * h * h - 0.5 * steep * steep;
    if top == f64::NEG_INFINITY {
        return top;
    }
    // In units of the decay at the end; the pole of the integrand is at least as far away.
    let unit = (h * steep.max(1.0)).recip();
    let (linear, square) = (h * steep * unit, h * unit);
    let integrand = |u: f64| {
        let t = alpha + unit * u;
        (-u * (linear + 0.5 * square * square * u)).exp() / (1.0 + t * t)
    };
    let sum: f64 = [(0.0, 1.0), (1.0, 3.0), (3.0, 7.0), (7.0, 15.0), (15.0, 25.0), (25.0, 45.0)]
        .iter()
        .map(|&(from, to)| integrate_up_to(to, to - from, integrand))
        .sum();
    top + (sum * unit / PI).ln()
}

/// Q(h) and what is missing from another Q(h), and its logarithm: P(Z > h) for α ≥ 0.
fn inner(h: f64, ln_outer: f64) -> (f64, f64) {
    let other = ln_outer.exp() + erf(h * FRAC_1_SQRT_2);
    if other < 0.5 {
        return (1.0 - other, (-other).ln_1p());
    }
    let ln_tail = ln_normal_cdf(-h);
    if ln_tail == f64::NEG_INFINITY {
        return (0.0, ln_tail);
    }
    let rest = (ln_outer - ln_tail).exp().min(1.0);
    ((normal_sf(h) * (2.0 - rest)).min(1.0), (ln_tail + (1.0 - rest).ln_1p()).min(0.0))
}

/// P(Z ≤ z) and its logarithm.
fn below(z: f64, alpha: f64) -> (f64, f64) {
    if z.is_nan() {
        return (z, z);
    }
    let h = z.abs();
    let ln_outer = ln_outer(h, alpha.abs());
    match (z < 0.0, alpha < 0.0) {
        (true, false) => (ln_outer.exp(), ln_outer),
        (true, true) => inner(h, ln_outer),
        (false, false) => {
            let lower = ln_outer.exp() + erf(h * FRAC_1_SQRT_2);
            if lower < 0.5 {
                return (lower, lower.ln());
            }
            let (upper, _) = inner(h, ln_outer);
            (1.0 - upper, (-upper).ln_1p())
        }
        (false, true) => (-ln_outer.exp_m1(), (-ln_outer.exp()).ln_1p()),
    }
}

/// The z with P(Z ≤ z) = p, for p ≤ ½: between quantiles of Z' ≥ Z and of -|Z'|, or of |Z'|, for a normal Z'.
fn lower_quantile(p: f64, alpha: f64) -> f64 {
    let (low, high) = if alpha < 0.0 {
        (normal_quantile(0.5 * p), normal_quantile(p))
    } else {
        (normal_quantile(p), normal_upper_quantile(0.5 - 0.5 * p))
    };
    // The ends are rounded themselves.
    let slack = 1e-14 * (1.0 + low.abs());
    let ln_p = p.ln();
    first_reaching(|z| below(z, alpha).1 - ln_p, low - slack, high + slack)
}

impl Density for SkewNormal {
    type Point = f64;

    fn ln_pdf(&self, &x: &f64) -> f64 {
        let z = self.standardized(x);
        if z.is_infinite() {
            return f64::NEG_INFINITY;
        }
        -0.5 * z * z + ln_normal_cdf(self.shape * z) + (LN_2 - HALF_LN_TAU) - self.ln_scale
    }
}

impl PointGradient for SkewNormal {
    fn point_gradient(&self, &x: &f64) -> f64 {
        let z = self.standardized(x);
        (self.shape * inverse_mills(self.shape * z) - z) / self.scale
    }
}

impl ParameterGradient for SkewNormal {
    type Gradient = [f64; 3];

    fn parameter_gradient(&self, &x: &f64) -> [f64; 3] {
        let z = self.standardized(x);
        let mills = inverse_mills(self.shape * z);
        let slope = self.shape * mills - z;
        [-slope / self.scale, (-1.0 - z * slope) / self.scale, z * mills]
    }
}

impl Univariate for SkewNormal {
    fn cdf(&self, x: f64) -> f64 {
        below(self.standardized(x), self.shape).0
    }

    fn sf(&self, x: f64) -> f64 {
        below(-self.standardized(x), -self.shape).0
    }

    fn quantile(&self, p: f64) -> f64 {
        self.point(p, 1.0 - p, true)
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        self.point(1.0 - q, q, false)
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        below(self.standardized(x), self.shape).1
    }

    fn ln_sf(&self, x: f64) -> f64 {
        below(-self.standardized(x), -self.shape).1
    }
}

impl Moments for SkewNormal {
    fn mean(&self) -> Option<f64> {
        Some(located(self.location, self.scale, self.standard_mean()))
    }

    fn variance(&self) -> Option<f64> {
        Some(self.scale * self.scale * self.standard_variance())
    }
}

impl Shape for SkewNormal {
    fn skewness(&self) -> Option<f64> {
        let ratio = self.standard_mean() / self.standard_variance().sqrt();
        Some(0.5 * (4.0 - PI) * ratio.powi(3))
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        let ratio = self.standard_mean() / self.standard_variance().sqrt();
        Some(2.0 * (PI - 3.0) * ratio.powi(4))
    }
}

impl Mode for SkewNormal {
    /// The logarithm of the density is concave: the root of its slope, which lies between 0 and E |Z|.
    fn mode(&self) -> Option<f64> {
        let alpha = self.shape.abs();
        let slope = |z: f64| alpha * inverse_mills(alpha * z) - z;
        let options = RootOptions { relative: 1e-16, absolute: 0.0, ..RootOptions::default() };
        let z = if alpha == 0.0 { 0.0 } else { find_root(slope, 0.0, 1.0, &options).point };
        Some(located(self.location, self.scale, z.copysign(self.shape)))
    }
}

impl Distribution<f64> for SkewNormal {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        let (lean, rest) = self.parts();
        let [first, second]: [f64; 2] = [StandardNormal.sample(rng), StandardNormal.sample(rng)];
        self.location + self.scale * (lean * first.abs() + rest * second)
    }
}
