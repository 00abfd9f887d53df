//! The distribution of the next symbol by classes.

use super::exchange::Exchange;
use crate::ngram::{LanguageModel, NGramCounts, NgramVocabulary};

/// Classes of symbols, and the distributions of a class after a class and of a symbol in its class.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassBigram {
    vocabulary: NgramVocabulary,
    class: Vec<usize>,
    classes: usize,
    /// p(class | class before), by rows of the classes that can come next; after the rows of the classes
    /// those of the beginning and of an unknown past.
    transitions: Vec<f64>,
    /// p(outcome | its class).
    proportion: Vec<f64>,
}

impl ClassBigram {
    pub(super) fn of(counts: &NGramCounts, exchange: Exchange, pseudo_count: f64) -> Self {
        let (vocabulary, classes) = (counts.vocabulary(), exchange.classes);
        let mut members = vec![0_u32; classes];
        for &class in &exchange.class {
            members[class] += 1;
        }
        // A class without symbols is nothing that could come next.
        let open = |class: usize| match members.get(class) {
            Some(&members) => members > 0,
            None => vocabulary.end().is_some(),
        };
        let width = classes + 1;
        let mut rows: Vec<Vec<f64>> = exchange
            .pairs
            .chunks_exact(width)
            .map(|row| row.iter().map(|&count| f64::from(count)).collect())
            .collect();
        rows.push(exchange.follows.iter().map(|&count| count as f64).collect());
        let mut transitions = Vec::with_capacity(rows.len() * width);
        for row in rows {
            let total: f64 = row.iter().sum();
            let possible = (0..width).filter(|&class| open(class)).count() as f64;
            let proportion = |count: f64| (count + pseudo_count) / (total + pseudo_count * possible);
            let distribution = row.iter().enumerate();
            let distribution =
                distribution.map(|(class, &count)| if open(class) { proportion(count) } else { 0.0 });
            transitions.extend(distribution);
        }
        let mut proportion = Vec::with_capacity(vocabulary.outcomes());
        for (symbol, &class) in exchange.class.iter().enumerate() {
            let all = exchange.follows[class] as f64 + pseudo_count * f64::from(members[class]);
            proportion.push((exchange.times_follows(symbol) as f64 + pseudo_count) / all);
        }
        proportion.extend(vocabulary.end().map(|_| 1.0));
        Self { vocabulary, class: exchange.class, classes, transitions, proportion }
    }

    /// The class of a symbol; `None` for what is no symbol.
    pub fn class(&self, symbol: usize) -> Option<usize> {
        self.class.get(symbol).copied()
    }

    /// The number of classes, empty ones included.
    pub const fn classes(&self) -> usize {
        self.classes
    }

    /// The symbols of a class, the most probable first.
    pub fn members(&self, class: usize) -> Vec<usize> {
        let mut members: Vec<usize> =
            (0..self.class.len()).filter(|&symbol| self.class[symbol] == class).collect();
        members.sort_by(|&a, &b| self.proportion[b].total_cmp(&self.proportion[a]));
        members
    }

    fn class_of(&self, outcome: usize) -> usize {
        self.class.get(outcome).copied().unwrap_or(self.classes)
    }
}

impl LanguageModel for ClassBigram {
    /// The row of the class before.
    type State = usize;

    fn vocabulary(&self) -> NgramVocabulary {
        self.vocabulary
    }

    fn order(&self) -> usize {
        2
    }

    fn empty(&self) -> usize {
        self.classes + 1
    }

    fn begin(&self) -> usize {
        if self.vocabulary.begin().is_some() { self.classes } else { self.classes + 1 }
    }

    fn step(&self, state: usize, symbol: usize) -> (f64, usize) {
        if symbol >= self.vocabulary.outcomes() {
            return (0.0, self.empty());
        }
        let class = self.class_of(symbol);
        let probability = self.transitions[state * (self.classes + 1) + class] * self.proportion[symbol];
        (probability, if class == self.classes { self.empty() } else { class })
    }

    fn predict(&self, state: usize, out: &mut [f64]) {
        let row = &self.transitions[state * (self.classes + 1)..][..=self.classes];
        for (outcome, out) in out.iter_mut().enumerate() {
            *out = row[self.class_of(outcome)] * self.proportion[outcome];
        }
    }
}
