//! Non-negative matrix factorization.

use posterior::topics::nonnegative_factorization::{self, FactorizationDivergence, FactorizationOptions};
use posterior::topics::{Corpus, FittedTopics, Weighting};

use super::steps::{self, Course, Steps};
use super::{Outcome, Setup};
use crate::args::{DivergenceKind, WeightingKind};
use crate::failure::Failure;
use crate::topics::fitted_model::FittedModel;

/// The weight of a count.
pub(in crate::topics) fn weighting(kind: WeightingKind) -> Weighting {
    match kind {
        WeightingKind::Counts => Weighting::Counts,
        WeightingKind::TfIdf => Weighting::TfIdf,
    }
}

/// The options of the factorization.
pub(super) fn options(setup: &Setup<'_>) -> Result<FactorizationOptions, Failure> {
    let defaults = FactorizationOptions::default();
    let options = FactorizationOptions {
        topics: setup.topics,
        divergence: match setup.args.divergence {
            DivergenceKind::Kl => FactorizationDivergence::KullbackLeibler,
            DivergenceKind::Frobenius => FactorizationDivergence::Frobenius,
        },
        weighting: weighting(setup.args.weighting),
        max_iterations: setup.args.iterations.unwrap_or(defaults.max_iterations),
        seed: setup.seed,
        ..defaults
    };
    options.check().map_err(|error| Failure::Usage(error.to_string()))?;
    Ok(options)
}

/// Fits the factors.
pub(super) fn fit(setup: &Setup<'_>, corpus: &Corpus) -> Result<Outcome, Failure> {
    let options = options(setup)?;
    let mut steps = Steps::new(setup.args, options.max_iterations, corpus.tokens());
    let FittedTopics { model, doc_topic, report } =
        nonnegative_factorization::fit(corpus, &options, &mut |step: &_| steps.observe(step))?;
    let seconds = steps.finish()?;
    let divergence = match setup.args.divergence {
        DivergenceKind::Kl => "Kullback-Leibler divergence",
        DivergenceKind::Frobenius => "sum of squares",
    };
    let settings = vec![
        ("model", "non-negative matrix factorization".to_owned()),
        ("made small", divergence.to_owned()),
        ("topics", options.topics.to_string()),
        ("weight of a count", crate::args::name(setup.args.weighting)),
        ("steps", steps::output(&report)),
        ("seed", options.seed.to_string()),
    ];
    let what = match setup.args.divergence {
        DivergenceKind::Kl => "Minus the Kullback-Leibler divergence",
        DivergenceKind::Frobenius => "Minus half the sum of squares",
    };
    let course = Course { report: &report, tokens: corpus.tokens(), seconds, what };
    Ok(course.outcome(FittedModel::Factorization(model), doc_topic, settings))
}
