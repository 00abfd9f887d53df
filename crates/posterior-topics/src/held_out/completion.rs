//! One part of a document, foretold from the other.

use crate::{Corpus, TopicModel};

/// How well a model completes documents that it has not seen.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Completion {
    /// The sum of ln p(token) over the scored tokens.
    pub ln_likelihood: f64,
    /// The number of scored tokens.
    pub tokens: u64,
}

impl Completion {
    /// exp(-ln likelihood per token): a model that knows nothing has the size of the vocabulary.
    pub fn perplexity(&self) -> f64 {
        (-self.ln_likelihood / self.tokens as f64).exp()
    }
}

/// Scores one part of each document by the proportions that its other part suggests (Wallach et al. 2009).
///
/// `observed` and `scored` hold the two parts of the same documents over the model's vocabulary;
/// [`TopicModel::ln_predictive`] scores the second given the first. Nothing here is random.
///
/// # Panics
/// When the two hold different numbers of documents, or words outside the model's vocabulary.
#[track_caller]
pub fn document_completion(
    model: &(impl TopicModel + ?Sized),
    observed: &Corpus,
    scored: &Corpus,
) -> Completion {
    assert_eq!(observed.documents(), scored.documents(), "two parts of the same documents");
    let ln_likelihood = observed
        .iter()
        .zip(scored.iter())
        .map(|(observed, scored)| model.ln_predictive(observed, scored))
        .sum();
    Completion { ln_likelihood, tokens: scored.tokens() }
}
