//! The distribution of a smooth one-to-one function of a number: the transformation theorem.

use posterior_math::bijection::ScalarBijector;

use crate::prelude::*;

/// The distribution of Y = f(X), for X with a density on the real line and a one-to-one map f.
///
/// # Density
/// p(y) = p_X(f⁻¹(y)) / |f'(f⁻¹(y))|, and 0 outside of the range of f and at its ends
///
/// # Moments
/// not in closed form, for any distribution and map; the mode moves, the median f(median) does not if f rises
///
/// # Numerics
/// A falling map exchanges the tails, each with its digits. A pair of maps is a map, so that the transform of
/// a transform is the transform by `(f, g)`.
///
/// # Example
/// ```
/// use posterior_dist::{Density, Exponential, Transformed, Univariate};
/// use posterior_math::bijection::{AffineMap, Exp};
///
/// // e^X of an exponential distribution is a Pareto distribution.
/// let pareto = Transformed::new(Exponential::new(2.0)?, Exp);
/// assert!((pareto.sf(4.0) - 0.0625).abs() < 1e-16);
/// assert!((pareto.ln_pdf(&4.0) - (2.0 / 64.0_f64).ln()).abs() < 1e-15);
///
/// // e^(-X) of it is a distribution on (0, 1].
/// let proportion = Transformed::new(Exponential::new(2.0)?, (AffineMap::new(0.0, -1.0)?, Exp));
/// assert!((proportion.cdf(0.5) - 0.25).abs() < 1e-16);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transformed<D, B> {
    distribution: D,
    map: B,
    rises: bool,
    /// The ends of the range of f.
    low: f64,
    high: f64,
}

impl<D, B: ScalarBijector> Transformed<D, B> {
    /// The distribution of `map.forward(X)` for X of `distribution`.
    pub fn new(distribution: D, map: B) -> Self {
        let (left, right) = (map.forward(f64::NEG_INFINITY), map.forward(f64::INFINITY));
        let slope = map.slope(0.0);
        let rises = if slope == 0.0 || slope.is_nan() { left <= right } else { slope > 0.0 };
        let (low, high) = if rises { (left, right) } else { (right, left) };
        Self { distribution, map, rises, low, high }
    }

    /// The distribution of X.
    pub const fn distribution(&self) -> &D {
        &self.distribution
    }

    /// The map f.
    pub const fn map(&self) -> &B {
        &self.map
    }

    /// One tail at y: `below` or `above` outside of the range, else that of X at f⁻¹(y).
    fn tail(&self, y: f64, [below, above]: [f64; 2], inside: impl Fn(f64) -> f64) -> f64 {
        if y.is_nan() {
            y
        } else if y <= self.low {
            below
        } else if y >= self.high {
            above
        } else {
            inside(self.map.inverse(y))
        }
    }
}

impl<D: Density<Point = f64>, B: ScalarBijector> Density for Transformed<D, B> {
    type Point = f64;

    fn ln_pdf(&self, &y: &f64) -> f64 {
        if y.is_nan() {
            return y;
        }
        if y <= self.low || y >= self.high {
            return f64::NEG_INFINITY;
        }
        let x = self.map.inverse(y);
        let ln_pdf = self.distribution.ln_pdf(&x);
        if ln_pdf == f64::NEG_INFINITY { ln_pdf } else { ln_pdf - self.map.ln_slope(x) }
    }
}

impl<D, B> PointGradient for Transformed<D, B>
where
    D: PointGradient<Point = f64>,
    B: ScalarBijector,
{
    fn point_gradient(&self, &y: &f64) -> f64 {
        if !(self.low < y && y < self.high) {
            return f64::NAN;
        }
        let x = self.map.inverse(y);
        (self.distribution.point_gradient(&x) - self.map.ln_slope_derivative(x)) / self.map.slope(x)
    }
}

impl<D: Univariate + Density<Point = f64>, B: ScalarBijector> Univariate for Transformed<D, B> {
    fn cdf(&self, y: f64) -> f64 {
        self.tail(
            y,
            [0.0, 1.0],
            |x| if self.rises { self.distribution.cdf(x) } else { self.distribution.sf(x) },
        )
    }

    fn sf(&self, y: f64) -> f64 {
        self.tail(
            y,
            [1.0, 0.0],
            |x| if self.rises { self.distribution.sf(x) } else { self.distribution.cdf(x) },
        )
    }

    fn quantile(&self, p: f64) -> f64 {
        self.map.forward(if self.rises {
            self.distribution.quantile(p)
        } else {
            self.distribution.upper_quantile(p)
        })
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        self.map.forward(if self.rises {
            self.distribution.upper_quantile(q)
        } else {
            self.distribution.quantile(q)
        })
    }

    fn ln_cdf(&self, y: f64) -> f64 {
        let ends = [f64::NEG_INFINITY, 0.0];
        self.tail(
            y,
            ends,
            |x| if self.rises { self.distribution.ln_cdf(x) } else { self.distribution.ln_sf(x) },
        )
    }

    fn ln_sf(&self, y: f64) -> f64 {
        let ends = [0.0, f64::NEG_INFINITY];
        self.tail(
            y,
            ends,
            |x| if self.rises { self.distribution.ln_sf(x) } else { self.distribution.ln_cdf(x) },
        )
    }
}

impl<D: Distribution<f64>, B: ScalarBijector> Distribution<f64> for Transformed<D, B> {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        self.map.forward(self.distribution.sample(rng))
    }
}
