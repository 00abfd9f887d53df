//! Ctrl-C and termination signals, as a flag that long fits look at.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::Failure;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From now on the first signal raises the flag, and a second one ends the process at once.
pub(crate) fn watch() -> Result<(), Failure> {
    ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::SeqCst) {
            #[expect(clippy::exit, reason = "the user asked twice, and files are never half-written")]
            std::process::exit(130);
        }
    })
    .map_err(|error| Failure::data(format!("cannot watch for signals: {error}")))
}

/// Whether a signal has come.
pub(crate) fn requested() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}
