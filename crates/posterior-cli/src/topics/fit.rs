//! `posterior topics fit`.

use std::fs::File;
use std::io::{BufReader, Write as _};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use posterior::math::linalg::DMatrix;
use posterior::topics::Corpus;
use posterior::topics::corpus::{DocumentSplit, split_documents, split_tokens};
use posterior::topics::held_out::document_completion;
use posterior::topics::lda::{self, Checkpoint, Fitted, Hyperparameters, Options, Step};

use super::artefacts;
use super::corpus_input::Input;
use super::progress::Progress;
use super::result::{FitResult, Topic};
use crate::args::{Format, TopicsFit};
use crate::failure::Failure;
use crate::report::TopicReport;
use crate::{atomic_file, interrupt, output};

/// Runs the verb.
pub(crate) fn run(args: &TopicsFit) -> Result<(), Failure> {
    let start = Instant::now();
    let options = options(args)?;
    let input = Input::load(args)?;
    let named = named_documents(args, &input)?;
    let split = match args.held_out {
        Some(share) => Some(split_documents(&input.corpus, share, options.seed)?),
        None => None,
    };
    let resumed = args.resume.as_deref().map(|path| read_checkpoint(path, &options)).transpose()?;
    if let Some(path) = &args.checkpoint {
        atomic_file::writable_file(path)?;
    }
    atomic_file::writable_folder(&args.out)?;
    output::note(args.common.quiet, &input.summary());

    let training = split.as_ref().map_or(&input.corpus, |split| &split.train);
    let fitted = fit(args, &options, training, resumed.as_ref())?;
    let (doc_topic, held_out_perplexity) = match &split {
        None => (fitted.doc_topic.clone(), None),
        Some(split) => (all_proportions(&fitted, split), Some(perplexity(&fitted, split, options.seed)?)),
    };

    let report = TopicReport {
        headline: input.headline.clone(),
        title: &input.title,
        corpus: &input.corpus,
        fitted: &fitted,
        doc_topic: &doc_topic,
        times: input.times.as_deref(),
        bands: input.bands.as_deref(),
        named,
        held_out_perplexity,
        options: &options,
        command: command_line(),
        source: &input.source,
    };
    artefacts::write(&args.out, &report)?;
    let result = FitResult {
        documents: input.corpus.documents(),
        vocabulary: input.corpus.vocabulary().len(),
        tokens: input.corpus.tokens(),
        topics: Topic::all(&fitted.model),
        ln_likelihood_per_token: fitted.report.trace.last().map_or(f64::NAN, |point| point.ln_joint)
            / training.tokens() as f64,
        held_out_perplexity,
        iterations: fitted.report.sweeps,
        tokens_per_second: fitted.report.tokens_drawn as f64 / fitted.report.sampling.as_secs_f64(),
        alpha: fitted.model.alpha().to_vec(),
        beta: fitted.model.beta(),
        seed: options.seed,
        seconds: start.elapsed().as_secs_f64(),
        report: args.out.join("report.html").display().to_string(),
    };
    match args.common.format {
        Format::Json => output::print_json(&result),
        Format::Text => output::print(&result.text()),
    }
}

/// The documents whose neighbours the report lists.
fn named_documents(args: &TopicsFit, input: &Input) -> Result<Vec<usize>, Failure> {
    if args.nearest.is_empty() {
        return Ok(vec![input.corpus.documents() - 1]);
    }
    args.nearest.iter().map(|name| input.find(name)).collect()
}

/// Topic proportions of all documents in their order: those of the fit, and those of the held-out ones given
/// the fitted topics.
fn all_proportions(fitted: &Fitted, split: &DocumentSplit) -> DMatrix<f64> {
    let documents = split.train_documents.len() + split.test_documents.len();
    let mut doc_topic = DMatrix::zeros(documents, fitted.model.topics());
    for (row, &d) in split.train_documents.iter().enumerate() {
        doc_topic.set_row(d, &fitted.doc_topic.row(row));
    }
    for (document, &d) in split.test.iter().zip(&split.test_documents) {
        for (k, share) in fitted.model.proportions(document).into_iter().enumerate() {
            doc_topic[(d, k)] = share;
        }
    }
    doc_topic
}

fn perplexity(fitted: &Fitted, split: &DocumentSplit, seed: u64) -> Result<f64, Failure> {
    let halves = split_tokens(&split.test, seed)?;
    Ok(document_completion(&fitted.model, &halves.observed, &halves.scored).perplexity())
}

/// The command as it was given, for the report.
fn command_line() -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,%+@".contains(c);
    let quoted = |word: String| {
        if word.chars().all(plain) && !word.is_empty() {
            word
        } else {
            format!("'{}'", word.replace('\'', "'\\''"))
        }
    };
    let words = std::env::args_os().skip(1).map(|word| quoted(word.to_string_lossy().into_owned()));
    std::iter::once("posterior".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

/// The options of the fit, with all of the command line that can be wrong on its own checked.
fn options(args: &TopicsFit) -> Result<Options, Failure> {
    let hyperparameters =
        if args.optimize_hyper { Hyperparameters::Optimized } else { Hyperparameters::Fixed };
    let options = Options::default()
        .with_topics(args.topics)
        .with_iterations(args.iterations)
        .with_alpha(args.alpha)
        .with_beta(args.beta)
        .with_hyperparameters(hyperparameters)
        .with_seed(args.common.seed)
        .with_threads(args.common.threads.map_or(0, usize::from));
    options.check().map_err(|error| Failure::Usage(error.to_string()))?;
    if let Some(share) = args.held_out.filter(|share| !(0.0 < *share && *share < 1.0)) {
        return Err(Failure::Usage(format!("--held-out {share}: expected a share between 0 and 1")));
    }
    if !(args.max_df > 0.0 && args.max_df <= 1.0) {
        return Err(Failure::Usage(format!("--max-df {}: expected a share from 0 to 1", args.max_df)));
    }
    Ok(options)
}

fn fit(
    args: &TopicsFit,
    options: &Options,
    corpus: &Corpus,
    resumed: Option<&Checkpoint>,
) -> Result<Fitted, Failure> {
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
        progress.show(step);
        if interrupt::requested() {
            interrupted = Some(step.sweep);
            saver.save(step);
            return ControlFlow::Break(());
        }
        saver.save_when_due(step)
    };
    let fitted = match resumed {
        None => lda::fit(corpus, options, observer)?,
        Some(checkpoint) => lda::resume(corpus, checkpoint, options.threads, observer)?,
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
    let checkpoint = Checkpoint::read_from(BufReader::new(GzDecoder::new(BufReader::new(file))))
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
