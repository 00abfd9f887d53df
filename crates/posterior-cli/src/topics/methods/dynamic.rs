//! Topics whose words drift from one time to the next.

use posterior::topics::FittedTopics;
use posterior::topics::dynamic_topics::{self, DynamicTopicsOptions};
use posterior::topics::lda::Concentration;

use super::steps::Steps;
use super::{Outcome, Setup, range};
use crate::failure::Failure;
use crate::output::{grouped, significant};
use crate::topics::documents::Documents;
use crate::topics::fitted_model::FittedModel;

/// The options of the sampler.
pub(super) fn options(setup: &Setup<'_>) -> Result<DynamicTopicsOptions, Failure> {
    let defaults = DynamicTopicsOptions::default();
    let options = DynamicTopicsOptions {
        topics: setup.topics,
        iterations: setup.args.iterations.unwrap_or(defaults.iterations),
        alpha: setup.args.alpha.map_or(Concentration::Default, Concentration::Symmetric),
        seed: setup.seed,
        threads: setup.args.common.threads.map_or(0, usize::from),
        ..defaults
    };
    options.check().map_err(|error| Failure::Usage(error.to_string()))?;
    Ok(options)
}

/// Fits the model to documents whose times are known.
pub(super) fn fit(setup: &Setup<'_>, documents: &Documents<'_>) -> Result<Outcome, Failure> {
    let options = options(setup)?;
    let corpus = &*documents.corpus;
    let times = documents.all_times("dynamic topics need")?;
    let mut steps = Steps::new(setup.args, options.iterations, corpus.tokens());
    let FittedTopics { model, doc_topic, report } =
        dynamic_topics::fit(corpus, times, &options, &mut |step: &_| steps.observe(step))?;
    steps.finish()?;
    let accepted = report.trace.last().map_or(f64::NAN, |point| point.state.accepted);
    let settings = vec![
        ("model", "dynamic topics".to_owned()),
        ("inference", "Markov chain Monte Carlo over topics of tokens and paths of words".to_owned()),
        ("topics", options.topics.to_string()),
        ("times", grouped(model.times().len() as u64)),
        ("alpha", range(model.alpha(), false)),
        ("paths that moved in the last sweep", format!("{} %", significant(100.0 * accepted))),
        ("sweeps", grouped(report.iterations as u64)),
        ("seed", options.seed.to_string()),
    ];
    Ok(Outcome::of_chain(&report, FittedModel::Dynamic(model), doc_topic, settings))
}
