//! What Python hears of work on another thread, and what the work hears of Python.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use posterior_math::iteration::{Observer, Resumable, Step};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// How often a state is written down.
const EVERY: Duration = Duration::from_secs(10);

/// How long work has to come to the end of a step after a signal.
const GRACE: Duration = Duration::from_millis(100);

/// Functions of Python, and what was written down before.
#[derive(Debug, Default, FromPyObject)]
pub(crate) struct Listener {
    /// Takes the number of steps that are done, and the value of what climbs.
    progress: Option<Py<PyAny>>,
    /// Takes the state as bytes, from time to time and after a signal.
    checkpoint: Option<Py<PyAny>>,
    /// A state to go on from.
    pub(crate) resume: Option<Vec<u8>>,
}

/// What two threads have in common.
#[derive(Debug)]
pub(super) struct Watch {
    asked: AtomicBool,
    is_overdue: AtomicBool,
    since: Mutex<Option<Instant>>,
    done: AtomicUsize,
    /// The bits of a number.
    value: AtomicU64,
    keeps: bool,
    kept: Mutex<Option<Vec<u8>>>,
    /// When the last state was kept.
    last: Mutex<Instant>,
}

impl Watch {
    pub(super) fn new(listener: &Listener) -> Self {
        Self {
            asked: AtomicBool::new(false),
            is_overdue: AtomicBool::new(false),
            since: Mutex::new(None),
            done: AtomicUsize::new(0),
            value: AtomicU64::new(f64::NAN.to_bits()),
            keeps: listener.checkpoint.is_some(),
            kept: Mutex::new(None),
            last: Mutex::new(Instant::now()),
        }
    }

    /// Asks the work to end, and more firmly some time after.
    pub(super) fn ask(&self) {
        let mut since = locked(&self.since);
        let began = *since.get_or_insert_with(Instant::now);
        self.asked.store(true, Ordering::Relaxed);
        self.is_overdue.store(began.elapsed() >= GRACE, Ordering::Relaxed);
    }

    /// Tells Python how far the work is, and asks it for signals.
    pub(super) fn tell(&self, listener: &Listener) -> PyResult<()> {
        Python::attach(|py| {
            py.check_signals()?;
            self.show(py, listener)
        })
    }

    /// Tells Python what it has not heard yet.
    pub(super) fn tell_last(&self, listener: &Listener) -> PyResult<()> {
        Python::attach(|py| self.show(py, listener))
    }

    fn show(&self, py: Python<'_>, listener: &Listener) -> PyResult<()> {
        if let Some(progress) = &listener.progress {
            let value = f64::from_bits(self.value.load(Ordering::Relaxed));
            progress.call1(py, (self.done.load(Ordering::Relaxed), value))?;
        }
        self.hand_over(py, listener)
    }

    /// Hands over a state that was written down.
    fn hand_over(&self, py: Python<'_>, listener: &Listener) -> PyResult<()> {
        let state = locked(&self.kept).take();
        if let (Some(checkpoint), Some(state)) = (&listener.checkpoint, state) {
            checkpoint.call1(py, (PyBytes::new(py, &state),))?;
        }
        Ok(())
    }
}

fn locked<T>(own: &Mutex<T>) -> MutexGuard<'_, T> {
    own.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What work sees of Python.
#[derive(Debug)]
pub(crate) struct Signals(Arc<Watch>);

impl Signals {
    pub(super) fn new(watch: Arc<Watch>) -> Self {
        Self(watch)
    }

    /// Whether the work is to end after its step.
    pub(crate) fn is_asked(&self) -> bool {
        self.0.asked.load(Ordering::Relaxed)
    }

    /// Whether the work is to end in the middle of a step: it was asked some time ago.
    pub(crate) fn is_overdue(&self) -> bool {
        self.0.is_overdue.load(Ordering::Relaxed)
    }

    /// So many steps are done, and what climbs has this value.
    pub(crate) fn done(&self, steps: usize, value: f64) {
        self.0.done.store(steps, Ordering::Relaxed);
        self.0.value.store(value.to_bits(), Ordering::Relaxed);
    }

    /// Whether states are written down at all.
    pub(crate) fn keeps(&self) -> bool {
        self.0.keeps
    }

    /// Whether the state is to be written down now.
    pub(crate) fn is_to_keep(&self) -> bool {
        self.0.keeps && (self.is_asked() || locked(&self.0.last).elapsed() >= EVERY)
    }

    /// A state that was written down.
    pub(crate) fn keep(&self, state: Vec<u8>) {
        *locked(&self.0.kept) = Some(state);
        *locked(&self.0.last) = Instant::now();
    }
}

impl Observer for Signals {
    fn step(&mut self, step: &Step) -> ControlFlow<()> {
        self.done(step.iteration, step.objective);
        if self.is_asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn resumable_step(&mut self, step: &Step, fit: &dyn Resumable) -> ControlFlow<()> {
        if self.is_to_keep() {
            let mut state = Vec::new();
            // Nothing refuses to be written to memory.
            if fit.write_checkpoint(&mut state).is_ok() {
                self.keep(state);
            }
        }
        self.step(step)
    }
}
