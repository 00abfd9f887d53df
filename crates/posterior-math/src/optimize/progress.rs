//! What all minimisers do between steps: the trace, the observer, the limit.

use std::time::Instant;

use crate::iteration::{Observer, Report, Step, Stop};

/// A run under way.
pub(super) struct Progress<'a, O: Observer + ?Sized> {
    trace: Vec<f64>,
    start: Instant,
    max_iterations: usize,
    observer: &'a mut O,
}

impl<'a, O: Observer + ?Sized> Progress<'a, O> {
    /// A run that begins at `objective`.
    pub(super) fn new(objective: f64, max_iterations: usize, observer: &'a mut O) -> Self {
        Self { trace: vec![objective], start: Instant::now(), max_iterations, observer }
    }

    /// Whether another step may be taken.
    pub(super) fn exhausted(&self) -> bool {
        self.trace.len() > self.max_iterations
    }

    /// Notes a step; whether the observer stops the run.
    pub(super) fn stopped_after(&mut self, objective: f64) -> bool {
        let step = Step::new(self.trace.len(), objective, self.start.elapsed());
        self.trace.push(objective);
        self.observer.step(&step).is_break()
    }

    /// The report of the run.
    pub(super) fn finish(self, stop: Stop) -> Report {
        Report::new(self.trace, stop)
    }
}
