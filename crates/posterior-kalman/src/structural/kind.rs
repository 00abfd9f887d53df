//! Any component of a series.

use std::ops::Deref;

use posterior_math::autodiff::Real;

use super::arma::Arma;
use super::cycle::Cycle;
use super::markov::Markov;
use super::part::{Blocks, Part, Start, Timing};
use super::regression::Regression;
use super::seasonal::{Dummies, Waves};
use super::trend::{DampedTrend, Level, Trend};
use crate::continuous::block::Block;

/// Any component.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    Level(Level),
    Trend(Trend),
    DampedTrend(DampedTrend),
    Dummies(Dummies),
    Waves(Waves),
    Cycle(Cycle),
    Arma(Arma),
    Regression(Regression),
    Markov(Markov),
}

impl Deref for Kind {
    type Target = dyn Part;

    fn deref(&self) -> &(dyn Part + 'static) {
        match self {
            Self::Level(part) => part,
            Self::Trend(part) => part,
            Self::DampedTrend(part) => part,
            Self::Dummies(part) => part,
            Self::Waves(part) => part,
            Self::Cycle(part) => part,
            Self::Arma(part) => part,
            Self::Regression(part) => part,
            Self::Markov(part) => part,
        }
    }
}

impl Kind {
    /// As [`Part::step`].
    pub(super) fn step<R: Real>(&self, values: &[R], timing: Timing, step: (f64, f64), to: Blocks<'_, R>) {
        match self {
            Self::Level(part) => part.step(values, timing, step, to),
            Self::Trend(part) => part.step(values, timing, step, to),
            Self::DampedTrend(part) => part.step(values, timing, step, to),
            Self::Dummies(part) => part.step(values, timing, step, to),
            Self::Waves(part) => part.step(values, timing, step, to),
            Self::Cycle(part) => part.step(values, timing, step, to),
            Self::Arma(part) => part.step(values, timing, step, to),
            Self::Regression(part) => part.step(values, timing, step, to),
            Self::Markov(part) => part.step(values, timing, step, to),
        }
    }

    /// As [`Part::start`].
    pub(super) fn start<R: Real>(&self, values: &[R], time: f64, covariance: Block<'_, R>) -> Start {
        match self {
            Self::Level(part) => part.start(values, time, covariance),
            Self::Trend(part) => part.start(values, time, covariance),
            Self::DampedTrend(part) => part.start(values, time, covariance),
            Self::Dummies(part) => part.start(values, time, covariance),
            Self::Waves(part) => part.start(values, time, covariance),
            Self::Cycle(part) => part.start(values, time, covariance),
            Self::Arma(part) => part.start(values, time, covariance),
            Self::Regression(part) => part.start(values, time, covariance),
            Self::Markov(part) => part.start(values, time, covariance),
        }
    }
}
