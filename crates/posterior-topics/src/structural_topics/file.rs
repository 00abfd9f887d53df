//! The file form of the model.

use posterior_math::linalg::{DMatrix, written};
use serde::{Deserialize, Serialize};

use super::model::{Parts, StructuralTopics};
use crate::Topics;
use crate::checkpoint::check_format;

const FORMAT: &str = "posterior-structural-topics-1";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    format: String,
    topics: Topics,
    /// (levels x topics) x words.
    #[serde(with = "written")]
    words_of_levels: DMatrix<f64>,
    mean_features: Vec<f64>,
    #[serde(with = "written")]
    coefficients: DMatrix<f64>,
    #[serde(with = "written")]
    coefficient_draws: DMatrix<f64>,
    #[serde(with = "written")]
    covariance: DMatrix<f64>,
}

impl From<StructuralTopics> for File {
    fn from(StructuralTopics { parts, .. }: StructuralTopics) -> Self {
        Self {
            format: FORMAT.to_owned(),
            topics: parts.topics,
            words_of_levels: parts.phi,
            mean_features: parts.mean_features,
            coefficients: parts.coefficients,
            coefficient_draws: parts.draws,
            covariance: parts.covariance,
        }
    }
}

impl TryFrom<File> for StructuralTopics {
    type Error = String;

    fn try_from(file: File) -> Result<Self, String> {
        check_format(&file.format, FORMAT)?;
        Self::new(Parts {
            topics: file.topics,
            phi: file.words_of_levels,
            mean_features: file.mean_features,
            coefficients: file.coefficients,
            draws: file.coefficient_draws,
            covariance: file.covariance,
        })
    }
}
