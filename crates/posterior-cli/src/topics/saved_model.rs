//! A fitted model as `model.json` holds it.

use std::borrow::Cow;
use std::path::Path;

use posterior::table::read_bytes;
use posterior::topics::corpus::Document;
use posterior::topics::document_mixture::DocumentMixture;
use posterior::topics::lda::{self, Lda};
use posterior::topics::{TopicModel, Topics};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::corpus_input::Reading;
use crate::failure::Failure;
use crate::model_file;

/// One of the models that `topics fit` fits.
#[derive(Debug)]
pub(crate) enum SavedModel {
    Lda(Lda),
    Mixture(DocumentMixture),
    FoldedIn(FoldedIn),
}

/// A model that reads a document by its topics and a Dirichlet prior of the proportions.
#[derive(Debug, Clone, Serialize, Deserialize)]
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

    fn checked(self) -> serde_json::Result<Self> {
        let fits = self.alpha.len() == self.topics.len();
        if fits && self.alpha.iter().all(|alpha| alpha.is_finite() && *alpha >= 0.0) {
            Ok(self)
        } else {
            Err(serde::de::Error::custom("alpha must hold a number from 0 for each topic"))
        }
    }
}

/// The file of a model: it, and how its texts became words. One of the models is there.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ModelFile<'a> {
    reading: Cow<'a, Reading>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lda: Option<Cow<'a, Lda>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mixture: Option<MixtureFile>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    topics: Option<Cow<'a, FoldedIn>>,
}

pub(super) const AREA: &str = "topics";

impl<'a> ModelFile<'a> {
    /// What `topics fit` writes.
    pub(super) fn new(reading: &'a Reading, model: &'a SavedModel) -> Self {
        let mut file = Self { reading: Cow::Borrowed(reading), lda: None, mixture: None, topics: None };
        match model {
            SavedModel::Lda(model) => file.lda = Some(Cow::Borrowed(model)),
            SavedModel::FoldedIn(model) => file.topics = Some(Cow::Borrowed(model)),
            SavedModel::Mixture(model) => {
                file.mixture = Some(MixtureFile {
                    format: MIXTURE.to_owned(),
                    weights: model.weights().to_vec(),
                    topics: model.topics().clone(),
                });
            }
        }
        file
    }
}

/// Reads `model.json`, or that of a folder: the model, and how its texts became words where the file says so.
/// (A model that a program has saved by itself does not.)
pub(super) fn read(path: &Path) -> Result<(Option<Reading>, SavedModel), Failure> {
    let (source, bytes) = read_bytes(&model_file::path(path))?;
    let found = if model_file::is_of(&bytes, AREA) {
        model_file::parse(&bytes, AREA)
            .and_then(|file: ModelFile<'static>| file.parts().map_err(|error| error.to_string()))
    } else {
        of_library(&bytes).map(|model| (None, model)).map_err(|error| error.to_string())
    };
    found.map_err(|why| model_file::no_model(&source, AREA, &why))
}

/// A model that a program has saved: its field `format` says what it is; without a known one the message is
/// that of LDA.
fn of_library(json: &[u8]) -> serde_json::Result<SavedModel> {
    let format = serde_json::from_slice::<Tagged>(json).map_or(Value::Null, |tagged| tagged.format);
    if format == MIXTURE {
        serde_json::from_slice::<MixtureFile>(json)?.model().map(SavedModel::Mixture)
    } else if serde_json::from_value::<Kind>(format).is_ok() {
        serde_json::from_slice::<FoldedIn>(json)?.checked().map(SavedModel::FoldedIn)
    } else {
        serde_json::from_slice(json).map(SavedModel::Lda)
    }
}

impl ModelFile<'_> {
    fn parts(self) -> serde_json::Result<(Option<Reading>, SavedModel)> {
        let model = match (self.lda, self.mixture, self.topics) {
            (Some(model), None, None) => SavedModel::Lda(model.into_owned()),
            (None, Some(file), None) => SavedModel::Mixture(file.model()?),
            (None, None, Some(model)) => SavedModel::FoldedIn(model.into_owned().checked()?),
            _ => return Err(serde::de::Error::custom("expected one of lda, mixture and topics")),
        };
        Ok((Some(self.reading.into_owned()), model))
    }
}

impl MixtureFile {
    fn model(self) -> serde_json::Result<DocumentMixture> {
        DocumentMixture::new(self.topics, self.weights).map_err(serde::de::Error::custom)
    }
}

impl SavedModel {
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
