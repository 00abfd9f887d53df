//! Skellam's distribution on the whole numbers.

use posterior_math::special::{bessel_i_remainder, poisson_deviance};

use super::Poisson;
use super::smooth_sum::{Extent, Tails};
use super::steps::{Search, Tail, stepwise_on_line};
use crate::grammar::parametric;
use crate::prelude::*;

/// From this √(k² + 4 λ₁ λ₂) on the density is its saddle-point expansion.
const EXPANSION_FROM: f64 = 50.0;

/// The distribution of the difference of two independent Poisson counts: of goals of two teams, or of photons
/// in two pictures.
///
/// # Density
/// P(k) = e^(-λ₁ - λ₂) (λ₁/λ₂)^(k/2) I_|k|(2 √(λ₁ λ₂)), for a Poisson(λ₁) less a Poisson(λ₂) count
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | λ₁ | `plus`, the rate of what counts up | positive, at most 1.844e19 | `mu1` (SciPy), `lambda1` (R's skellam) |
/// | λ₂ | `minus`, the rate of what counts down | positive, at most 1.844e19 | `mu2` (SciPy), `lambda2` (R's skellam) |
///
/// # Moments
/// mean λ₁ - λ₂, variance λ₁ + λ₂, skewness (λ₁ - λ₂)/(λ₁ + λ₂)^(3/2), excess kurtosis 1/(λ₁ + λ₂)
///
/// # Numerics
/// With ab = λ₁λ₂ and a - b = k the density is e^(-D(a, λ₁) - D(b, λ₂)) / √(2π (a + b)) times what Debye's
/// expansion of the Bessel function adds, where D is the deviance of Poisson's distribution: its relative
/// precision does not depend on the size of the rates. Tails and entropy are sums of some hundred masses,
/// with full relative precision on both sides.
///
/// # Example
/// ```
/// use posterior_dist::{Skellam, Univariate};
///
/// // The home team is expected to score 1.6 goals, its guests 1.1.
/// let goals = Skellam::new(1.6, 1.1)?;
/// assert!((goals.sf(0.0) - 0.4895735371288616).abs() < 1e-14);
/// assert_eq!(goals.to_string(), "skellam(1.6, 1.1)");
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
///
/// # References
/// J. G. Skellam, The frequency distribution of the difference between two Poisson variates belonging to
/// different populations, Journal of the Royal Statistical Society 109 (1946).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Skellam {
    plus: f64,
    minus: f64,
    /// The two counts.
    counts: [Poisson; 2],
}

impl Skellam {
    /// λ₁ and λ₂.
    ///
    /// # Errors
    /// If one of them is not positive, or beyond 1.844e19.
    pub fn new(plus: f64, minus: f64) -> Result<Self, ParamError> {
        check::positive("Skellam", "plus", plus)?;
        check::positive("Skellam", "minus", minus)?;
        Ok(Self { plus, minus, counts: [Poisson::new(plus)?, Poisson::new(minus)?] })
    }

    /// The logarithm of the density, also between the whole numbers.
    fn ln_mass(&self, k: f64) -> f64 {
        // Down from zero it is the mirror image with the rates exchanged.
        let ([up, down], count) = if k < 0.0 {
            ([self.minus, self.plus], &self.counts[1])
        } else {
            ([self.plus, self.minus], &self.counts[0])
        };
        let k = k.abs();
        let argument = 2.0 * (up.sqrt() * down.sqrt());
        let r = k.hypot(argument);
        if r < EXPANSION_FROM || argument == 0.0 {
            let product = up * down;
            let (mut sum, mut term, mut j) = (1.0, 1.0, 1.0);
            while term > 1e-17 * sum {
                term *= product / (j * (k + j));
                sum += term;
                j += 1.0;
            }
            return count.ln_mass(k) - down + sum.ln();
        }
        let a = 0.5 * k + 0.5 * r;
        let b = up / a * down;
        let ln_leading = -0.5 * (r.ln() + posterior_math::special::LN_TAU);
        ln_leading + bessel_i_remainder(k, argument).ln()
            - poisson_deviance(a, up)
            - poisson_deviance(b, down)
    }

    fn spread(&self) -> f64 {
        (self.plus + self.minus).sqrt()
    }

    fn center(&self) -> f64 {
        self.plus - self.minus
    }

    fn extent(&self) -> Extent {
        Extent {
            low: f64::NEG_INFINITY,
            high: f64::INFINITY,
            mode: self.center().round(),
            scale: self.spread(),
        }
    }

    fn tails(&self, k: f64) -> Tails {
        self.extent().tails(self.center(), k, |base, offset| self.ln_mass(base + offset))
    }

    fn search(&self) -> Search {
        let (mean, sd) = (self.center(), self.spread());
        // Of rates so small the expansion says nothing.
        let (skewness, excess) = if sd > 1e-4 { (mean / sd.powi(3), sd.powi(-2)) } else { (0.0, 0.0) };
        Search { ends: [f64::NEG_INFINITY, f64::INFINITY], mean, sd, skewness, excess }
    }
}

parametric! { Skellam, "skellam", new:
    /// The rate λ₁ of what counts up.
    plus: f64,
    /// The rate λ₂ of what counts down.
    minus: f64,
}

impl Density for Skellam {
    type Point = i64;

    fn ln_pdf(&self, &k: &i64) -> f64 {
        self.ln_mass(k as f64)
    }
}

impl ParameterGradient for Skellam {
    type Gradient = [f64; 2];

    fn parameter_gradient(&self, &k: &i64) -> [f64; 2] {
        let (k, here) = (k as f64, self.ln_pdf(&k));
        [k - 1.0, k + 1.0].map(|beside| (self.ln_mass(beside) - here).exp_m1())
    }
}

impl Univariate for Skellam {
    fn cdf(&self, x: f64) -> f64 {
        stepwise_on_line(x, [0.0, 1.0], |k| self.tails(k).ln_lower.exp())
    }

    fn sf(&self, x: f64) -> f64 {
        stepwise_on_line(x, [1.0, 0.0], |k| self.tails(k).ln_upper.exp())
    }

    fn quantile(&self, p: f64) -> f64 {
        self.search().quantile(p, |k| Tail::of_ln(self.ln_cdf(k), self.ln_mass(k)))
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        self.search().upper_quantile(q, |k| Tail::of_ln(self.ln_sf(k), self.ln_mass(k)))
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        stepwise_on_line(x, [f64::NEG_INFINITY, 0.0], |k| self.tails(k).ln_lower)
    }

    fn ln_sf(&self, x: f64) -> f64 {
        stepwise_on_line(x, [0.0, f64::NEG_INFINITY], |k| self.tails(k).ln_upper)
    }
}

impl Moments for Skellam {
    fn mean(&self) -> Option<f64> {
        Some(self.center())
    }

    fn variance(&self) -> Option<f64> {
        Some(self.plus + self.minus)
    }
}

impl Shape for Skellam {
    fn skewness(&self) -> Option<f64> {
        let variance = self.plus + self.minus;
        Some(self.center() / variance / variance.sqrt())
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        Some((self.plus + self.minus).recip())
    }
}

impl Entropy for Skellam {
    fn entropy(&self) -> f64 {
        self.extent().entropy(|base, offset| self.ln_mass(base + offset))
    }
}

impl Distribution<i64> for Skellam {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> i64 {
        let [up, down] = [self.counts[0].sample(rng), self.counts[1].sample(rng)];
        (i128::from(up) - i128::from(down)).clamp(i64::MIN.into(), i64::MAX.into()) as i64
    }
}
