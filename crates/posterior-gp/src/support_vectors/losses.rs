//! The losses that two classes are fitted by, as functions of the margin y f.

use posterior_math::log_space::ln_1p_exp;
use posterior_math::special::ln_normal_cdf;

/// max(0, 1 - y f) of the margin y f.
pub fn hinge_loss(margin: f64) -> f64 {
    if margin.is_nan() { margin } else { (1.0 - margin).max(0.0) }
}

/// exp(-hinge(f)) + exp(-hinge(-f)): the mass of both labels at f, if the hinge loss were minus the logarithm
/// of a likelihood. It is not constant, so that it is none.
///
/// ```
/// use posterior_gp::support_vectors::hinge_mass;
///
/// assert!((hinge_mass(0.0) - 0.7357588823).abs() < 1e-10);
/// assert!((hinge_mass(1.0) - 1.1353352832).abs() < 1e-10);
/// assert!((hinge_mass(2.0) - 1.0497870684).abs() < 1e-10);
/// ```
pub fn hinge_mass(latent: f64) -> f64 {
    (-hinge_loss(latent)).exp() + (-hinge_loss(-latent)).exp()
}

/// Three losses of one margin y f, for a plot.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Losses {
    /// The margin y f.
    pub margin: f64,
    /// max(0, 1 - y f).
    pub hinge: f64,
    /// -ln σ(y f).
    pub logistic: f64,
    /// -ln Φ(y f).
    pub probit: f64,
}

impl Losses {
    /// At this margin.
    pub fn at(margin: f64) -> Self {
        Self {
            margin,
            hinge: hinge_loss(margin),
            logistic: ln_1p_exp(-margin),
            probit: -ln_normal_cdf(margin),
        }
    }
}
