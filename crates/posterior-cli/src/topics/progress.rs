//! The progress bar of a fit.

use indicatif::ProgressBar;

use crate::output::progress_bar;

/// A bar on stderr when that is a terminal, else nothing.
pub(super) struct Progress {
    bar: ProgressBar,
    tokens: f64,
}

impl Progress {
    pub(super) fn new(iterations: usize, tokens: u64, quiet: bool) -> Self {
        let bar = progress_bar(iterations, quiet);
        Self { bar, tokens: tokens as f64 }
    }

    /// Shows that so many sweeps or steps are done, and what they reached; NaN if unknown.
    pub(super) fn show(&self, done: usize, objective: f64) {
        if !objective.is_nan() {
            self.bar.set_message(format!("{:.4} per word", objective / self.tokens));
        }
        self.bar.set_position(done as u64);
    }

    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
