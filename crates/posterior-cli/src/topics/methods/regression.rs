//! Dirichlet-multinomial regression: proportions whose prior depends on features of the documents.

use posterior::topics::FittedTopics;
use posterior::topics::dirichlet_regression::{self, DirichletRegressionOptions};

use super::steps::Steps;
use super::{Outcome, Setup};
use crate::failure::Failure;
use crate::output::{grouped, significant};
use crate::topics::documents::Documents;
use crate::topics::fitted_model::{FittedModel, Regression};

/// The options of the sampler; `--alpha` is where the concentrations begin.
pub(super) fn options(setup: &Setup<'_>) -> Result<DirichletRegressionOptions, Failure> {
    let defaults = DirichletRegressionOptions::default();
    let options = DirichletRegressionOptions {
        topics: setup.topics,
        iterations: setup.args.iterations.unwrap_or(defaults.iterations),
        alpha: setup.args.alpha.unwrap_or(defaults.alpha),
        beta: setup.args.beta,
        seed: setup.seed,
        ..defaults
    };
    options.check().map_err(|error| Failure::Usage(error.to_string()))?;
    if setup.args.features.is_empty() {
        let message = "--model dmr: name the columns that proportions depend on with --features";
        return Err(Failure::Usage(message.to_owned()));
    }
    Ok(options)
}

/// Fits the model to documents whose features are known.
pub(super) fn fit(setup: &Setup<'_>, documents: &Documents<'_>) -> Result<Outcome, Failure> {
    let options = options(setup)?;
    let (Some(recipe), Some(features)) = (setup.recipe, &documents.features) else {
        return Err(Failure::data("a dmr model needs features of the documents"));
    };
    let corpus = &*documents.corpus;
    let mut steps = Steps::new(setup.args, options.iterations, corpus.tokens());
    let FittedTopics { model, doc_topic, report } =
        dirichlet_regression::fit(corpus, features, &options, &mut |step: &_| steps.observe(step))?;
    steps.finish()?;
    let settings = vec![
        ("model", "Dirichlet-multinomial regression".to_owned()),
        ("inference", "collapsed Gibbs sampling, coefficients at their mode".to_owned()),
        ("topics", options.topics.to_string()),
        ("features", recipe.names().join(", ")),
        ("prior variance of a coefficient", significant(options.feature_variance)),
        ("beta", significant(options.beta)),
        ("sweeps", grouped(report.iterations as u64)),
        ("seed", options.seed.to_string()),
    ];
    let beta = Some(options.beta);
    let fitted = FittedModel::Regression(Regression { model, features: recipe.clone() });
    Ok(Outcome { beta, ..Outcome::of_chain(&report, fitted, doc_topic, settings) })
}
