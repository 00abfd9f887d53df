//! A most probable joint state.

/// A joint state of all variables, and its score.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Explanation {
    /// A state for each variable, in the order of their ids.
    pub states: Vec<usize>,
    /// ∑ₛ ln fₛ at these states, with the likelihoods of virtual evidence; of a Bayesian network ln
    /// p(states).
    pub ln_value: f64,
    /// Whether no other joint state has more.
    pub optimal: bool,
}

impl Explanation {
    /// These states with this score.
    pub const fn new(states: Vec<usize>, ln_value: f64, optimal: bool) -> Self {
        Self { states, ln_value, optimal }
    }
}
