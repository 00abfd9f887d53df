//! Topics of pairs of words.

use posterior::topics::FittedTopics;
use posterior::topics::bigram_topics::{self, BigramTopicsOptions};
use posterior::topics::lda::{Concentration, Hyperparameters};

use super::steps::{self, Course, Steps, learning};
use super::{Outcome, Setup, range};
use crate::failure::Failure;
use crate::output::significant;
use crate::topics::documents::Documents;
use crate::topics::fitted_model::FittedModel;

/// The options of the sampler.
pub(super) fn options(setup: &Setup<'_>) -> Result<BigramTopicsOptions, Failure> {
    let defaults = BigramTopicsOptions::default();
    let options = BigramTopicsOptions {
        topics: setup.topics,
        iterations: setup.args.iterations.unwrap_or(defaults.iterations),
        alpha: setup.args.alpha.map_or(defaults.alpha, Concentration::Symmetric),
        beta: setup.args.beta,
        hyperparameters: learning(setup.args),
        seed: setup.seed,
        word_prior: defaults.word_prior,
        draws: defaults.draws,
    };
    options.check().map_err(|error| Failure::Usage(error.to_string()))?;
    Ok(options)
}

/// Fits the model to documents whose words are known in their order.
pub(super) fn fit(setup: &Setup<'_>, documents: &Documents<'_>) -> Result<Outcome, Failure> {
    let options = options(setup)?;
    let sequences = documents.in_order("--model bigram")?;
    let mut steps = Steps::new(setup.args, options.iterations, sequences.tokens());
    let FittedTopics { model, doc_topic, report } =
        bigram_topics::fit(sequences, &options, &mut |step: &_| steps.observe(step))?;
    let seconds = steps.finish()?;
    let learned = options.hyperparameters == Hyperparameters::Optimized;
    let settings = vec![
        ("model", "topics of pairs of words".to_owned()),
        ("inference", "collapsed Gibbs sampling".to_owned()),
        ("topics", options.topics.to_string()),
        ("alpha", range(model.alpha(), learned)),
        ("beta at the start", significant(options.beta)),
        ("sweeps", steps::output(&report)),
        ("seed", options.seed.to_string()),
    ];
    let what = "Joint log-likelihood of words and topics";
    let course = Course { report: &report, tokens: sequences.tokens(), seconds, what };
    Ok(course.outcome(FittedModel::Bigram(model), doc_topic, settings))
}
