//! A fitted model with topics.

use posterior::topics::bigram_topics::BigramTopics;
use posterior::topics::corpus::Document;
use posterior::topics::dirichlet_regression::{DirichletRegression, FeatureRecipe};
use posterior::topics::document_mixture::DocumentMixture;
use posterior::topics::dynamic_topics::DynamicTopics;
use posterior::topics::labelled_topics::LabelledTopics;
use posterior::topics::lda::{self, Lda};
use posterior::topics::nonnegative_factorization::Factorization;
use posterior::topics::pitman_yor_topics::PitmanYorTopics;
use posterior::topics::structural_topics::StructuralTopics;
use posterior::topics::supervised_topics::SupervisedTopics;
use posterior::topics::unigram::Unigram;
use posterior::topics::{TopicModel, Topics};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::covariates::Covariates;
use super::documents::Documents;
use crate::failure::{Failure, refused};

/// One of the models that `topics fit` fits.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FittedModel {
    Lda(Lda),
    Mixture(DocumentMixture),
    FoldedIn(FoldedIn),
    Regression(Regression),
    Dynamic(DynamicTopics),
    Labelled(LabelledTopics),
    Supervised(SupervisedTopics),
    Structural(Structural),
    PitmanYor(PitmanYorTopics),
    Bigram(BigramTopics),
    Factorization(Factorization),
    Unigram(Unigram),
}

/// A model that reads a document by its topics and a Dirichlet prior of the proportions.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub(crate) struct FoldedIn {
    format: Kind,
    /// The concentration of each topic in a document, less one where the model says so: zero is no prior.
    alpha: Vec<f64>,
    topics: Topics,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Kind {
    #[serde(rename = "posterior-plsa-1")]
    Plsa,
    #[serde(rename = "posterior-hdp-1")]
    Hdp,
    #[serde(rename = "posterior-kernel-lda-1")]
    KernelLda,
}

/// As it is read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Unchecked {
    format: Kind,
    alpha: Vec<f64>,
    topics: Topics,
}

impl TryFrom<Unchecked> for FoldedIn {
    type Error = String;

    fn try_from(Unchecked { format, alpha, topics }: Unchecked) -> Result<Self, String> {
        if alpha.len() == topics.len() && alpha.iter().all(|alpha| alpha.is_finite() && *alpha >= 0.0) {
            Ok(Self { format, alpha, topics })
        } else {
            Err("alpha must hold a number from 0 for each topic".to_owned())
        }
    }
}

impl FoldedIn {
    pub(super) fn new(format: Kind, topics: Topics, alpha: Vec<f64>) -> Self {
        Self { format, alpha, topics }
    }
}

/// A regression, and what its features are made of.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Regression {
    pub(super) model: DirichletRegression,
    pub(super) features: FeatureRecipe,
}

/// A structural topic model, and what its covariates are made of.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Structural {
    pub(super) model: Box<StructuralTopics>,
    pub(super) covariates: Covariates,
}

impl FittedModel {
    pub(crate) fn topics(&self) -> &Topics {
        match self {
            Self::Bigram(model) => model.topics(),
            Self::Lda(model) => model.topics(),
            Self::Mixture(model) => model.topics(),
            Self::FoldedIn(model) => model.topics(),
            Self::Regression(model) => model.model.topics(),
            Self::Dynamic(model) => model.topics(),
            Self::Labelled(model) => model.topics(),
            Self::Supervised(model) => model.topics(),
            Self::Structural(model) => model.model.topics(),
            Self::PitmanYor(model) => model.topics(),
            Self::Factorization(model) => model.topics(),
            Self::Unigram(model) => model.topics(),
        }
    }

    /// The model at the start of a sentence.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Lda(_) => "Latent Dirichlet allocation",
            Self::Mixture(_) => "A mixture of unigrams",
            Self::Regression(_) => "Dirichlet-multinomial regression",
            Self::Dynamic(_) => "A model of dynamic topics",
            Self::Labelled(_) => "A model of labelled topics",
            Self::Supervised(_) => "A model of supervised topics",
            Self::Structural(_) => "A structural topic model",
            Self::PitmanYor(_) => "A model of Pitman-Yor topics",
            Self::Bigram(_) => "A model of pairs of words",
            Self::Factorization(_) => "Non-negative matrix factorization",
            Self::Unigram(_) => "The unigram model",
            Self::FoldedIn(model) => match model.format {
                Kind::Plsa => "Probabilistic latent semantic analysis",
                Kind::Hdp => "A hierarchical Dirichlet process",
                Kind::KernelLda => "A kernel topic model",
            },
        }
    }

    /// The Dirichlet concentrations of the topics in a document, where the model has some; of a regression,
    /// their averages over the documents.
    pub(super) fn alpha(&self) -> Option<Vec<f64>> {
        match self {
            Self::Lda(model) => Some(model.alpha().to_vec()),
            Self::FoldedIn(model) if model.format != Kind::Plsa => Some(model.alpha.clone()),
            Self::Regression(model) => Some(model.model.lda().alpha().to_vec()),
            Self::Dynamic(model) => Some(model.alpha().to_vec()),
            Self::Labelled(model) => Some(model.lda().alpha().to_vec()),
            Self::Supervised(model) => Some(model.lda().alpha().to_vec()),
            Self::PitmanYor(model) => Some(model.alpha().to_vec()),
            Self::Bigram(model) => Some(model.alpha().to_vec()),
            Self::Structural(_)
            | Self::Mixture(_)
            | Self::FoldedIn(_)
            | Self::Factorization(_)
            | Self::Unigram(_) => None,
        }
    }

    /// The topic proportions of documents over the vocabulary of the model: a row a document.
    pub(super) fn proportions(&self, documents: &Documents<'_>) -> Result<Vec<Vec<f64>>, Failure> {
        let corpus = &*documents.corpus;
        let by_words = |model: &(dyn TopicModel + Sync)| {
            (0..corpus.documents()).into_par_iter().map(|d| model.proportions(corpus.document(d))).collect()
        };
        Ok(match self {
            Self::Bigram(model) => {
                let sequences = documents.in_order("a model of pairs of words")?;
                sequences.documents().par_iter().map(|document| model.proportions(document)).collect()
            }
            Self::Regression(model) => {
                let Some(features) = &documents.features else { return Ok(by_words(&model.model)) };
                let row = |d: usize| {
                    let own: Vec<f64> = features.row(d).iter().copied().collect();
                    model.model.proportions_at(corpus.document(d), &own)
                };
                let rows = (0..corpus.documents()).into_par_iter().map(row);
                rows.collect::<Result<_, _>>().map_err(refused)?
            }
            Self::Lda(model) => by_words(model),
            Self::Dynamic(model) => {
                let Some(times) = &documents.times else { return Ok(by_words(model)) };
                let row = |d: usize| match times[d] {
                    time if time.is_finite() => model.proportions_at(corpus.document(d), time),
                    _ => Ok(model.proportions(corpus.document(d))),
                };
                let rows = (0..corpus.documents()).into_par_iter().map(row);
                rows.collect::<Result<_, _>>()?
            }
            Self::Structural(Structural { model, .. }) => {
                let Some(known) = &documents.covariates else { return Ok(by_words(&**model)) };
                let row = |d: usize| {
                    let (features, level) = known.of(d);
                    model.proportions_at(corpus.document(d), &features, level)
                };
                let rows = (0..corpus.documents()).into_par_iter().map(row);
                rows.collect::<Result<_, _>>().map_err(refused)?
            }
            Self::Labelled(model) => by_words(model),
            Self::Supervised(model) => by_words(model),
            Self::Mixture(model) => by_words(model),
            Self::FoldedIn(model) => by_words(model),
            Self::PitmanYor(model) => by_words(model),
            Self::Factorization(model) => by_words(model),
            Self::Unigram(model) => by_words(model),
        })
    }

    /// ln p(scored | observed) of two parts of the same documents, each.
    pub(super) fn ln_predictive(
        &self,
        observed: &Documents<'_>,
        scored: &Documents<'_>,
    ) -> Result<Vec<f64>, Failure> {
        let (first, second) = (&*observed.corpus, &*scored.corpus);
        let pairs = (0..first.documents()).into_par_iter();
        match self {
            Self::Bigram(model) => {
                let read = observed.in_order("a model of pairs of words")?.documents();
                let rest = scored.in_order("a model of pairs of words")?.documents();
                Ok(pairs.map(|d| model.ln_predictive(&read[d], &rest[d])).collect())
            }
            Self::Dynamic(model) if observed.times.is_some() => {
                let times = observed.times.as_deref().unwrap_or_default();
                let one = |d: usize| match times[d] {
                    time if time.is_finite() => {
                        model.ln_predictive_at(first.document(d), second.document(d), time)
                    }
                    _ => Ok(model.ln_predictive(first.document(d), second.document(d))),
                };
                Ok(pairs.map(one).collect::<Result<_, _>>()?)
            }
            Self::Structural(Structural { model, .. }) if observed.covariates.is_some() => {
                let one = |d: usize| {
                    let (features, level) =
                        observed.covariates.as_ref().map(|known| known.of(d)).unwrap_or_default();
                    model.ln_predictive_at(first.document(d), second.document(d), &features, level)
                };
                pairs.map(one).collect::<Result<_, _>>().map_err(refused)
            }
            Self::Mixture(model) => {
                Ok(pairs.map(|d| model.ln_predictive(first.document(d), second.document(d))).collect())
            }
            _ => {
                let theta = self.proportions(observed)?;
                Ok(pairs.map(|d| self.topics().ln_likelihood(second.document(d), &theta[d])).collect())
            }
        }
    }
}

impl TopicModel for FoldedIn {
    fn topics(&self) -> &Topics {
        &self.topics
    }

    fn proportions(&self, document: Document<'_>) -> Vec<f64> {
        lda::proportions(&self.topics, &self.alpha, document)
    }
}
