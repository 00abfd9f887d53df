//! A level that wanders, and a level with a slope that wanders, for ever or damped.

use posterior_math::autodiff::Real;
use posterior_math::check::ParamError;

use super::part::{Blocks, Part, Timing};
use crate::learning::ParameterScale;

/// μ(t+1) = μ(t) + η(t).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Level;

/// μ(t+1) = μ(t) + ν(t) + η(t), ν(t+1) = ν(t) + ζ(t).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Trend;

/// μ(t+1) = μ(t) + ν(t) + η(t), ν(t+1) = φ ν(t) + ζ(t).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct DampedTrend {
    pub(super) damping: ParameterScale,
}

impl Part for Level {
    fn name(&self) -> &'static str {
        "level"
    }

    fn parameters(&self) -> Vec<(String, ParameterScale)> {
        vec![("variance".to_owned(), ParameterScale::Positive)]
    }

    fn states(&self, _: Timing) -> usize {
        1
    }

    fn step<R: Real>(&self, values: &[R], _: Timing, (_, dt): (f64, f64), mut to: Blocks<'_, R>) {
        to.transition.set(0, 0, R::constant(1.0));
        to.noise.set(0, 0, values[0] * dt);
    }
}

impl Part for Trend {
    fn name(&self) -> &'static str {
        "trend"
    }

    fn parameters(&self) -> Vec<(String, ParameterScale)> {
        ["level_variance", "slope_variance"].map(|name| (name.to_owned(), ParameterScale::Positive)).to_vec()
    }

    fn states(&self, _: Timing) -> usize {
        2
    }

    fn signals(&self, _: usize) -> Vec<(String, Option<usize>)> {
        vec![("trend".to_owned(), None), ("slope".to_owned(), Some(1))]
    }

    /// At any times the slope is a Wiener process, and the level its integral and a Wiener process.
    fn step<R: Real>(&self, values: &[R], timing: Timing, (_, dt): (f64, f64), mut to: Blocks<'_, R>) {
        to.transition.set(0, 0, R::constant(1.0));
        to.transition.set(0, 1, R::constant(dt));
        to.transition.set(1, 1, R::constant(1.0));
        let (level, slope) = (values[0], values[1]);
        to.noise.set(1, 1, slope * dt);
        if timing == Timing::Regular {
            to.noise.set(0, 0, level * dt);
        } else {
            to.noise.set(0, 0, level * dt + slope * (dt * dt * dt / 3.0));
            to.noise.set_both(0, 1, slope * (dt * dt / 2.0));
        }
    }
}

impl Part for DampedTrend {
    fn name(&self) -> &'static str {
        "trend"
    }

    fn parameters(&self) -> Vec<(String, ParameterScale)> {
        let mut parameters = Trend.parameters();
        parameters.push(("damping".to_owned(), self.damping));
        parameters
    }

    fn states(&self, _: Timing) -> usize {
        2
    }

    fn signals(&self, states: usize) -> Vec<(String, Option<usize>)> {
        Trend.signals(states)
    }

    fn check(&self, timing: Timing) -> Result<(), ParamError> {
        timing.only_regular(
            "states of a damped trend",
            2,
            "of a trend without damping: it needs regular steps",
        )
    }

    fn step<R: Real>(&self, values: &[R], _: Timing, _: (f64, f64), mut to: Blocks<'_, R>) {
        to.transition.set(0, 0, R::constant(1.0));
        to.transition.set(0, 1, R::constant(1.0));
        to.transition.set(1, 1, values[2]);
        to.noise.set(0, 0, values[0]);
        to.noise.set(1, 1, values[1]);
    }
}
