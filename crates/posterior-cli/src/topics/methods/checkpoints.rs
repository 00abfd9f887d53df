//! Checkpoints of long fits: written now and then, and when somebody interrupts.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use posterior::math::iteration::{Observer, Resumable, Step};

use super::steps::Progress;
use crate::args::TopicsFit;
use crate::failure::Failure;
use crate::{checkpoint_file, interrupt};

/// Shows the sweeps of a fit, writes its checkpoints, and remembers how that went.
pub(super) struct Saver<'p> {
    path: Option<&'p Path>,
    every: Duration,
    last: Instant,
    progress: Progress,
    outcome: Result<(), Failure>,
    /// The sweep after which the fit was interrupted.
    interrupted: Option<usize>,
}

impl<'p> Saver<'p> {
    /// Watches for interrupts from here on.
    pub(super) fn new(args: &'p TopicsFit, iterations: usize, tokens: u64) -> Self {
        interrupt::watch();
        Self {
            path: args.checkpoint.as_deref(),
            every: Duration::from_secs(u64::from(args.checkpoint_every)),
            last: Instant::now(),
            progress: Progress::new(iterations, tokens, args.common.quiet),
            outcome: Ok(()),
            interrupted: None,
        }
    }

    fn save(&mut self, fit: &dyn Resumable) {
        if let Some(path) = self.path {
            self.outcome = checkpoint_file::write(path, |out| fit.write_checkpoint(out));
            self.last = Instant::now();
        }
    }

    /// Whether the fit went on to its end, and all checkpoints were written.
    pub(super) fn end(self) -> Result<(), Failure> {
        self.progress.clear();
        self.outcome?;
        self.interrupted.map_or(Ok(()), |sweep| {
            Err(checkpoint_file::interrupted(&format!("{sweep} sweeps"), self.path, "FILE"))
        })
    }
}

impl Observer for Saver<'_> {
    fn step(&mut self, step: &Step) -> ControlFlow<()> {
        self.progress.show(step.iteration, step.objective);
        if self.interrupted.is_none() && self.outcome.is_ok() {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }

    /// Writes a checkpoint first, if it is time or the end.
    fn resumable_step(&mut self, step: &Step, fit: &dyn Resumable) -> ControlFlow<()> {
        if interrupt::requested() {
            interrupt::ends_by_itself();
            self.interrupted = Some(step.iteration);
        }
        if self.interrupted.is_some() || self.last.elapsed() >= self.every {
            self.save(fit);
        }
        self.step(step)
    }
}
