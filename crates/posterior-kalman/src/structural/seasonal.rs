//! Seasons: patterns that repeat and change slowly.

use std::f64::consts::TAU;

use posterior_math::autodiff::Real;
use posterior_math::check::ParamError;

use super::part::{Blocks, Part, Timing};
use crate::learning::ParameterScale;

/// γ(t+1) = -γ(t) - … - γ(t-P+2) + ω(t): any P seasons in a row add up to noise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Dummies {
    pub(super) period: usize,
}

/// Waves of the period and its harmonics, each of which turns and wanders.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Waves {
    pub(super) period: f64,
    pub(super) harmonics: usize,
}

impl Part for Dummies {
    fn name(&self) -> &'static str {
        "seasonal"
    }

    fn parameters(&self) -> Vec<(String, ParameterScale)> {
        vec![("variance".to_owned(), ParameterScale::Positive)]
    }

    fn states(&self, _: Timing) -> usize {
        self.period - 1
    }

    fn check(&self, timing: Timing) -> Result<(), ParamError> {
        let requirement = "of a trigonometric season: one by dummies needs regular steps";
        timing.only_regular("seasonal period", self.period, requirement)
    }

    fn step<R: Real>(&self, values: &[R], _: Timing, _: (f64, f64), mut to: Blocks<'_, R>) {
        for j in 0..self.period - 1 {
            to.transition.set(0, j, R::constant(-1.0));
        }
        for j in 1..self.period - 1 {
            to.transition.set(j, j - 1, R::constant(1.0));
        }
        to.noise.set(0, 0, values[0]);
    }
}

impl Waves {
    /// Whether the last wave goes up and down from one step to the next: its sine is then always zero.
    fn alternates(&self, timing: Timing) -> bool {
        timing == Timing::Regular && 2.0 * self.harmonics as f64 == self.period
    }
}

impl Part for Waves {
    fn name(&self) -> &'static str {
        "seasonal"
    }

    fn parameters(&self) -> Vec<(String, ParameterScale)> {
        vec![("variance".to_owned(), ParameterScale::Positive)]
    }

    fn states(&self, timing: Timing) -> usize {
        2 * self.harmonics - usize::from(self.alternates(timing))
    }

    fn write_row(&self, _: usize, row: &mut [f64]) {
        for cosine in row.iter_mut().step_by(2) {
            *cosine = 1.0;
        }
    }

    fn step<R: Real>(&self, values: &[R], timing: Timing, (_, dt): (f64, f64), mut to: Blocks<'_, R>) {
        for harmonic in 1..=self.harmonics {
            let first = 2 * (harmonic - 1);
            to.noise.set(first, first, values[0] * dt);
            if harmonic == self.harmonics && self.alternates(timing) {
                to.transition.set(first, first, R::constant(-1.0));
                continue;
            }
            let turns = (harmonic as f64 * dt / self.period).fract();
            let (sin, cos) = (TAU * turns).sin_cos();
            to.transition.set(first, first, R::constant(cos));
            to.transition.set(first + 1, first + 1, R::constant(cos));
            to.transition.set(first, first + 1, R::constant(sin));
            to.transition.set(first + 1, first, R::constant(-sin));
            to.noise.set(first + 1, first + 1, values[0] * dt);
        }
    }
}
