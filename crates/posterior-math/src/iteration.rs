//! What iterative fits share: the steps that an observer sees, and the report of a finished run.
//!
//! Not to converge is not an error: the fit returns what it has, and the report says so.
//! [`Report::require_converged`] makes it an error where that is wanted.

mod progress;

pub use progress::Progress;

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::io;
use std::ops::ControlFlow;
use std::time::Duration;

/// One step of an iterative fit, as its observer sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Step {
    /// The number of the step, from 1.
    pub iteration: usize,
    /// The objective after the step.
    pub objective: f64,
    /// The time since the fit began.
    pub elapsed: Duration,
}

impl Step {
    /// Step `iteration` reached `objective` after `elapsed`.
    pub const fn new(iteration: usize, objective: f64, elapsed: Duration) -> Self {
        Self { iteration, objective, elapsed }
    }
}

/// Sees each step of a fit and may stop it: a progress bar, a checkpoint, early stopping.
///
/// Implemented by every `FnMut(&Step) -> ControlFlow<()>`.
pub trait Observer {
    /// Called after each step; `Break` ends the fit with [`Stop::Observer`].
    fn step(&mut self, step: &Step) -> ControlFlow<()>;

    /// Called instead of [`step`](Self::step) by fits that can be continued from a file, with what writes it.
    fn resumable_step(&mut self, step: &Step, _: &dyn Resumable) -> ControlFlow<()> {
        self.step(step)
    }
}

/// A fit between two steps that can go on from here later.
pub trait Resumable {
    /// Writes a checkpoint: all that it takes to continue the fit to the same bits.
    ///
    /// # Errors
    /// Those of `writer`.
    fn write_checkpoint(&self, writer: &mut dyn io::Write) -> io::Result<()>;
}

impl<F: FnMut(&Step) -> ControlFlow<()>> Observer for F {
    fn step(&mut self, step: &Step) -> ControlFlow<()> {
        self(step)
    }
}

/// The observer that does nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Silent;

impl Observer for Silent {
    fn step(&mut self, _: &Step) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Why a fit stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop {
    /// The tolerance was reached.
    Converged,
    /// The largest number of iterations was reached first.
    MaxIterations,
    /// No step improved the objective, before the tolerance was reached.
    Stalled,
    /// The observer stopped it.
    Observer,
}

/// How an iterative fit went.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The objective at the start and after each step.
    pub trace: Vec<f64>,
    /// Why the fit stopped.
    pub stop: Stop,
    /// Where an objective that should not fall fell: empty, unless a model breaks the promise of a method
    /// that climbs at every step, as EM does.
    pub falls: Vec<Fall>,
}

/// A step at which an objective fell that the method should never lower.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Fall {
    /// The number of the step, from 1.
    pub iteration: usize,
    /// The part of the step that did it, where the method knows it: the factor that was updated.
    pub part: Option<Cow<'static, str>>,
    /// By how much the objective fell.
    pub drop: f64,
}

impl Fall {
    /// Step `iteration` lowered the objective by `drop`.
    pub const fn new(iteration: usize, drop: f64) -> Self {
        Self { iteration, part: None, drop }
    }

    /// The same fall, of this part of the step.
    #[must_use]
    pub fn in_part(self, part: impl Into<Cow<'static, str>>) -> Self {
        Self { part: Some(part.into()), ..self }
    }
}

impl Report {
    /// The report of a run with these objectives, the starting point's first.
    pub const fn new(trace: Vec<f64>, stop: Stop) -> Self {
        Self { trace, stop, falls: Vec::new() }
    }

    /// The number of steps.
    pub fn iterations(&self) -> usize {
        self.trace.len().saturating_sub(1)
    }

    /// Whether the tolerance was reached.
    pub fn converged(&self) -> bool {
        self.stop == Stop::Converged
    }

    /// Makes a run that did not converge an error.
    ///
    /// # Errors
    /// If the fit stopped for another reason than convergence.
    pub fn require_converged(&self) -> Result<(), NotConverged> {
        if self.converged() {
            Ok(())
        } else {
            Err(NotConverged { iterations: self.iterations(), stop: self.stop })
        }
    }
}

/// A fitted model and how the fit went.
#[derive(Debug, Clone, PartialEq)]
pub struct Fitted<M> {
    /// The model.
    pub model: M,
    /// How the fit went.
    pub report: Report,
}

/// A fit that stopped before it converged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotConverged {
    iterations: usize,
    stop: Stop,
}

impl NotConverged {
    /// The number of steps taken.
    pub const fn iterations(&self) -> usize {
        self.iterations
    }

    /// Why the fit stopped.
    pub const fn stop(&self) -> Stop {
        self.stop
    }
}

impl fmt::Display for NotConverged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = match self.stop {
            Stop::Converged => "it converged",
            Stop::MaxIterations => "the limit was reached",
            Stop::Stalled => "no step improved the objective",
            Stop::Observer => "the observer stopped it",
        };
        write!(f, "not converged after {} iterations: {reason}", self.iterations)
    }
}

impl Error for NotConverged {}
