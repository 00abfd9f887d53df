//! A topic for each label of the documents.

use posterior::topics::FittedTopics;
use posterior::topics::labelled_topics::{self, LabelledTopicsOptions};

use super::steps::Steps;
use super::{Outcome, Setup};
use crate::failure::Failure;
use crate::output::{grouped, significant};
use crate::topics::documents::Documents;
use crate::topics::fitted_model::FittedModel;

/// The options of the sampler.
pub(super) fn options(setup: &Setup<'_>) -> Result<LabelledTopicsOptions, Failure> {
    let defaults = LabelledTopicsOptions::default();
    let options = LabelledTopicsOptions {
        background: setup.args.background,
        iterations: setup.args.iterations.unwrap_or(defaults.iterations),
        alpha: setup.args.alpha.unwrap_or(defaults.alpha),
        beta: setup.args.beta,
        seed: setup.seed,
        ..defaults
    };
    options.check().map_err(|error| Failure::Usage(error.to_string()))?;
    if setup.args.labels.is_none() {
        let message = "--model labelled: name the column with the labels of a document with --labels";
        return Err(Failure::Usage(message.to_owned()));
    }
    Ok(options)
}

/// Fits the model to documents whose labels are known.
pub(super) fn fit(setup: &Setup<'_>, documents: &Documents<'_>) -> Result<Outcome, Failure> {
    let options = options(setup)?;
    let Some(labels) = &documents.labels else {
        return Err(Failure::data("a model of labels needs the labels of the documents"));
    };
    let corpus = &*documents.corpus;
    let mut steps = Steps::new(setup.args, options.iterations, corpus.tokens());
    let FittedTopics { model, doc_topic, report } =
        labelled_topics::fit(corpus, labels, &options, &mut |step: &_| steps.observe(step))?;
    steps.finish()?;
    let settings = vec![
        ("model", "labelled topics".to_owned()),
        ("inference", "collapsed Gibbs sampling".to_owned()),
        ("labels", labels.names().len().to_string()),
        ("topics of the background", options.background.to_string()),
        ("alpha", significant(options.alpha)),
        ("beta", significant(options.beta)),
        ("sweeps", grouped(report.iterations as u64)),
        ("seed", options.seed.to_string()),
    ];
    let beta = Some(options.beta);
    Ok(Outcome { beta, ..Outcome::of_chain(&report, FittedModel::Labelled(model), doc_topic, settings) })
}
