//! The structural topic model: topics that go together, with proportions and words that depend on what is
//! known of a document.

use posterior::math::linalg::DMatrix;
use posterior::topics::FittedTopics;
use posterior::topics::structural_topics::{self, DocumentCovariates, StructuralTopicsOptions};

use super::steps::{self, Steps};
use super::{Outcome, Setup};
use crate::failure::Failure;
use crate::output::significant;
use crate::topics::covariates::Prevalence;
use crate::topics::documents::Documents;
use crate::topics::fitted_model::{FittedModel, Structural};

/// The options of the fit.
pub(super) fn options(setup: &Setup<'_>) -> Result<StructuralTopicsOptions, Failure> {
    let defaults = StructuralTopicsOptions::default();
    if setup.args.replicates.is_some() && setup.args.prevalence.is_none() {
        let message =
            "--replicates are for the intervals of effects, and there are none without --prevalence";
        return Err(Failure::Usage(message.to_owned()));
    }
    // Without a formula nothing has an interval.
    let replicates = match setup.args.prevalence {
        Some(_) => setup.args.replicates.unwrap_or(defaults.replicates),
        None => 0,
    };
    let options = StructuralTopicsOptions {
        replicates,
        topics: setup.topics,
        max_iterations: setup.args.iterations.unwrap_or(defaults.max_iterations),
        beta: setup.args.beta,
        threads: setup.args.common.threads.map_or(0, usize::from),
        ..defaults
    };
    options.check().map_err(|error| Failure::Usage(error.to_string()))?;
    setup.args.prevalence.as_deref().map(Prevalence::parsed).transpose()?;
    Ok(options)
}

/// Fits the model; of documents of which nothing is known it is the correlated topic model.
pub(super) fn fit(setup: &Setup<'_>, documents: &Documents<'_>) -> Result<Outcome, Failure> {
    let options = options(setup)?;
    let corpus = &*documents.corpus;
    let nothing = || DocumentCovariates { prevalence: DMatrix::zeros(corpus.documents(), 0), content: None };
    let known = documents.covariates.clone().unwrap_or_else(nothing);
    let mut steps = Steps::new(setup.args, options.max_iterations, corpus.tokens());
    let FittedTopics { model, doc_topic, report } =
        structural_topics::fit(corpus, &known, &options, &mut |step: &_| steps.observe(step))?;
    let seconds = steps.finish()?;
    let covariates = setup.covariates.cloned().unwrap_or_default();
    let settings = vec![
        ("model", "structural topic model".to_owned()),
        ("inference", "expectation maximisation by Laplace's method, from anchor words".to_owned()),
        ("topics", options.topics.to_string()),
        ("prevalence", covariates.formula()),
        ("content", covariates.content_column()),
        ("beta", significant(options.beta)),
        ("replicates", options.replicates.to_string()),
        ("steps", steps::output(&report)),
    ];
    let course = steps::Course { report: &report, tokens: corpus.tokens(), seconds, what: "Laplace's ln p" };
    let fitted = FittedModel::Structural(Structural { model: Box::new(model), covariates });
    Ok(Outcome { beta: Some(options.beta), ..course.outcome(fitted, doc_topic, settings) })
}
