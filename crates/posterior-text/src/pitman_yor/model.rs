//! Predictions averaged over seatings.

use posterior_dist::PitmanYor;

use super::seating::Seating;
use crate::ngram::{Context, LanguageModel, NGramCounts, NgramVocabulary, Table, Trie, begin_of};

/// The average of the predictions of several seatings.
///
/// A step costs as many steps of an n-gram model as there are draws.
#[derive(Debug, Clone, PartialEq)]
pub struct PitmanYorModel {
    vocabulary: NgramVocabulary,
    trie: Trie,
    tables: Vec<Table>,
    levels: Vec<Vec<PitmanYor>>,
}

impl PitmanYorModel {
    pub(super) fn empty(counts: &NGramCounts) -> Self {
        let (vocabulary, trie) = (counts.vocabulary(), counts.trie.clone());
        Self { vocabulary, trie, tables: Vec::new(), levels: Vec::new() }
    }

    /// The predictions of one seating.
    pub fn of(seating: &Seating<'_>) -> Self {
        let mut model = Self::empty(seating.counts);
        model.push(seating);
        model
    }

    pub(super) fn push(&mut self, seating: &Seating<'_>) {
        self.tables.push(seating.table());
        self.levels.push(seating.levels().to_vec());
    }

    /// The number of seatings.
    pub fn draws(&self) -> usize {
        self.tables.len()
    }

    /// The discounts and concentrations of each seating, for contexts of 0, 1, … symbols.
    pub fn levels(&self) -> &[Vec<PitmanYor>] {
        &self.levels
    }
}

impl LanguageModel for PitmanYorModel {
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
        begin_of(&self.trie, self.vocabulary)
    }

    fn step(&self, context: Context, symbol: usize) -> (f64, Context) {
        if symbol >= self.vocabulary.outcomes() {
            return (0.0, Context::EMPTY);
        }
        let (mut sum, mut next) = (0.0, context);
        for table in &self.tables {
            let (probability, after) = table.step(&self.trie, context, symbol);
            sum += probability;
            next = after;
        }
        (sum / self.draws() as f64, next)
    }

    fn predict(&self, context: Context, out: &mut [f64]) {
        let mut distribution = vec![0.0; out.len()];
        out.fill(0.0);
        for table in &self.tables {
            table.predict(&self.trie, context, &mut distribution);
            for (out, distribution) in out.iter_mut().zip(&distribution) {
                *out += distribution / self.draws() as f64;
            }
        }
    }
}
