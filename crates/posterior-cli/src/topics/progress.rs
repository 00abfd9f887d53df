//! The progress bar of a fit.

use std::io::IsTerminal as _;

use indicatif::{ProgressBar, ProgressStyle};

/// A bar on stderr when that is a terminal, else nothing.
pub(super) struct Progress {
    bar: ProgressBar,
    tokens: f64,
}

impl Progress {
    pub(super) fn new(iterations: usize, tokens: u64, quiet: bool) -> Self {
        let bar = if quiet || !std::io::stderr().is_terminal() {
            ProgressBar::hidden()
        } else {
            ProgressBar::new(iterations as u64)
        };
        let template = "{bar:32.cyan/dim} {pos}/{len}  {msg}  {eta} left";
        bar.set_style(
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
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
