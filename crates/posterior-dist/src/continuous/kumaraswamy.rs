//! Kumaraswamy's distribution on [0, 1].

use posterior_math::log_space::ln_1m_exp;
use posterior_math::special::{digamma_difference, ln_beta, ln_pochhammer};
use rand::RngExt;
use rand::distr::OpenClosed01;

use super::exponential_of::moments::standardized;
use crate::grammar::parametric;
use crate::prelude::*;

/// A cousin of the beta distribution whose distribution function is closed: (1 - U^(1/b))^(1/a) for a uniform
/// variable U.
///
/// # Density
/// p(x) = a b xᵃ⁻¹ (1 - xᵃ)ᵇ⁻¹ on (0, 1)
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | a | `alpha` | positive | `a`, `concentration1` (TensorFlow) |
/// | b | `beta` | positive | `b`, `concentration0` (TensorFlow) |
///
/// # Moments
/// E Xᵏ = b B(1 + k/a, b); mode ((a - 1)/(ab - 1))^(1/a), where that is inside; entropy 1 - 1/b + (1 - 1/a)
/// (ψ(b + 1) + γ) - ln(ab)
///
/// # Numerics
/// All functions go by ln(1 - xᵃ). Variance, skewness and kurtosis are power series for a ≥ 5, where moments
/// cancel.
///
/// # Example
/// ```
/// use posterior_dist::{Kumaraswamy, Univariate};
///
/// let distribution = Kumaraswamy::new(2.0, 3.0)?;
/// assert!((distribution.cdf(0.5) - 37.0 / 64.0).abs() < 1e-15);
/// assert_eq!(distribution.to_string(), "kumaraswamy(2, 3)");
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
///
/// # References
/// M. C. Jones, Kumaraswamy's distribution: a beta-type distribution with some tractability advantages,
/// Statistical Methodology 6 (2009).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Kumaraswamy {
    alpha: f64,
    beta: f64,
}

impl Kumaraswamy {
    /// a and b.
    ///
    /// # Errors
    /// If one of them is not positive and finite.
    pub fn new(alpha: f64, beta: f64) -> Result<Self, ParamError> {
        check::positive("Kumaraswamy", "alpha", alpha)?;
        check::positive("Kumaraswamy", "beta", beta)?;
        Ok(Self { alpha, beta })
    }

    /// ln xᵃ, at most 0.
    fn ln_power(&self, x: f64) -> f64 {
        self.alpha * x.ln()
    }

    /// ln(1 - xᵃ).
    fn ln_rest(&self, x: f64) -> f64 {
        ln_1m_exp(self.ln_power(x))
    }

    /// ln(-ln P(X > x)), also where the tail is one to f64.
    fn ln_hazard(&self, x: f64) -> f64 {
        let (power, rest) = (self.ln_power(x), self.ln_rest(x));
        // -ln(1 - t) is t for a t that f64 cannot hold.
        self.beta.ln() + if rest.abs() < f64::MIN_POSITIVE { power } else { (-rest).ln() }
    }

    /// The x at which ln P(X > x) is this, and its logarithm is that where it is too small.
    fn of_ln_sf(&self, ln_sf: f64, ln_hazard: f64) -> f64 {
        let rest = ln_sf / self.beta;
        let ln_power =
            if rest.abs() < f64::MIN_POSITIVE { ln_hazard - self.beta.ln() } else { ln_1m_exp(rest) };
        (ln_power / self.alpha).exp()
    }

    /// ln E Wᵗ of the power W = Xᵃ, a variable Beta(1, b): differences of the smaller one of t and b.
    fn ln_raw(&self, t: f64) -> f64 {
        let (less, more) = if t < self.beta { (t, self.beta) } else { (self.beta, t) };
        ln_pochhammer(1.0, less) - ln_pochhammer(1.0 + more, less)
    }

    /// The deviation over the mean, the skewness and the excess kurtosis.
    fn standardized(&self) -> [f64; 3] {
        let cumulant = |m: i32| {
            let size = zeta_difference(f64::from(m), self.beta) / f64::from(m);
            if m % 2 == 0 { size } else { -size }
        };
        standardized(self.alpha.recip(), cumulant, |t| self.ln_raw(t))
    }
}

/// ζ(m) - ζ(m, 1 + b) = Σ k⁻ᵐ - (k + b)⁻ᵐ, of which the m-th cumulant of ln W is (-1)ᵐ (m - 1)! times: terms
/// one by one, and Euler and Maclaurin's formula from the last one on.
fn zeta_difference(m: f64, b: f64) -> f64 {
    const LAST: f64 = 25.0;
    const BERNOULLI: [f64; 5] =
        [1.0 / 12.0, -1.0 / 720.0, 1.0 / 30_240.0, -1.0 / 1_209_600.0, 1.0 / 47_900_160.0];
    // k⁻ᵉ - (k + b)⁻ᵉ
    let difference = |k: f64, e: f64| -k.powf(-e) * (-e * (b / k).ln_1p()).exp_m1();
    let (mut sum, mut k) = (0.0, 1.0);
    while k < LAST {
        sum += difference(k, m);
        k += 1.0;
    }
    let (mut rest, mut rising) = (difference(LAST, m - 1.0) / (m - 1.0) + 0.5 * difference(LAST, m), m);
    for (index, coefficient) in BERNOULLI.iter().enumerate() {
        let order = 2.0 * index as f64 + 1.0;
        rest += coefficient * rising * difference(LAST, m + order);
        rising *= (m + order) * (m + order + 1.0);
    }
    sum + rest
}

parametric! { Kumaraswamy, "kumaraswamy", new:
    /// The first shape a.
    alpha: f64,
    /// The second shape b.
    beta: f64,
}

impl Density for Kumaraswamy {
    type Point = f64;

    fn ln_pdf(&self, &x: &f64) -> f64 {
        if !(0.0..=1.0).contains(&x) {
            return if x.is_nan() { x } else { f64::NEG_INFINITY };
        }
        // A power of 0 is none.
        let power = |exponent: f64, ln: f64| if exponent == 0.0 { 0.0 } else { exponent * ln };
        let ln_factor = self.alpha.ln() + self.beta.ln();
        ln_factor + power(self.alpha - 1.0, x.ln()) + power(self.beta - 1.0, self.ln_rest(x))
    }
}

impl Kumaraswamy {
    /// xᵃ / (1 - xᵃ).
    fn odds(&self, x: f64) -> f64 {
        let power = self.ln_power(x);
        -power.exp() / power.exp_m1()
    }
}

impl PointGradient for Kumaraswamy {
    fn point_gradient(&self, &x: &f64) -> f64 {
        if x > 0.0 && x < 1.0 {
            (self.alpha - 1.0 - (self.beta - 1.0) * self.alpha * self.odds(x)) / x
        } else {
            f64::NAN
        }
    }
}

impl ParameterGradient for Kumaraswamy {
    type Gradient = [f64; 2];

    fn parameter_gradient(&self, &x: &f64) -> [f64; 2] {
        if x > 0.0 && x < 1.0 {
            let by_alpha = self.alpha.recip() + x.ln() * (1.0 - (self.beta - 1.0) * self.odds(x));
            [by_alpha, self.beta.recip() + self.ln_rest(x)]
        } else {
            [f64::NAN; 2]
        }
    }
}

impl Univariate for Kumaraswamy {
    fn cdf(&self, x: f64) -> f64 {
        self.ln_cdf(x).exp()
    }

    fn sf(&self, x: f64) -> f64 {
        self.ln_sf(x).exp()
    }

    fn quantile(&self, p: f64) -> f64 {
        if (0.0..=1.0).contains(&p) { self.of_ln_sf((-p).ln_1p(), p.ln()) } else { f64::NAN }
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        if !(0.0..=1.0).contains(&q) {
            return f64::NAN;
        }
        let ln_sf = q.ln();
        self.of_ln_sf(ln_sf, (-ln_sf).ln())
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        if x <= 0.0 || x >= 1.0 {
            return if x <= 0.0 { f64::NEG_INFINITY } else { 0.0 };
        }
        let ln_hazard = self.ln_hazard(x);
        // The logarithm of 1 - e^(-h) is ln h for small h.
        if ln_hazard < -40.0 { ln_hazard } else { ln_1m_exp(-ln_hazard.exp()) }
    }

    fn ln_sf(&self, x: f64) -> f64 {
        if x <= 0.0 || x >= 1.0 {
            return if x <= 0.0 { 0.0 } else { f64::NEG_INFINITY };
        }
        0.0 + self.beta * self.ln_rest(x)
    }
}

impl Moments for Kumaraswamy {
    fn mean(&self) -> Option<f64> {
        Some((self.beta.ln() + ln_beta(1.0 + self.alpha.recip(), self.beta)).exp())
    }

    fn variance(&self) -> Option<f64> {
        let [deviation, ..] = self.standardized();
        Some((self.mean()? * deviation).powi(2))
    }
}

impl Shape for Kumaraswamy {
    fn skewness(&self) -> Option<f64> {
        let [_, skewness, _] = self.standardized();
        Some(skewness)
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        let [.., kurtosis] = self.standardized();
        Some(kurtosis)
    }
}

impl Entropy for Kumaraswamy {
    fn entropy(&self) -> f64 {
        let (a, b) = (self.alpha, self.beta);
        (1.0 - b.recip()) + (1.0 - a.recip()) * digamma_difference(1.0, b) - (a.ln() + b.ln())
    }
}

impl Mode for Kumaraswamy {
    /// `None` for a < 1 or b < 1, where the density is unbounded, and for a = b = 1, where it is constant.
    fn mode(&self) -> Option<f64> {
        let (a, b) = (self.alpha, self.beta);
        (a >= 1.0 && b >= 1.0 && (a > 1.0 || b > 1.0)).then(|| {
            // ab - 1 = a (b - 1) + (a - 1)
            let ln_power = -(a * ((b - 1.0) / (a - 1.0))).ln_1p();
            (ln_power / a).exp()
        })
    }
}

impl Distribution<f64> for Kumaraswamy {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        let u: f64 = rng.sample(OpenClosed01);
        self.upper_quantile(u)
    }
}
