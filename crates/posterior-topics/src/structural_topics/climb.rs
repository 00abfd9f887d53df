//! Steps of expectation maximisation that are extrapolated, to where they end.
//!
//! Words are taken at the modes of log-ratios, so that steps do not climb the approximation of ln p(words)
//! to its top: they pass it and end nearby, where the words and the spread of log-ratios are nearer to the
//! truth. What is made small is the length of a step. Where much is hidden steps creep, and two of them
//! tell in which direction and how fast they shrink (scheme S3 of Varadhan and Roland 2008).
//!
//! # References
//! R. Varadhan, C. Roland, Simple and globally convergent methods for accelerating the convergence of any EM
//! algorithm, Scandinavian Journal of Statistics 35, 2008.

use posterior_inference::em::{Expected, Problem as _};
use posterior_math::iteration::{Fitted, Observer, Progress, Stop};
use posterior_math::vector::dot;

use super::expectation::{State, StructuralProblem};
use super::options::StructuralTopicsOptions;
use crate::Error;

/// By what a step may be longer than the one that it was extrapolated from.
const LONGER: f64 = 2.0;

/// The longest extrapolation at first, in steps, and by what it grows where one succeeds.
const FIRST: f64 = 4.0;
const GROWTH: f64 = 2.0;

/// Steps until one is at most `tolerance` long, as a part of where it begins.
pub(super) fn climb(
    problem: &StructuralProblem<'_>,
    start: State,
    options: &StructuralTopicsOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<State>, Error> {
    let objective = |state: &State, expected: f64| expected + problem.ln_prior(state);
    let mut place = start;
    let Expected { mut statistics, ln_likelihood } = problem.e_step(&place)?;
    let first = objective(&place, ln_likelihood);
    let mut progress = Progress::new(first, options.max_iterations, observer);
    // Where the last two steps began, and where to go back to.
    let mut before: Vec<(State, Vec<f64>)> = Vec::new();
    let (mut farthest, mut fallback) = (FIRST, None::<(State, f64)>);
    let stop = loop {
        if progress.exhausted() {
            break Stop::MaxIterations;
        }
        let coordinates = place.coordinates();
        let mut next = problem.m_step(&statistics, &place)?;
        let step = difference(&next.coordinates(), &coordinates);
        let length = dot(&step, &step).sqrt();
        if length <= options.tolerance * dot(&coordinates, &coordinates).sqrt().max(1.0) {
            break Stop::Converged;
        }
        let astray = fallback.as_ref().is_some_and(|(_, shorter)| length > LONGER * shorter);
        match fallback.take() {
            Some((last, _)) if astray => (next, farthest) = (last, (farthest / GROWTH).max(GROWTH)),
            Some(_) => farthest *= GROWTH,
            None => {}
        }
        if !astray {
            before.push((place, step));
        }
        if let [(from, first), (_, second)] = &before[..] {
            if let Some(state) = extrapolated(from, [first, second], farthest) {
                fallback = Some((next, length));
                next = state;
            }
            before.clear();
        }
        let expected = problem.e_step(&next)?;
        let value = objective(&next, expected.ln_likelihood);
        (place, statistics) = (next, expected.statistics);
        if progress.stopped_after(value) {
            break Stop::Observer;
        }
    };
    Ok(Fitted { model: place, report: progress.finish(stop) })
}

/// Where steps that begin at a state lead, by the first two; at most so many steps ahead of it. `None` where
/// that is no further than they went.
fn extrapolated(from: &State, [first, second]: [&[f64]; 2], farthest: f64) -> Option<State> {
    let change = difference(second, first);
    let steps = (dot(first, first) / dot(&change, &change)).sqrt().min(farthest);
    let begin = from.coordinates();
    let ahead =
        begin.iter().zip(first).zip(&change).map(|((x, r), v)| x + 2.0 * steps * r + steps * steps * v);
    if steps > 1.0 { from.at_coordinates(&ahead.collect::<Vec<_>>()) } else { None }
}

fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}
