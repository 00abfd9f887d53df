//! What is known of a number.

use posterior::math::streaming::MeanVariance;
use serde::Serialize;

/// Mean and variance of a number that is not known.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct Moments {
    pub(super) mean: f64,
    pub(super) variance: f64,
}

impl Moments {
    /// Of a mixture of these, with weights.
    pub(super) fn of(parts: impl Iterator<Item = (f64, Self)>) -> Self {
        let mut all = MeanVariance::new();
        for (weight, own) in parts {
            all.merge(&MeanVariance::from_moments(weight, own.mean, weight * own.variance));
        }
        Self { mean: all.mean(), variance: all.variance() }
    }

    pub(super) fn sd(self) -> f64 {
        self.variance.sqrt()
    }

    /// With independent noise of this variance: a value, where these are moments of the signal.
    pub(super) fn with_noise(self, noise: f64) -> Self {
        Self { variance: self.variance + noise, ..self }
    }
}
