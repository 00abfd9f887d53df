//! The progress bar of a fit.

use std::io::IsTerminal as _;

use indicatif::{ProgressBar, ProgressStyle};
use posterior::topics::lda::Step;

/// A bar on stderr when that is a terminal, else nothing.
pub(super) struct Progress {
    bar: ProgressBar,
    tokens: f64,
}

impl Progress {
    pub(super) fn new(iterations: u32, tokens: u64, quiet: bool) -> Self {
        let bar = if quiet || !std::io::stderr().is_terminal() {
            ProgressBar::hidden()
        } else {
            ProgressBar::new(u64::from(iterations))
        };
        let template = "{bar:32.cyan/dim} sweep {pos}/{len}  {msg}  {eta} left";
        bar.set_style(
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        Self { bar, tokens: tokens as f64 }
    }

    pub(super) fn show(&self, step: &Step<'_, '_>) {
        if let Some(point) = step.latest {
            self.bar.set_message(format!("ln p {:.4} per word", point.ln_joint / self.tokens));
        }
        self.bar.set_position(u64::from(step.sweep));
    }

    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
