//! The models and inferences of `topics fit`, each of which leaves an [`Outcome`].

mod bigram;
mod blocked;
mod checkpoints;
mod dynamic;
mod factorization;
mod gibbs;
mod hdp;
mod kernel;
mod labelled;
mod mixture;
mod pitman_yor;
mod plsa;
mod regression;
mod steps;
mod structural;
mod supervised;
mod unigram;
mod variational;

use posterior::math::linalg::DMatrix;
use posterior::topics::dirichlet_regression::FeatureRecipe;
use posterior::topics::kernel_topics::KernelTopics;
use posterior::topics::lda::collapsed_variational::Order;
use posterior::topics::lda::{Seed, WordWeights};

use super::covariates::Covariates;
use super::documents::Documents;
use super::fitted_model::FittedModel;
use crate::args::{Model, TopicsEngine, TopicsFit, name};
use crate::failure::Failure;
use crate::output;
use crate::report::Trace;
pub(super) use factorization::weighting;
pub(super) use gibbs::options as gibbs_options;
pub(super) use steps::{Progress, Steps};
pub(super) use variational::online_options;

/// What a fit leaves, whatever the model.
pub(super) struct Outcome {
    pub(super) model: FittedModel,
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

/// What one fit is asked for: options of which several fits of a run have some of their own.
#[derive(Debug, Clone, Copy)]
pub(super) struct Setup<'a> {
    pub(super) args: &'a TopicsFit,
    pub(super) topics: usize,
    pub(super) seed: u64,
    /// Words whose prior concentrations are raised.
    pub(super) seeds: &'a [Seed],
    /// What features are made of, where the model has some.
    pub(super) recipe: Option<&'a FeatureRecipe>,
    /// What covariates are made of, where the model has some.
    pub(super) covariates: Option<&'a Covariates>,
}

impl<'a> Setup<'a> {
    /// Of the command line, but with so many topics, without seeds, features and covariates.
    pub(super) fn of(args: &'a TopicsFit, topics: usize) -> Self {
        Self { args, topics, seed: args.common.seed, seeds: &[], recipe: None, covariates: None }
    }

    /// How the prior of words differs between topics.
    fn word_weights(&self) -> WordWeights {
        if self.seeds.is_empty() { WordWeights::Equal } else { self.seeds.to_vec().into() }
    }

    /// The engine, by default the first that the model has.
    fn engine(&self) -> TopicsEngine {
        let default = engines(self.args.model).first().copied();
        self.args.engine.or(default).unwrap_or(TopicsEngine::Gibbs)
    }
}

/// The engines of a model that has several.
fn engines(model: Model) -> &'static [TopicsEngine] {
    use TopicsEngine::{
        BlockedGibbs, Cvb, Cvb0, Direct, Em, Franchise, Gibbs, HardEm, OnlineVb, StochasticEm, TemperedEm, Vb,
    };
    match model {
        Model::Lda => &[Gibbs, BlockedGibbs, Vb, OnlineVb, Cvb0, Cvb, Em],
        Model::Plsa => &[Em, TemperedEm],
        Model::Mixture => &[Em, HardEm, StochasticEm, Gibbs, BlockedGibbs],
        Model::Hdp => &[Direct, Franchise, OnlineVb],
        _ => &[],
    }
}

/// Refuses options that do not go together, before anything is read.
pub(super) fn check(setup: &Setup<'_>) -> Result<(), Failure> {
    if let Some(engine) = setup.args.engine.filter(|engine| !engines(setup.args.model).contains(engine)) {
        let own: Vec<String> = engines(setup.args.model).iter().copied().map(name).collect();
        let (engine, model) = (name(engine), name(setup.args.model));
        return Err(Failure::Usage(format!("--engine {engine}: --model {model} has {}", own.join(", "))));
    }
    match (setup.args.model, setup.engine()) {
        (Model::Lda, TopicsEngine::BlockedGibbs) => blocked::options(setup).map(drop),
        (Model::Lda, TopicsEngine::Vb | TopicsEngine::Em) => variational::batch_options(setup).map(drop),
        (Model::Lda, TopicsEngine::OnlineVb) => online_options(setup).map(drop),
        (Model::Lda, TopicsEngine::Cvb0) => variational::collapsed_options(setup, Order::Zeroth).map(drop),
        (Model::Lda, TopicsEngine::Cvb) => variational::collapsed_options(setup, Order::Second).map(drop),
        (Model::Lda, _) => gibbs::options(setup).map(drop),
        (Model::Plsa, _) => plsa::options(setup).map(drop),
        (Model::Mixture, TopicsEngine::Gibbs | TopicsEngine::BlockedGibbs) => {
            mixture::gibbs_options(setup).map(drop)
        }
        (Model::Mixture, _) => mixture::options(setup).map(drop),
        (Model::Hdp, TopicsEngine::OnlineVb) => hdp::online_options(setup).map(drop),
        (Model::Hdp, _) => hdp::options(setup).map(drop),
        (Model::KernelLda, _) => kernel::options(setup).map(drop),
        (Model::Dmr, _) => regression::options(setup).map(drop),
        (Model::Dynamic, _) => dynamic::options(setup).map(drop),
        (Model::Stm, _) => structural::options(setup).map(drop),
        (Model::Labelled, _) => labelled::options(setup).map(drop),
        (Model::Supervised, _) => supervised::options(setup).map(drop),
        (Model::PitmanYor, _) => pitman_yor::options(setup).map(drop),
        (Model::Bigram, _) => bigram::options(setup).map(drop),
        (Model::Nmf, _) => factorization::options(setup).map(drop),
        (Model::Lsa | Model::Unigram, _) => Ok(()),
    }
}

/// Fits the model that the command line names, one with topics.
pub(super) fn fit(setup: &Setup<'_>, documents: &Documents<'_>) -> Result<Outcome, Failure> {
    let corpus = &*documents.corpus;
    match (setup.args.model, setup.engine()) {
        (Model::Lda, TopicsEngine::BlockedGibbs) => blocked::fit(setup, corpus),
        (Model::Lda, TopicsEngine::Vb | TopicsEngine::Em) => variational::batch(setup, corpus),
        (Model::Lda, TopicsEngine::OnlineVb) => variational::online(setup, corpus),
        (Model::Lda, TopicsEngine::Cvb0) => variational::collapsed(setup, corpus, Order::Zeroth),
        (Model::Lda, TopicsEngine::Cvb) => variational::collapsed(setup, corpus, Order::Second),
        (Model::Lda, _) => gibbs::fit(setup, corpus),
        (Model::Plsa, TopicsEngine::TemperedEm) => plsa::tempered(setup, corpus),
        (Model::Plsa, _) => plsa::fit(setup, corpus),
        (Model::Mixture, TopicsEngine::Gibbs | TopicsEngine::BlockedGibbs) => mixture::sample(setup, corpus),
        (Model::Mixture, _) => mixture::fit(setup, corpus),
        (Model::Hdp, TopicsEngine::OnlineVb) => hdp::online(setup, corpus),
        (Model::Hdp, _) => hdp::fit(setup, corpus),
        (Model::KernelLda, _) => kernel::fit(setup, documents),
        (Model::Dmr, _) => regression::fit(setup, documents),
        (Model::Dynamic, _) => dynamic::fit(setup, documents),
        (Model::Stm, _) => structural::fit(setup, documents),
        (Model::Labelled, _) => labelled::fit(setup, documents),
        (Model::Supervised, _) => supervised::fit(setup, documents),
        (Model::PitmanYor, _) => pitman_yor::fit(setup, corpus),
        (Model::Bigram, _) => bigram::fit(setup, documents),
        (Model::Nmf, _) => factorization::fit(setup, corpus),
        (Model::Unigram, _) => unigram::fit(setup, corpus),
        (Model::Lsa, _) => Err(Failure::Usage("--model lsa: components are no topics".to_owned())),
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
