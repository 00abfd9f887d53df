//! Calling code that may panic or never return.

use std::panic;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Longer than any function of a few numbers may take.
const PATIENCE: Duration = Duration::from_secs(2);

/// What `call` returns; `None` if it panics, or does not return within two seconds (its thread is then left
/// behind).
pub fn guarded<T: Send + 'static>(call: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let outcome = panic::catch_unwind(panic::AssertUnwindSafe(call));
        // A receiver that lost its patience is gone: nobody wants the value any more.
        let _ = sender.send(outcome.ok());
    });
    receiver.recv_timeout(PATIENCE).ok().flatten()
}
