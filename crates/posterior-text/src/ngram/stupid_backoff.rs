//! Scores for models too large to be normalised.

use posterior_math::check;

use super::counts::NGramCounts;
use super::trie::ROOT;
use crate::error::Error;

/// Stupid backoff (Brants et al. 2007): c/N of the longest context after which the symbol was seen, times a
/// factor for every symbol that was dropped.
///
/// Scores, no probabilities: after a context they sum to anything.
///
/// ```
/// use posterior_text::ngram::{Boundaries, NGramCounts, StupidBackoff, NgramVocabulary};
///
/// let vocabulary = NgramVocabulary::new(3)?.with_boundaries(Boundaries::Open);
/// let counts = NGramCounts::of(&[[0, 1, 0, 1, 0, 2, 0, 1, 2]], vocabulary, 2)?;
/// let scores = StupidBackoff::new(&counts, 0.4)?;
/// assert_eq!(scores.score(&[0], 1)?, 0.75); // three of the four times after 0
/// assert_eq!(scores.score(&[1], 1)?, 0.4 * (3.0 / 9.0)); // never seen
/// # Ok::<(), posterior_text::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StupidBackoff<'a> {
    counts: &'a NGramCounts,
    factor: f64,
}

impl<'a> StupidBackoff<'a> {
    /// Scores from these counts; the authors take 0.4 as the factor.
    ///
    /// # Errors
    /// A factor that is not between 0 and 1.
    pub fn new(counts: &'a NGramCounts, factor: f64) -> Result<Self, Error> {
        check::open_probability("StupidBackoff", "factor", factor)?;
        Ok(Self { counts, factor })
    }

    /// The score of `symbol` after the last n - 1 symbols of `context`; 0 for what was never seen at all.
    ///
    /// # Errors
    /// The first position that holds no symbol, or a symbol that is no outcome.
    pub fn score(&self, context: &[usize], symbol: usize) -> Result<f64, Error> {
        let vocabulary = self.counts.vocabulary();
        vocabulary.check_context(context)?;
        let known = symbol < vocabulary.outcomes();
        check::require(known, "StupidBackoff", "symbol", symbol as f64, "one of the outcomes")?;
        let longest = context.len().min(self.counts.order() - 1);
        let mut factor = 1.0;
        for start in context.len() - longest..=context.len() {
            if let Some(proportion) = self.proportion(&context[start..], symbol) {
                return Ok(factor * proportion);
            }
            factor *= self.factor;
        }
        Ok(0.0)
    }

    /// c/N after this context, if the symbol was seen there.
    fn proportion(&self, context: &[usize], symbol: usize) -> Option<f64> {
        let trie = &self.counts.trie;
        let node = trie.find(context)?;
        let count = self.counts.counts[trie.child(node, symbol)?];
        let total = match node {
            ROOT => self.counts.tokens(),
            _ => trie.children(node).map(|child| u64::from(self.counts.counts[child])).sum(),
        };
        (count > 0).then(|| f64::from(count) / total as f64)
    }
}
