//! What all iterative fits do between steps: the trace, the observer, the limit.

use std::fmt;
use std::time::Instant;

use super::{Observer, Report, Step, Stop};

/// A run under way: for whoever writes an iterative fit.
///
/// ```
/// use posterior_math::iteration::{Progress, Silent, Stop};
///
/// let (mut x, mut observer) = (1.0_f64, Silent);
/// let mut progress = Progress::new(x, 100, &mut observer);
/// let stop = loop {
///     if progress.exhausted() {
///         break Stop::MaxIterations;
///     }
///     let last = x;
///     x = x.cos();
///     if progress.stopped_after(x) {
///         break Stop::Observer;
///     }
///     if (x - last).abs() < 1e-10 {
///         break Stop::Converged;
///     }
/// };
/// assert!(progress.finish(stop).converged());
/// ```
pub struct Progress<'a, O: Observer + ?Sized> {
    trace: Vec<f64>,
    start: Instant,
    max_iterations: usize,
    observer: &'a mut O,
}

impl<'a, O: Observer + ?Sized> Progress<'a, O> {
    /// A run that begins at `objective` and takes at most `max_iterations` steps.
    pub fn new(objective: f64, max_iterations: usize, observer: &'a mut O) -> Self {
        Self { trace: vec![objective], start: Instant::now(), max_iterations, observer }
    }

    /// Whether no further step may be taken.
    pub const fn exhausted(&self) -> bool {
        self.trace.len() > self.max_iterations
    }

    /// The number of steps so far.
    pub const fn iterations(&self) -> usize {
        self.trace.len() - 1
    }

    /// Notes a step that ended at `objective`; whether the observer stops the run.
    pub fn stopped_after(&mut self, objective: f64) -> bool {
        let step = Step::new(self.trace.len(), objective, self.start.elapsed());
        self.trace.push(objective);
        self.observer.step(&step).is_break()
    }

    /// The report of the run.
    pub fn finish(self, stop: Stop) -> Report {
        Report::new(self.trace, stop)
    }
}

impl<O: Observer + ?Sized> fmt::Debug for Progress<'_, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { trace, start, max_iterations, observer: _ } = self;
        f.debug_struct("Progress")
            .field("trace", trace)
            .field("start", start)
            .field("max_iterations", max_iterations)
            .finish_non_exhaustive()
    }
}
