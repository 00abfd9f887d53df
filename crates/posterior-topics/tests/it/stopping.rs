//! An observer that stops a fit, and keeps its checkpoint where it has one; and fits that are refused.

use std::fmt::Debug;
use std::ops::ControlFlow;

use posterior_math::iteration::{Observer, Resumable, Step};
use posterior_topics::Error;

pub(crate) struct StopAfter {
    pub(crate) iteration: usize,
    /// The checkpoint, as its file would have it.
    pub(crate) file: Vec<u8>,
}

impl StopAfter {
    pub(crate) fn new(iteration: usize) -> Self {
        Self { iteration, file: Vec::new() }
    }
}

impl Observer for StopAfter {
    fn step(&mut self, step: &Step) -> ControlFlow<()> {
        if step.iteration < self.iteration { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn resumable_step(&mut self, step: &Step, fit: &dyn Resumable) -> ControlFlow<()> {
        if step.iteration == self.iteration {
            fit.write_checkpoint(&mut self.file).unwrap();
        }
        self.step(step)
    }
}

/// What a fit says of the parameter that it refuses.
pub(crate) fn refused_parameter<T: Debug>(fit: Result<T, Error>) -> String {
    match fit {
        Err(Error::Parameter(error)) => error.to_string(),
        other => unreachable!("{other:?}"),
    }
}
