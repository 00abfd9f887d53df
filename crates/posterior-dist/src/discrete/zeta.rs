//! Zeta distribution on {1, 2, 3, …}.

use std::f64::consts::LN_2;

use posterior_math::special::{hurwitz_zeta_scaled, hurwitz_zeta_scaled_with_slope};

use super::smooth_sum::smooth_sum;
use super::steps::{least_count, stepwise};
use crate::grammar::parametric;
use crate::inversion::from_end_to_end;
use crate::prelude::*;

/// From here on a sum over ranks is its integral, if the exponent is not as large.
const FAR: f64 = 1e300;

/// The distribution of ranks whose frequencies are powers, without a last one: of words, cities or links.
/// SciPy calls it `zipf`; [`Zipf`](crate::Zipf) has a last rank.
///
/// # Density
/// P(k) = k⁻ˢ / ζ(s)
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | s | `exponent` | above 1 | `a` (SciPy's `zipf`), `s` (R's VGAM: s - 1) |
///
/// # Moments
/// E Xʲ = ζ(s - j)/ζ(s) for s > j + 1; mode 1, entropy ln ζ(s) - s ζ'(s)/ζ(s). A mean or variance that
/// diverges is infinite; there is no variance without a finite mean.
///
/// # Numerics
/// The upper tail is Hurwitz's zeta function, the lower one a sum of some hundred terms where it is the
/// smaller one. A draw is 2⁶⁴ - 1 where it would not fit in 64 bits.
///
/// # Example
/// ```
/// use posterior_dist::{Univariate, Zeta};
///
/// let ranks = Zeta::new(2.0)?;
/// assert!((ranks.cdf(1.0) - 6.0 / std::f64::consts::PI.powi(2)).abs() < 1e-15);
/// assert_eq!(ranks.to_string(), "zeta(2)");
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Zeta {
    exponent: f64,
    /// ζ(s), its logarithm, and E ln X.
    total: f64,
    ln_total: f64,
    mean_ln: f64,
    sampler: rand_distr::Zeta<f64>,
}

impl Zeta {
    /// s = exponent.
    ///
    /// # Errors
    /// If the exponent is not above 1 and finite.
    pub fn new(exponent: f64) -> Result<Self, ParamError> {
        const REQUIREMENT: &str = "above 1 and finite";
        let proper = exponent > 1.0 && exponent < f64::INFINITY;
        check::require(proper, "Zeta", "exponent", exponent, REQUIREMENT)?;
        let sampler = rand_distr::Zeta::new(exponent)
            .map_err(|_| ParamError::new("Zeta", "exponent", exponent, REQUIREMENT))?;
        let [zeta, slope] = hurwitz_zeta_scaled_with_slope(exponent, 1.0);
        // ζ(s) - 1, which may be tiny.
        let excess = (-exponent * LN_2).exp() * hurwitz_zeta_scaled(exponent, 2.0);
        let ln_zeta = if excess < 0.5 { excess.ln_1p() } else { zeta.ln() };
        Ok(Self { exponent, total: zeta, ln_total: ln_zeta, mean_ln: -slope / zeta, sampler })
    }

    /// ln P(X > k), for k ≥ 0.
    fn ln_upper(&self, k: f64) -> f64 {
        let s = self.exponent;
        // Next to 0 the quotient of two equal numbers is rounded.
        if k == 0.0 {
            return 0.0;
        }
        let ln_upper = if k > FAR {
            // The integral is all of the sum.
            -(s - 1.0) * k.ln() - (s - 1.0).ln() - self.ln_total
        } else {
            (hurwitz_zeta_scaled(s, k + 1.0) / self.total).ln() - s * k.ln_1p()
        };
        ln_upper.min(0.0)
    }

    /// P(X ≤ k) from its terms, for k ≥ 1.
    fn lower(&self, k: f64) -> f64 {
        let s = self.exponent;
        (smooth_sum(|base, offset| (base + offset).powf(-s), 1.0, k, k) / self.total).min(1.0)
    }

    /// The count beyond which this probability is, nearly.
    fn near(&self, q: f64) -> f64 {
        let rate = self.exponent - 1.0;
        ((q.ln() + rate.ln() + self.ln_total) / -rate).exp().floor()
    }

    /// Σ (k - 1)ʲ P(k) for j = 1 to 4, of those that are finite, from sums of powers.
    fn moments_about_one(&self) -> [f64; 4] {
        let power = |j: f64| {
            let order = self.exponent - j;
            // ζ(s, 2) in units of ζ(s).
            hurwitz_zeta_scaled(order, 2.0) * (-order * LN_2).exp() / self.total
        };
        let [p0, p1, p2, p3, p4] = [0.0, 1.0, 2.0, 3.0, 4.0].map(power);
        [p1 - p0, p2 - 2.0 * p1 + p0, p3 - 3.0 * p2 + 3.0 * p1 - p0, p4 - 4.0 * p3 + 6.0 * p2 - 4.0 * p1 + p0]
    }
}

/// Variance, third and fourth central moment, from those about another point.
pub(super) fn central([m1, m2, m3, m4]: [f64; 4]) -> [f64; 3] {
    let square = m1 * m1;
    [
        m2 - square,
        m3 - 3.0 * m1 * m2 + 2.0 * m1 * square,
        m4 - 4.0 * m1 * m3 + 6.0 * square * m2 - 3.0 * square * square,
    ]
}

parametric! { Zeta, "zeta", new:
    /// The exponent s.
    exponent: f64,
}

impl Density for Zeta {
    type Point = u64;

    fn ln_pdf(&self, &k: &u64) -> f64 {
        if k == 0 { f64::NEG_INFINITY } else { -self.exponent * (k as f64).ln() - self.ln_total }
    }
}

impl ParameterGradient for Zeta {
    type Gradient = [f64; 1];

    fn parameter_gradient(&self, &k: &u64) -> [f64; 1] {
        [if k == 0 { f64::NAN } else { self.mean_ln - (k as f64).ln() }]
    }
}

impl Univariate for Zeta {
    fn cdf(&self, x: f64) -> f64 {
        stepwise(x, [0.0, 1.0], |k| {
            let ln_upper = self.ln_upper(k);
            if k == 0.0 {
                0.0
            } else if ln_upper < -0.5 {
                -ln_upper.exp_m1()
            } else {
                self.lower(k)
            }
        })
    }

    fn sf(&self, x: f64) -> f64 {
        stepwise(x, [1.0, 0.0], |k| self.ln_upper(k).exp())
    }

    fn quantile(&self, p: f64) -> f64 {
        from_end_to_end(p, [1.0, f64::INFINITY], || {
            least_count(self.near(1.0 - p), [1.0, f64::INFINITY], |k| self.cdf(k) >= p)
        })
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        from_end_to_end(q, [f64::INFINITY, 1.0], || {
            least_count(self.near(q), [1.0, f64::INFINITY], |k| self.sf(k) <= q)
        })
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        stepwise(x, [f64::NEG_INFINITY, 0.0], |k| {
            let ln_upper = self.ln_upper(k);
            if ln_upper < -0.5 { (-ln_upper.exp()).ln_1p() } else { self.cdf(k).ln() }
        })
    }

    fn ln_sf(&self, x: f64) -> f64 {
        stepwise(x, [0.0, f64::NEG_INFINITY], |k| self.ln_upper(k))
    }
}

impl Moments for Zeta {
    fn mean(&self) -> Option<f64> {
        Some(if self.exponent > 2.0 { 1.0 + self.moments_about_one()[0] } else { f64::INFINITY })
    }

    fn variance(&self) -> Option<f64> {
        if self.exponent <= 3.0 {
            return (self.exponent > 2.0).then_some(f64::INFINITY);
        }
        let [variance, ..] = central(self.moments_about_one());
        Some(variance)
    }
}

impl Shape for Zeta {
    fn skewness(&self) -> Option<f64> {
        let [variance, third, _] = central(self.moments_about_one());
        (self.exponent > 4.0 && variance > 0.0).then(|| third / variance / variance.sqrt())
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        let [variance, _, fourth] = central(self.moments_about_one());
        (self.exponent > 5.0 && variance > 0.0).then(|| fourth / variance / variance - 3.0)
    }
}

impl Entropy for Zeta {
    fn entropy(&self) -> f64 {
        self.exponent * self.mean_ln + self.ln_total
    }
}

impl Mode for Zeta {
    fn mode(&self) -> Option<u64> {
        Some(1)
    }
}

impl Distribution<u64> for Zeta {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> u64 {
        self.sampler.sample(rng) as u64
    }
}
