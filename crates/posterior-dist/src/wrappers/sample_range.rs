//! The range of n independent draws.

use posterior_math::quadrature::{QuadratureOptions, tanh_sinh};

use crate::inversion::{from_end_to_end, invert_cdf, invert_sf};
use crate::prelude::*;

/// The distribution of the range of n independent draws of a distribution with a density: the largest less
/// the smallest.
///
/// # Density
/// p(w) = n (n - 1) ∫ p(x) p(x + w) (F(x + w) - F(x))^(n - 2) dx
///
/// # Parameters
/// | symbol | here | range |
/// |---|---|---|
/// | n | `draws` | at least 2 |
///
/// # Moments
/// not in closed form
///
/// # Numerics
/// By tanh-sinh quadrature over F(x) from both ends, to a relative 1e-9 of each tail; the lower tail of a
/// range that is small beside that of the draws has the digits of F(x + w) - F(x).
///
/// # Cost
/// Some hundred to a thousand quantiles for a density or a tail, some thirty times that for a quantile.
///
/// # Example
/// ```
/// use posterior_dist::{SampleRange, Uniform, Univariate};
///
/// let range = SampleRange::new(Uniform::new(0.0, 1.0)?, 2)?;
/// assert!((range.cdf(0.5) - 0.75).abs() < 1e-10);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
///
/// # References
/// H. David, H. Nagaraja, Order Statistics, 2003, section 2.3.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SampleRange<D> {
    distribution: D,
    draws: u64,
}

impl<D> SampleRange<D> {
    /// The range of so many draws of `distribution`.
    ///
    /// # Errors
    /// If there are fewer than two draws.
    pub fn new(distribution: D, draws: u64) -> Result<Self, ParamError> {
        check::require(draws >= 2, "SampleRange", "draws", draws as f64, "at least 2")?;
        Ok(Self { distribution, draws })
    }

    /// The distribution of one draw.
    pub const fn distribution(&self) -> &D {
        &self.distribution
    }

    /// The number of draws n.
    pub const fn draws(&self) -> u64 {
        self.draws
    }
}

/// The least of the draws: where it is, its upper tail S, and that at w above it.
struct Least {
    at: f64,
    above: f64,
    beyond: f64,
    /// F(x + w) - F(x).
    within: f64,
}

impl<D: Univariate> SampleRange<D> {
    /// n ∫ f(x) dF(x), for the least draw x and the range w.
    fn integral(&self, w: f64, f: impl Fn(&Least) -> f64) -> f64 {
        let own = &self.distribution;
        let options = QuadratureOptions::default();
        let lower = |u: f64| {
            let at = own.quantile(u);
            let within = own.cdf(at + w) - u;
            f(&Least { at, above: 1.0 - u, beyond: own.sf(at + w), within })
        };
        let upper = |v: f64| {
            let at = own.upper_quantile(v);
            let beyond = own.sf(at + w);
            f(&Least { at, above: v, beyond, within: v - beyond })
        };
        // Where the largest number ends the range there is a kink.
        let kink = own.quantile(1.0) - w;
        let [below, above] = [own.cdf(kink), own.sf(kink)].map(|p| p.clamp(0.0, 0.5));
        let half = |f: &dyn Fn(f64) -> f64, cut: f64| {
            tanh_sinh(f, 0.0, cut, &options).value + tanh_sinh(f, cut, 0.5, &options).value
        };
        self.draws as f64 * (half(&lower, below) + half(&upper, above))
    }

    /// The largest range that there can be.
    fn end(&self) -> f64 {
        self.distribution.quantile(1.0) - self.distribution.quantile(0.0)
    }

    /// What lies outside of the range of ranges: -∞ to 0, and the end to ∞.
    fn outside(&self, w: f64, [below, above]: [f64; 2]) -> Option<f64> {
        if w.is_nan() {
            Some(w)
        } else if w <= 0.0 {
            Some(below)
        } else {
            (w >= self.end()).then_some(above)
        }
    }
}

impl<D: Univariate + Density<Point = f64>> Density for SampleRange<D> {
    type Point = f64;

    fn ln_pdf(&self, &w: &f64) -> f64 {
        if w.is_nan() {
            return w;
        }
        if !(0.0..=self.end()).contains(&w) || w == f64::INFINITY {
            return f64::NEG_INFINITY;
        }
        let power = (self.draws - 2) as f64;
        let term =
            |own: &Least| self.distribution.ln_pdf(&(own.at + w)).exp() * own.within.max(0.0).powf(power);
        ((self.draws - 1) as f64 * self.integral(w, term)).ln()
    }
}

impl<D: Univariate> Univariate for SampleRange<D> {
    fn cdf(&self, w: f64) -> f64 {
        let power = (self.draws - 1) as f64;
        self.outside(w, [0.0, 1.0])
            .unwrap_or_else(|| self.integral(w, |own| own.within.max(0.0).powf(power)).min(1.0))
    }

    fn sf(&self, w: f64) -> f64 {
        let power = (self.draws - 1) as f64;
        // Of the others that are above the least, not all are within w of it.
        let term = |own: &Least| {
            let beyond = (own.beyond / own.above).min(1.0);
            own.above.powf(power) * -(power * (-beyond).ln_1p()).exp_m1()
        };
        self.outside(w, [1.0, 0.0]).unwrap_or_else(|| self.integral(w, term).min(1.0))
    }

    fn quantile(&self, p: f64) -> f64 {
        from_end_to_end(p, [0.0, self.end()], || invert_cdf(|w| self.cdf(w), p, 0.0, self.end()))
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        from_end_to_end(q, [self.end(), 0.0], || invert_sf(|w| self.sf(w), q, 0.0, self.end()))
    }

    fn ln_cdf(&self, w: f64) -> f64 {
        let upper = self.sf(w);
        if upper < 0.5 { (-upper).ln_1p() } else { self.cdf(w).ln() }
    }

    fn ln_sf(&self, w: f64) -> f64 {
        let lower = self.cdf(w);
        if lower < 0.5 { (-lower).ln_1p() } else { self.sf(w).ln() }
    }
}

impl<D: Distribution<f64>> Distribution<f64> for SampleRange<D> {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        let ends = (0..self.draws).fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), _| {
            let x = self.distribution.sample(rng);
            (low.min(x), high.max(x))
        });
        ends.1 - ends.0
    }
}
