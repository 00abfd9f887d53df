//! Fits without the lock of the interpreter, that Ctrl-C stops.

use std::fmt::Display;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use posterior_math::iteration::{Observer, Step};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

/// How often Python is asked for signals.
const PATIENCE: Duration = Duration::from_millis(100);

/// A look for signals between the steps of a fit.
#[derive(Debug)]
pub(crate) struct Signals {
    looked: Instant,
    seen: Option<PyErr>,
}

impl Observer for Signals {
    fn step(&mut self, _: &Step) -> ControlFlow<()> {
        if self.looked.elapsed() < PATIENCE {
            return ControlFlow::Continue(());
        }
        self.looked = Instant::now();
        self.seen = Python::attach(|py| py.check_signals().err());
        if self.seen.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Runs a fit without the lock.
///
/// A refusal is a `ValueError`, a signal what Python makes of it, and a panic, which is a bug, a
/// `RuntimeError` that asks for a report.
pub(crate) fn watched<T: Send, E: Display + Send>(
    py: Python<'_>,
    fit: impl FnOnce(&mut Signals) -> Result<T, E> + Send,
) -> PyResult<T> {
    let mut signals = Signals { looked: Instant::now(), seen: None };
    // What was half done is dropped with the closure, and nobody sees it.
    let outcome = py.detach(|| catch_unwind(AssertUnwindSafe(|| fit(&mut signals))));
    ended(signals.seen, outcome)
}

/// What Python is given: the outcome, unless there was a signal or a panic.
fn ended<T, E: Display>(seen: Option<PyErr>, outcome: thread::Result<Result<T, E>>) -> PyResult<T> {
    match (seen, outcome) {
        (Some(error), _) => Err(error),
        (None, Ok(outcome)) => outcome.map_err(invalid),
        (None, Err(_)) => Err(PyRuntimeError::new_err("posterior_rs has a bug: please report what led here")),
    }
}

/// Whether work on other threads is to end.
#[derive(Debug, Default)]
pub(crate) struct Interrupt(AtomicBool);

impl Interrupt {
    /// Whether there was a signal.
    pub(crate) fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Runs work on another thread while this one, to which signals come, looks for them; the work is to look
/// whether it was interrupted, and to end with any error then. Else as [`watched`].
pub(crate) fn interruptible<T: Send, E: Display + Send>(
    py: Python<'_>,
    work: impl FnOnce(&Interrupt) -> Result<T, E> + Send,
) -> PyResult<T> {
    let interrupt = Interrupt::default();
    let (seen, outcome) = py.detach(|| {
        thread::scope(|scope| {
            let (running, gone) = mpsc::channel::<()>();
            let worker = scope.spawn(|| {
                // Dropped at the end, by a panic too.
                let _running = running;
                work(&interrupt)
            });
            let mut seen = None;
            while gone.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                seen = seen.or_else(|| Python::attach(|py| py.check_signals().err()));
                interrupt.0.store(seen.is_some(), Ordering::Relaxed);
            }
            (seen, worker.join())
        })
    });
    ended(seen, outcome)
}

/// A refusal of the library.
pub(crate) fn invalid(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}
