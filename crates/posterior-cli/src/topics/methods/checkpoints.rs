//! Checkpoints of long fits: written now and then, and when somebody interrupts.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;
use posterior::math::iteration::{Observer, Resumable, Step};
use posterior::table::Unpacked;
use serde::Serialize;
use serde_json::{Map, Value};

use super::steps::Progress;
use crate::args::TopicsFit;
use crate::failure::Failure;
use crate::{atomic_file, interrupt};

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
            let _writing = interrupt::writing();
            self.outcome = atomic_file::write(path, |out| {
                let mut packed = GzEncoder::new(out, Compression::fast());
                fit.write_checkpoint(&mut packed)?;
                packed.finish()?.flush()
            });
            self.last = Instant::now();
        }
    }

    /// Whether the fit went on to its end, and all checkpoints were written.
    pub(super) fn end(self) -> Result<(), Failure> {
        self.progress.clear();
        self.outcome?;
        self.interrupted.map_or(Ok(()), |sweep| Err(interrupted(sweep, self.path, "FILE")))
    }
}

/// An interruption after so many sweeps, with how to go on from what was saved, or how it would have been.
pub(in crate::topics) fn interrupted(sweep: usize, saved: Option<&Path>, place: &str) -> Failure {
    Failure::Interrupted(match saved {
        Some(path) => {
            format!(
                "after {sweep} sweeps; the same command with --resume {} goes on from there",
                path.display()
            )
        }
        None => format!("after {sweep} sweeps; nothing was saved (--checkpoint {place} would have)"),
    })
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
            self.interrupted = Some(step.iteration);
        }
        if self.interrupted.is_some() || self.last.elapsed() >= self.every {
            self.save(fit);
        }
        self.step(step)
    }
}

/// The checkpoint of a file.
pub(super) fn read<C>(
    path: &Path,
    read_from: impl FnOnce(&mut dyn Read) -> io::Result<C>,
) -> Result<C, Failure> {
    let file = File::open(path).map_err(|error| Failure::io(path, &error))?;
    read_from(&mut BufReader::new(Unpacked::new(BufReader::new(file))))
        .map_err(|error| Failure::data(format!("{}: not a checkpoint: {error}", path.display())))
}

/// Refuses a checkpoint whose options are not those of the command line.
pub(super) fn same_options(
    path: &Path,
    saved: &impl Serialize,
    given: &impl Serialize,
) -> Result<(), Failure> {
    let differing = differing(saved, given);
    if differing.is_empty() {
        return Ok(());
    }
    let differing = differing.join(", ");
    let message = format!("{}: the checkpoint was made with other options: {differing}", path.display());
    Err(Failure::data(message).with_hint("give the same options as the run that wrote it"))
}

/// The options that two fits do not have in common, as `topics 20, now 30`.
fn differing(saved: &impl Serialize, given: &impl Serialize) -> Vec<String> {
    let given = fields(given);
    let differs = |(name, value): &(String, Value)| given.get(name) != Some(value);
    let output = |(name, value): (String, Value)| {
        let now = given.get(&name).unwrap_or(&Value::Null);
        format!("{name} {value}, now {now}")
    };
    fields(saved).into_iter().filter(differs).map(output).collect()
}

fn fields(options: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(options) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}
