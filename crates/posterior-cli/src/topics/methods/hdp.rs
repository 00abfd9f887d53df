//! Hierarchical Dirichlet processes: as many topics as the corpus asks for.

use std::path::Path;

use posterior::topics::hdp::online::{self, HdpOnlineOptions};
use posterior::topics::hdp::{self, Hdp, HdpCheckpoint, HdpOptions, HdpState, Representation};
use posterior::topics::{Corpus, FittedTopics, SweepReport, TopicModel as _};

use super::checkpoints::Saver;
use super::steps::{Course, Steps, learning};
use super::{Outcome, Setup};
use crate::args::TopicsEngine;
use crate::checkpoint_file;
use crate::failure::Failure;
use crate::output;
use crate::topics::fitted_model::{FittedModel, FoldedIn, Kind};

/// The options of the chain: `--topics` is what it starts from, and `--alpha` a concentration that stays.
pub(super) fn options(setup: &Setup<'_>) -> Result<HdpOptions, Failure> {
    let mut options = HdpOptions {
        representation: match setup.engine() {
            TopicsEngine::Franchise => Representation::Franchise,
            _ => Representation::DirectAssignment,
        },
        initial_topics: setup.topics,
        beta: setup.args.beta,
        hyperparameters: learning(setup.args),
        seed: setup.seed,
        ..HdpOptions::default()
    };
    if let Some(iterations) = setup.args.iterations {
        options = HdpOptions { iterations, ..options };
    }
    if let Some(alpha) = setup.args.alpha {
        options = HdpOptions { alpha, alpha_prior: None, ..options };
    }
    options.check().map_err(|error| Failure::Usage(error.to_string()))?;
    Ok(options)
}

/// Fits the model, or goes on from a checkpoint.
pub(super) fn fit(setup: &Setup<'_>, corpus: &Corpus) -> Result<Outcome, Failure> {
    let options = options(setup)?;
    let resumed = setup.args.resume.as_deref().map(|path| read_checkpoint(path, &options)).transpose()?;
    let mut saver = Saver::new(setup.args, options.iterations, corpus.tokens());
    let FittedTopics { model, doc_topic, report } = match &resumed {
        None => hdp::fit(corpus, &options, &mut saver)?,
        Some(checkpoint) => hdp::resume(corpus, checkpoint, &mut saver)?,
    };
    saver.end()?;
    let settings = settings(&model, &report, &options);
    let beta = Some(model.lda().beta());
    Ok(Outcome { beta, ..Outcome::of_chain(&report, folded_in(&model), doc_topic, settings) })
}

fn folded_in(model: &Hdp) -> FittedModel {
    let lda = model.lda();
    FittedModel::FoldedIn(FoldedIn::new(Kind::Hdp, lda.topics().clone(), lda.alpha().to_vec()))
}

/// The options of stochastic variational Bayes: `--topics` are at most so many, `--iterations` passes.
pub(super) fn online_options(setup: &Setup<'_>) -> Result<HdpOnlineOptions, Failure> {
    let defaults = HdpOnlineOptions::default();
    let options = HdpOnlineOptions {
        topics: setup.topics,
        passes: setup.args.iterations.unwrap_or(defaults.passes),
        alpha: setup.args.alpha.unwrap_or(defaults.alpha),
        beta: setup.args.beta,
        seed: setup.seed,
        threads: setup.args.common.threads.map_or(0, usize::from),
        ..defaults
    };
    options.check().map_err(|error| Failure::Usage(error.to_string()))?;
    Ok(options)
}

/// Fits by stochastic variational Bayes.
pub(super) fn online(setup: &Setup<'_>, corpus: &Corpus) -> Result<Outcome, Failure> {
    let options = online_options(setup)?;
    let mut steps = Steps::new(setup.args, options.passes, corpus.tokens());
    let FittedTopics { model, doc_topic, report } =
        online::fit(corpus, &options, &mut |step: &_| steps.observe(step))?;
    let seconds = steps.finish()?;
    let settings = vec![
        ("model", "hierarchical Dirichlet process".to_owned()),
        ("inference", "online variational Bayes".to_owned()),
        ("topics", format!("{} of at most {}", model.topics().len(), options.topics)),
        ("batches", output::grouped(report.iterations() as u64)),
        ("alpha of the documents", output::significant(options.alpha)),
        ("gamma of the corpus", output::significant(options.gamma)),
        ("beta", output::significant(options.beta)),
        ("seed", options.seed.to_string()),
    ];
    let what = "Estimated lower bound of ln p(words)";
    let course = Course { report: &report, tokens: corpus.tokens(), seconds, what };
    Ok(Outcome { beta: Some(options.beta), ..course.outcome(folded_in(&model), doc_topic, settings) })
}

fn read_checkpoint(path: &Path, options: &HdpOptions) -> Result<HdpCheckpoint, Failure> {
    let checkpoint = checkpoint_file::read(path, |file| HdpCheckpoint::read_from(file))?;
    checkpoint_file::same_options(path, checkpoint.options(), options)?;
    Ok(checkpoint)
}

fn settings(
    model: &Hdp,
    report: &SweepReport<HdpState>,
    options: &HdpOptions,
) -> Vec<(&'static str, String)> {
    let concentrations = model.concentrations();
    let distribution = report.topics_distribution(options.iterations / 2);
    let distribution: Vec<String> =
        distribution.iter().map(|(topics, proportion)| format!("{topics}: {proportion:.2}")).collect();
    vec![
        ("model", "hierarchical Dirichlet process".to_owned()),
        (
            "inference",
            match options.representation {
                Representation::Franchise => "Chinese restaurant franchise",
                _ => "direct assignment",
            }
            .to_owned(),
        ),
        ("topics", model.topics().len().to_string()),
        ("probability of numbers of topics", distribution.join(", ")),
        ("sweeps", output::grouped(report.iterations as u64)),
        ("alpha of the documents", output::significant(concentrations.alpha)),
        ("gamma of the corpus", output::significant(concentrations.gamma)),
        ("beta", output::significant(model.lda().beta())),
        ("seed", options.seed.to_string()),
    ]
}
