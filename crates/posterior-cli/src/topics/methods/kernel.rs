//! Kernel topic models: proportions whose prior is a Gaussian process over the time of a document, and over
//! who speaks.

use posterior::topics::kernel_topics::{self, Covariates, KernelReport, KernelTopics, KernelTopicsOptions};
use posterior::topics::{Error, FittedTopics, TopicModel as _};

use super::steps::{Course, Steps};
use super::{Outcome, Setup, range};
use crate::failure::Failure;
use crate::output;
use crate::topics::documents::Documents;
use crate::topics::fitted_model::{FittedModel, FoldedIn, Kind};

/// The options of the fit.
pub(super) fn options(setup: &Setup<'_>) -> Result<KernelTopicsOptions, Failure> {
    let mut options = KernelTopicsOptions {
        topics: setup.topics,
        beta: setup.args.beta,
        seed: setup.seed,
        ..KernelTopicsOptions::default()
    };
    if let Some(iterations) = setup.args.iterations {
        options = KernelTopicsOptions { max_iterations: iterations, ..options };
    }
    options.check().map_err(|error| Failure::Usage(error.to_string()))?;
    Ok(options)
}

/// Fits the model.
pub(super) fn fit(setup: &Setup<'_>, documents: &Documents<'_>) -> Result<Outcome, Failure> {
    let options = options(setup)?;
    let corpus = &*documents.corpus;
    let covariates = covariates(documents)?;
    let mut steps = Steps::new(setup.args, options.max_iterations, corpus.tokens());
    let FittedTopics { model, doc_topic, report } =
        kernel_topics::fit(corpus, &covariates, &options, &mut |step: &_| steps.observe(step))?;
    let seconds = steps.finish()?;
    let settings = settings(&model, &report, &options);
    let course = Course {
        report: &report.search,
        tokens: corpus.tokens(),
        seconds,
        what: "Lower bound of ln p(words), with the prior of the concentrations,",
    };
    let alpha = model.lda().alpha().to_vec();
    let saved = FoldedIn::new(Kind::KernelLda, model.topics().clone(), alpha);
    Ok(Outcome { kernel: Some(model), ..course.outcome(FittedModel::FoldedIn(saved), doc_topic, settings) })
}

/// The time of each document, and its label where there are some.
fn covariates(documents: &Documents<'_>) -> Result<Covariates, Failure> {
    let times = documents.all_times("a kernel topic model needs")?;
    let labelled = Covariates::new(times).and_then(|covariates| match &documents.bands {
        Some(labels) => covariates.with_labels("band", labels),
        None => Ok(covariates),
    });
    labelled.map_err(|error: Error| Failure::from(error))
}

fn settings(
    model: &KernelTopics,
    report: &KernelReport,
    options: &KernelTopicsOptions,
) -> Vec<(&'static str, String)> {
    let scales = model.curves().scales();
    let lengths: Vec<f64> = scales.iter().map(|scales| scales.length_scale).collect();
    let bound = report.bounds.last().map_or_else(String::new, |last| {
        format!(
            "{}, with the prior {}",
            output::significant(last.elbo),
            output::significant(last.penalized())
        )
    });
    vec![
        ("model", "kernel topic model".to_owned()),
        ("inference", "variational Bayes and Gaussian processes through the Laplace bridge".to_owned()),
        ("topics", options.topics.to_string()),
        ("rounds", report.search.iterations().to_string()),
        ("lower bound of ln p(words)", bound),
        ("length scales of time", range(&lengths, true)),
        ("beta", output::significant(options.beta)),
        ("seed", options.seed.to_string()),
    ]
}
