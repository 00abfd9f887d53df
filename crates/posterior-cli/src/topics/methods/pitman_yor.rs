//! Topics whose words follow Pitman-Yor processes.

use posterior::topics::lda::{Concentration, Hyperparameters};
use posterior::topics::pitman_yor_topics::{self, PitmanYorTopicsOptions};
use posterior::topics::{Corpus, FittedTopics};

use super::steps::{Steps, learning};
use super::{Outcome, Setup, range};
use crate::failure::Failure;
use crate::output::{grouped, significant};
use crate::topics::fitted_model::FittedModel;

/// The options of the sampler.
pub(super) fn options(setup: &Setup<'_>) -> Result<PitmanYorTopicsOptions, Failure> {
    let defaults = PitmanYorTopicsOptions::default();
    let options = PitmanYorTopicsOptions {
        topics: setup.topics,
        iterations: setup.args.iterations.unwrap_or(defaults.iterations),
        alpha: setup.args.alpha.map_or(Concentration::Default, Concentration::Symmetric),
        hyperparameters: learning(setup.args),
        seed: setup.seed,
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
        pitman_yor_topics::fit(corpus, &options, &mut |step: &_| steps.observe(step))?;
    steps.finish()?;
    let level = model.level();
    let mut settings = vec![
        ("model", "topics by Pitman-Yor processes around common words".to_owned()),
        ("inference", "collapsed Gibbs sampling of topics and tables".to_owned()),
        ("topics", options.topics.to_string()),
        ("alpha", range(model.alpha(), options.hyperparameters == Hyperparameters::Optimized)),
        ("discount of the topics", significant(level.discount())),
        ("concentration of the topics", significant(level.concentration())),
    ];
    if let Some(base) = model.base_level() {
        settings.push(("discount of the common words", significant(base.discount())));
        settings.push(("concentration of the common words", significant(base.concentration())));
    }
    settings.push(("sweeps", grouped(report.iterations as u64)));
    settings.push(("seed", options.seed.to_string()));
    Ok(Outcome::of_chain(&report, FittedModel::PitmanYor(model), doc_topic, settings))
}
