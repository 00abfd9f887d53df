//! A process at given times as a state-space model: equal steps are stored once.

use posterior_math::check::{self, ParamError};
use posterior_math::linalg::DMatrix;

use super::Process;
use super::block::Block;
use crate::{Error, Initial, Matrices, ObservationEquation, StateSpace, TransitionEquation};

/// Enough steps to see whether many are of the same length.
const SOME_STEPS: usize = 4096;

/// The steps between times, each stored once.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Schedule {
    /// Where each stored step starts, and its length.
    stored: Vec<(f64, f64)>,
    /// Which of them leads from each time to the next.
    which: Which,
}

#[derive(Debug, Clone, PartialEq)]
enum Which {
    /// The only one, also after the last time.
    Same,
    /// One after the other.
    Each,
    /// The one of this number.
    Indexed(Vec<u32>),
}

impl Schedule {
    /// Steps of length one, without end.
    pub(crate) fn regular() -> Self {
        Self { stored: vec![(0.0, 1.0)], which: Which::Same }
    }

    /// The steps between times that do not decrease, from `origin` on. If steps of one length are not alike,
    /// each is stored.
    pub(crate) fn new(times: &[f64], origin: f64, has_even_steps: Even) -> Result<Self, ParamError> {
        check_times(times, origin)?;
        let stay = (times.first().copied().unwrap_or(0.0), 0.0);
        if times.len() < 2 {
            return Ok(Self { stored: vec![stay], which: Which::Same });
        }
        let each = || times.windows(2).map(|pair| (pair[0], pair[1] - pair[0])).collect();
        if has_even_steps == Even::No {
            return Ok(Self { stored: each(), which: Which::Each });
        }
        if let Some(length) = grid(times) {
            return Ok(Self { stored: vec![(times[0], length)], which: Which::Same });
        }
        let all: Vec<(f64, f64)> = each();
        let lengths = |steps: &[(f64, f64)]| {
            let mut different = steps.to_vec();
            different.sort_by(|a, b| a.1.total_cmp(&b.1));
            different.dedup_by(|a, b| a.1 == b.1);
            different
        };
        // Of very many steps, some tell whether it is worth the while to sort all.
        let some = &all[..all.len().min(SOME_STEPS)];
        let stored = if 2 * lengths(some).len() > some.len() { all.clone() } else { lengths(&all) };
        if 2 * stored.len() > all.len() {
            return Ok(Self { stored: all, which: Which::Each });
        }
        let number = |step: &(f64, f64)| stored.partition_point(|other| other.1 < step.1) as u32;
        let which = all.iter().map(number).collect();
        Ok(Self { stored, which: Which::Indexed(which) })
    }

    /// Where each stored step starts, and its length.
    pub(crate) fn steps(&self) -> &[(f64, f64)] {
        &self.stored
    }

    /// A square matrix of n rows for each step, from the entries of those that are stored.
    pub(crate) fn matrices(&self, n: usize, entries: Vec<f64>) -> Result<Matrices, Error> {
        let matrix = |entries: &[f64]| DMatrix::from_column_slice(n, n, entries);
        match &self.which {
            Which::Same => Ok(Matrices::constant(&matrix(&entries))),
            Which::Each => Matrices::from_entries(n, n, entries),
            Which::Indexed(which) => {
                let matrices: Vec<_> = entries.chunks_exact(n * n).map(matrix).collect();
                Matrices::indexed(&matrices, which.clone())
            }
        }
    }
}

/// Whether steps of one length are alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Even {
    Yes,
    No,
}

impl Process {
    /// The model of y(t) = f(t) + noise at these times, which must not decrease; the variance of the noise is
    /// the same for all, or given for each.
    ///
    /// Times may be equal: a step of length 0 changes nothing. Steps of equal length are stored once; times
    /// that are a grid up to the rounding of the times themselves have one step, and then the model goes on
    /// after the last of them.
    ///
    /// # Cost
    /// n² numbers three times for each step that is not equal to another.
    ///
    /// # Errors
    /// If a time is not finite, before the [`origin`](Process::origin) of the process, or before its
    /// predecessor; if there is not one variance for all or for each, or one is negative or not finite; if
    /// the matrices of a step are beyond the range of f64.
    pub fn state_space(&self, times: &[f64], noise: &[f64]) -> Result<StateSpace, Error> {
        let transition = self.transition_equation(times)?;
        let row = DMatrix::from_row_slice(1, self.states(), &self.observation());
        let observation =
            ObservationEquation::varying(Matrices::constant(&row), noises(noise, times.len())?)?;
        let start = times.first().copied().unwrap_or_else(|| self.origin().max(0.0));
        let initial = Initial::known(&vec![0.0; self.states()], &self.covariance(start))?;
        StateSpace::new(transition, observation, initial)
    }

    /// How the state moves from each of these times to the next.
    ///
    /// # Errors
    /// As [`state_space`](Self::state_space), as far as the times are concerned.
    pub fn transition_equation(&self, times: &[f64]) -> Result<TransitionEquation, Error> {
        let even = if self.has_even_steps() { Even::Yes } else { Even::No };
        let schedule = Schedule::new(times, self.origin(), even)?;
        let n = self.states();
        let count = n * n * schedule.steps().len();
        let parameters: Vec<f64> = self.expression.constants();
        let (mut transitions, mut noises) = (vec![0.0; count], vec![0.0; count]);
        let places = transitions.chunks_exact_mut(n * n).zip(noises.chunks_exact_mut(n * n));
        for (&step, (transition, noise)) in schedule.steps().iter().zip(places) {
            let (a, q) = (&mut Block::whole(transition, n), &mut Block::whole(noise, n));
            self.expression.step(&mut &parameters[..], step, a, q);
        }
        TransitionEquation::varying(schedule.matrices(n, transitions)?, schedule.matrices(n, noises)?)
    }
}

fn check_times(times: &[f64], origin: f64) -> Result<(), ParamError> {
    let mut before = origin;
    for (index, &time) in times.iter().enumerate() {
        check::finite("Process", "times", time).map_err(|error| error.at(index))?;
        let requirement = if index == 0 { "at or after the origin of the process" } else { "in order" };
        check::require(time >= before, "Process", "times", time, requirement)
            .map_err(|error| error.at(index))?;
        before = time;
    }
    Ok(())
}

/// The variances of the noise of observations.
pub(super) fn noises(noise: &[f64], times: usize) -> Result<Matrices, Error> {
    for (index, &variance) in noise.iter().enumerate() {
        check::non_negative("Process", "noise", variance).map_err(|error| error.at(index))?;
    }
    if let [variance] = noise {
        return Ok(Matrices::constant(&DMatrix::from_element(1, 1, *variance)));
    }
    check::dimension("variances of the noise, one for all times or one for each", times, noise.len())?;
    Matrices::from_entries(1, 1, noise.to_vec())
}

/// The length of the steps of a grid, if these are its times up to their own rounding.
fn grid(times: &[f64]) -> Option<f64> {
    let (first, last) = (times[0], times[times.len() - 1]);
    let length = (last - first) / (times.len() - 1) as f64;
    let rounding = 2.0 * f64::EPSILON * first.abs().max(last.abs());
    let on_grid = |(i, time): (usize, &f64)| (time - (first + i as f64 * length)).abs() <= rounding;
    times.iter().enumerate().all(on_grid).then_some(length)
}
