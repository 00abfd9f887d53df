//! Models by expectation maximisation: probabilistic latent semantic analysis, and mixtures of unigrams.

use posterior::topics::document_mixture;
use posterior::topics::plsa::{self, Plsa};
use posterior::topics::{Corpus, FittedTopics, TopicModel as _};

use super::Outcome;
use super::steps::{self, Steps};
use crate::args::TopicsFit;
use crate::failure::Failure;
use crate::topics::saved_model::{FoldedIn, Kind, SavedModel};

/// Steps at most, unless stated otherwise.
const STEPS: usize = 200;

/// The options of probabilistic latent semantic analysis: maximum likelihood.
pub(super) fn plsa_options(args: &TopicsFit) -> Result<plsa::PlsaOptions, Failure> {
    let options = plsa::PlsaOptions {
        topics: args.topics,
        max_iterations: args.iterations.unwrap_or(STEPS),
        seed: args.common.seed,
        ..plsa::PlsaOptions::default()
    };
    options.check().map_err(|error| Failure::Usage(error.to_string()))?;
    Ok(options)
}

/// The options of a mixture: the posterior mode, with as many words added to each topic as beta says.
pub(super) fn mixture_options(args: &TopicsFit) -> Result<document_mixture::DocumentMixtureOptions, Failure> {
    let options = document_mixture::DocumentMixtureOptions {
        topics: args.topics,
        word_prior: 1.0 + args.beta,
        max_iterations: args.iterations.unwrap_or(STEPS),
        seed: args.common.seed,
        ..document_mixture::DocumentMixtureOptions::default()
    };
    options.check().map_err(|error| Failure::Usage(error.to_string()))?;
    Ok(options)
}

/// Fits probabilistic latent semantic analysis.
pub(super) fn plsa(args: &TopicsFit, corpus: &Corpus) -> Result<Outcome, Failure> {
    let options = plsa_options(args)?;
    let mut steps = Steps::new(args, options.max_iterations, corpus.tokens());
    let FittedTopics { model, doc_topic, report } =
        plsa::fit(corpus, &options, &mut |step: &_| steps.observe(step))?;
    let seconds = steps.finish()?;
    let settings = vec![
        ("model", "probabilistic latent semantic analysis".to_owned()),
        ("inference", "expectation maximisation, maximum likelihood".to_owned()),
        ("topics", options.topics.to_string()),
        ("steps", steps::output(&report)),
        ("seed", options.seed.to_string()),
    ];
    let course = steps::Course { report: &report, tokens: corpus.tokens(), seconds, what: "Log-likelihood" };
    Ok(course.outcome(SavedModel::FoldedIn(saved(&model)), doc_topic, settings))
}

fn saved(model: &Plsa) -> FoldedIn {
    let alpha = vec![model.topic_prior() - 1.0; model.topics().len()];
    FoldedIn::new(Kind::Plsa, model.topics().clone(), alpha)
}

/// Fits a mixture of unigrams.
pub(super) fn mixture(args: &TopicsFit, corpus: &Corpus) -> Result<Outcome, Failure> {
    let options = mixture_options(args)?;
    let mut steps = Steps::new(args, options.max_iterations, corpus.tokens());
    let FittedTopics { model, doc_topic, report } =
        document_mixture::fit(corpus, &options, &mut |step: &_| steps.observe(step))?;
    let seconds = steps.finish()?;
    let settings = vec![
        ("model", "mixture of unigrams: one topic a document".to_owned()),
        ("inference", "expectation maximisation, posterior mode".to_owned()),
        ("topics", options.topics.to_string()),
        ("steps", steps::output(&report)),
        ("beta", crate::output::significant(args.beta)),
        ("seed", options.seed.to_string()),
    ];
    let course = steps::Course { report: &report, tokens: corpus.tokens(), seconds, what: "Log-likelihood" };
    Ok(course.outcome(SavedModel::Mixture(model), doc_topic, settings))
}
