//! Priors of standard deviations.

use posterior_math::autodiff::Real;

/// The prior density of a standard deviation, up to a constant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ScalePrior {
    /// 1 on the positive numbers: improper.
    Flat,
    /// The positive half of a Cauchy distribution of this scale.
    HalfCauchy(f64),
    /// The positive half of a normal distribution of this standard deviation.
    HalfNormal(f64),
}

impl ScalePrior {
    /// ln p(s) + constant.
    pub fn ln_density<R: Real>(self, s: R) -> R {
        match self {
            Self::Flat => R::constant(0.0),
            Self::HalfCauchy(scale) => -(s / scale).powi(2).ln_1p(),
            Self::HalfNormal(scale) => (s / scale).powi(2) * -0.5,
        }
    }

    /// d ln p(s) / d ln s.
    pub fn ln_derivative(self, s: f64) -> f64 {
        match self {
            Self::Flat => 0.0,
            // Not as 2 t² / (1 + t²), which is NaN where t² overflows.
            Self::HalfCauchy(scale) => -2.0 / (1.0 + (scale / s).powi(2)),
            Self::HalfNormal(scale) => -(s / scale).powi(2),
        }
    }
}
