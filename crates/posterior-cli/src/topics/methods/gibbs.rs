//! Latent Dirichlet allocation by collapsed Gibbs sampling, with checkpoints.

use std::fs::File;
use std::io::{BufReader, Write as _};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;
use posterior::topics::corpus::Unpacked;
use posterior::topics::lda::gibbs::{self, Checkpoint, Options, Report, Sampler, Step};
use posterior::topics::lda::{Hyperparameters, Lda};
use posterior::topics::{Corpus, Fitted};

use super::Outcome;
use super::steps::{lda_settings, learning};
use crate::args::{self, TopicsFit};
use crate::failure::Failure;
use crate::report::Trace;
use crate::topics::progress::Progress;
use crate::topics::saved_model::SavedModel;
use crate::{atomic_file, interrupt, output};

/// Sweeps over all tokens, unless told otherwise.
const SWEEPS: u32 = 1000;

/// The options of the sampler.
pub(super) fn options(args: &TopicsFit) -> Result<Options, Failure> {
    let options = Options::default()
        .with_topics(args.topics)
        .with_iterations(args.iterations.unwrap_or(SWEEPS))
        .with_alpha(args.alpha)
        .with_sampler(match args.sampler {
            args::Sampler::Auto => Sampler::Auto,
            args::Sampler::Dense => Sampler::Dense,
            args::Sampler::Sparse => Sampler::Sparse,
            args::Sampler::Warp => Sampler::MetropolisHastings,
        })
        .with_beta(args.beta)
        .with_hyperparameters(learning(args))
        .with_seed(args.common.seed)
        .with_threads(args.common.threads.map_or(0, usize::from));
    options.check().map_err(|error| Failure::Usage(error.to_string()))?;
    Ok(options)
}

/// Fits the model, or goes on from a checkpoint.
pub(super) fn fit(args: &TopicsFit, corpus: &Corpus) -> Result<Outcome, Failure> {
    let options = options(args)?;
    let resumed = args.resume.as_deref().map(|path| read_checkpoint(path, &options)).transpose()?;
    let fitted = sample(args, &options, corpus, resumed.as_ref())?;
    let report = &fitted.report;
    Ok(Outcome {
        trace: trace(report),
        settings: settings(&fitted, &options),
        iterations: report.sweeps,
        tokens_per_second: report.tokens_drawn as f64 / report.sampling.as_secs_f64(),
        beta: Some(fitted.model.beta()),
        doc_topic: fitted.doc_topic,
        kernel: None,
        model: SavedModel::Lda(fitted.model),
    })
}

fn sample(
    args: &TopicsFit,
    options: &Options,
    corpus: &Corpus,
    resumed: Option<&Checkpoint>,
) -> Result<Fitted<Lda, Report>, Failure> {
    interrupt::watch()?;
    let progress = Progress::new(options.iterations, corpus.tokens(), args.common.quiet);
    let mut saver = Saver {
        path: args.checkpoint.as_deref(),
        every: Duration::from_secs(u64::from(args.checkpoint_every)),
        last: Instant::now(),
        outcome: Ok(()),
    };
    let mut interrupted = None;
    let observer = |step: &Step<'_, '_>| {
        progress.show(u64::from(step.sweep), step.latest.map(|point| point.ln_joint));
        if interrupt::requested() {
            interrupted = Some(step.sweep);
            saver.save(step);
            return ControlFlow::Break(());
        }
        saver.save_when_due(step)
    };
    let fitted = match resumed {
        None => gibbs::fit(corpus, options, observer)?,
        Some(checkpoint) => gibbs::resume(corpus, checkpoint, options.threads, observer)?,
    };
    progress.clear();
    saver.outcome?;
    match (interrupted, &args.checkpoint) {
        (None, _) => Ok(fitted),
        (Some(sweep), Some(path)) => Err(Failure::Interrupted(format!(
            "after {sweep} sweeps; the same command with --resume {} goes on from there",
            path.display()
        ))),
        (Some(sweep), None) => Err(Failure::Interrupted(format!(
            "after {sweep} sweeps; nothing was saved (--checkpoint FILE would have)"
        ))),
    }
}

/// Writes checkpoints now and then, and remembers if that failed.
struct Saver<'p> {
    path: Option<&'p Path>,
    every: Duration,
    last: Instant,
    outcome: Result<(), Failure>,
}

impl Saver<'_> {
    fn save_when_due(&mut self, step: &Step<'_, '_>) -> ControlFlow<()> {
        if self.last.elapsed() >= self.every {
            self.save(step);
        }
        if self.outcome.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn save(&mut self, step: &Step<'_, '_>) {
        if let Some(path) = self.path {
            self.outcome = atomic_file::write(path, |out| {
                let mut packed = GzEncoder::new(out, Compression::fast());
                step.checkpoint().write_to(&mut packed)?;
                packed.finish()?.flush()
            });
            self.last = Instant::now();
        }
    }
}

fn read_checkpoint(path: &Path, options: &Options) -> Result<Checkpoint, Failure> {
    let file = File::open(path).map_err(|error| Failure::io(path, &error))?;
    let checkpoint = Checkpoint::read_from(BufReader::new(Unpacked::new(BufReader::new(file))))
        .map_err(|error| Failure::data(format!("{}: not a checkpoint: {error}", path.display())))?;
    let saved = checkpoint.options().clone().with_threads(options.threads);
    if saved == *options {
        return Ok(checkpoint);
    }
    let differing = differing(&saved, options).join(", ");
    let message = format!("{}: the checkpoint was made with other options: {differing}", path.display());
    Err(Failure::data(message).with_hint("give the same options as the run that wrote it"))
}

/// The options that two fits do not have in common, as `topics 20, now 30`.
fn differing(saved: &Options, given: &Options) -> Vec<String> {
    let fields = |options| match serde_json::to_value(options) {
        Ok(serde_json::Value::Object(fields)) => fields,
        _ => serde_json::Map::new(),
    };
    let given = fields(given);
    let differs = |(name, value): &(String, serde_json::Value)| given.get(name) != Some(value);
    let told = |(name, value): (String, serde_json::Value)| {
        let now = given.get(&name).unwrap_or(&serde_json::Value::Null);
        format!("{name} {value}, now {now}")
    };
    fields(saved).into_iter().filter(differs).map(told).collect()
}

fn trace(report: &Report) -> Trace {
    let tokens = report.tokens_in_sweep as f64;
    Trace {
        name: "Joint log-likelihood of words and topics per word, by sweep".to_owned(),
        text: "It climbs while the chain finds its topics, then wanders.",
        fact: "ln p per word",
        points: report.trace.iter().map(|point| (f64::from(point.sweep), point.ln_joint / tokens)).collect(),
    }
}

/// What the sampler was told and what it learnt, for the report.
fn settings(fitted: &Fitted<Lda, Report>, options: &Options) -> Vec<(&'static str, String)> {
    let learnt = options.hyperparameters == Hyperparameters::Optimized;
    let mut settings = lda_settings(&fitted.model, learnt, "collapsed Gibbs sampling");
    settings.extend([
        ("sweeps", output::grouped(u64::from(fitted.report.sweeps))),
        ("pooled states", format!("{}, {} sweeps apart", options.samples, options.thin)),
        ("seed", options.seed.to_string()),
    ]);
    settings
}
