//! Dual averaging: a step size whose acceptance rate is on average as asked.

use posterior_math::check::{self, ParamError};

/// γ: how strongly the step size answers.
const GAMMA: f64 = 0.05;
/// t₀: the first steps count less.
const DELAY: f64 = 10.0;
/// κ: how fast early step sizes are forgotten in the average.
const FORGETTING: f64 = 0.75;
/// μ = ln(10 ε₀): the step sizes are drawn towards large ones, which are cheap to try.
const AMBITION: f64 = 10.0;

/// The dual averaging of Nesterov, as Hoffman and Gelman (2014, section 3.2) use it and with their constants:
/// step sizes ε for which the mean of what is learned from, an acceptance rate, tends to `target`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DualAveraging {
    target: f64,
    centre: f64,
    /// The mean of target - rate, the first steps counted less.
    shortfall: f64,
    ln_step: f64,
    ln_averaged: f64,
    count: f64,
}

impl DualAveraging {
    /// From a first step size, for an acceptance rate.
    ///
    /// # Errors
    /// A step size that is not positive and finite; a rate outside of (0, 1).
    pub fn new(step_size: f64, target: f64) -> Result<Self, ParamError> {
        check::positive("DualAveraging", "step_size", step_size)?;
        check::open_probability("DualAveraging", "target", target)?;
        Ok(Self {
            target,
            centre: (AMBITION * step_size).ln(),
            shortfall: 0.0,
            ln_step: step_size.ln(),
            ln_averaged: step_size.ln(),
            count: 0.0,
        })
    }

    /// Learns from the acceptance rate of a step with the [current](Self::step_size) step size. A NaN is a
    /// rate of zero.
    pub fn learn(&mut self, rate: f64) {
        let rate = if rate.is_nan() { 0.0 } else { rate };
        self.count += 1.0;
        let weight = 1.0 / (self.count + DELAY);
        self.shortfall += weight * (self.target - rate - self.shortfall);
        self.ln_step = self.centre - self.count.sqrt() / GAMMA * self.shortfall;
        let weight = self.count.powf(-FORGETTING);
        self.ln_averaged += weight * (self.ln_step - self.ln_averaged);
    }

    /// The step size to try next.
    pub fn step_size(&self) -> f64 {
        bounded(self.ln_step)
    }

    /// The average of those tried, later ones counted more: the step size to keep.
    pub fn averaged(&self) -> f64 {
        bounded(self.ln_averaged)
    }
}

/// e^x, positive and finite whatever was fitted.
fn bounded(x: f64) -> f64 {
    x.clamp(-690.0, 690.0).exp()
}
