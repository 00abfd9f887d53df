//! Probabilistic latent semantic analysis by expectation maximisation.

use std::time::Instant;

use posterior::topics::corpus::split_tokens;
use posterior::topics::plsa::{self, Plsa};
use posterior::topics::{Corpus, FittedTopics, TopicModel as _};

use super::steps::{self, Steps};
use super::{Outcome, Setup};
use crate::failure::Failure;
use crate::output;
use crate::report::Trace;
use crate::topics::fitted_model::{FittedModel, FoldedIn, Kind};

/// Steps at most, unless stated otherwise.
const STEPS: usize = 200;

/// The options of probabilistic latent semantic analysis: maximum likelihood.
pub(super) fn options(setup: &Setup<'_>) -> Result<plsa::PlsaOptions, Failure> {
    let options = plsa::PlsaOptions {
        topics: setup.topics,
        max_iterations: setup.args.iterations.unwrap_or(STEPS),
        seed: setup.seed,
        ..plsa::PlsaOptions::default()
    };
    options.check().map_err(|error| Failure::Usage(error.to_string()))?;
    Ok(options)
}

/// Fits probabilistic latent semantic analysis.
pub(super) fn fit(setup: &Setup<'_>, corpus: &Corpus) -> Result<Outcome, Failure> {
    let options = options(setup)?;
    let mut steps = Steps::new(setup.args, options.max_iterations, corpus.tokens());
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
    Ok(course.outcome(FittedModel::FoldedIn(saved(&model)), doc_topic, settings))
}

fn saved(model: &Plsa) -> FoldedIn {
    let alpha = vec![model.topic_prior() - 1.0; model.topics().len()];
    FoldedIn::new(Kind::Plsa, model.topics().clone(), alpha)
}

/// Fits probabilistic latent semantic analysis by tempered steps: to one half of the words of each document,
/// as long as they predict the other.
pub(super) fn tempered(setup: &Setup<'_>, corpus: &Corpus) -> Result<Outcome, Failure> {
    let options = options(setup)?;
    let halves = split_tokens(corpus, setup.seed)?;
    let start = Instant::now();
    let FittedTopics { model, doc_topic, report } =
        plsa::fit_tempered(&halves.observed, &halves.scored, &options, &plsa::Tempering::default())?;
    let seconds = start.elapsed().as_secs_f64();
    let iterations: usize = report.stages.iter().map(|stage| stage.iterations).sum();
    let ends = report.stages.iter().scan(0, |sum, stage| {
        *sum += stage.iterations;
        Some((*sum as f64, stage.held_out))
    });
    let settings = vec![
        ("model", "probabilistic latent semantic analysis".to_owned()),
        ("inference", "tempered expectation maximisation on half of the words of each document".to_owned()),
        ("topics", options.topics.to_string()),
        ("steps", output::grouped(iterations as u64)),
        ("exponent of the best step", output::significant(report.exponent)),
        ("seed", options.seed.to_string()),
    ];
    Ok(Outcome {
        model: FittedModel::FoldedIn(saved(&model)),
        doc_topic,
        trace: Trace {
            name: "ln p per word of the other half, at the end of each temperature".to_owned(),
            text: "It climbs as long as the topics become less certain.",
            fact: "ln p per word of the other half",
            points: ends.collect(),
        },
        settings,
        iterations,
        tokens_per_second: iterations as f64 * halves.observed.tokens() as f64 / seconds,
        beta: None,
        kernel: None,
    })
}
