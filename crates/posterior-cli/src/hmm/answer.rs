//! What the verbs say.

use serde::Serialize;

use super::chain::Lasts;
use super::kind::Shows;
use super::labels::Agreement;
use super::observations::Observations;
use super::said::{Said, WholePath};
use super::sticky::Sticky;

/// The answer of `hmm fit`; its JSON is the contract of the command line.
#[derive(Debug, Serialize)]
pub(super) struct Answer {
    pub(super) model: String,
    pub(super) emission_kind: String,
    pub(super) columns: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) symbols: Vec<String>,
    /// What states are called, where they are labels.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) labels: Vec<String>,
    pub(super) rows: usize,
    pub(super) missing: usize,
    pub(super) ln_likelihood: f64,
    /// The objective after each step of the best start: the ln likelihood, and with a prior its logarithm.
    pub(super) trace: Vec<f64>,
    pub(super) converged: bool,
    /// The probabilities of states do not hold what is not known of the parameters.
    pub(super) parameters_known: bool,
    pub(super) initial: Vec<f64>,
    pub(super) transition: Vec<Vec<f64>>,
    /// How long each state lasts, in a model of segments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) durations: Option<Vec<Lasts>>,
    /// What a sampler found beside the model.
    #[serde(flatten)]
    pub(super) sampled: Option<Sticky>,
    /// What each state shows.
    pub(super) emission: Vec<Shows>,
    /// Names of the sequences; left out where all rows are one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) sequences: Vec<String>,
    /// How often states of rows with a label are the ones of the labels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) agreement: Option<Agreement>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) held_out: Option<HeldOut>,
    /// The state of each row, a list for each sequence.
    pub(super) states: Vec<Vec<usize>>,
    /// ln p of each sequence.
    pub(super) ln_likelihoods: Vec<f64>,
    pub(super) warnings: Vec<String>,
    /// The probability of each state at each row.
    #[serde(skip)]
    pub(super) probabilities: Vec<Vec<f64>>,
}

/// What a model says of rows that it was not fitted to.
#[derive(Debug, Serialize)]
pub(super) struct HeldOut {
    pub(super) rows: usize,
    pub(super) ln_likelihood: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) agreement: Option<Agreement>,
}

impl HeldOut {
    pub(super) fn of(data: &Observations, said: &Said) -> Self {
        let agreement = data.labels.as_ref().and_then(|labels| labels.agreement(&said.states));
        Self { rows: data.len(), ln_likelihood: said.ln_likelihoods.iter().sum(), agreement }
    }
}

impl Answer {
    /// What a state is called.
    pub(super) fn name(&self, state: usize) -> String {
        named(&self.labels, state)
    }

    /// How many rows are in each state.
    pub(super) fn sizes(&self) -> Vec<usize> {
        let mut sizes = vec![0; self.initial.len()];
        for &state in self.states.iter().flatten() {
            sizes[state] += 1;
        }
        sizes
    }

    /// How long a stay in a state is expected to be; infinite where it is never left.
    pub(super) fn stay(&self, state: usize) -> f64 {
        if let Some(durations) = &self.durations {
            return durations[state].mean;
        }
        let leave: f64 = self.transition[state]
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != state)
            .map(|(_, p)| p)
            .sum();
        1.0 / leave
    }
}

/// The answer of `hmm score`.
#[derive(Debug, Serialize)]
pub(super) struct Scored {
    pub(super) ln_likelihood: f64,
    pub(super) rows: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) sequences: Vec<String>,
    pub(super) ln_likelihoods: Vec<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) agreement: Option<Agreement>,
}

/// The answer of `hmm decode`.
#[derive(Debug, Serialize)]
pub(super) struct Decoded {
    /// As in the answer of `hmm fit`.
    pub(super) parameters_known: bool,
    pub(super) ln_likelihood: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) sequences: Vec<String>,
    /// What states are called, where they are labels.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) labels: Vec<String>,
    pub(super) states: Vec<Vec<usize>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) agreement: Option<Agreement>,
    /// The most probable paths of each sequence, the best first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) best: Option<Vec<Vec<WholePath>>>,
}

/// What a state is called: its label, or its number.
pub(super) fn named(labels: &[String], state: usize) -> String {
    labels.get(state).cloned().unwrap_or_else(|| state.to_string())
}
