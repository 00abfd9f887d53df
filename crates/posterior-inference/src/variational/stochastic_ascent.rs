//! Stochastic variational inference: natural gradients of parts of the data.

use posterior_math::iteration::{Fitted, Observer, Progress, Stop};
use posterior_math::optimize::StepSchedule;

/// A model of data in batches, with factors of the parameters that all batches share.
pub trait StochasticAscent {
    /// The factors of the shared parameters.
    type State;

    /// Why a step may fail.
    type Error;

    /// The number of batches.
    fn batches(&self) -> usize;

    /// Optimises the factors of what is hidden in a batch (from 0), moves the shared factors by `rate`
    /// towards what they would be if all data were like the batch, and returns an estimate of the bound
    /// before the move.
    ///
    /// [`ConjugateFactor::step`](super::ConjugateFactor::step) is such a move.
    ///
    /// # Errors
    /// If the data do not fit the model, or numbers leave the range of f64.
    fn step(&self, state: &mut Self::State, batch: usize, rate: f64) -> Result<f64, Self::Error>;
}

/// How to run stochastic variational inference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StochasticAscentOptions {
    /// The rates ρₜ in [0, 1] of steps t = 0, 1, …: (1 + t)^-0.6 by default. A power above ½ and up to 1 is
    /// needed for convergence (Robbins and Monro 1951).
    pub schedule: StepSchedule,
    /// The number of batches that are taken, in a circle. 1000 by default.
    pub max_iterations: usize,
}

impl Default for StochasticAscentOptions {
    fn default() -> Self {
        Self { schedule: StepSchedule::Power { initial: 1.0, delay: 1.0, power: 0.6 }, max_iterations: 1000 }
    }
}

/// Moves the shared factors from `start` by one batch after the other (Hoffman, Blei, Wang and Paisley 2013).
///
/// Batches come in a circle, so that data in a meaningful order are to be shuffled before. The trace holds
/// the estimates of the bound that the steps return (none for the start, which has no estimate of its own):
/// it goes up and down. The usual end is [`Stop::MaxIterations`]. Without batches nothing moves.
///
/// # Errors
/// Those of the model.
pub fn stochastic_ascent<M: StochasticAscent + ?Sized>(
    model: &M,
    start: M::State,
    options: &StochasticAscentOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<M::State>, M::Error> {
    let mut state = start;
    let batches = model.batches();
    let limit = if batches == 0 { 0 } else { options.max_iterations };
    let mut progress = Progress::new(f64::NAN, limit, observer);
    let stop = loop {
        if progress.exhausted() {
            break Stop::MaxIterations;
        }
        let t = progress.iterations();
        let bound = model.step(&mut state, t % batches, options.schedule.length(t))?;
        if progress.stopped_after(bound) {
            break Stop::Observer;
        }
        if !bound.is_finite() {
            break Stop::Stalled;
        }
    };
    Ok(Fitted { model: state, report: progress.finish(stop) })
}
