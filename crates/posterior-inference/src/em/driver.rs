//! The loop of EM.

use posterior_math::iteration::{Fitted, Observer, Stop};

use super::climb::Place;
use super::options::EmOptions;
use super::problem::Problem;
use crate::ascent::Ascent;

/// Fits a model by EM from `start`.
///
/// One step is an M step and the E step that tells its objective ln p(x | θ) + ln p(θ); the last entry of the
/// trace is that of the returned model. An objective that falls by more than rounding (10^-10 of it) is no
/// error: the run goes on, and [`Report::falls`](posterior_math::iteration::Report::falls) says at which
/// step, and by how much. Where the objective is NaN or infinite (a likelihood without bound), the run is
/// [`Stop::Stalled`] with the model before.
///
/// # Errors
/// Those of the problem's steps.
pub fn expectation_maximization<P: Problem + ?Sized>(
    problem: &P,
    start: P::Model,
    options: &EmOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<P::Model>, P::Error> {
    let mut place = Place::at(problem, start)?;
    let mut ascent = Ascent::new(place.objective, options.max_iterations, observer);
    let stop = loop {
        if let Some(stop) = ascent.barred() {
            break stop;
        }
        let next = place.next(problem)?;
        if !next.objective.is_finite() {
            break Stop::Stalled;
        }
        place = next;
        if let Some(stop) = ascent.reached(place.objective, options.tolerance) {
            break stop;
        }
    };
    Ok(Fitted { model: place.model, report: ascent.finish(stop) })
}
