//! One topic for all documents.

use std::time::Instant;

use posterior::topics::unigram::Unigram;
use posterior::topics::{Corpus, FittedTopics};

use super::steps::Course;
use super::{Outcome, Setup};
use crate::failure::Failure;
use crate::output::significant;
use crate::topics::fitted_model::FittedModel;

/// Counts the words.
pub(super) fn fit(setup: &Setup<'_>, corpus: &Corpus) -> Result<Outcome, Failure> {
    let start = Instant::now();
    let FittedTopics { model, doc_topic, report } = Unigram::fit(corpus, setup.args.beta)?;
    let settings = vec![
        ("model", "one topic for all documents".to_owned()),
        ("inference", "posterior mean".to_owned()),
        ("beta", significant(setup.args.beta)),
    ];
    let seconds = start.elapsed().as_secs_f64();
    let course = Course { report: &report, tokens: corpus.tokens(), seconds, what: "Log-likelihood" };
    Ok(course.outcome(FittedModel::Unigram(model), doc_topic, settings))
}
