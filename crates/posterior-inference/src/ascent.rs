//! The bookkeeping of a fit whose objective never falls.

use posterior_math::iteration::{Fall, Observer, Progress, Report, Stop};

/// What of a fall is rounding, as a proportion of max(1, |objective|).
const ROUNDING: f64 = 1e-10;

/// A run that climbs.
pub(crate) struct Ascent<'a, O: Observer + ?Sized> {
    progress: Progress<'a, O>,
    objective: f64,
    falls: Vec<Fall>,
}

impl<'a, O: Observer + ?Sized> Ascent<'a, O> {
    /// A run that begins at `objective`.
    pub(crate) fn new(objective: f64, max_iterations: usize, observer: &'a mut O) -> Self {
        Self { progress: Progress::new(objective, max_iterations, observer), objective, falls: Vec::new() }
    }

    /// Why no further step may be taken, if so.
    pub(crate) fn barred(&self) -> Option<Stop> {
        if !self.objective.is_finite() {
            Some(Stop::Stalled)
        } else if self.progress.exhausted() {
            Some(Stop::MaxIterations)
        } else {
            None
        }
    }

    /// Notes a step that ended at `objective`, and a fall if it was one; whether the run is over because it
    /// changed the objective by no more than `tolerance` of it, or because the observer stops it.
    pub(crate) fn reached(&mut self, objective: f64, tolerance: f64) -> Option<Stop> {
        let change = (objective - self.objective).abs();
        let converged = change <= tolerance * objective.abs().max(1.0);
        self.passed(objective).or(converged.then_some(Stop::Converged))
    }

    /// Notes a step after which the run goes on, unless the observer stops it.
    pub(crate) fn passed(&mut self, objective: f64) -> Option<Stop> {
        let at = self.progress.iterations() + 1;
        let noted = self.falls.last().is_some_and(|fall| fall.iteration == at);
        if let Some(drop) = fall(self.objective, objective).filter(|_| !noted) {
            self.falls.push(Fall::new(at, drop));
        }
        self.objective = objective;
        self.progress.stopped_after(objective).then_some(Stop::Observer)
    }

    /// Notes falls that were seen within a step.
    pub(crate) fn note(&mut self, falls: impl IntoIterator<Item = Fall>) {
        self.falls.extend(falls);
    }

    /// The number of steps so far.
    pub(crate) fn iterations(&self) -> usize {
        self.progress.iterations()
    }

    /// The report of the run.
    pub(crate) fn finish(self, stop: Stop) -> Report {
        Report { falls: self.falls, ..self.progress.finish(stop) }
    }
}

/// By how much an objective fell from `before` to `after`, if by more than rounding; NaN is a fall too.
pub(crate) fn fall(before: f64, after: f64) -> Option<f64> {
    let drop = before - after;
    (!(drop <= ROUNDING * before.abs().max(1.0))).then_some(drop)
}
