//! The mean of the other statistics: a number that is moved often and keeps the digits of its steps.

/// A mean as the unevaluated sum of two numbers. Data at 10^8 with a spread of 1 lose half of their digits in
/// the differences from a mean that is rounded to one number.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct RunningMean {
    high: f64,
    low: f64,
}

impl RunningMean {
    /// The mean of one point.
    pub(super) const fn at(x: f64) -> Self {
        Self { high: x, low: 0.0 }
    }

    /// The mean as one number.
    pub(super) const fn value(self) -> f64 {
        self.high
    }

    /// other - self.
    pub(super) fn distance_to(self, other: Self) -> f64 {
        (other.high - self.high) + (other.low - self.low)
    }

    /// Moves the mean by a step.
    pub(super) fn shift(&mut self, step: f64) {
        let sum = self.high + step;
        let moved = sum - self.high;
        let rest = (self.high - (sum - moved)) + (step - moved) + self.low;
        let high = sum + rest;
        self.low = if high.is_finite() { rest - (high - sum) } else { 0.0 };
        self.high = high;
    }
}
