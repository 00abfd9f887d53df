//! Work that takes its time, on a terminal: a bar with the time that is left where there are several fits,
//! else how long it has taken.

use std::io::IsTerminal as _;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output::progress_bar;

/// What ends sooner is not shown.
const SOON: Duration = Duration::from_secs(1);
/// The time between two pictures of it.
const TICK: Duration = Duration::from_millis(250);

/// Work that is shown on stderr if that is a terminal and it takes more than a second; gone from there when
/// it is dropped.
#[derive(Debug)]
pub(crate) struct LongWork {
    bar: ProgressBar,
    /// Who waits for it to be worth showing, until this is dropped.
    waiting: Option<(Sender<()>, JoinHandle<()>)>,
}

impl LongWork {
    /// So many parts, each about as long.
    pub(crate) fn of(parts: usize, what: impl Into<String>, quiet: bool) -> Self {
        let bar = progress_bar(parts, true);
        if parts <= 1
            && let Ok(style) = ProgressStyle::with_template("{spinner:.cyan} {msg}  {elapsed}")
        {
            bar.set_style(style);
        }
        bar.set_message(what.into());
        let seen = !quiet && std::io::stderr().is_terminal();
        let waiting = seen.then(|| {
            let (over, is_over) = mpsc::channel();
            let own = bar.clone();
            let wait = move || {
                if is_over.recv_timeout(SOON) == Err(RecvTimeoutError::Timeout) {
                    own.set_draw_target(ProgressDrawTarget::stderr());
                    own.enable_steady_tick(TICK);
                }
            };
            (over, thread::spawn(wait))
        });
        Self { bar, waiting }
    }

    /// A part is done.
    pub(crate) fn step(&self) {
        self.bar.inc(1);
    }

    /// What is being done.
    pub(crate) fn say(&self, what: impl Into<String>) {
        self.bar.set_message(what.into());
    }
}

impl Drop for LongWork {
    fn drop(&mut self) {
        if let Some((over, waits)) = self.waiting.take() {
            drop(over);
            // It ends at once, and has nothing to say.
            let _ = waits.join();
        }
        self.bar.finish_and_clear();
    }
}
