//! The structural topic model: proportions that go together and depend on features of the documents.

use posterior::math::linalg::DMatrix;
use posterior::topics::FittedTopics;
use posterior::topics::structural_topics::{self, DocumentCovariates, StructuralTopicsOptions};

use super::steps::Steps;
use super::{Outcome, Setup};
use crate::failure::Failure;
use crate::output::{grouped, significant};
use crate::topics::documents::Documents;
use crate::topics::fitted_model::{FittedModel, Structural};

/// The options of the sampler. Of few sweeps the second half is kept.
pub(super) fn options(setup: &Setup<'_>) -> Result<StructuralTopicsOptions, Failure> {
    let defaults = StructuralTopicsOptions::default();
    let iterations = setup.args.iterations.unwrap_or(defaults.iterations);
    let options = StructuralTopicsOptions {
        topics: setup.topics,
        iterations,
        draws: (iterations / (2 * defaults.thin)).clamp(1, defaults.draws),
        beta: setup.args.beta,
        seed: setup.seed,
        threads: setup.args.common.threads.map_or(0, usize::from),
        ..defaults
    };
    options.check().map_err(|error| Failure::Usage(error.to_string()))?;
    Ok(options)
}

/// Fits the model; without features it is the correlated topic model.
pub(super) fn fit(setup: &Setup<'_>, documents: &Documents<'_>) -> Result<Outcome, Failure> {
    let options = options(setup)?;
    let corpus = &*documents.corpus;
    let none = || DMatrix::zeros(corpus.documents(), 0);
    let prevalence = documents.features.clone().unwrap_or_else(none);
    let covariates = DocumentCovariates { prevalence, content: None };
    let mut steps = Steps::new(setup.args, options.iterations, corpus.tokens());
    let FittedTopics { model, doc_topic, report } =
        structural_topics::fit(corpus, &covariates, &options, &mut |step: &_| steps.observe(step))?;
    steps.finish()?;
    let names = setup.recipe.map_or_else(|| "none".to_owned(), |recipe| recipe.names().join(", "));
    let settings = vec![
        ("model", "structural topic model".to_owned()),
        ("inference", "Gibbs sampling, log-ratios by elliptical slices".to_owned()),
        ("topics", options.topics.to_string()),
        ("features", names),
        ("beta", significant(options.beta)),
        ("sweeps", grouped(report.iterations as u64)),
        ("kept states", options.draws.to_string()),
        ("seed", options.seed.to_string()),
    ];
    let fitted = FittedModel::Structural(Structural { model, features: setup.recipe.cloned() });
    Ok(Outcome { beta: Some(options.beta), ..Outcome::of_chain(&report, fitted, doc_topic, settings) })
}
