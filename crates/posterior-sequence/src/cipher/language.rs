//! How probable rows of letters are: all n-grams up to some length, in tables.

use posterior_math::check;
use posterior_math::linalg::DMatrix;

use super::letters::Letters;
use crate::error::Error;

/// The most numbers in the largest table.
const CELLS: usize = 1 << 25;

/// A language as a source of letters, each of which depends on the n - 1 before it.
///
/// Interpolated Witten-Bell smoothing: p(x | h) = (c(h x) + d(h) p(x | h')) / (c(h) + d(h)), where h' is h
/// without its oldest letter and d(h) the number of different letters seen after h; below all of them is the
/// uniform distribution. Every row of letters is possible. Dense tables: the probability of the next letter
/// is one look-up, for mⁿ numbers of memory (4 MB for 27 letters and n = 4).
#[derive(Debug, Clone, PartialEq)]
pub struct Language {
    letters: Letters,
    order: usize,
    /// ln p(x | h) for n-grams of one letter, then of two, …; within, by the number whose digits are the
    /// letters, oldest first.
    ln: Vec<f64>,
}

impl Language {
    /// The language of an English text: spaces and the letters a to z of `reference`, whatever else is in it.
    ///
    /// # Errors
    /// As [`from_symbols`](Self::from_symbols).
    pub fn from_text(reference: &str, order: usize) -> Result<Self, Error> {
        let letters = Letters::english();
        let text = letters.read(reference);
        Self::from_symbols(letters, &text, order)
    }

    /// The language of a text of numbers of `letters`. O(n T + mⁿ).
    ///
    /// # Errors
    /// If the text is shorter than `order`, a number is none of the letters, or the order is 0 or needs
    /// tables of more than 2²⁵ numbers.
    pub fn from_symbols(letters: Letters, text: &[usize], order: usize) -> Result<Self, Error> {
        let (m, cells) = (letters.len(), cells(&letters, order)?);
        if let Some(position) = text.iter().position(|&symbol| symbol >= m) {
            let message = format!("symbol {} is none of {m} letters", text[position]);
            return Err(Error::Observation { sequence: 0, position, message });
        }
        if text.len() < order {
            return Err(Error::TooFew {
                what: "the language of a text",
                needed: "at least as many letters as its n-grams have",
            });
        }
        let mut counts = vec![0; cells];
        let mut index = 0;
        for (position, &symbol) in text.iter().enumerate() {
            index = (index * m + symbol) % cells;
            if position + 1 >= order {
                counts[index] += 1;
            }
        }
        Self::from_counts(letters, order, &counts)
    }

    /// The language with these counts of n-grams of `order` letters: mⁿ of them, by the number whose digits
    /// are the letters, oldest first. Counts of shorter n-grams are the sums of theirs.
    ///
    /// # Errors
    /// If there is another number of counts, or all are 0, or the order is 0 or needs tables of more than 2²⁵
    /// numbers.
    pub fn from_counts(letters: Letters, order: usize, counts: &[u32]) -> Result<Self, Error> {
        let (m, cells) = (letters.len(), cells(&letters, order)?);
        check::dimension("counts", cells, counts.len())?;
        if counts.iter().all(|&count| count == 0) {
            return Err(Error::TooFew { what: "a language", needed: "an n-gram" });
        }
        // Without the oldest letter, again and again.
        let mut shorter: Vec<Vec<f64>> = vec![counts.iter().map(|&count| f64::from(count)).collect()];
        for _ in 1..order {
            let longer = &shorter[shorter.len() - 1];
            let mut sums = vec![0.0; longer.len() / m];
            for counts in longer.chunks_exact(longer.len() / m) {
                sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
            }
            shorter.push(sums);
        }
        let mut below = vec![1.0 / m as f64; m];
        let mut probabilities = Vec::new();
        for counts in shorter.iter().rev() {
            below = smoothed(counts, &below, m);
            probabilities.extend_from_slice(&below);
        }
        let ln = probabilities.iter().map(|p| p.ln()).collect();
        Ok(Self { letters, order, ln })
    }

    /// The letters.
    pub const fn letters(&self) -> &Letters {
        &self.letters
    }

    /// n: how many letters an n-gram has.
    pub const fn order(&self) -> usize {
        self.order
    }

    /// ln p(x | h) for a context of up to n - 1 letters, of which `context` are the last ones, the oldest
    /// first.
    ///
    /// # Panics
    /// If a number is none of the letters.
    #[track_caller]
    pub fn ln_probability(&self, context: &[usize], symbol: usize) -> f64 {
        let m = self.letters.len();
        let context = &context[context.len().saturating_sub(self.order - 1)..];
        let digits = context.iter().chain([&symbol]);
        let index = digits.fold(0, |index, &digit| {
            assert!(digit < m, "symbol {digit} is none of {m} letters");
            index * m + digit
        });
        self.ln[self.offset(context.len() + 1) + index]
    }

    /// ln p of a text that begins here.
    ///
    /// # Errors
    /// The position of the first number that is none of the letters.
    pub fn ln_likelihood(&self, text: &[usize]) -> Result<f64, Error> {
        let m = self.letters.len();
        if let Some(position) = text.iter().position(|&symbol| symbol >= m) {
            let message = format!("symbol {} is none of {m} letters", text[position]);
            return Err(Error::Observation { sequence: 0, position, message });
        }
        Ok((0..text.len()).map(|t| self.ln_probability(&text[..t], text[t])).sum())
    }

    /// The probabilities of letters, without context.
    pub fn unigram(&self) -> Vec<f64> {
        self.ln[..self.letters.len()].iter().map(|ln| ln.exp()).collect()
    }

    /// The probabilities of letters given the one before, in rows. Of a language without contexts all rows
    /// are the same.
    pub fn bigram(&self) -> DMatrix<f64> {
        let m = self.letters.len();
        DMatrix::from_fn(m, m, |i, j| self.ln_probability(&[i], j).exp())
    }

    /// The number of symbols that a cipher text must have, about, so that one key is left: ln of the number
    /// of keys with `free` letters to be found, over what a letter of the language says less than one drawn
    /// evenly (Shannon's unicity distance). `entropy` is that of a letter, in nats.
    pub fn unicity_distance(&self, free: usize, entropy: f64) -> f64 {
        let keys: f64 = (2..=free).map(|k| (k as f64).ln()).sum();
        let redundancy = (self.letters.len() as f64).ln() - entropy;
        if redundancy > 0.0 { keys / redundancy } else { f64::INFINITY }
    }

    /// Where the table of n-grams of this length begins.
    pub(super) fn offset(&self, length: usize) -> usize {
        let m = self.letters.len();
        (1..length).fold((0, m), |(offset, cells), _| (offset + cells, cells * m)).0
    }

    /// All tables, one after the other.
    pub(super) fn table(&self) -> &[f64] {
        &self.ln
    }
}

/// mⁿ, if it is reasonable.
fn cells(letters: &Letters, order: usize) -> Result<usize, Error> {
    let most = (CELLS as f64).ln() / (letters.len() as f64).ln();
    check::require(
        (1.0..=most).contains(&(order as f64)),
        "Language",
        "order",
        order as f64,
        "at least 1, and small enough for a table of 2^25 n-grams",
    )?;
    Ok(letters.len().pow(order as u32))
}

/// The smoothed probabilities of n-grams with these counts, `below` those of n-grams with one letter less.
fn smoothed(counts: &[f64], below: &[f64], m: usize) -> Vec<f64> {
    let mut probabilities = Vec::with_capacity(counts.len());
    for (context, counts) in counts.chunks_exact(m).enumerate() {
        let below = &below[(context * m) % below.len()..][..m];
        let total: f64 = counts.iter().sum();
        let different = counts.iter().filter(|&&count| count > 0.0).count() as f64;
        if total == 0.0 {
            probabilities.extend_from_slice(below);
        } else {
            let smooth = |(count, below): (&f64, &f64)| (count + different * below) / (total + different);
            probabilities.extend(counts.iter().zip(below).map(smooth));
        }
    }
    probabilities
}
