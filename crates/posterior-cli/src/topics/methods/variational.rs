//! Latent Dirichlet allocation by variational inferences: in batches, online, collapsed.

use posterior::topics::lda::collapsed_variational::Order;
use posterior::topics::lda::{
    Concentration, Hyperparameters, Lda, collapsed_variational, online, variational,
};
use posterior::topics::{Corpus, FittedTopics};

use super::Outcome;
use super::steps::{Course, Steps, lda_settings, learning, output};
use crate::args::TopicsFit;
use crate::failure::Failure;
use crate::topics::saved_model::SavedModel;

/// The concentrations as the command line gives them.
fn alpha(args: &TopicsFit) -> Concentration {
    args.alpha.map_or(Concentration::Default, Concentration::Symmetric)
}

fn threads(args: &TopicsFit) -> usize {
    args.common.threads.map_or(0, usize::from)
}

/// The options of variational Bayes.
pub(super) fn batch_options(args: &TopicsFit) -> Result<variational::LdaVariationalOptions, Failure> {
    let defaults = variational::LdaVariationalOptions::default();
    let iterations = args.iterations.unwrap_or(defaults.max_iterations);
    let options = variational::LdaVariationalOptions {
        topics: args.topics,
        max_iterations: iterations,
        alpha: alpha(args),
        beta: args.beta,
        hyperparameters: learning(args),
        seed: args.common.seed,
        threads: threads(args),
        ..defaults
    };
    options.check().map_err(|error| Failure::Usage(error.to_string()))?;
    Ok(options)
}

/// The options of online variational Bayes; `--iterations` are passes.
pub(super) fn online_options(args: &TopicsFit) -> Result<online::LdaOnlineOptions, Failure> {
    let defaults = online::LdaOnlineOptions::default();
    let passes = args.iterations.unwrap_or(defaults.passes);
    let options = online::LdaOnlineOptions {
        topics: args.topics,
        passes,
        alpha: alpha(args),
        beta: args.beta,
        hyperparameters: learning(args),
        seed: args.common.seed,
        threads: threads(args),
        ..defaults
    };
    options.check().map_err(|error| Failure::Usage(error.to_string()))?;
    Ok(options)
}

/// The options of collapsed variational Bayes.
pub(super) fn collapsed_options(
    args: &TopicsFit,
    order: Order,
) -> Result<collapsed_variational::LdaCollapsedVariationalOptions, Failure> {
    let defaults = collapsed_variational::LdaCollapsedVariationalOptions::default();
    let iterations = args.iterations.unwrap_or(defaults.max_iterations);
    let options = collapsed_variational::LdaCollapsedVariationalOptions {
        topics: args.topics,
        max_iterations: iterations,
        order,
        alpha: alpha(args),
        beta: args.beta,
        hyperparameters: learning(args),
        seed: args.common.seed,
        threads: threads(args),
        ..defaults
    };
    options.check().map_err(|error| Failure::Usage(error.to_string()))?;
    Ok(options)
}

/// Fits by variational Bayes.
pub(super) fn batch(args: &TopicsFit, corpus: &Corpus) -> Result<Outcome, Failure> {
    let options = batch_options(args)?;
    let mut steps = Steps::new(args, options.max_iterations, corpus.tokens());
    let fitted = variational::fit(corpus, &options, &mut |step: &_| steps.observe(step))?;
    outcome(args, corpus, fitted, steps, ("variational Bayes", "Lower bound of ln p(words)"))
}

/// Fits by online variational Bayes.
pub(super) fn online(args: &TopicsFit, corpus: &Corpus) -> Result<Outcome, Failure> {
    let options = online_options(args)?;
    let mut steps = Steps::new(args, options.passes, corpus.tokens());
    let fitted = online::fit(corpus, &options, &mut |step: &_| steps.observe(step))?;
    outcome(args, corpus, fitted, steps, ("online variational Bayes", "Estimated lower bound of ln p(words)"))
}

/// Fits by collapsed variational Bayes.
pub(super) fn collapsed(args: &TopicsFit, corpus: &Corpus, order: Order) -> Result<Outcome, Failure> {
    let options = collapsed_options(args, order)?;
    let mut steps = Steps::new(args, options.max_iterations, corpus.tokens());
    let fitted = collapsed_variational::fit(corpus, &options, &mut |step: &_| steps.observe(step))?;
    let inference = match order {
        Order::Zeroth => "collapsed variational Bayes, order zero",
        Order::Second => "collapsed variational Bayes, second order",
    };
    outcome(args, corpus, fitted, steps, (inference, "Log-likelihood"))
}

fn outcome(
    args: &TopicsFit,
    corpus: &Corpus,
    fitted: FittedTopics<Lda>,
    steps: Steps,
    (inference, what): (&str, &'static str),
) -> Result<Outcome, Failure> {
    let FittedTopics { model, doc_topic, report } = fitted;
    let seconds = steps.finish()?;
    let learned = learning(args) == Hyperparameters::Optimized;
    let mut settings = lda_settings(&model, learned, inference);
    settings.push(("passes", output(&report)));
    settings.push(("seed", args.common.seed.to_string()));
    let course = Course { report: &report, tokens: corpus.tokens(), seconds, what };
    let beta = Some(model.beta());
    Ok(Outcome { beta, ..course.outcome(SavedModel::Lda(model), doc_topic, settings) })
}
