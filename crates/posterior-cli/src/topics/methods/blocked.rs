//! Latent Dirichlet allocation by Gibbs sampling of proportions and topics too.

use posterior::topics::lda::blocked_gibbs::{self, LdaBlockedGibbsOptions};
use posterior::topics::lda::{Concentration, Hyperparameters};
use posterior::topics::{Corpus, FittedTopics};

use super::steps::{Steps, lda_settings, learning};
use super::{Outcome, Setup};
use crate::failure::Failure;
use crate::output;
use crate::topics::fitted_model::FittedModel;

/// The options of the sampler.
pub(super) fn options(setup: &Setup<'_>) -> Result<LdaBlockedGibbsOptions, Failure> {
    let defaults = LdaBlockedGibbsOptions::default();
    let options = LdaBlockedGibbsOptions {
        topics: setup.topics,
        iterations: setup.args.iterations.unwrap_or(defaults.iterations),
        alpha: setup.args.alpha.map_or(Concentration::Default, Concentration::Symmetric),
        beta: setup.args.beta,
        word_weights: setup.word_weights(),
        hyperparameters: learning(setup.args),
        seed: setup.seed,
        threads: setup.args.common.threads.map_or(0, usize::from),
        ..defaults
    };
    options.check().map_err(|error| Failure::Usage(error.to_string()))?;
    Ok(options)
}

/// Fits the model.
pub(super) fn fit(setup: &Setup<'_>, corpus: &Corpus) -> Result<Outcome, Failure> {
    let options = options(setup)?;
    let mut steps = Steps::new(setup.args, options.iterations, corpus.tokens());
    let FittedTopics { model, doc_topic, report } =
        blocked_gibbs::fit(corpus, &options, &mut |step: &_| steps.observe(step))?;
    steps.finish()?;
    let learned = options.hyperparameters == Hyperparameters::Optimized;
    let mut settings = lda_settings(&model, learned, "Gibbs sampling of proportions, topics and words");
    settings.extend([
        ("sweeps", output::grouped(report.iterations as u64)),
        ("pooled states", format!("{}, {} sweeps apart", options.draws, options.thin)),
        ("seed", options.seed.to_string()),
    ]);
    let beta = Some(model.beta());
    Ok(Outcome { beta, ..Outcome::of_chain(&report, FittedModel::Lda(model), doc_topic, settings) })
}
