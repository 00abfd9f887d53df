//! Labels that a model gave.

use serde::Serialize;

/// The labels of all sequences.
#[derive(Serialize)]
pub(super) struct Tagged {
    /// The labels of each sequence.
    pub(super) tags: Vec<Vec<String>>,
    /// The probability of each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) probabilities: Option<Vec<Vec<f64>>>,
    /// Of each sequence the most probable labels as a whole, the best first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) best: Option<Vec<Vec<Whole>>>,
    /// Attributes that the model does not have, and leaves out.
    pub(super) unknown_attributes: usize,
}

/// All labels of a sequence.
#[derive(Serialize)]
pub(super) struct Whole {
    pub(super) probability: f64,
    pub(super) ln_probability: f64,
    pub(super) tags: Vec<String>,
    /// The probability of each label, whatever the others are.
    #[serde(skip)]
    pub(super) marginals: Option<Vec<f64>>,
}
