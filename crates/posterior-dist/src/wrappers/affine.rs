//! Location and scale: the distribution of a + b X on the real line.

use crate::prelude::*;
use crate::scaled::{located, standardized};

/// The distribution of Y = a + b X, for X with a density on the real line.
///
/// # Density
/// p(y) = p_X((y - a) / b) / |b|
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | a | `shift` | finite | `loc` (SciPy) |
/// | b | `scale` | finite, not 0 | `scale` (SciPy, positive there) |
///
/// # Moments
/// mean a + b E X, variance b² var X, skewness with the sign of b, excess kurtosis as X, entropy + ln |b|,
/// mode a + b mode X
///
/// # Numerics
/// A negative b exchanges the tails, each with its digits. The distribution of an affine map of Y is again an
/// `Affine` of `Affine`. A number X below 10⁻²⁹² has few digits, and so has Y then. Where (y - a)/b is beyond
/// f64, the tails of Y are those of X at the largest number, and where it underflows at the least one.
///
/// # Example
/// ```
/// use posterior_dist::{Affine, Exponential, Moments, Univariate};
///
/// // Memory that fills up from the left: 10 - X.
/// let left = Affine::new(Exponential::new(0.5)?, 10.0, -1.0)?;
/// assert_eq!(left.mean(), Some(8.0));
/// assert!((left.cdf(0.0) - (-5.0_f64).exp()).abs() < 1e-17);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Affine<D> {
    distribution: D,
    shift: f64,
    scale: f64,
    ln_scale: f64,
}

impl<D> Affine<D> {
    /// The distribution of `shift + scale · X` for X of `distribution`.
    ///
    /// # Errors
    /// If one is not finite, or the scale is 0.
    pub fn new(distribution: D, shift: f64, scale: f64) -> Result<Self, ParamError> {
        check::finite("Affine", "shift", shift)?;
        check::require(scale.is_finite() && scale != 0.0, "Affine", "scale", scale, "finite and not 0")?;
        Ok(Self { distribution, shift, scale, ln_scale: scale.abs().ln() })
    }

    /// The distribution of X.
    pub const fn distribution(&self) -> &D {
        &self.distribution
    }

    /// The shift a.
    pub const fn shift(&self) -> f64 {
        self.shift
    }

    /// The scale b.
    pub const fn scale(&self) -> f64 {
        self.scale
    }

    /// y = a + b x.
    fn forward(&self, x: f64) -> f64 {
        located(self.shift, self.scale, x)
    }

    /// x = (y - a) / b: of a finite y a finite number, and 0 for y = a only.
    fn back(&self, y: f64) -> f64 {
        let x = standardized(y, self.shift, self.scale);
        if x == 0.0 && y != self.shift {
            5e-324_f64.copysign(x)
        } else if x.is_infinite() && y.is_finite() {
            f64::MAX.copysign(x)
        } else {
            x
        }
    }
}

impl<D: Density<Point = f64>> Density for Affine<D> {
    type Point = f64;

    fn ln_pdf(&self, &y: &f64) -> f64 {
        let x = standardized(y, self.shift, self.scale);
        self.distribution.ln_pdf(&if x.is_infinite() { x } else { self.back(y) }) - self.ln_scale
    }
}

impl<D: PointGradient<Point = f64>> PointGradient for Affine<D> {
    fn point_gradient(&self, &y: &f64) -> f64 {
        self.distribution.point_gradient(&self.back(y)) / self.scale
    }
}

impl<D: Univariate + Density<Point = f64>> Univariate for Affine<D> {
    fn cdf(&self, y: f64) -> f64 {
        let x = self.back(y);
        if self.scale > 0.0 { self.distribution.cdf(x) } else { self.distribution.sf(x) }
    }

    fn sf(&self, y: f64) -> f64 {
        let x = self.back(y);
        if self.scale > 0.0 { self.distribution.sf(x) } else { self.distribution.cdf(x) }
    }

    fn quantile(&self, p: f64) -> f64 {
        self.forward(if self.scale > 0.0 {
            self.distribution.quantile(p)
        } else {
            self.distribution.upper_quantile(p)
        })
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        self.forward(if self.scale > 0.0 {
            self.distribution.upper_quantile(q)
        } else {
            self.distribution.quantile(q)
        })
    }

    fn ln_cdf(&self, y: f64) -> f64 {
        let x = self.back(y);
        if self.scale > 0.0 { self.distribution.ln_cdf(x) } else { self.distribution.ln_sf(x) }
    }

    fn ln_sf(&self, y: f64) -> f64 {
        let x = self.back(y);
        if self.scale > 0.0 { self.distribution.ln_sf(x) } else { self.distribution.ln_cdf(x) }
    }
}

impl<D: Moments> Moments for Affine<D> {
    fn mean(&self) -> Option<f64> {
        self.distribution.mean().map(|mean| self.forward(mean))
    }

    fn variance(&self) -> Option<f64> {
        self.distribution.variance().map(|variance| self.scale * variance * self.scale)
    }
}

impl<D: Shape> Shape for Affine<D> {
    fn skewness(&self) -> Option<f64> {
        self.distribution.skewness().map(|skewness| skewness * self.scale.signum())
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        self.distribution.excess_kurtosis()
    }
}

impl<D: Entropy> Entropy for Affine<D> {
    fn entropy(&self) -> f64 {
        self.distribution.entropy() + self.ln_scale
    }
}

impl<D: Mode<Point = f64>> Mode for Affine<D> {
    fn mode(&self) -> Option<f64> {
        self.distribution.mode().map(|mode| self.forward(mode))
    }
}

impl<D: Distribution<f64>> Distribution<f64> for Affine<D> {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        self.forward(self.distribution.sample(rng))
    }
}
