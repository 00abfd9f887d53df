//! The last m symbols as a number.

use crate::error::Error;
use posterior_math::check::DimensionError;

/// Cells of a table up to which it is made.
const MOST_CELLS: usize = 1 << 27;

/// The largest order; of two symbols the table is the tighter limit.
const MOST_ORDER: usize = 1000;

/// The words of m symbols out of V, numbered with the oldest symbol as the highest digit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Contexts {
    pub(super) symbols: usize,
    pub(super) order: usize,
    /// The number of contexts, Vᵐ.
    pub(super) count: usize,
}

impl Contexts {
    /// # Errors
    /// No symbols; an order beyond 1000, a table of Vᵐ⁺¹ cells that is too large.
    pub(super) fn new(symbols: usize, order: usize) -> Result<Self, Error> {
        if symbols == 0 {
            return Err(DimensionError::new("symbols", 1, 0).into());
        }
        if order > MOST_ORDER {
            return Err(Error::TooLarge { what: "the order of a chain", most: MOST_ORDER, needed: order });
        }
        let exponent = u32::try_from(order + 1).unwrap_or(u32::MAX);
        match symbols.checked_pow(exponent) {
            Some(cells) if cells <= MOST_CELLS => Ok(Self { symbols, order, count: cells / symbols }),
            cells => Err(Error::TooLarge {
                what: "cells of a table of all words of this order and their next symbol",
                most: MOST_CELLS,
                needed: cells.unwrap_or(usize::MAX),
            }),
        }
    }

    /// The number of a word of m symbols.
    pub(super) fn of(&self, word: &[usize]) -> usize {
        word.iter().fold(0, |number, &symbol| number * self.symbols + symbol)
    }

    /// The word of this number.
    pub(super) fn word(&self, number: usize) -> Vec<usize> {
        let mut word = vec![0; self.order];
        let mut rest = number;
        for symbol in word.iter_mut().rev() {
            *symbol = rest % self.symbols;
            rest /= self.symbols;
        }
        word
    }

    /// The context after this one and one more symbol.
    pub(super) const fn next(&self, context: usize, symbol: usize) -> usize {
        (context * self.symbols + symbol) % self.count
    }

    /// Refuses symbols that there are not.
    pub(super) fn check(&self, sequence: &[usize]) -> Result<(), Error> {
        match sequence.iter().position(|&symbol| symbol >= self.symbols) {
            None => Ok(()),
            Some(position) => Err(Error::Observation {
                sequence: 0,
                position,
                message: format!("symbol {} of {}", sequence[position], self.symbols),
            }),
        }
    }
}
