//! A fitted model as `model.json` holds it.

use std::path::Path;

use posterior::table::read_bytes;
use posterior::topics::semantic_analysis::SemanticAnalysis;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::covariates::Covariates;
use super::fitted_model::{FittedModel, Kind, Structural};
use super::reading::Reading;
use crate::failure::Failure;
use crate::model_file;

pub(super) const AREA: &str = "topics";

/// What was fitted: topics, or components.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::large_enum_variant, reason = "one value for each run")]
pub(super) enum SavedModel {
    Topics(FittedModel),
    Components(SemanticAnalysis),
}

/// The file of a model: it, how its texts became words, and what its topics are called where they have names.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ModelFile {
    /// Not of a model that a program has saved by itself.
    pub(super) reading: Option<Reading>,
    #[serde(default)]
    pub(super) names: Vec<String>,
    pub(super) model: SavedModel,
}

/// What [`ModelFile`] is read from.
#[derive(Serialize)]
pub(super) struct Written<'a> {
    pub(super) reading: &'a Reading,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(super) names: &'a [String],
    pub(super) model: WrittenModel<'a>,
}

/// What [`SavedModel`] is read from.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum WrittenModel<'a> {
    Topics(&'a FittedModel),
    Components(&'a SemanticAnalysis),
}

/// What every model file of the library has.
#[derive(Deserialize)]
struct Tagged {
    format: Value,
}

/// Reads `model.json`, or that of a folder.
pub(super) fn read(path: &Path) -> Result<ModelFile, Failure> {
    let (source, bytes) = read_bytes(&model_file::path(path))?;
    let found = if model_file::is_of(&bytes, AREA) {
        model_file::parse(&bytes, AREA)
    } else {
        of_library(&bytes)
            .map(|model| ModelFile { reading: None, names: own_names(&model), model })
            .map_err(|error| error.to_string())
    };
    found.map_err(|why| model_file::no_model(&source, AREA, &why))
}

/// What a model calls its topics by itself.
fn own_names(model: &SavedModel) -> Vec<String> {
    match model {
        SavedModel::Topics(FittedModel::Labelled(model)) => model.labels().to_vec(),
        _ => Vec::new(),
    }
}

/// A model that a program has saved: its field `format` says what it is; without a known one the message is
/// that of LDA.
fn of_library(json: &[u8]) -> serde_json::Result<SavedModel> {
    let format = serde_json::from_slice::<Tagged>(json).map_or(Value::Null, |tagged| tagged.format);
    let model = match format.as_str() {
        Some("posterior-semantic-analysis-1") => {
            return serde_json::from_slice(json).map(SavedModel::Components);
        }
        Some("posterior-document-mixture-1") => FittedModel::Mixture(serde_json::from_slice(json)?),
        Some("posterior-dynamic-topics-1") => FittedModel::Dynamic(serde_json::from_slice(json)?),
        Some("posterior-labelled-topics-1") => FittedModel::Labelled(serde_json::from_slice(json)?),
        Some("posterior-supervised-topics-1") => FittedModel::Supervised(serde_json::from_slice(json)?),
        Some("posterior-pitman-yor-topics-2") => FittedModel::PitmanYor(serde_json::from_slice(json)?),
        Some("posterior-bigram-topics-1") => FittedModel::Bigram(serde_json::from_slice(json)?),
        Some("posterior-factorization-1") => FittedModel::Factorization(serde_json::from_slice(json)?),
        Some("posterior-structural-topics-1") => FittedModel::Structural(Structural {
            model: serde_json::from_slice(json)?,
            covariates: Covariates::default(),
        }),
        Some("posterior-unigram-1") => FittedModel::Unigram(serde_json::from_slice(json)?),
        _ if serde_json::from_value::<Kind>(format.clone()).is_ok() => {
            FittedModel::FoldedIn(serde_json::from_slice(json)?)
        }
        _ => FittedModel::Lda(serde_json::from_slice(json)?),
    };
    Ok(SavedModel::Topics(model))
}
