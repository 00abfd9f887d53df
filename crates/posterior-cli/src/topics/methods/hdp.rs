//! Hierarchical Dirichlet processes: as many topics as the corpus asks for.

use std::path::Path;

use posterior::topics::hdp::{self, Checkpoint, Hdp, Options, Report, Step};
use posterior::topics::{Corpus, Fitted, TopicModel as _};

use super::Outcome;
use super::checkpoints::{self, Saver};
use super::steps::learning;
use crate::args::TopicsFit;
use crate::failure::Failure;
use crate::output;
use crate::report::Trace;
use crate::topics::progress::Progress;
use crate::topics::saved_model::{FoldedIn, Kind, SavedModel};

/// The options of the chain: `--topics` is what it starts from, and `--alpha` a concentration that stays.
pub(super) fn options(args: &TopicsFit) -> Result<Options, Failure> {
    let mut options = Options {
        initial_topics: args.topics,
        beta: args.beta,
        hyperparameters: learning(args),
        seed: args.common.seed,
        ..Options::default()
    };
    if let Some(iterations) = args.iterations {
        options = Options { iterations, ..options };
    }
    if let Some(alpha) = args.alpha {
        options = Options { alpha, alpha_prior: None, ..options };
    }
    options.check().map_err(|error| Failure::Usage(error.to_string()))?;
    Ok(options)
}

/// Fits the model, or goes on from a checkpoint.
pub(super) fn fit(args: &TopicsFit, corpus: &Corpus) -> Result<Outcome, Failure> {
    let options = options(args)?;
    let resumed = args.resume.as_deref().map(|path| read_checkpoint(path, &options)).transpose()?;
    let mut saver = Saver::new(args);
    let progress = Progress::new(options.iterations, corpus.tokens(), args.common.quiet);
    let observer = |step: &Step<'_, '_>| {
        progress.show(u64::from(step.sweep), step.latest.map(|point| point.ln_joint));
        saver.after(step.sweep, |out| step.checkpoint().write_to(out))
    };
    let Fitted { model, doc_topic, report } = match &resumed {
        None => hdp::fit(corpus, &options, observer)?,
        Some(checkpoint) => hdp::resume(corpus, checkpoint, observer)?,
    };
    progress.clear();
    saver.end()?;
    let lda = model.lda();
    Ok(Outcome {
        trace: trace(&report),
        settings: settings(&model, &report, &options),
        iterations: report.sweeps,
        tokens_per_second: report.tokens_drawn as f64 / report.sampling.as_secs_f64(),
        beta: Some(lda.beta()),
        doc_topic,
        kernel: None,
        model: SavedModel::FoldedIn(FoldedIn::new(Kind::Hdp, lda.topics().clone(), lda.alpha().to_vec())),
    })
}

fn read_checkpoint(path: &Path, options: &Options) -> Result<Checkpoint, Failure> {
    let checkpoint = checkpoints::read(path, |file| Checkpoint::read_from(file))?;
    checkpoints::same_options(path, checkpoint.options(), options)?;
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

fn settings(model: &Hdp, report: &Report, options: &Options) -> Vec<(&'static str, String)> {
    let concentrations = model.concentrations();
    let distribution = report.topics_distribution(options.iterations / 2);
    let distribution: Vec<String> =
        distribution.iter().map(|(topics, share)| format!("{topics}: {share:.2}")).collect();
    vec![
        ("model", "hierarchical Dirichlet process".to_owned()),
        ("inference", "direct assignment".to_owned()),
        ("topics", model.topics().len().to_string()),
        ("probability of numbers of topics", distribution.join(", ")),
        ("sweeps", output::grouped(u64::from(report.sweeps))),
        ("alpha of the documents", output::significant(concentrations.alpha)),
        ("gamma of the corpus", output::significant(concentrations.gamma)),
        ("beta", output::significant(model.lda().beta())),
        ("seed", options.seed.to_string()),
    ]
}
