//! Hyperparameters: their names, scales and priors.

use posterior_math::bijection::{Exp, IntervalMap, ScalarBijector};
use posterior_math::check::ParamError;

use crate::prior::HyperparameterPrior;

/// The largest correlation: estimates of maximum likelihood often go to the boundary.
const MOST: f64 = 1.0 - 1e-5;

/// One number that a distribution of responses or of latent values depends on.
#[derive(Debug, Clone)]
pub struct Hyperparameter {
    /// The name, as `sd(school)`.
    pub name: String,
    /// Where it can be.
    pub scale: HyperScale,
    /// Where the search begins, on the natural scale.
    pub start: f64,
    /// Its prior, on the natural scale.
    pub prior: HyperparameterPrior,
}

/// The interval of a hyperparameter, with the map from the line on which it is searched.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum HyperScale {
    /// Positive: e^t.
    Positive,
    /// Between 0 and 1: 1 / (1 + e^-t).
    Unit,
    /// Between -1 and 1: tanh t, but for the last 10⁻⁵, where gradients have no digits left.
    Correlation,
    /// Any number.
    Real,
    /// Any number, in units of this one.
    Scaled(f64),
}

impl HyperScale {
    /// The natural value at a point of the line.
    pub fn natural(self, t: f64) -> f64 {
        match self {
            Self::Positive => Exp.forward(t),
            Self::Unit => unit().map_or(f64::NAN, |map| map.forward(t)),
            Self::Correlation => MOST * t.tanh(),
            Self::Real => t,
            Self::Scaled(unit) => unit * t,
        }
    }

    /// The point of the line with this natural value: infinite on the boundary, NaN outside.
    pub fn unconstrained(self, natural: f64) -> f64 {
        match self {
            Self::Positive => Exp.inverse(natural),
            Self::Unit => unit().map_or(f64::NAN, |map| map.inverse(natural)),
            Self::Correlation => (natural / MOST).atanh(),
            Self::Real => natural,
            Self::Scaled(unit) => natural / unit,
        }
    }

    /// The derivative of the natural value.
    pub fn slope(self, t: f64) -> f64 {
        match self {
            Self::Positive => Exp.slope(t),
            Self::Unit => unit().map_or(f64::NAN, |map| map.slope(t)),
            Self::Correlation => MOST * t.cosh().powi(-2),
            Self::Real => 1.0,
            Self::Scaled(unit) => unit,
        }
    }

    /// ln of the slope, and its derivative.
    fn ln_slope(self, t: f64) -> (f64, f64) {
        match self {
            Self::Positive => (t, 1.0),
            Self::Unit => {
                unit().map_or((f64::NAN, f64::NAN), |map| (map.ln_slope(t), map.ln_slope_derivative(t)))
            }
            Self::Correlation => {
                let ln_cosh = t.abs() + (-2.0 * t.abs()).exp().ln_1p() - std::f64::consts::LN_2;
                (MOST.ln() - 2.0 * ln_cosh, -2.0 * t.tanh())
            }
            Self::Real => (0.0, 0.0),
            Self::Scaled(unit) => (unit.abs().ln(), 0.0),
        }
    }
}

fn unit() -> Result<IntervalMap, ParamError> {
    IntervalMap::logit(0.0, 1.0)
}

impl Hyperparameter {
    /// One of an effect, as `sd(school)`.
    pub(crate) fn of_effect(
        what: &str,
        effect: &str,
        scale: HyperScale,
        start: f64,
        prior: &HyperparameterPrior,
    ) -> Self {
        Self { name: format!("{what}({effect})"), scale, start, prior: prior.clone() }
    }

    /// The logarithm of the prior density on the line, and its derivative.
    pub(crate) fn ln_prior(&self, t: f64) -> (f64, f64) {
        let (ln, by_natural) = self.prior.at(self.scale.natural(t));
        let (ln_slope, by_line) = self.scale.ln_slope(t);
        (ln + ln_slope, by_natural * self.scale.slope(t) + by_line)
    }
}
