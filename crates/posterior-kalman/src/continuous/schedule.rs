//! A process at given times as a state-space model: equal steps are stored once.

use posterior_math::check::{self, ParamError};
use posterior_math::linalg::DMatrix;

use super::Process;
use super::block::Block;
use crate::error::size;
use crate::{Error, Initial, Matrices, ObservationEquation, StateSpace, TransitionEquation};

/// Which step leads from each time to the next.
enum Steps {
    /// All are of this length.
    Same(f64),
    /// Step t is `lengths[which[t]]`.
    Few { lengths: Vec<f64>, which: Vec<u32> },
    /// Hardly two are alike.
    Each,
}

impl Process {
    /// The model of y(t) = f(t) + noise at these times, which must not decrease; the variance of the noise is the same for all, or given for
    /// each.
    ///
    /// Times may be equal: a step of length 0 changes nothing. Steps of equal length are stored once; times that are a grid up to
    /// the rounding of the times themselves have one step, and then the model goes on after the last of them.
    ///
    /// # Cost
    /// n² numbers three times for each step that is not equal to another.
    ///
    /// # Errors
    /// If a time is not finite, before the [`origin`](Process::origin) of the process, or before its predecessor; if there is not one
    /// variance for all or for each, or one is negative or not finite; if the matrices of a step are beyond the range of f64.
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
        check_times(times, self.origin())?;
        let steps = if self.has_even_steps() { steps(times) } else { Steps::Each };
        let of_length = |length: f64| self.step(0.0, length);
        match steps {
            Steps::Same(length) => {
                let step = of_length(length);
                TransitionEquation::constant(&step.transition, &step.noise)
            }
            Steps::Few { lengths, which } => {
                let (transitions, noises): (Vec<_>, Vec<_>) = lengths
                    .iter()
                    .map(|&length| {
                        let step = of_length(length);
                        (step.transition, step.noise)
                    })
                    .unzip();
                TransitionEquation::varying(
                    Matrices::indexed(&transitions, which.clone())?,
                    Matrices::indexed(&noises, which)?,
                )
            }
            Steps::Each => self.varying(times),
        }
    }

    /// One step after the other, without memory of its own for each.
    fn varying(&self, times: &[f64]) -> Result<TransitionEquation, Error> {
        let n = self.states();
        let each = n * n;
        let steps = times.len().saturating_sub(1);
        if steps == 0 {
            let stay = self.step(times.first().copied().unwrap_or(0.0), 0.0);
            return TransitionEquation::constant(&stay.transition, &stay.noise);
        }
        let parameters: Vec<f64> = self.expression.constants();
        let (mut transitions, mut noises) = (vec![0.0; each * steps], vec![0.0; each * steps]);
        let places = transitions.chunks_exact_mut(each).zip(noises.chunks_exact_mut(each));
        for (times, (transition, noise)) in times.windows(2).zip(places) {
            self.expression.step(
                &mut &parameters[..],
                (times[0], times[1] - times[0]),
                &mut Block::whole(transition, n),
                &mut Block::whole(noise, n),
            );
        }
        TransitionEquation::varying(
            Matrices::from_entries(n, n, transitions)?,
            Matrices::from_entries(n, n, noises)?,
        )
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
    size("variances of the noise, one for all times or one for each", times, noise.len())?;
    Matrices::from_entries(1, 1, noise.to_vec())
}

/// What steps the times have.
fn steps(times: &[f64]) -> Steps {
    let [first, .., last] = times else { return Steps::Same(0.0) };
    let count = (times.len() - 1) as f64;
    let length = (last - first) / count;
    let rounding = 2.0 * f64::EPSILON * first.abs().max(last.abs());
    let on_grid = |(i, time): (usize, &f64)| (time - (first + i as f64 * length)).abs() <= rounding;
    if times.iter().enumerate().all(on_grid) {
        return Steps::Same(length);
    }
    let between: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let mut lengths = between.clone();
    lengths.sort_unstable_by(f64::total_cmp);
    lengths.dedup();
    if 2 * lengths.len() > between.len() {
        return Steps::Each;
    }
    let which = between.iter().map(|length| lengths.partition_point(|other| other < length) as u32).collect();
    Steps::Few { lengths, which }
}
