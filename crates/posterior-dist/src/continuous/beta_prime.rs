//! Beta prime distribution on (0, ∞), with a scale.

mod edge;

use posterior_math::log_space::ln_1m_exp;
use posterior_math::special::{beta_pq, digamma_difference, ln_beta, ln_beta_p, ln_beta_q};

use super::Beta;
use crate::gamma_variate::{PLAIN_FROM, sample_gamma};
use crate::grammar::parametric;
use crate::prelude::*;
use crate::scaled::{ln_ratio, times_exp};
use edge::{End, Quotient};

/// The distribution of s Y/(1 - Y) for a [`Beta`] variable Y, which is the distribution of a gamma variable
/// whose rate is itself gamma distributed: the predictive distribution of waiting times for several events.
///
/// # Density
/// p(x) = (x/s)^(α-1) (1 + x/s)^(-α-β) / (s B(α, β))
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | α | `alpha` | positive | `a` (SciPy) |
/// | β | `beta` | positive | `b` (SciPy) |
/// | s | `scale` | positive | `scale` (SciPy) |
///
/// # Moments
/// mean sα/(β - 1) for β > 1, variance s² α (α + β - 1)/((β - 2)(β - 1)²) for β > 2, skewness for β > 3,
/// excess kurtosis for β > 4, mode s (α - 1)/(β + 1) for α ≥ 1. A mean or variance that diverges is infinite;
/// there is no variance without a finite mean.
///
/// # Numerics
/// All is computed from the pair Y = x/(s + x), 1 - Y = s/(s + x), so that both tails keep their digits.
///
/// # Example
/// ```
/// use posterior_dist::{BetaPrime, Univariate};
///
/// let distribution = BetaPrime::new(1.0, 2.0, 3.0)?;
/// assert!((distribution.sf(3.0) - 0.25).abs() < 1e-16);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BetaPrime {
    distribution: Beta,
    scale: f64,
}

impl BetaPrime {
    /// The distribution with these α and β, and s = scale.
    ///
    /// # Errors
    /// If one of them is not positive and finite, or α + β overflows.
    pub fn new(alpha: f64, beta: f64, scale: f64) -> Result<Self, ParamError> {
        check::positive("BetaPrime", "scale", scale)?;
        Ok(Self { distribution: Beta::new(alpha, beta)?, scale })
    }

    /// The first shape α.
    pub const fn alpha(&self) -> f64 {
        self.distribution.alpha()
    }

    /// The second shape β.
    pub const fn beta(&self) -> f64 {
        self.distribution.beta()
    }

    /// The scale s.
    pub const fn scale(&self) -> f64 {
        self.scale
    }

    /// (x/(s + x), s/(s + x)) for x ≥ 0.
    fn pair(&self, x: f64) -> (f64, f64) {
        let ratio = x / self.scale;
        if ratio <= 1.0 {
            (ratio / (1.0 + ratio), (1.0 + ratio).recip())
        } else {
            let inverse = self.scale / x;
            ((1.0 + inverse).recip(), inverse / (1.0 + inverse))
        }
    }

    /// The end of the support that x > 0 is so close to that x/s, or s/x, is none of the normal numbers;
    /// whether it is 0; and the quotient.
    fn end(&self, x: f64) -> Option<(End, bool, [f64; 2])> {
        if x / self.scale < f64::MIN_POSITIVE {
            Some((End::new(self.alpha(), self.beta()), true, [x, self.scale]))
        } else if self.scale / x < f64::MIN_POSITIVE && x < f64::INFINITY {
            Some((End::new(self.beta(), self.alpha()), false, [self.scale, x]))
        } else {
            None
        }
    }

    /// The point with this proportion and its rest, which has p below it, or above it if not `lower`.
    fn point(&self, (part, rest): (f64, f64), p: f64, lower: bool) -> f64 {
        if !(part.min(rest) < f64::MIN_POSITIVE) || p == 0.0 || p == 1.0 {
            return self.scale * (part / rest);
        }
        let s = self.scale;
        if part < rest {
            match End::new(self.alpha(), self.beta()).quantile(p, lower) {
                Quotient::Of(t, b) => {
                    if s < 1.0 {
                        s * t / b
                    } else {
                        s / b * t
                    }
                }
                Quotient::Logarithm(ln_ratio) => (s.ln() + ln_ratio).exp(),
            }
        } else {
            match End::new(self.beta(), self.alpha()).quantile(p, !lower) {
                Quotient::Of(t, a) => {
                    if s < 1.0 {
                        s * a / t
                    } else {
                        s / t * a
                    }
                }
                Quotient::Logarithm(ln_ratio) => (s.ln() - ln_ratio).exp(),
            }
        }
    }
}

parametric!(BetaPrime, "beta_prime", new(alpha, beta, scale));

impl Density for BetaPrime {
    type Point = f64;

    fn ln_pdf(&self, &x: &f64) -> f64 {
        if x < 0.0 || x == f64::INFINITY {
            return f64::NEG_INFINITY;
        }
        if let Some((end, at_zero, [x, y])) = self.end(x).filter(|_| x > 0.0) {
            let power = if at_zero { self.alpha() - 1.0 } else { self.beta() + 1.0 };
            let ln_beta = ln_beta(self.alpha(), self.beta());
            return power * ln_ratio(x, y) - end.decay(x, y) - ln_beta - self.scale.ln();
        }
        let (part, rest) = self.pair(x);
        self.distribution.ln_pdf_pair(part, rest) + 2.0 * rest.ln() - self.scale.ln()
    }
}

impl PointGradient for BetaPrime {
    fn point_gradient(&self, &x: &f64) -> f64 {
        if !(x > 0.0) {
            return f64::NAN;
        }
        let (part, rest) = self.pair(x);
        ((self.alpha() * rest - self.beta() * part) - 1.0) / x
    }
}

impl ParameterGradient for BetaPrime {
    type Gradient = [f64; 3];

    fn parameter_gradient(&self, &x: &f64) -> [f64; 3] {
        if !(x > 0.0) {
            return [f64::NAN; 3];
        }
        let (part, rest) = self.pair(x);
        [
            part.ln() - self.distribution.expected_ln(),
            rest.ln() - self.distribution.expected_ln_complement(),
            (self.beta() * part - self.alpha() * rest) / self.scale,
        ]
    }
}

impl Univariate for BetaPrime {
    fn cdf(&self, x: f64) -> f64 {
        self.tails(x).0
    }

    fn sf(&self, x: f64) -> f64 {
        self.tails(x).1
    }

    fn quantile(&self, p: f64) -> f64 {
        self.point(self.distribution.quantile_pair(p), p, true)
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        self.point(self.distribution.upper_quantile_pair(q), q, false)
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        if x <= 0.0 {
            return f64::NEG_INFINITY;
        }
        if let Some((end, at_zero, [x, y])) = self.end(x) {
            let ln_tail = end.ln_tail(x, y);
            return if at_zero { ln_tail } else { ln_1m_exp(ln_tail) };
        }
        let (part, rest) = self.pair(x);
        // The logarithm of I at x is that of its complement at 1 - x, with the parameters exchanged.
        if part < 0.5 {
            ln_beta_p(self.alpha(), self.beta(), part)
        } else {
            ln_beta_q(self.beta(), self.alpha(), rest)
        }
    }

    fn ln_sf(&self, x: f64) -> f64 {
        if x <= 0.0 {
            return 0.0;
        }
        if let Some((end, at_zero, [x, y])) = self.end(x) {
            let ln_tail = end.ln_tail(x, y);
            return if at_zero { ln_1m_exp(ln_tail) } else { ln_tail };
        }
        let (part, rest) = self.pair(x);
        if part < 0.5 {
            ln_beta_q(self.alpha(), self.beta(), part)
        } else {
            ln_beta_p(self.beta(), self.alpha(), rest)
        }
    }
}

impl BetaPrime {
    /// P(X ≤ x) and P(X > x).
    fn tails(&self, x: f64) -> (f64, f64) {
        if x <= 0.0 {
            return (0.0, 1.0);
        }
        let Some((end, at_zero, [x, y])) = self.end(x) else {
            let (part, rest) = self.pair(x);
            return beta_pq(self.alpha(), self.beta(), part, rest);
        };
        let ln_tail = end.ln_tail(x, y);
        let (near, far) = (ln_tail.exp(), -ln_tail.exp_m1());
        if at_zero { (near, far) } else { (far, near) }
    }
}

impl Moments for BetaPrime {
    fn mean(&self) -> Option<f64> {
        let b = self.beta();
        Some(if b > 1.0 { self.scale * (self.alpha() / (b - 1.0)) } else { f64::INFINITY })
    }

    fn variance(&self) -> Option<f64> {
        let (a, b) = (self.alpha(), self.beta());
        let unit = (b > 1.0).then(|| self.scale / (b - 1.0))?;
        Some(if b > 2.0 { (unit * a) * (unit * ((a + b - 1.0) / (b - 2.0))) } else { f64::INFINITY })
    }
}

impl Shape for BetaPrime {
    fn skewness(&self) -> Option<f64> {
        let (a, b) = (self.alpha(), self.beta());
        let step = a + (b - 1.0);
        // (a + step) / √(a step), of which neither need be a number.
        let ratio = step.sqrt() / a.sqrt();
        (b > 3.0).then(|| 2.0 * (ratio + ratio.recip()) * ((b - 2.0).sqrt() / (b - 3.0)))
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        let (a, b) = (self.alpha(), self.beta());
        let step = a + (b - 1.0);
        let second = ((b - 1.0) / a) * ((b - 1.0) / step) * (b - 2.0);
        (b > 4.0).then(|| 6.0 * ((5.0 * b - 11.0) + second) / (b - 3.0) / (b - 4.0))
    }
}

impl Entropy for BetaPrime {
    fn entropy(&self) -> f64 {
        let (a, b) = (self.alpha(), self.beta());
        let (at_zero, at_infinity) = (digamma_difference(a, b), digamma_difference(b, a));
        if at_zero.max(at_infinity) < f64::INFINITY {
            return self.distribution.entropy() + 2.0 * at_infinity + self.scale.ln();
        }
        // A parameter is below 1e-308: infinite by 1/b - 1/a, unless both are.
        (a - b) / a / b + 1.0 + ((a + b).ln() - a.ln() - b.ln()) + self.scale.ln()
    }
}

impl Mode for BetaPrime {
    /// `None` for α < 1, where the density is unbounded.
    fn mode(&self) -> Option<f64> {
        let a = self.alpha();
        (a >= 1.0).then(|| self.scale * ((a - 1.0) / (self.beta() + 1.0)))
    }
}

impl Distribution<f64> for BetaPrime {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        let (alpha, beta) = (self.alpha(), self.beta());
        if alpha.min(beta) < PLAIN_FROM {
            let (ln_part, ln_rest) = self.distribution.sample_ln(rng);
            return times_exp(self.scale, ln_part - ln_rest);
        }
        let [part, rest] = [alpha, beta].map(|shape| sample_gamma(shape, rng));
        let ratio = part / rest;
        if ratio.is_normal() { self.scale * ratio } else { times_exp(self.scale, part.ln() - rest.ln()) }
    }
}
