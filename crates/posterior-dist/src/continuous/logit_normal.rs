//! Logit-normal distribution on (0, 1).

use posterior_math::log_space::{logistic, logit};

use super::Normal;
use crate::grammar::parametric;
use crate::prelude::*;

/// The distribution of a proportion whose log-odds are normal.
///
/// # Density
/// p(x) = φ(z) / (σ x (1 - x)), z = (logit x - μ) / σ
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | μ | `mu`, the mean of the log-odds | finite | `mu` (R's logitnorm) |
/// | σ | `sigma`, their standard deviation | positive | `sigma` (R's logitnorm) |
///
/// # Moments
/// none in closed form; the median is 1/(1 + e^(-μ))
///
/// # Numerics
/// Those of [`Normal`] at the log-odds. The numbers of f64 next to 1 are further apart than those next to 0:
/// for a large μ ask for the distribution of 1 - X, which has -μ.
///
/// # Example
/// ```
/// use posterior_dist::{LogitNormal, Univariate};
///
/// let rate = LogitNormal::new(-2.0, 0.5)?;
/// assert!((rate.quantile(0.5) - 0.11920292202211756).abs() < 1e-16);
/// assert_eq!(rate.to_string(), "logit_normal(-2, 0.5)");
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LogitNormal {
    mu: f64,
    sigma: f64,
    logit: Normal,
}

impl LogitNormal {
    /// Mean and standard deviation of the log-odds.
    ///
    /// # Errors
    /// If the mean is not finite, or the standard deviation not positive and finite.
    pub fn new(mu: f64, sigma: f64) -> Result<Self, ParamError> {
        check::finite("LogitNormal", "mu", mu)?;
        check::positive("LogitNormal", "sigma", sigma)?;
        Ok(Self { mu, sigma, logit: Normal::mean_sd(mu, sigma)? })
    }

    /// The distribution of the log-odds.
    pub const fn logit(&self) -> Normal {
        self.logit
    }
}

parametric! { LogitNormal, "logit_normal", new:
    /// The mean μ of the log-odds.
    mu: f64,
    /// The standard deviation σ of the log-odds.
    sigma: f64,
}

/// The log-odds of x, of what is outside those of the nearer end.
fn log_odds(x: f64) -> f64 {
    logit(x.clamp(0.0, 1.0))
}

impl Density for LogitNormal {
    type Point = f64;

    fn ln_pdf(&self, &x: &f64) -> f64 {
        if x <= 0.0 || x >= 1.0 {
            return f64::NEG_INFINITY;
        }
        self.logit.ln_pdf(&logit(x)) - x.ln() - (-x).ln_1p()
    }
}

impl PointGradient for LogitNormal {
    fn point_gradient(&self, &x: &f64) -> f64 {
        if x > 0.0 && x < 1.0 {
            (self.logit.point_gradient(&logit(x)) / (1.0 - x) + (2.0 * x - 1.0) / (1.0 - x)) / x
        } else {
            f64::NAN
        }
    }
}

impl ParameterGradient for LogitNormal {
    type Gradient = [f64; 2];

    fn parameter_gradient(&self, &x: &f64) -> [f64; 2] {
        if x > 0.0 && x < 1.0 { self.logit.parameter_gradient(&logit(x)) } else { [f64::NAN; 2] }
    }
}

impl Univariate for LogitNormal {
    fn cdf(&self, x: f64) -> f64 {
        self.logit.cdf(log_odds(x))
    }

    fn sf(&self, x: f64) -> f64 {
        self.logit.sf(log_odds(x))
    }

    fn quantile(&self, p: f64) -> f64 {
        logistic(self.logit.quantile(p))
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        logistic(self.logit.upper_quantile(q))
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        self.logit.ln_cdf(log_odds(x))
    }

    fn ln_sf(&self, x: f64) -> f64 {
        self.logit.ln_sf(log_odds(x))
    }
}

impl Distribution<f64> for LogitNormal {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        logistic(self.logit.sample(rng))
    }
}
