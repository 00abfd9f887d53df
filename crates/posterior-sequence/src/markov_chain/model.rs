//! The chain.

use posterior_math::check;
use rand::Rng;

use super::TransitionCounts;
use super::contexts::Contexts;
use crate::error::Error;
use crate::stochastic::{draw, normalize};

/// A Markov chain of order m on V symbols: the distribution of the first m symbols, and for each word of m
/// symbols the distribution of the next one.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "Unchecked"))]
pub struct MarkovChain {
    symbols: usize,
    order: usize,
    initial: Vec<f64>,
    rows: Vec<f64>,
}

impl MarkovChain {
    /// The chain with these distributions: Vᵐ `initial` probabilities of the first m symbols (the single
    /// number 1 where m is 0), and V `rows` for each word of m symbols. Words are in the order of a
    /// dictionary, the oldest symbol first.
    ///
    /// Rows that do not sum to one but for rounding are divided by their sums.
    ///
    /// # Errors
    /// No symbols; too many words; other numbers of probabilities; rows that are no distributions, with their
    /// context.
    pub fn new(symbols: usize, order: usize, initial: &[f64], rows: &[f64]) -> Result<Self, Error> {
        let contexts = Contexts::new(symbols, order)?;
        for (what, expected, found) in [
            ("initial probabilities", contexts.count, initial.len()),
            ("transition probabilities", contexts.count * symbols, rows.len()),
        ] {
            check::dimension(what, expected, found)?;
        }
        let (mut initial, mut rows) = (initial.to_vec(), rows.to_vec());
        normalize("MarkovChain", "initial probabilities", &mut initial)?;
        for (context, row) in rows.chunks_exact_mut(symbols).enumerate() {
            normalize("MarkovChain", "transition probabilities of context", row)
                .map_err(|error| error.at(context))?;
        }
        Ok(Self { symbols, order, initial, rows })
    }

    /// The chain under which the sequences that were counted are most probable: c(w, x) / c(w).
    ///
    /// # Errors
    /// If no sequence has m symbols, or a context was never followed by anything, of which nothing can be
    /// said without a [prior](super::MarkovPrior).
    pub fn from_counts(counts: &TransitionCounts) -> Result<Self, Error> {
        let relative = |counts: &[u64]| -> Option<Vec<f64>> {
            let total: u64 = counts.iter().sum();
            (total > 0).then(|| counts.iter().map(|&count| count as f64 / total as f64).collect())
        };
        let few = |needed| Error::TooFew { what: "the most likely chain", needed };
        let initial = relative(counts.starts()).ok_or(few("a sequence as long as its order"))?;
        let mut rows = Vec::with_capacity(counts.contexts() * counts.symbols());
        for (context, row) in counts.rows().enumerate() {
            rows.extend(relative(row).ok_or_else(|| Error::Unseen { context: counts.word(context) })?);
        }
        Self::new(counts.symbols(), counts.order(), &initial, &rows)
    }

    /// The number of symbols, V.
    pub const fn symbols(&self) -> usize {
        self.symbols
    }

    /// The order, m.
    pub const fn order(&self) -> usize {
        self.order
    }

    /// The probabilities of the first m symbols, Vᵐ numbers.
    pub fn initial(&self) -> &[f64] {
        &self.initial
    }

    /// The distribution of the next symbol after the last m symbols, the oldest first.
    ///
    /// # Panics
    /// If these are not m symbols of the chain.
    #[track_caller]
    pub fn row(&self, context: &[usize]) -> &[f64] {
        assert!(
            context.len() == self.order && context.iter().all(|&symbol| symbol < self.symbols),
            "{context:?} is no context of order {}",
            self.order
        );
        self.row_of(self.contexts().of(context))
    }

    /// The probability of the next symbol after the last m symbols.
    ///
    /// # Panics
    /// If these are no symbols of the chain.
    #[track_caller]
    pub fn probability(&self, context: &[usize], next: usize) -> f64 {
        self.row(context)[next]
    }

    pub(super) const fn contexts(&self) -> Contexts {
        Contexts { symbols: self.symbols, order: self.order, count: self.initial.len() }
    }

    pub(super) fn row_of(&self, context: usize) -> &[f64] {
        &self.rows[context * self.symbols..][..self.symbols]
    }

    /// The logarithm of the probability of a sequence; of one shorter than m that of its being a beginning.
    /// -∞ where impossible.
    ///
    /// # Errors
    /// With the position, a symbol that there is not.
    pub fn ln_probability(&self, sequence: &[usize]) -> Result<f64, Error> {
        let contexts = self.contexts();
        contexts.check(sequence)?;
        let begun = sequence.len().min(self.order);
        let mut context = contexts.of(&sequence[..begun]);
        // All words that begin so stand together.
        let words = self.initial.len() / self.symbols.pow(u32::try_from(begun).unwrap_or(u32::MAX));
        let mut ln_p = self.initial[context * words..][..words].iter().sum::<f64>().ln();
        for &symbol in &sequence[begun..] {
            ln_p += self.row_of(context)[symbol].ln();
            context = contexts.next(context, symbol);
        }
        Ok(ln_p)
    }

    /// The distribution of the symbol `steps` after the last m symbols; that of the very next one for
    /// `steps` = 1. O(steps Vᵐ⁺¹).
    ///
    /// # Errors
    /// No steps; not m symbols, or one that there is not.
    pub fn predict(&self, last: &[usize], steps: usize) -> Result<Vec<f64>, Error> {
        check::require(steps > 0, "predict", "steps", steps as f64, "positive")?;
        check::dimension("symbols before", self.order, last.len())?;
        let contexts = self.contexts();
        contexts.check(last)?;
        let mut distribution = vec![0.0; contexts.count];
        distribution[contexts.of(last)] = 1.0;
        Ok(self.next_after(distribution, steps - 1))
    }

    /// The distribution of the symbol at a position, counted from 0, of a sequence of which nothing was seen.
    /// O(position Vᵐ⁺¹).
    pub fn marginal(&self, position: usize) -> Vec<f64> {
        if let Some(after) = position.checked_sub(self.order) {
            return self.next_after(self.initial.clone(), after);
        }
        let contexts = self.contexts();
        let mut distribution = vec![0.0; self.symbols];
        for (context, p) in self.initial.iter().enumerate() {
            distribution[contexts.word(context)[position]] += p;
        }
        distribution
    }

    /// The distribution of the symbol that follows when so many more were drawn after a context of this
    /// distribution.
    fn next_after(&self, mut distribution: Vec<f64>, more: usize) -> Vec<f64> {
        for _ in 0..more {
            distribution = self.advance(&distribution);
        }
        let mut next = vec![0.0; self.symbols];
        for (context, p) in distribution.iter().enumerate().filter(|(_, p)| **p > 0.0) {
            for (next, row) in next.iter_mut().zip(self.row_of(context)) {
                *next += p * row;
            }
        }
        next
    }

    /// The distribution of the context one step later.
    fn advance(&self, distribution: &[f64]) -> Vec<f64> {
        let contexts = self.contexts();
        let mut after = vec![0.0; distribution.len()];
        for (context, p) in distribution.iter().enumerate().filter(|(_, p)| **p > 0.0) {
            for (symbol, row) in self.row_of(context).iter().enumerate() {
                after[contexts.next(context, symbol)] += p * row;
            }
        }
        after
    }

    /// A sequence of this length. O(Vᵐ + length V).
    pub fn simulate<R: Rng + ?Sized>(&self, length: usize, rng: &mut R) -> Vec<usize> {
        let contexts = self.contexts();
        let mut context = draw(&self.initial, rng);
        let mut sequence = contexts.word(context);
        sequence.truncate(length);
        while sequence.len() < length {
            let symbol = draw(self.row_of(context), rng);
            sequence.push(symbol);
            context = contexts.next(context, symbol);
        }
        sequence
    }
}

/// A chain as somebody wrote it.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct Unchecked {
    symbols: usize,
    order: usize,
    initial: Vec<f64>,
    rows: Vec<f64>,
}

#[cfg(feature = "serde")]
impl TryFrom<Unchecked> for MarkovChain {
    type Error = Error;

    fn try_from(Unchecked { symbols, order, initial, rows }: Unchecked) -> Result<Self, Error> {
        Self::new(symbols, order, &initial, &rows)
    }
}
