//! Latent Dirichlet allocation by variational inferences: in batches, online, collapsed.

use posterior::topics::lda::collapsed_variational::Order;
use posterior::topics::lda::variational::TopicFactor;
use posterior::topics::lda::{
    Concentration, Hyperparameters, Lda, collapsed_variational, online, variational,
};
use posterior::topics::{Corpus, FittedTopics};

use super::steps::{Course, Steps, lda_settings, learning, output};
use super::{Outcome, Setup};
use crate::args::{TopicsEngine, TopicsFit};
use crate::failure::Failure;
use crate::topics::fitted_model::FittedModel;

/// The concentrations as the command line gives them.
fn alpha(args: &TopicsFit) -> Concentration {
    args.alpha.map_or(Concentration::Default, Concentration::Symmetric)
}

fn threads(args: &TopicsFit) -> usize {
    args.common.threads.map_or(0, usize::from)
}

/// The options of variational Bayes.
pub(super) fn batch_options(setup: &Setup<'_>) -> Result<variational::LdaVariationalOptions, Failure> {
    let defaults = variational::LdaVariationalOptions::default();
    let iterations = setup.args.iterations.unwrap_or(defaults.max_iterations);
    let topic_factor = match setup.engine() {
        TopicsEngine::Em => TopicFactor::Point,
        _ => TopicFactor::Dirichlet,
    };
    let options = variational::LdaVariationalOptions {
        topic_factor,
        topics: setup.topics,
        max_iterations: iterations,
        alpha: alpha(setup.args),
        beta: setup.args.beta,
        word_weights: setup.word_weights(),
        hyperparameters: learning(setup.args),
        seed: setup.seed,
        threads: threads(setup.args),
        ..defaults
    };
    options.check().map_err(|error| Failure::Usage(error.to_string()))?;
    Ok(options)
}

/// The options of online variational Bayes; `--iterations` are passes.
pub(in crate::topics) fn online_options(setup: &Setup<'_>) -> Result<online::LdaOnlineOptions, Failure> {
    let defaults = online::LdaOnlineOptions::default();
    let passes = setup.args.iterations.unwrap_or(defaults.passes);
    let options = online::LdaOnlineOptions {
        topics: setup.topics,
        passes,
        alpha: alpha(setup.args),
        beta: setup.args.beta,
        word_weights: setup.word_weights(),
        hyperparameters: learning(setup.args),
        seed: setup.seed,
        threads: threads(setup.args),
        ..defaults
    };
    options.check().map_err(|error| Failure::Usage(error.to_string()))?;
    Ok(options)
}

/// The options of collapsed variational Bayes.
pub(super) fn collapsed_options(
    setup: &Setup<'_>,
    order: Order,
) -> Result<collapsed_variational::LdaCollapsedVariationalOptions, Failure> {
    let defaults = collapsed_variational::LdaCollapsedVariationalOptions::default();
    let iterations = setup.args.iterations.unwrap_or(defaults.max_iterations);
    let options = collapsed_variational::LdaCollapsedVariationalOptions {
        topics: setup.topics,
        max_iterations: iterations,
        order,
        alpha: alpha(setup.args),
        beta: setup.args.beta,
        word_weights: setup.word_weights(),
        hyperparameters: learning(setup.args),
        seed: setup.seed,
        threads: threads(setup.args),
        ..defaults
    };
    options.check().map_err(|error| Failure::Usage(error.to_string()))?;
    Ok(options)
}

/// Fits by variational Bayes.
pub(super) fn batch(setup: &Setup<'_>, corpus: &Corpus) -> Result<Outcome, Failure> {
    let options = batch_options(setup)?;
    let mut steps = Steps::new(setup.args, options.max_iterations, corpus.tokens());
    let fitted = variational::fit(corpus, &options, &mut |step: &_| steps.observe(step))?;
    let named = match options.topic_factor {
        TopicFactor::Point => ("EM, topics as parameters", "Lower bound of ln p(words | topics)"),
        _ => ("variational Bayes", "Lower bound of ln p(words)"),
    };
    outcome(setup, corpus, fitted, steps, named)
}

/// Fits by online variational Bayes.
pub(super) fn online(setup: &Setup<'_>, corpus: &Corpus) -> Result<Outcome, Failure> {
    let options = online_options(setup)?;
    let mut steps = Steps::new(setup.args, options.passes, corpus.tokens());
    let fitted = online::fit(corpus, &options, &mut |step: &_| steps.observe(step))?;
    outcome(
        setup,
        corpus,
        fitted,
        steps,
        ("online variational Bayes", "Estimated lower bound of ln p(words)"),
    )
}

/// Fits by collapsed variational Bayes.
pub(super) fn collapsed(setup: &Setup<'_>, corpus: &Corpus, order: Order) -> Result<Outcome, Failure> {
    let options = collapsed_options(setup, order)?;
    let mut steps = Steps::new(setup.args, options.max_iterations, corpus.tokens());
    let fitted = collapsed_variational::fit(corpus, &options, &mut |step: &_| steps.observe(step))?;
    let inference = match order {
        Order::Zeroth => "collapsed variational Bayes, order zero",
        Order::Second => "collapsed variational Bayes, second order",
    };
    outcome(setup, corpus, fitted, steps, (inference, "Log-likelihood"))
}

fn outcome(
    setup: &Setup<'_>,
    corpus: &Corpus,
    fitted: FittedTopics<Lda>,
    steps: Steps,
    (inference, what): (&str, &'static str),
) -> Result<Outcome, Failure> {
    let FittedTopics { model, doc_topic, report } = fitted;
    let seconds = steps.finish()?;
    let learned = learning(setup.args) == Hyperparameters::Optimized;
    let mut settings = lda_settings(&model, learned, inference);
    settings.push(("passes", output(&report)));
    settings.push(("seed", setup.seed.to_string()));
    let course = Course { report: &report, tokens: corpus.tokens(), seconds, what };
    let beta = Some(model.beta());
    Ok(Outcome { beta, ..course.outcome(FittedModel::Lda(model), doc_topic, settings) })
}
