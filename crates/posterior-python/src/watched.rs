//! Work without the lock of the interpreter: on this thread, or on another one while this one, to which
//! signals come, looks for Ctrl-C and shows how far the work is.

mod listener;
mod threads;

use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

pub(crate) use listener::{Listener, Signals};
pub(crate) use threads::pool;

use listener::Watch;

/// How often Python is asked for signals.
const PATIENCE: Duration = Duration::from_millis(100);

/// Runs what takes milliseconds, on this thread.
///
/// A refusal is a `ValueError`, and a panic, which is a bug, a `RuntimeError` that asks for a report.
pub(crate) fn direct<T: Send, E: Display + Send>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, E> + Send,
) -> PyResult<T> {
    // What was half done is dropped with the closure, and nobody sees it.
    ended(py.detach(|| catch_unwind(AssertUnwindSafe(work))))
}

/// Runs a fit that asks at each step whether it is to end, and then ends with anything. Else as [`direct`].
pub(crate) fn watched<T: Send, E: Display + Send>(
    py: Python<'_>,
    fit: impl FnOnce(&mut Signals) -> Result<T, E> + Send,
) -> PyResult<T> {
    heard(py, &Listener::default(), fit)
}

/// As [`watched`], with somebody who listens.
pub(crate) fn heard<T: Send, E: Display + Send>(
    py: Python<'_>,
    listener: &Listener,
    fit: impl FnOnce(&mut Signals) -> Result<T, E> + Send,
) -> PyResult<T> {
    let watch = Arc::new(Watch::new(listener));
    let (seen, outcome) = py.detach(|| {
        thread::scope(|scope| {
            let (running, gone) = mpsc::channel::<()>();
            let worker = scope.spawn(|| {
                // Dropped at the end, by a panic too.
                let _running = running;
                fit(&mut Signals::new(Arc::clone(&watch)))
            });
            let mut seen = None;
            while gone.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                seen = seen.or_else(|| watch.tell(listener).err());
                if seen.is_some() {
                    watch.ask();
                }
            }
            let last = watch.tell_last(listener).err();
            (seen.or(last), worker.join())
        })
    });
    seen.map_or_else(|| ended(outcome), Err)
}

/// Runs work with long steps, or none to ask at, on a thread that a signal leaves behind: it ends with its
/// step or all of its work, and nobody hears of it then. Else as [`direct`].
pub(crate) fn left_behind<T: Send + 'static, E: Display + Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&mut Signals) -> Result<T, E> + Send + 'static,
) -> PyResult<T> {
    let (sender, receiver) = mpsc::channel();
    let watch = Arc::new(Watch::new(&Listener::default()));
    let mut signals = Signals::new(Arc::clone(&watch));
    let run = move || {
        let outcome = catch_unwind(AssertUnwindSafe(|| work(&mut signals)));
        // Where nobody waits any more, there is nobody to be sent to.
        drop(sender.send(outcome));
    };
    thread::Builder::new().spawn(run).map_err(|error| PyOSError::new_err(error.to_string()))?;
    py.detach(move || {
        loop {
            match receiver.recv_timeout(PATIENCE) {
                Ok(outcome) => return ended(outcome),
                Err(RecvTimeoutError::Timeout) => {
                    Python::attach(|py| py.check_signals().inspect_err(|_| watch.ask()))?;
                }
                Err(RecvTimeoutError::Disconnected) => return Err(bug()),
            }
        }
    })
}

/// What Python is given: the outcome, unless there was a panic.
fn ended<T, E: Display>(outcome: thread::Result<Result<T, E>>) -> PyResult<T> {
    outcome.map_or_else(|_| Err(bug()), |outcome| outcome.map_err(invalid))
}

fn bug() -> PyErr {
    PyRuntimeError::new_err("posterior_rs has a bug: please report what led here")
}

/// A refusal of the library.
pub(crate) fn invalid(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}
