//! Latent Dirichlet allocation by collapsed Gibbs sampling, with checkpoints.

use std::path::Path;

use posterior::topics::lda::gibbs::{self, Checkpoint, Options, Report, Sampler, Step};
use posterior::topics::lda::{Hyperparameters, Lda};
use posterior::topics::{Corpus, Fitted};

use super::Outcome;
use super::checkpoints::{self, Saver};
use super::steps::{lda_settings, learning};
use crate::args::{self, TopicsFit};
use crate::failure::Failure;
use crate::output;
use crate::report::Trace;
use crate::topics::progress::Progress;
use crate::topics::saved_model::SavedModel;

/// Sweeps over all tokens, unless stated otherwise.
const SWEEPS: u32 = 1000;

/// The options of the sampler.
pub(super) fn options(args: &TopicsFit) -> Result<Options, Failure> {
    let options = Options {
        topics: args.topics,
        iterations: args.iterations.unwrap_or(SWEEPS),
        alpha: args.alpha,
        sampler: match args.sampler {
            args::Sampler::Auto => Sampler::Auto,
            args::Sampler::Dense => Sampler::Dense,
            args::Sampler::Sparse => Sampler::Sparse,
            args::Sampler::Warp => Sampler::MetropolisHastings,
        },
        beta: args.beta,
        hyperparameters: learning(args),
        seed: args.common.seed,
        threads: args.common.threads.map_or(0, usize::from),
        ..Options::default()
    };
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
    let mut saver = Saver::new(args);
    let progress = Progress::new(options.iterations, corpus.tokens(), args.common.quiet);
    let observer = |step: &Step<'_, '_>| {
        progress.show(u64::from(step.sweep), step.latest.map(|point| point.ln_joint));
        saver.after(step.sweep, |out| step.checkpoint().write_to(out))
    };
    let fitted = match resumed {
        None => gibbs::fit(corpus, options, observer)?,
        Some(checkpoint) => gibbs::resume(corpus, checkpoint, options.threads, observer)?,
    };
    progress.clear();
    saver.end()?;
    Ok(fitted)
}

fn read_checkpoint(path: &Path, options: &Options) -> Result<Checkpoint, Failure> {
    let checkpoint = checkpoints::read(path, |file| Checkpoint::read_from(file))?;
    let saved = Options { threads: options.threads, ..checkpoint.options().clone() };
    checkpoints::same_options(path, &saved, options)?;
    Ok(checkpoint)
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

/// What the sampler was given and what it fitted, for the report.
fn settings(fitted: &Fitted<Lda, Report>, options: &Options) -> Vec<(&'static str, String)> {
    let learned = options.hyperparameters == Hyperparameters::Optimized;
    let mut settings = lda_settings(&fitted.model, learned, "collapsed Gibbs sampling");
    settings.extend([
        ("sweeps", output::grouped(u64::from(fitted.report.sweeps))),
        ("pooled states", format!("{}, {} sweeps apart", options.samples, options.thin)),
        ("seed", options.seed.to_string()),
    ]);
    settings
}
