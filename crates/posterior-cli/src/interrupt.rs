//! Signals that end a run: as a flag that long fits look at, and after a moment by themselves.
//!
//! Files are never half-written, so the process may end anywhere. A fit that looks at the flag is given a
//! moment to save its state, and a file that is being written is finished, within bounds. The exit status is
//! 128 and the number of the signal.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The first signal that came; 0 is none.
static SIGNAL: AtomicU8 = AtomicU8::new(0);
/// Whether a fit looks at the flag.
static WATCHED: AtomicBool = AtomicBool::new(false);
/// Files that are being written.
static WRITING: AtomicUsize = AtomicUsize::new(0);

/// What a fit has to end in good order.
const GRACE: Duration = Duration::from_millis(400);
/// What a file has to be finished.
const FINISH: Duration = Duration::from_secs(10);

/// Waits for signals from here on, on a thread of its own. Called before any other thread is there: threads
/// inherit which signals they leave to that one.
#[cfg(unix)]
pub(crate) fn listen() -> io::Result<()> {
    use nix::sys::signal::{SigSet, Signal};

    let mut signals = SigSet::empty();
    for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP] {
        // `nohup`, and shells of jobs in the background, have them ignored.
        if !is_ignored(signal as u32) {
            signals.add(signal);
        }
    }
    signals.thread_block()?;
    let wait = move || {
        while let Ok(signal) = signals.wait() {
            came(signal as u8);
        }
    };
    thread::Builder::new().name("signals".to_owned()).spawn(wait).map(drop)
}

/// Whether whoever started the program has it ignore a signal; where nobody can tell, it does not.
#[cfg(unix)]
fn is_ignored(signal: u32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// Waits for Ctrl-C from here on.
#[cfg(not(unix))]
pub(crate) fn listen() -> io::Result<()> {
    ctrlc::set_handler(|| came(2)).map_err(io::Error::other)
}

/// A second signal ends the process at once.
fn came(signal: u8) {
    if SIGNAL.compare_exchange(0, signal, Ordering::SeqCst, Ordering::SeqCst).is_err() {
        end();
    }
    let wait = || {
        if WATCHED.load(Ordering::SeqCst) {
            thread::sleep(GRACE);
        }
        let start = Instant::now();
        while WRITING.load(Ordering::SeqCst) > 0 && start.elapsed() < FINISH {
            thread::sleep(Duration::from_millis(2));
        }
        end();
    };
    if thread::Builder::new().spawn(wait).is_err() {
        end();
    }
}

#[expect(clippy::exit, reason = "whoever sent the signal wants it, and files are never half-written")]
fn end() {
    std::process::exit(i32::from(status()));
}

/// The exit status of a run that a signal ended.
pub(crate) fn status() -> u8 {
    128 + SIGNAL.load(Ordering::SeqCst)
}

/// From now on a fit looks at the flag, and is given a moment to end in good order.
pub(crate) fn watch() {
    WATCHED.store(true, Ordering::SeqCst);
}

/// Whether a signal has come.
pub(crate) fn requested() -> bool {
    SIGNAL.load(Ordering::SeqCst) != 0
}

/// A file is being written for as long as this is held.
#[derive(Debug)]
pub(crate) struct Writing;

pub(crate) fn writing() -> Writing {
    WRITING.fetch_add(1, Ordering::SeqCst);
    Writing
}

/// The program saves what it has, says so and ends by itself: after a signal it is given the time that a file
/// has.
pub(crate) fn ends_by_itself() {
    WRITING.fetch_add(1, Ordering::SeqCst);
}

impl Drop for Writing {
    fn drop(&mut self) {
        WRITING.fetch_sub(1, Ordering::SeqCst);
    }
}
