//! Two classes through the normal distribution function.

use posterior_math::check::ParamError;
use posterior_math::special::{inverse_mills, ln_normal_cdf, normal_cdf};

use super::{Likelihood, LogConcave, Tilted, require_label};

/// p(y | f) = Φ(y f) for a label y of -1 or 1.
///
/// All its integrals have closed forms. Rasmussen and Williams, Gaussian Processes for Machine Learning,
/// equation 3.16.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Probit;

/// From here on outwards the derivatives of ln Φ are those of its asymptotic series, which loses no digit.
const SERIES_FROM: f64 = -50.0;

impl Likelihood for Probit {
    type Output = f64;

    fn check(&self, label: f64) -> Result<(), ParamError> {
        require_label("Probit", label)
    }

    /// To the first zero of Φ, at -1.916 ± 2.816 i.
    fn analytic_strip(&self) -> f64 {
        2.8
    }

    fn ln_density(&self, label: f64, latent: f64) -> f64 {
        ln_normal_cdf(label * latent)
    }

    fn derivatives(&self, label: f64, latent: f64) -> [f64; 3] {
        let [first, second, third] = derivatives_of_ln_cdf(label * latent);
        [label * first, second, label * third]
    }

    fn response(&self, latent: f64) -> f64 {
        normal_cdf(latent)
    }

    /// Φ(m / √(1 + v)).
    fn mean_response(&self, mean: f64, variance: f64) -> f64 {
        normal_cdf(mean / (1.0 + variance).sqrt())
    }

    /// Rasmussen and Williams, equation 3.58.
    fn tilted(&self, label: f64, mean: f64, variance: f64) -> Tilted {
        let scale = (1.0 + variance).sqrt();
        let z = label * mean / scale;
        let [slope, curvature, _] = derivatives_of_ln_cdf(z);
        Tilted {
            ln_mass: ln_normal_cdf(z),
            mean: mean + label * (variance / scale) * slope,
            variance: variance * (1.0 + (variance / (1.0 + variance)) * curvature),
        }
    }
}

impl LogConcave for Probit {}

/// The first three derivatives of ln Φ(z).
fn derivatives_of_ln_cdf(z: f64) -> [f64; 3] {
    let hazard = inverse_mills(z);
    if z < SERIES_FROM {
        let s = (z * z).recip();
        let second = 1.0 - s * (1.0 - s * (6.0 - s * (50.0 - s * 518.0)));
        let third = -s / z * (2.0 - s * (24.0 - s * (300.0 - s * 4144.0)));
        [hazard, -second, third]
    } else {
        let excess = z + hazard;
        [hazard, -hazard * excess, hazard * (excess * excess - 1.0 + hazard * excess)]
    }
}
