//! What a fit says, whatever the family and the engine.

use posterior::regression::coefficients::Coefficient;
use serde::Serialize;

/// The answer of `regress fit`; its JSON is the contract of the command line.
#[derive(Debug, Serialize)]
pub(super) struct Answer {
    pub(super) family: &'static str,
    pub(super) engine: &'static str,
    pub(super) rows: usize,
    /// Of a network there are none: its weights by themselves say nothing.
    pub(super) coefficients: Vec<Coefficient>,
    pub(super) ln_evidence: Option<f64>,
    /// The prior standard deviation of a coefficient, in units of one standard deviation of its feature.
    pub(super) prior_sd: f64,
    /// The standard deviation of the noise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) noise_sd: Option<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) classes: Vec<String>,
    pub(super) predictions: Vec<Predicted>,
    /// Predictions of the data themselves: by all others for gaussian, in the fit for the other families.
    #[serde(skip)]
    pub(super) fitted: Fitted,
    pub(super) warnings: Vec<String>,
    pub(super) seed: u64,
    pub(super) seconds: f64,
}

/// A row that was predicted.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Predicted {
    /// Of the outcome: its mean, its rate; of two classes the probability of the second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mean: Option<f64>,
    /// Where the outcome is nine times in ten; of classes and counts where their probability or rate is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) interval_90: Option<[f64; 2]>,
    /// Of each class, where there are more than two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) probabilities: Option<Vec<f64>>,
}

/// How the data are predicted.
#[derive(Debug, Default)]
pub(super) struct Fitted {
    /// Standardised residuals.
    pub(super) residuals: Vec<f64>,
    /// The share of outcomes in their central intervals of 90 %.
    pub(super) coverage_90: Option<f64>,
    /// Of each row the probability of each class.
    pub(super) probabilities: Vec<Vec<f64>>,
}

impl Predicted {
    /// A mean and its interval.
    pub(super) const fn number(mean: f64, interval_90: [f64; 2]) -> Self {
        Self { mean: Some(mean), interval_90: Some(interval_90), probabilities: None }
    }

    /// A probability of each class.
    pub(super) const fn classes(probabilities: Vec<f64>) -> Self {
        Self { mean: None, interval_90: None, probabilities: Some(probabilities) }
    }
}
