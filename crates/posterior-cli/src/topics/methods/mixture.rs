//! Mixtures of unigrams, one topic a document: by expectation maximisation and by Gibbs sampling.

use posterior::topics::document_mixture::gibbs::{self, DocumentMixtureGibbsOptions, DocumentSampler};
use posterior::topics::document_mixture::{self, DocumentMixtureOptions, TopicAssignment};
use posterior::topics::{Corpus, FittedTopics};

use super::steps::{self, Course, Steps};
use super::{Outcome, Setup};
use crate::args::TopicsEngine;
use crate::failure::Failure;
use crate::topics::fitted_model::FittedModel;

/// Steps at most, or sweeps, unless stated otherwise.
const STEPS: usize = 200;

/// The options of the posterior mode, with as many words added to each topic as beta says.
pub(super) fn options(setup: &Setup<'_>) -> Result<DocumentMixtureOptions, Failure> {
    let options = DocumentMixtureOptions {
        topics: setup.topics,
        assignment: match setup.engine() {
            TopicsEngine::HardEm => TopicAssignment::Hard,
            TopicsEngine::StochasticEm => TopicAssignment::Sampled,
            _ => TopicAssignment::Soft,
        },
        word_prior: 1.0 + setup.args.beta,
        max_iterations: setup.args.iterations.unwrap_or(STEPS),
        seed: setup.seed,
        ..DocumentMixtureOptions::default()
    };
    options.check().map_err(|error| Failure::Usage(error.to_string()))?;
    Ok(options)
}

/// The options of the samplers.
pub(super) fn gibbs_options(setup: &Setup<'_>) -> Result<DocumentMixtureGibbsOptions, Failure> {
    let options = DocumentMixtureGibbsOptions {
        topics: setup.topics,
        sampler: match setup.engine() {
            TopicsEngine::BlockedGibbs => DocumentSampler::Blocked,
            _ => DocumentSampler::Collapsed,
        },
        word_concentration: setup.args.beta,
        iterations: setup.args.iterations.unwrap_or(STEPS),
        seed: setup.seed,
        ..DocumentMixtureGibbsOptions::default()
    };
    options.check().map_err(|error| Failure::Usage(error.to_string()))?;
    Ok(options)
}

/// Fits by expectation maximisation.
pub(super) fn fit(setup: &Setup<'_>, corpus: &Corpus) -> Result<Outcome, Failure> {
    let options = options(setup)?;
    let mut steps = Steps::new(setup.args, options.max_iterations, corpus.tokens());
    let fitted = document_mixture::fit(corpus, &options, &mut |step: &_| steps.observe(step))?;
    let inference = match options.assignment {
        TopicAssignment::Hard => "classification expectation maximisation",
        TopicAssignment::Sampled => "stochastic expectation maximisation",
        _ => "expectation maximisation, posterior mode",
    };
    outcome(setup, corpus, steps, fitted, (inference, "Log-likelihood"))
}

/// Fits by Gibbs sampling.
pub(super) fn sample(setup: &Setup<'_>, corpus: &Corpus) -> Result<Outcome, Failure> {
    let options = gibbs_options(setup)?;
    let mut steps = Steps::new(setup.args, options.iterations, corpus.tokens());
    let fitted = gibbs::fit(corpus, &options, &mut |step: &_| steps.observe(step))?;
    let inference = match options.sampler {
        DocumentSampler::Blocked => "Gibbs sampling, parameters drawn",
        _ => "collapsed Gibbs sampling",
    };
    outcome(setup, corpus, steps, fitted, (inference, "Joint log-likelihood of words and topics"))
}

fn outcome(
    setup: &Setup<'_>,
    corpus: &Corpus,
    steps: Steps,
    fitted: FittedTopics<document_mixture::DocumentMixture>,
    (inference, what): (&str, &'static str),
) -> Result<Outcome, Failure> {
    let FittedTopics { model, doc_topic, report } = fitted;
    let seconds = steps.finish()?;
    let settings = vec![
        ("model", "mixture of unigrams: one topic a document".to_owned()),
        ("inference", inference.to_owned()),
        ("topics", setup.topics.to_string()),
        ("steps", steps::output(&report)),
        ("beta", crate::output::significant(setup.args.beta)),
        ("seed", setup.seed.to_string()),
    ];
    let course = Course { report: &report, tokens: corpus.tokens(), seconds, what };
    Ok(course.outcome(FittedModel::Mixture(model), doc_topic, settings))
}
