//! What the verbs say.

use serde::Serialize;

use super::kind::Shows;

/// The answer of `hmm fit`; its JSON is the contract of the command line.
#[derive(Debug, Serialize)]
pub(super) struct Answer {
    pub(super) emission_kind: String,
    pub(super) columns: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) symbols: Vec<String>,
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
    /// What each state shows.
    pub(super) emission: Vec<Shows>,
    /// Names of the sequences; left out where all rows are one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) sequences: Vec<String>,
    /// The state of each row, a list for each sequence.
    pub(super) states: Vec<Vec<usize>>,
    /// ln p of each sequence.
    pub(super) ln_likelihoods: Vec<f64>,
    pub(super) warnings: Vec<String>,
    /// The probability of each state at each row.
    #[serde(skip)]
    pub(super) probabilities: Vec<Vec<f64>>,
}

impl Answer {
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
}

/// The answer of `hmm decode`.
#[derive(Debug, Serialize)]
pub(super) struct Decoded {
    /// As in the answer of `hmm fit`.
    pub(super) parameters_known: bool,
    pub(super) ln_likelihood: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) sequences: Vec<String>,
    pub(super) states: Vec<Vec<usize>>,
}
