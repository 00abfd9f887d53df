//! Fréchet distribution on (0, ∞), of maxima.

use std::f64::consts::EULER_GAMMA;

use posterior_math::special::{gamma, ln_gamma};

use super::exponential_of::moments::{standardized, zeta};
use super::exponential_of::power_of_exponential;
use super::gumbel::Gumbel;
use crate::grammar::parametric;
use crate::prelude::*;
use crate::scaled::{ln_ratio, times_exp};

/// The distribution of the largest of many values with tails that fall like a power: its logarithm is a
/// [`Gumbel`] variable.
///
/// # Density
/// p(x) = α/s (x/s)^(-1-α) exp(-(x/s)^(-α))
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | α | `shape` | positive | `c` (SciPy, `invweibull`), `alpha` (Stan) |
/// | s | `scale` | positive | `scale` (SciPy), `sigma` (Stan) |
///
/// # Moments
/// With gₖ = Γ(1 - k/α), infinite for α ≤ k: mean s g₁, variance s² (g₂ - g₁²), skewness and excess kurtosis
/// from g₁ to g₄ (`None` where infinite); mode s (α/(1 + α))^(1/α), entropy 1 + γ/α + γ + ln(s/α) with
/// Euler's γ
///
/// # Numerics
/// Variance, skewness and kurtosis are differences of moments that are nearly equal for large α: they are
/// power series in 1/α there.
///
/// # Example
/// ```
/// use posterior_dist::{Frechet, Univariate};
///
/// let flood = Frechet::new(3.0, 2.0)?;
/// assert!((flood.cdf(2.0) - (-1_f64).exp()).abs() < 1e-16);
/// assert_eq!(flood.to_string(), "frechet(3, 2)");
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frechet {
    shape: f64,
    scale: f64,
    logarithm: Gumbel,
}

power_of_exponential!(Frechet, "frechet", Gumbel);

impl Frechet {
    /// The deviation over the mean, the skewness and the excess kurtosis, for α > 2, 3 and 4. A standard
    /// Gumbel variable has the cumulants Γ(m) ζ(m), m ≥ 2.
    fn standardized(&self) -> [f64; 3] {
        standardized(self.shape.recip(), |m| zeta(m) / f64::from(m), |t| ln_gamma(1.0 - t))
    }
}

impl Moments for Frechet {
    fn mean(&self) -> Option<f64> {
        Some(if self.shape > 1.0 { self.scale * gamma(1.0 - self.shape.recip()) } else { f64::INFINITY })
    }

    fn variance(&self) -> Option<f64> {
        let [deviation, ..] = self.standardized();
        Some(if self.shape > 2.0 { (self.mean()? * deviation).powi(2) } else { f64::INFINITY })
    }
}

impl Entropy for Frechet {
    fn entropy(&self) -> f64 {
        1.0 + EULER_GAMMA / self.shape + EULER_GAMMA + (self.scale.ln() - self.shape.ln())
    }
}

impl Mode for Frechet {
    fn mode(&self) -> Option<f64> {
        Some(times_exp(self.scale, -self.shape.recip().ln_1p() / self.shape))
    }
}

impl KlDivergence for Frechet {
    /// That of the distributions of ln X.
    fn kl_divergence(&self, other: &Self) -> f64 {
        self.logarithm.kl_divergence(&other.logarithm)
    }
}
