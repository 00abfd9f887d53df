//! One part of a document, predicted from the other.

use crate::checks::size;
use crate::{Corpus, Error, TopicModel};

/// The score of a model that completes documents that it has not seen.
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
/// # Errors
/// Another number of documents observed than scored, or one of the two has another number of words than the
/// model.
pub fn document_completion(
    model: &(impl TopicModel + ?Sized),
    observed: &Corpus,
    scored: &Corpus,
) -> Result<Completion, Error> {
    size("scored documents", observed.documents(), scored.documents())?;
    let words = model.topics().vocabulary().len();
    size("words of the observed documents", words, observed.vocabulary().len())?;
    size("words of the scored documents", words, scored.vocabulary().len())?;
    let ln_likelihood = observed
        .iter()
        .zip(scored.iter())
        .map(|(observed, scored)| model.ln_predictive(observed, scored))
        .sum();
    Ok(Completion { ln_likelihood, tokens: scored.tokens() })
}
