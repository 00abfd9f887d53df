//! Generalised gamma distribution (Stacy's) on (0, ∞).

use posterior_math::special::{digamma, hurwitz_zeta_scaled, ln_pochhammer, ratio_power};

use super::Gamma;
use super::exponential_of::moments::standardized_within;
use crate::gamma_kernel::GammaKernel;
use crate::grammar::parametric;
use crate::prelude::*;
use crate::scaled::{Positive, ln_ratio, times_exp};

/// The distribution of a power of a gamma variable, s G^(1/c): gamma for c = 1, Weibull for a = 1,
/// half-normal for a = ½ and c = 2.
///
/// # Density
/// p(x) = c / (s Γ(a)) (x/s)^(ca - 1) e^(-(x/s)ᶜ)
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | a | `shape` | positive | `a` (SciPy), `k` (R's flexsurv) |
/// | c | `power` | positive | `c` (SciPy), `shape` (R's flexsurv) |
/// | s | `scale` | positive | `scale` (SciPy, R's flexsurv) |
///
/// # Moments
/// E Xʲ = sʲ Γ(a + j/c) / Γ(a); mode s (a - 1/c)^(1/c) for ca ≥ 1; entropy ln(s Γ(a)/c) + a + (1/c - a) ψ(a)
///
/// # Numerics
/// Tails and quantiles are those of the gamma distribution at (x/s)ᶜ, whose logarithm stands for it where f64
/// cannot hold it. Variance, skewness and kurtosis are power series for ca ≥ 5, where moments cancel.
///
/// # Example
/// ```
/// use posterior_dist::{GeneralizedGamma, Univariate};
///
/// let distribution = GeneralizedGamma::new(1.0, 2.0, 3.0)?; // a Weibull distribution
/// assert!((distribution.sf(3.0) - (-1_f64).exp()).abs() < 1e-15);
/// assert_eq!(distribution.to_string(), "generalized_gamma(1, 2, 3)");
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
///
/// # References
/// E. W. Stacy, A generalization of the gamma distribution, Annals of Mathematical Statistics 33 (1962).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GeneralizedGamma {
    shape: f64,
    power: f64,
    scale: f64,
    kernel: GammaKernel,
    /// The gamma variable of rate 1.
    gamma: Gamma,
}

impl GeneralizedGamma {
    /// a, c and s.
    ///
    /// # Errors
    /// If one of them is not positive and finite.
    pub fn new(shape: f64, power: f64, scale: f64) -> Result<Self, ParamError> {
        check::positive("GeneralizedGamma", "shape", shape)?;
        check::positive("GeneralizedGamma", "power", power)?;
        check::positive("GeneralizedGamma", "scale", scale)?;
        let (kernel, gamma) = (GammaKernel::new(shape), Gamma::shape_rate(shape, 1.0)?);
        Ok(Self { shape, power, scale, kernel, gamma })
    }

    /// (x/s)ᶜ.
    fn standard(&self, x: f64) -> f64 {
        ratio_power(x, self.scale, self.power)
    }

    /// The logarithm of the same.
    fn ln_standard(&self, x: f64) -> f64 {
        self.power * ln_ratio(x, self.scale)
    }

    /// The x of which this is the standard.
    fn of_standard(&self, t: Positive) -> f64 {
        let ln_t = match t {
            Positive::Number(t) => {
                let root = t.powf(self.power.recip());
                if root.is_normal() || t == 0.0 || t == f64::INFINITY {
                    return self.scale * root;
                }
                t.ln()
            }
            Positive::Logarithm(ln_t) => ln_t,
        };
        times_exp(self.scale, ln_t / self.power)
    }

    /// The deviation over the mean, the skewness and the excess kurtosis. The logarithm of a gamma variable
    /// has the cumulants (-1)ᵐ (m - 1)! ζ(m, a).
    fn standardized(&self) -> [f64; 3] {
        let cumulant = |m: i32| {
            let order = f64::from(m);
            let size = hurwitz_zeta_scaled(order, self.shape) / order;
            if m % 2 == 0 { size } else { -size }
        };
        standardized_within(self.power.recip(), self.shape, cumulant, |t| ln_pochhammer(self.shape, t))
    }
}

parametric! { GeneralizedGamma, "generalized_gamma", new:
    /// The shape a.
    shape: f64,
    /// The power c.
    power: f64,
    /// The scale s.
    scale: f64,
}

impl Density for GeneralizedGamma {
    type Point = f64;

    fn ln_pdf(&self, &x: &f64) -> f64 {
        if x < 0.0 || x == f64::INFINITY {
            return f64::NEG_INFINITY;
        }
        if x == 0.0 {
            // x^(ca - 1) is all that matters, unless it is constant.
            let order = self.shape * self.power;
            return if order == 1.0 {
                self.power.ln() - self.scale.ln() - posterior_math::special::ln_gamma(self.shape)
            } else {
                f64::INFINITY.copysign(1.0 - order)
            };
        }
        let ln_t = self.ln_standard(x);
        // tᵃ e^(-t) / Γ(a) · c / x
        self.kernel.ln(self.standard(x), || ln_t, 0.0) + ln_ratio(self.power, x)
    }
}

impl PointGradient for GeneralizedGamma {
    fn point_gradient(&self, &x: &f64) -> f64 {
        if x > 0.0 { (self.power * (self.shape - self.standard(x)) - 1.0) / x } else { f64::NAN }
    }
}

impl ParameterGradient for GeneralizedGamma {
    type Gradient = [f64; 3];

    fn parameter_gradient(&self, &x: &f64) -> [f64; 3] {
        if !(x > 0.0) {
            return [f64::NAN; 3];
        }
        let (t, ln_ratio) = (self.standard(x), ln_ratio(x, self.scale));
        let by_power = self.power.recip() + (self.shape - t) * ln_ratio;
        let by_scale = self.power * (t - self.shape) / self.scale;
        [self.power * ln_ratio - digamma(self.shape), by_power, by_scale]
    }
}

impl Univariate for GeneralizedGamma {
    fn cdf(&self, x: f64) -> f64 {
        if x <= 0.0 { 0.0 } else { self.kernel.tails(self.standard(x), || self.ln_standard(x)).0 }
    }

    fn sf(&self, x: f64) -> f64 {
        if x <= 0.0 { 1.0 } else { self.kernel.tails(self.standard(x), || self.ln_standard(x)).1 }
    }

    fn quantile(&self, p: f64) -> f64 {
        self.of_standard(self.kernel.quantile(p))
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        self.of_standard(self.kernel.upper_quantile(q))
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        if x <= 0.0 {
            f64::NEG_INFINITY
        } else {
            self.kernel.ln_lower(self.standard(x), || self.ln_standard(x))
        }
    }

    fn ln_sf(&self, x: f64) -> f64 {
        if x <= 0.0 { 0.0 } else { self.kernel.ln_upper(self.standard(x), || self.ln_standard(x)) }
    }
}

impl Moments for GeneralizedGamma {
    fn mean(&self) -> Option<f64> {
        Some(times_exp(self.scale, ln_pochhammer(self.shape, self.power.recip())))
    }

    fn variance(&self) -> Option<f64> {
        let [deviation, ..] = self.standardized();
        Some((self.mean()? * deviation).powi(2))
    }
}

impl Shape for GeneralizedGamma {
    fn skewness(&self) -> Option<f64> {
        let [_, skewness, _] = self.standardized();
        Some(skewness)
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        let [.., kurtosis] = self.standardized();
        Some(kurtosis)
    }
}

impl Entropy for GeneralizedGamma {
    fn entropy(&self) -> f64 {
        let stretch = (self.power.recip() - 1.0) * digamma(self.shape);
        self.gamma.entropy() + stretch + self.scale.ln() - self.power.ln()
    }
}

impl Mode for GeneralizedGamma {
    /// `None` for ca < 1, where the density is unbounded.
    fn mode(&self) -> Option<f64> {
        let rest = self.shape - self.power.recip();
        (self.shape * self.power >= 1.0).then(|| self.of_standard(Positive::Number(rest.max(0.0))))
    }
}

impl Distribution<f64> for GeneralizedGamma {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        let (draw, exponent) = self.gamma.draw(rng);
        exponent.map_or_else(
            || self.of_standard(Positive::Number(draw)),
            |exponent| self.of_standard(Positive::Logarithm(draw.ln() + exponent)),
        )
    }
}
