//! What a fit says, and the largest weights of a model.

use posterior::sequence::crf::{ConditionalRandomField, Feature};
use serde::Serialize;

use super::scores::Scores;

/// The features of each label that are listed.
const TOP: usize = 6;

/// What `crf fit` found, in the fields of the command line's contract.
#[derive(Debug, Serialize)]
pub(super) struct Answer {
    pub(super) algorithm: String,
    pub(super) l1: f64,
    pub(super) l2: Option<f64>,
    pub(super) training_sequences: usize,
    pub(super) training_tokens: usize,
    pub(super) attributes: usize,
    pub(super) weights: usize,
    pub(super) nonzero_weights: usize,
    pub(super) objective_trace: Vec<f64>,
    pub(super) iterations: usize,
    pub(super) converged: bool,
    /// `training`, `holdout`, or the file.
    pub(super) evaluated_on: String,
    #[serde(flatten)]
    pub(super) scores: Scores,
    /// Of each label what speaks most for it.
    pub(super) top_features: Vec<Top>,
}

/// What speaks most for a label.
#[derive(Debug, Serialize)]
pub(super) struct Top {
    pub(super) label: String,
    pub(super) features: Vec<Weight>,
}

#[derive(Debug, Serialize)]
pub(super) struct Weight {
    pub(super) attribute: String,
    pub(super) weight: f64,
}

impl Top {
    /// Of each label.
    pub(super) fn all(model: &ConditionalRandomField) -> Vec<Self> {
        let vocabulary = model.vocabulary();
        let of_label = |(label, name): (usize, &str)| {
            let found = model.top_features(label, TOP).into_iter();
            let features = found.map(|(feature, weight)| {
                let attribute = match feature {
                    Feature::State { attribute, .. } => {
                        vocabulary.attributes().name(attribute).unwrap_or_default().to_owned()
                    }
                    other => format!("{other:?}"),
                };
                Weight { attribute, weight }
            });
            Self { label: name.to_owned(), features: features.collect() }
        };
        vocabulary.labels().iter().enumerate().map(of_label).collect()
    }
}
