//! The n-gram model.

use super::counts::NGramCounts;
use super::discounts::Discounting;
use super::estimate::estimate;
use super::language_model::LanguageModel;
use super::smoothing::NGramOptions;
use super::table::{Base, Context, Table};
use super::trie::Trie;
use super::vocabulary::NgramVocabulary;
use crate::error::Error;

/// The probabilities of the next symbol after each context of up to n - 1 symbols.
///
/// All rules of smoothing come to the same form, that of a table with back-off weights: what was seen has a
/// probability, and what was not has that of the shorter context times a factor of the context. A step takes
/// a search among the symbols seen after the context, on average of few contexts; a whole distribution one
/// pass over all outcomes for each length of context. After every context the probabilities sum to one.
///
/// ```
/// use posterior_text::ngram::{Boundaries, LanguageModel, NGramCounts, NGramModel, NGramOptions, Smoothing, Unigrams, NgramVocabulary};
///
/// let vocabulary = NgramVocabulary::new(3)?.with_boundaries(Boundaries::Open);
/// let counts = NGramCounts::of(&[[0, 1, 0, 1, 0, 2, 0, 1, 2]], vocabulary, 2)?;
/// let options = NGramOptions {
///     unigrams: Unigrams::Plain,
///     ..NGramOptions::new(Smoothing::KneserNey { discount: Some(0.75) })
/// };
/// let model = NGramModel::fit(&counts, &options)?;
/// assert!((model.ln_probability(&[0], 1)?.exp() - 0.6375).abs() < 1e-15);
/// # Ok::<(), posterior_text::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(into = "super::serde_form::Written", try_from = "super::serde_form::Written")
)]
pub struct NGramModel {
    pub(super) vocabulary: NgramVocabulary,
    pub(super) trie: Trie,
    pub(super) table: Table,
    pub(super) discounting: Vec<Discounting>,
}

impl NGramModel {
    /// Makes probabilities of counts.
    ///
    /// # Errors
    /// Parameters of the rule that can't be, interpolation weights for another number of orders; relative
    /// frequencies of no symbols.
    pub fn fit(counts: &NGramCounts, options: &NGramOptions) -> Result<Self, Error> {
        options.smoothing.check(counts.order())?;
        let (table, discounting) = estimate(counts, options)?;
        let model = Self { vocabulary: counts.vocabulary(), trie: counts.trie.clone(), table, discounting };
        if options.minimum_counts.is_empty() {
            return Ok(model);
        }
        let keep = |node: usize| counts.counts[node] >= options.minimum_count(counts.trie.depth(node));
        Ok(model.retain(keep))
    }

    /// The same model with the nodes that are kept; the probabilities of the others are those of the shorter
    /// context.
    fn retain(self, keep: impl Fn(usize) -> bool) -> Self {
        let (trie, old) = self.trie.retain(keep);
        let pick = |numbers: &[f64]| old.iter().map(|&node| numbers[node as usize]).collect();
        let Table { probability, remainder, base } = &self.table;
        let table = Table { probability: pick(probability), remainder: pick(remainder), base: *base };
        Self { trie, table, ..self }
    }

    /// The discounts of the counts of each order, and their source.
    pub fn discounting(&self) -> &[Discounting] {
        &self.discounting
    }

    /// The number of n-grams of `length` symbols that have a probability of their own.
    pub fn distinct(&self, length: usize) -> usize {
        if (1..=self.trie.order()).contains(&length) { self.trie.level(length).len() } else { 0 }
    }

    /// Whether what was not seen after a context has the probability of the shorter context times a factor.
    pub(super) fn backs_off(&self) -> bool {
        self.table.base == Base::Shorter || self.trie.order() == 1
    }
}

impl LanguageModel for NGramModel {
    type State = Context;

    fn vocabulary(&self) -> NgramVocabulary {
        self.vocabulary
    }

    fn order(&self) -> usize {
        self.trie.order()
    }

    fn empty(&self) -> Context {
        Context::EMPTY
    }

    fn begin(&self) -> Context {
        begin(&self.trie, self.vocabulary)
    }

    fn step(&self, context: Context, symbol: usize) -> (f64, Context) {
        if symbol >= self.vocabulary.outcomes() {
            return (0.0, Context::EMPTY);
        }
        self.table.step(&self.trie, context, symbol)
    }

    fn predict(&self, context: Context, out: &mut [f64]) {
        self.table.predict(&self.trie, context, out);
    }
}

/// The context at the beginning of a sequence.
pub(crate) fn begin(trie: &Trie, vocabulary: NgramVocabulary) -> Context {
    match vocabulary.begin() {
        None => Context::EMPTY,
        Some(begin) => Context { node: trie.context_at(1 + begin) as u32, length: 1 },
    }
}
