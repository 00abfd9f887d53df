//! Topics that predict a response of the documents.

use posterior::topics::FittedTopics;
use posterior::topics::lda::Concentration;
use posterior::topics::supervised_topics::{self, ResponseFamily, SupervisedTopicsOptions};

use super::steps::Steps;
use super::{Outcome, Setup, range};
use crate::args::FamilyChoice;
use crate::failure::Failure;
use crate::output::{grouped, significant};
use crate::topics::documents::Documents;
use crate::topics::fitted_model::FittedModel;

/// The options of the sampler.
pub(super) fn options(setup: &Setup<'_>) -> Result<SupervisedTopicsOptions, Failure> {
    let defaults = SupervisedTopicsOptions::default();
    let options = SupervisedTopicsOptions {
        family: match setup.args.family {
            FamilyChoice::Gaussian => ResponseFamily::Gaussian,
            FamilyChoice::Binary => ResponseFamily::Binary,
        },
        topics: setup.topics,
        iterations: setup.args.iterations.unwrap_or(defaults.iterations),
        alpha: setup.args.alpha.map_or(Concentration::Default, Concentration::Symmetric),
        beta: setup.args.beta,
        seed: setup.seed,
        ..defaults
    };
    options.check().map_err(|error| Failure::Usage(error.to_string()))?;
    if setup.args.response.is_none() {
        let message = "--model supervised: name the column that topics are to predict with --response";
        return Err(Failure::Usage(message.to_owned()));
    }
    Ok(options)
}

/// Fits the model to documents with their responses.
pub(super) fn fit(setup: &Setup<'_>, documents: &Documents<'_>) -> Result<Outcome, Failure> {
    let options = options(setup)?;
    let (Some(column), Some(responses)) = (&setup.args.response, &documents.responses) else {
        return Err(Failure::data("a supervised model needs responses of the documents"));
    };
    let corpus = &*documents.corpus;
    let mut steps = Steps::new(setup.args, options.iterations, corpus.tokens());
    let FittedTopics { model, doc_topic, report } =
        supervised_topics::fit(corpus, responses, &options, &mut |step: &_| steps.observe(step))?;
    steps.finish()?;
    let known = responses.iter().filter(|response| !response.is_nan()).count();
    let settings = vec![
        ("model", "supervised topics".to_owned()),
        ("inference", "Gibbs sampling of topics, coefficients and noise".to_owned()),
        ("topics", options.topics.to_string()),
        ("response", format!("{column}, of {} documents", grouped(known as u64))),
        ("prior variance of a coefficient", significant(options.prior.variance)),
        ("alpha", range(model.lda().alpha(), false)),
        ("beta", significant(options.beta)),
        ("sweeps", grouped(report.iterations as u64)),
        ("seed", options.seed.to_string()),
    ];
    let beta = Some(options.beta);
    Ok(Outcome { beta, ..Outcome::of_chain(&report, FittedModel::Supervised(model), doc_topic, settings) })
}
