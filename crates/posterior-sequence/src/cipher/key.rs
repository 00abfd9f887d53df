//! Keys: which plain letter each symbol stands for.

use posterior_math::check;
use posterior_math::linalg::DMatrix;
use posterior_math::optimize::minimum_cost_assignment;

use crate::error::Error;

/// The plain letter that each symbol of a cipher text stands for, each letter once.
///
/// It is a permutation of the m letters of the language: symbols beyond those that the text has stand for the
/// letters that it lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    plain: Vec<usize>,
}

impl Key {
    /// Symbol c stands for letter `plain[c]`.
    ///
    /// # Errors
    /// If it is no permutation of 0 to m - 1.
    pub fn new(plain: Vec<usize>) -> Result<Self, Error> {
        let mut seen = vec![false; plain.len()];
        for (position, &letter) in plain.iter().enumerate() {
            let fresh = seen.get_mut(letter).is_some_and(|seen| !std::mem::replace(seen, true));
            if !fresh {
                let message = format!("letter {letter} comes twice or is none of {}", plain.len());
                return Err(Error::Observation { sequence: 0, position, message });
            }
        }
        Ok(Self { plain })
    }

    /// The key with the largest sum of `weights[(letter, symbol)]` over its pairs, among those that keep the
    /// pairs which `fixed` has for symbols.
    ///
    /// # Errors
    /// If the matrix is not square, a weight is NaN or infinite, or `fixed` is no part of a key.
    pub fn of_weights(weights: &DMatrix<f64>, fixed: &[Option<usize>]) -> Result<Self, Error> {
        let m = weights.nrows();
        for (what, found) in [("columns of weights", weights.ncols()), ("fixed symbols", fixed.len())] {
            check::dimension(what, m, found)?;
        }
        let taken: Vec<bool> = (0..m).map(|letter| fixed.contains(&Some(letter))).collect();
        let costs = DMatrix::from_fn(m, m, |symbol, letter| match fixed[symbol] {
            Some(only) if only == letter => 0.0,
            None if !taken[letter] => -weights[(letter, symbol)],
            _ => f64::INFINITY,
        });
        match minimum_cost_assignment(&costs)? {
            Some(found) => Ok(Self { plain: found.columns }),
            None => {
                Err(Error::TooFew { what: "a key", needed: "fixed letters that differ, all of the language" })
            }
        }
    }

    /// The letter of each symbol.
    pub fn plain(&self) -> &[usize] {
        &self.plain
    }

    /// The symbol of each letter.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let mut symbols = vec![0; self.plain.len()];
        for (symbol, &letter) in self.plain.iter().enumerate() {
            symbols[letter] = symbol;
        }
        Self { plain: symbols }
    }

    /// The letters of a row of symbols.
    ///
    /// # Panics
    /// If a symbol is m or more.
    #[track_caller]
    pub fn apply(&self, symbols: &[usize]) -> Vec<usize> {
        symbols.iter().map(|&symbol| self.plain[symbol]).collect()
    }

    /// Exchanges the letters of two symbols.
    pub(super) fn swap(&mut self, a: usize, b: usize) {
        self.plain.swap(a, b);
    }
}
