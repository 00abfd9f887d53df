//! Point mass (Dirac distribution) on {x}.

use crate::prelude::*;

/// The distribution of a number that is certain: an atom, to be mixed with others.
///
/// # Density
/// P(x) = 1 at the point, with respect to counting: there is no density in the sense of lengths, so that
/// [`Affine`], [`Transformed`] and [`Truncated`], which are for distributions that have one, do not fit it.
///
/// # Parameters
/// | symbol | here | range |
/// |---|---|---|
/// | x | `point` | finite |
///
/// # Moments
/// mean x, variance 0, entropy 0, mode x
///
/// # Example
/// ```
/// use posterior_dist::{Mixture, Moments, PointMass};
///
/// // One on a coin's head, nothing on its tail.
/// let atoms = vec![PointMass::new(0.0)?, PointMass::new(1.0)?];
/// let coin = Mixture::from_weights(&[1.0, 1.0], atoms)?;
/// assert_eq!(coin.variance(), Some(0.25));
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
///
/// [`Affine`]: crate::Affine
/// [`Transformed`]: crate::Transformed
/// [`Truncated`]: crate::Truncated
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointMass {
    point: f64,
}

impl PointMass {
    /// All probability at `point`.
    ///
    /// # Errors
    /// If the point is not finite.
    pub fn new(point: f64) -> Result<Self, ParamError> {
        Ok(Self { point: check::finite("PointMass", "point", point)? })
    }

    /// The point.
    pub const fn point(&self) -> f64 {
        self.point
    }
}

impl Density for PointMass {
    type Point = f64;

    fn ln_pdf(&self, &x: &f64) -> f64 {
        if x.is_nan() {
            x
        } else if x == self.point {
            0.0
        } else {
            f64::NEG_INFINITY
        }
    }
}

impl Univariate for PointMass {
    fn cdf(&self, x: f64) -> f64 {
        if x.is_nan() { x } else { f64::from(x >= self.point) }
    }

    fn sf(&self, x: f64) -> f64 {
        if x.is_nan() { x } else { f64::from(x < self.point) }
    }

    fn quantile(&self, p: f64) -> f64 {
        if (0.0..=1.0).contains(&p) { self.point } else { f64::NAN }
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        self.quantile(q)
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        self.cdf(x).ln()
    }

    fn ln_sf(&self, x: f64) -> f64 {
        self.sf(x).ln()
    }
}

impl Moments for PointMass {
    fn mean(&self) -> Option<f64> {
        Some(self.point)
    }

    fn variance(&self) -> Option<f64> {
        Some(0.0)
    }
}

impl Entropy for PointMass {
    fn entropy(&self) -> f64 {
        0.0
    }
}

impl Mode for PointMass {
    fn mode(&self) -> Option<f64> {
        Some(self.point)
    }
}

impl Distribution<f64> for PointMass {
    fn sample<R: Rng + ?Sized>(&self, _: &mut R) -> f64 {
        self.point
    }
}
