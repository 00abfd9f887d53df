//! Which symbols there are, and how sequences begin and end.

use posterior_math::check::{self, ParamError};

use crate::error::Error;

/// The beginning and the end of sequences.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Boundaries {
    /// The end of a sequence is predicted as one more symbol, and the beginning is known to be one: a mark
    /// before the first symbol, which is context only. The default; right for sentences, names, words of
    /// letters.
    #[default]
    Marked,
    /// Sequences are pieces of something without beginning and end: the first symbols are predicted from
    /// fewer than n - 1 others, and after the last nothing is predicted. Right for running text.
    Open,
}

/// The symbols of a language model: 0, 1, …, V - 1, and with [`Boundaries::Marked`] the end V and the
/// beginning V + 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NgramVocabulary {
    symbols: usize,
    boundaries: Boundaries,
    unknown: Option<usize>,
}

impl NgramVocabulary {
    /// The symbols 0, 1, …, `symbols` - 1, with marked ends, and none that stands for the unknown.
    ///
    /// # Errors
    /// No symbol, or 2³¹ and more.
    pub fn new(symbols: usize) -> Result<Self, Error> {
        let range = (1..1 << 31).contains(&symbols);
        check::require(range, "Vocabulary", "symbols", symbols as f64, "from 1 to 2^31 - 1")?;
        Ok(Self { symbols, boundaries: Boundaries::default(), unknown: None })
    }

    /// The same with other boundaries.
    #[must_use]
    pub const fn with_boundaries(self, boundaries: Boundaries) -> Self {
        Self { boundaries, ..self }
    }

    /// The same with a symbol that stands for all that is unknown.
    ///
    /// It is predicted as any other, in training where it occurs there; scores count it apart, since its
    /// probability is that of all unknown names together.
    ///
    /// # Errors
    /// A symbol that is none.
    pub fn with_unknown(self, symbol: usize) -> Result<Self, Error> {
        let known = symbol < self.symbols;
        check::require(known, "Vocabulary", "unknown", symbol as f64, "one of the symbols")?;
        Ok(Self { unknown: Some(symbol), ..self })
    }

    /// The number V of symbols.
    pub const fn symbols(&self) -> usize {
        self.symbols
    }

    /// The beginning and the end of sequences.
    pub const fn boundaries(&self) -> Boundaries {
        self.boundaries
    }

    /// The symbol that stands for the unknown.
    pub const fn unknown(&self) -> Option<usize> {
        self.unknown
    }

    /// The number of things that can come next: the symbols, and the end where it is marked.
    pub const fn outcomes(&self) -> usize {
        self.symbols + self.end().is_some() as usize
    }

    /// The outcome that is the end.
    pub const fn end(&self) -> Option<usize> {
        match self.boundaries {
            Boundaries::Marked => Some(self.symbols),
            Boundaries::Open => None,
        }
    }

    /// The mark that stands before the first symbol; never an outcome.
    pub const fn begin(&self) -> Option<usize> {
        match self.boundaries {
            Boundaries::Marked => Some(self.symbols + 1),
            Boundaries::Open => None,
        }
    }

    /// Outcomes and the beginning.
    pub(crate) const fn marks(&self) -> usize {
        self.symbols + 2 * self.end().is_some() as usize
    }

    /// Whether all of `sequence` are symbols.
    pub(crate) fn check(&self, sequence: usize, symbols: &[usize]) -> Result<(), Error> {
        match symbols.iter().position(|&symbol| symbol >= self.symbols) {
            None => Ok(()),
            Some(position) => Err(self.unknown_symbol(sequence, position, symbols[position])),
        }
    }

    pub(crate) fn unknown_symbol(&self, sequence: usize, position: usize, symbol: usize) -> Error {
        Error::Observation { sequence, position, message: format!("symbol {symbol} of {}", self.symbols) }
    }

    /// Whether `context` is made of symbols, perhaps after the beginning.
    pub(crate) fn check_context(&self, context: &[usize]) -> Result<(), Error> {
        let begun = usize::from(!context.is_empty() && context.first().copied() == self.begin());
        self.check(0, &context[begun..])
    }

    pub(crate) fn check_order(order: usize) -> Result<(), ParamError> {
        check::require((1..=255).contains(&order), "NGramCounts", "order", order as f64, "from 1 to 255")?;
        Ok(())
    }
}
