//! How often what followed what.

use super::contexts::Contexts;
use crate::error::Error;
use posterior_math::check;

/// How often each symbol followed each word of m symbols, and with which words sequences began: the
/// sufficient statistics of a chain of order m.
///
/// A table of Vᵐ⁺¹ numbers; tables beyond 2²⁷ cells are refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransitionCounts {
    pub(super) contexts: Contexts,
    starts: Vec<u64>,
    table: Vec<u64>,
}

impl TransitionCounts {
    /// No sequence yet.
    ///
    /// # Errors
    /// No symbols, or too many words.
    pub fn new(symbols: usize, order: usize) -> Result<Self, Error> {
        let contexts = Contexts::new(symbols, order)?;
        Ok(Self { contexts, starts: vec![0; contexts.count], table: vec![0; contexts.count * symbols] })
    }

    /// The counts of these sequences.
    ///
    /// # Errors
    /// As [`new`](Self::new); with sequence and position, a symbol that is not below `symbols`.
    pub fn of<S: AsRef<[usize]>>(symbols: usize, order: usize, sequences: &[S]) -> Result<Self, Error> {
        let mut counts = Self::new(symbols, order)?;
        for (sequence, symbols) in sequences.iter().enumerate() {
            counts.push(symbols.as_ref()).map_err(|error| error.of_sequence(sequence))?;
        }
        Ok(counts)
    }

    /// Adds one sequence. One of less than m symbols says nothing.
    ///
    /// # Errors
    /// With the position, a symbol that there is not; nothing was counted then.
    pub fn push(&mut self, sequence: &[usize]) -> Result<(), Error> {
        self.push_from(sequence, self.order())
    }

    /// Adds one sequence, of which only the symbols from position `first` on are counted as next symbols: so
    /// that chains of several orders explain the same symbols. The order at least.
    ///
    /// # Errors
    /// As [`push`](Self::push).
    pub fn push_from(&mut self, sequence: &[usize], first: usize) -> Result<(), Error> {
        self.contexts.check(sequence)?;
        let (symbols, order, first) = (self.symbols(), self.order(), first.max(self.order()));
        if sequence.len() >= order {
            self.starts[self.contexts.of(&sequence[..order])] += 1;
        }
        if sequence.len() > first {
            let mut context = self.contexts.of(&sequence[first - order..first]);
            for &symbol in &sequence[first..] {
                self.table[context * symbols + symbol] += 1;
                context = self.contexts.next(context, symbol);
            }
        }
        Ok(())
    }

    /// Adds the counts of other sequences.
    ///
    /// # Errors
    /// Counts of another order or of other symbols.
    pub fn merge(&mut self, other: &Self) -> Result<(), Error> {
        for (what, expected, found) in [
            ("symbols", self.symbols(), other.symbols()),
            ("order of the counts", self.order(), other.order()),
        ] {
            check::dimension(what, expected, found)?;
        }
        let pairs = self.starts.iter_mut().zip(&other.starts).chain(self.table.iter_mut().zip(&other.table));
        for (count, more) in pairs {
            *count += more;
        }
        Ok(())
    }

    /// Number V of symbols.
    pub const fn symbols(&self) -> usize {
        self.contexts.symbols
    }

    /// Order m: the number of symbols before that matter.
    pub const fn order(&self) -> usize {
        self.contexts.order
    }

    /// Number Vᵐ of contexts.
    pub const fn contexts(&self) -> usize {
        self.contexts.count
    }

    /// The symbols of this context, the oldest first; contexts are the words of m symbols in the order of a
    /// dictionary.
    ///
    /// # Panics
    /// If there is no such context.
    #[track_caller]
    pub fn word(&self, context: usize) -> Vec<usize> {
        assert!(context < self.contexts(), "context {context} of {}", self.contexts());
        self.contexts.word(context)
    }

    /// How often each symbol followed this context.
    ///
    /// # Panics
    /// If there is no such context.
    #[track_caller]
    pub fn row(&self, context: usize) -> &[u64] {
        &self.table[context * self.symbols()..][..self.symbols()]
    }

    /// How many sequences began with each context. Of order 0 all do with the empty one.
    pub fn starts(&self) -> &[u64] {
        &self.starts
    }

    /// All rows, one for each context.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[u64]> {
        self.table.chunks_exact(self.symbols())
    }
}
