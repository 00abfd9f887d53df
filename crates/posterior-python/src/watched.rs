//! Fits without the lock of the interpreter, that Ctrl-C stops.

use std::fmt::Display;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
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
    match (signals.seen, outcome) {
        (Some(error), _) => Err(error),
        (None, Ok(outcome)) => outcome.map_err(invalid),
        (None, Err(_)) => Err(PyRuntimeError::new_err("posterior_rs has a bug: please report what led here")),
    }
}

/// A refusal of the library.
pub(crate) fn invalid(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}
