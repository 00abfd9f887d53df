//! What is known of a number.

use serde::Serialize;

/// Mean and variance of a number that is not known.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct Moments {
    pub(super) mean: f64,
    pub(super) variance: f64,
}

impl Moments {
    /// Of a mixture of weighted means and mean squares.
    pub(super) fn of(parts: impl Iterator<Item = (f64, f64, f64)>) -> Self {
        let (mean, square) =
            parts.fold((0.0, 0.0), |(m, s), (w, mean, square)| (m + w * mean, s + w * square));
        Self { mean, variance: (square - mean * mean).max(0.0) }
    }

    pub(super) fn sd(self) -> f64 {
        self.variance.sqrt()
    }

    /// With independent noise of this variance: a value, where these are moments of the signal.
    pub(super) fn with_noise(self, noise: f64) -> Self {
        Self { variance: self.variance + noise, ..self }
    }
}
