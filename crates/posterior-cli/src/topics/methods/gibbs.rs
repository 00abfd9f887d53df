//! Latent Dirichlet allocation by collapsed Gibbs sampling, with checkpoints.

use std::path::Path;

use posterior::topics::lda::gibbs::{self, LdaGibbsCheckpoint, LdaGibbsOptions, TopicSampler};
use posterior::topics::lda::{Concentration, ConcentrationPrior, Hyperparameters, Lda};
use posterior::topics::{Corpus, FittedTopics, SweepReport};

use super::checkpoints::Saver;
use super::steps::{lda_settings, learning};
use super::{Outcome, Setup};
use crate::args;
use crate::checkpoint_file;
use crate::failure::Failure;
use crate::output;
use crate::topics::fitted_model::FittedModel;

/// Sweeps over all tokens, unless stated otherwise.
const SWEEPS: usize = 1000;

/// The options of the sampler.
pub(in crate::topics) fn options(setup: &Setup<'_>) -> Result<LdaGibbsOptions, Failure> {
    let options = LdaGibbsOptions {
        topics: setup.topics,
        iterations: setup.args.iterations.unwrap_or(SWEEPS),
        alpha: setup.args.alpha.map_or(Concentration::Default, Concentration::Symmetric),
        sampler: match setup.args.sampler {
            args::Sampler::Auto => TopicSampler::Auto,
            args::Sampler::Dense => TopicSampler::Dense,
            args::Sampler::Sparse => TopicSampler::Sparse,
            args::Sampler::Warp => TopicSampler::MetropolisHastings,
        },
        beta: setup.args.beta,
        hyperparameters: learning(setup.args),
        concentration_prior: setup.args.sample_hyper.map(|drawn| ConcentrationPrior {
            asymmetric: drawn == args::DrawnAlpha::Asymmetric,
            ..ConcentrationPrior::default()
        }),
        word_weights: setup.word_weights(),
        groups: setup.args.groups.map(usize::from),
        seed: setup.seed,
        threads: setup.args.common.threads.map_or(0, usize::from),
        ..LdaGibbsOptions::default()
    };
    options.check().map_err(|error| Failure::Usage(error.to_string()))?;
    Ok(options)
}

/// Fits the model, or goes on from a checkpoint.
pub(super) fn fit(setup: &Setup<'_>, corpus: &Corpus) -> Result<Outcome, Failure> {
    let options = options(setup)?;
    let resumed = setup.args.resume.as_deref().map(|path| read_checkpoint(path, &options)).transpose()?;
    let fitted = sample(setup, &options, corpus, resumed.as_ref())?;
    let settings = settings(&fitted, &options);
    let FittedTopics { model, doc_topic, report } = fitted;
    let beta = Some(model.beta());
    Ok(Outcome { beta, ..Outcome::of_chain(&report, FittedModel::Lda(model), doc_topic, settings) })
}

fn sample(
    setup: &Setup<'_>,
    options: &LdaGibbsOptions,
    corpus: &Corpus,
    resumed: Option<&LdaGibbsCheckpoint>,
) -> Result<FittedTopics<Lda, SweepReport>, Failure> {
    let mut saver = Saver::new(setup.args, options.iterations, corpus.tokens());
    let fitted = match resumed {
        None => gibbs::fit(corpus, options, &mut saver)?,
        Some(checkpoint) => gibbs::resume(corpus, checkpoint, &mut saver)?,
    };
    saver.end()?;
    Ok(fitted)
}

fn read_checkpoint(path: &Path, options: &LdaGibbsOptions) -> Result<LdaGibbsCheckpoint, Failure> {
    let mut checkpoint = checkpoint_file::read(path, |file| LdaGibbsCheckpoint::read_from(file))?;
    checkpoint_file::same_options(path, checkpoint.options(), options)?;
    checkpoint.set_threads(options.threads);
    Ok(checkpoint)
}

/// What the sampler was given and what it fitted, for the report.
fn settings(
    fitted: &FittedTopics<Lda, SweepReport>,
    options: &LdaGibbsOptions,
) -> Vec<(&'static str, String)> {
    let learned =
        options.hyperparameters == Hyperparameters::Optimized || options.concentration_prior.is_some();
    let mut settings = lda_settings(&fitted.model, learned, "collapsed Gibbs sampling");
    settings.extend([
        ("sweeps", output::grouped(fitted.report.iterations as u64)),
        ("pooled states", format!("{}, {} sweeps apart", options.draws, options.thin)),
        ("seed", options.seed.to_string()),
    ]);
    settings
}
