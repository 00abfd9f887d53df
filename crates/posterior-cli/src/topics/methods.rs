//! The models and inferences of `topics fit`, each of which leaves an [`Outcome`].

mod checkpoints;
mod gibbs;
mod hdp;
mod kernel;
mod maximum;
mod steps;
mod variational;

use posterior::math::linalg::DMatrix;
use posterior::topics::Corpus;
use posterior::topics::kernel_topics::KernelTopics;
use posterior::topics::lda::collapsed_variational::Order;

use super::saved_model::SavedModel;
use crate::args::{Model, TopicsEngine, TopicsFit};
use crate::failure::Failure;
use crate::output;
use crate::report::Trace;

/// What a fit leaves, whatever the model.
pub(super) struct Outcome {
    pub(super) model: SavedModel,
    /// Documents x topics.
    pub(super) doc_topic: DMatrix<f64>,
    /// What climbed, a token.
    pub(super) trace: Trace,
    /// What the fit was given and what it fitted, for the report.
    pub(super) settings: Vec<(&'static str, String)>,
    pub(super) iterations: usize,
    pub(super) tokens_per_second: f64,
    pub(super) beta: Option<f64>,
    /// The curves of a kernel topic model.
    pub(super) kernel: Option<KernelTopics>,
}

/// What is known of the documents beside their words.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known<'a> {
    /// The time of each document; NaN where there is none.
    pub(super) times: Option<&'a [f64]>,
    /// The name of the stretch of time that each document belongs to.
    pub(super) bands: Option<&'a [String]>,
}

/// Refuses options that do not go together, before anything is read.
pub(super) fn check(args: &TopicsFit) -> Result<(), Failure> {
    match (args.model, args.engine) {
        (Model::Lda, TopicsEngine::Gibbs) => gibbs::options(args).map(drop),
        (Model::Lda, TopicsEngine::Vb) => variational::batch_options(args).map(drop),
        (Model::Lda, TopicsEngine::OnlineVb) => variational::online_options(args).map(drop),
        (Model::Lda, TopicsEngine::Cvb0) => variational::collapsed_options(args, Order::Zeroth).map(drop),
        (Model::Lda, TopicsEngine::Cvb) => variational::collapsed_options(args, Order::Second).map(drop),
        (Model::Plsa, _) => maximum::plsa_options(args).map(drop),
        (Model::Hdp, _) => hdp::options(args).map(drop),
        (Model::KernelLda, _) => kernel::options(args).map(drop),
        (Model::Mixture, _) => maximum::mixture_options(args).map(drop),
    }
}

/// Fits the model that the command line names.
pub(super) fn fit(args: &TopicsFit, corpus: &Corpus, known: &Known<'_>) -> Result<Outcome, Failure> {
    match (args.model, args.engine) {
        (Model::Lda, TopicsEngine::Gibbs) => gibbs::fit(args, corpus),
        (Model::Lda, TopicsEngine::Vb) => variational::batch(args, corpus),
        (Model::Lda, TopicsEngine::OnlineVb) => variational::online(args, corpus),
        (Model::Lda, TopicsEngine::Cvb0) => variational::collapsed(args, corpus, Order::Zeroth),
        (Model::Lda, TopicsEngine::Cvb) => variational::collapsed(args, corpus, Order::Second),
        (Model::Plsa, _) => maximum::plsa(args, corpus),
        (Model::Hdp, _) => hdp::fit(args, corpus),
        (Model::KernelLda, _) => kernel::fit(args, corpus, known),
        (Model::Mixture, _) => maximum::mixture(args, corpus),
    }
}

/// Concentrations as a row of settings: one number or a range.
fn range(values: &[f64], learned: bool) -> String {
    let (low, high) = values.iter().fold((f64::INFINITY, 0.0_f64), |(l, h), &a| (l.min(a), h.max(a)));
    let learned = if learned { "learned" } else { "fixed" };
    if low == high {
        format!("{}, {learned}", output::significant(low))
    } else {
        format!("{} to {}, {learned}", output::significant(low), output::significant(high))
    }
}
