//! A fitted model as `model.json` holds it.

use std::path::{Path, PathBuf};

use posterior::topics::corpus::Document;
use posterior::topics::document_mixture::DocumentMixture;
use posterior::topics::lda::{self, Lda};
use posterior::topics::{TopicModel, Topics};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use crate::failure::Failure;
use crate::input;

/// One of the models that `topics fit` fits.
#[derive(Debug)]
pub(crate) enum SavedModel {
    Lda(Lda),
    Mixture(DocumentMixture),
    FoldedIn(FoldedIn),
}

/// A model that reads a document by its topics and a Dirichlet prior of the proportions.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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

/// What every model file has.
#[derive(Deserialize)]
struct Tagged {
    format: Value,
}

/// The file form of a mixture.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MixtureFile {
    format: String,
    weights: Vec<f64>,
    topics: Topics,
}

const MIXTURE: &str = "posterior-document-mixture-1";

impl FoldedIn {
    pub(super) fn new(format: Kind, topics: Topics, alpha: Vec<f64>) -> Self {
        Self { format, alpha, topics }
    }
}

impl SavedModel {
    /// Reads `model.json`, or that of a folder.
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let path = if path.is_dir() { path.join("model.json") } else { PathBuf::from(path) };
        let (source, json) = input::text(&path)?;
        Self::from_json(&json).map_err(|error| {
            let failure = Failure::data(format!("{source}: not a topic model: {error}"));
            failure.with_hint("`posterior topics fit` writes one as model.json")
        })
    }

    /// The field `format` says which model a file holds; without a known one the message is that of LDA.
    fn from_json(json: &str) -> serde_json::Result<Self> {
        let format = serde_json::from_str::<Tagged>(json).map_or(Value::Null, |tagged| tagged.format);
        if format == MIXTURE {
            let MixtureFile { weights, topics, .. } = serde_json::from_str(json)?;
            return DocumentMixture::new(topics, weights)
                .map(Self::Mixture)
                .map_err(serde::de::Error::custom);
        }
        if serde_json::from_value::<Kind>(format).is_err() {
            return serde_json::from_str(json).map(Self::Lda);
        }
        let model: FoldedIn = serde_json::from_str(json)?;
        let fits = model.alpha.len() == model.topics.len();
        if fits && model.alpha.iter().all(|alpha| alpha.is_finite() && *alpha >= 0.0) {
            Ok(Self::FoldedIn(model))
        } else {
            Err(serde::de::Error::custom("alpha must hold a number from 0 for each topic"))
        }
    }

    /// The model at the start of a sentence.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Lda(_) => "Latent Dirichlet allocation",
            Self::Mixture(_) => "A mixture of unigrams",
            Self::FoldedIn(model) => match model.format {
                Kind::Plsa => "Probabilistic latent semantic analysis",
                Kind::Hdp => "A hierarchical Dirichlet process",
                Kind::KernelLda => "A kernel topic model",
            },
        }
    }

    /// The Dirichlet concentrations of the topics in a document, where the model has some.
    pub(super) fn alpha(&self) -> Option<Vec<f64>> {
        match self {
            Self::Lda(model) => Some(model.alpha().to_vec()),
            Self::FoldedIn(model) if model.format != Kind::Plsa => Some(model.alpha.clone()),
            Self::Mixture(_) | Self::FoldedIn(_) => None,
        }
    }

    fn inner(&self) -> &dyn TopicModel {
        match self {
            Self::Lda(model) => model,
            Self::Mixture(model) => model,
            Self::FoldedIn(model) => model,
        }
    }
}

impl Serialize for SavedModel {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Lda(model) => model.serialize(serializer),
            Self::FoldedIn(model) => model.serialize(serializer),
            Self::Mixture(model) => MixtureFile {
                format: MIXTURE.to_owned(),
                weights: model.weights().to_vec(),
                topics: model.topics().clone(),
            }
            .serialize(serializer),
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

impl TopicModel for SavedModel {
    fn topics(&self) -> &Topics {
        self.inner().topics()
    }

    fn proportions(&self, document: Document<'_>) -> Vec<f64> {
        self.inner().proportions(document)
    }

    fn ln_predictive(&self, observed: Document<'_>, scored: Document<'_>) -> f64 {
        self.inner().ln_predictive(observed, scored)
    }
}
