//! How to climb the evidence.

/// How to climb the evidence.
///
/// ```
/// use posterior_regression::evidence::EvidenceOptions;
///
/// assert_eq!(EvidenceOptions { max_iterations: 50, ..EvidenceOptions::default() }.max_iterations, 50);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EvidenceOptions {
    /// Converged when no hyperparameter changes by more than this proportion of itself in a step, or no
    /// component of the gradient by ln α and ln β is larger than it. 10^-10 by default.
    pub tolerance: f64,
    /// The largest number of steps. 10 000 by default.
    pub max_iterations: usize,
    /// How [`relevance`](super::relevance) moves.
    pub method: RelevanceMethod,
}

/// How the precisions of the weights are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum RelevanceMethod {
    /// All at once, from all features on; those whose precision grows without bound are left out. F³
    /// operations a step.
    FixedPoints,
    /// One feature at a time: added, estimated anew or deleted, whichever raises the evidence most. k² F
    /// operations a step for k features in the model.
    #[default]
    OneByOne,
}

impl Default for EvidenceOptions {
    fn default() -> Self {
        Self { tolerance: 1e-10, max_iterations: 10_000, method: RelevanceMethod::default() }
    }
}
