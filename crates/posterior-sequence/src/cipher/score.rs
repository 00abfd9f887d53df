//! ln p of a text under a key, kept up to date while letters of the key are exchanged.

use std::collections::BTreeMap;

use super::key::Key;
use super::language::Language;
use super::text::Ciphertext;
use crate::error::Error;
use posterior_math::check::DimensionError;

/// The longest n-gram of a table.
const LONGEST: usize = 25;

/// ln p(text | key) under n-grams of some length, by the different n-grams of the cipher text and how often
/// each comes.
///
/// An exchange of two letters touches the n-grams with their symbols only: about 2n/m of them.
#[derive(Debug, Clone)]
pub struct KeyScore<'a> {
    language: &'a Language,
    grams: Vec<Gram>,
    /// All symbols of all n-grams, n-gram after n-gram.
    symbols: Vec<u8>,
    /// The n-grams with each symbol.
    with: Vec<Vec<u32>>,
    fixed: Vec<bool>,
    key: Key,
    ln_likelihood: f64,
}

/// An n-gram of the cipher text.
#[derive(Debug, Clone, Copy)]
struct Gram {
    /// Where its symbols begin.
    start: u32,
    length: u8,
    /// Where the table of its length begins.
    offset: u32,
    /// Its symbols as bits.
    mask: u64,
    count: f64,
    /// ln p of its last letter, by the key.
    ln: f64,
}

impl<'a> KeyScore<'a> {
    /// The text under `key`; n-grams have `order` letters, at most those of the language.
    ///
    /// # Errors
    /// If the text is not one of the language, or the key has another number of letters or not the fixed
    /// ones.
    pub fn new(cipher: &Ciphertext, language: &'a Language, order: usize, key: Key) -> Result<Self, Error> {
        let m = language.letters().len();
        if key.plain().len() != m || cipher.fixed().len() != m {
            let found = key.plain().len().min(cipher.fixed().len());
            return Err(DimensionError::new("letters of the key", m, found).into());
        }
        let agrees = |(fixed, letter): (&Option<usize>, &usize)| fixed.is_none_or(|fixed| fixed == *letter);
        if !cipher.fixed().iter().zip(key.plain()).all(agrees) {
            return Err(Error::TooFew { what: "a key", needed: "the letters that are known" });
        }
        let order = order.clamp(1, language.order()).min(LONGEST);
        let mut counts: BTreeMap<&[usize], u32> = BTreeMap::new();
        let text = cipher.symbols();
        for end in 1..=text.len() {
            *counts.entry(&text[end.saturating_sub(order)..end]).or_default() += 1;
        }
        let mut score = Self {
            language,
            grams: Vec::with_capacity(counts.len()),
            symbols: Vec::new(),
            with: vec![Vec::new(); m],
            fixed: cipher.fixed().iter().map(Option::is_some).collect(),
            key,
            ln_likelihood: 0.0,
        };
        for (symbols, &count) in &counts {
            let mask = symbols.iter().fold(0, |mask, &symbol| mask | 1_u64 << symbol);
            for (symbol, with) in score.with.iter_mut().enumerate() {
                if mask >> symbol & 1 == 1 {
                    with.push(score.grams.len() as u32);
                }
            }
            score.grams.push(Gram {
                start: score.symbols.len() as u32,
                length: symbols.len() as u8,
                offset: language.offset(symbols.len()) as u32,
                mask,
                count: f64::from(count),
                ln: 0.0,
            });
            score.symbols.extend(symbols.iter().map(|&symbol| symbol as u8));
        }
        score.renew();
        Ok(score)
    }

    /// The key as it stands.
    pub const fn key(&self) -> &Key {
        &self.key
    }

    /// ln p(text | key).
    pub const fn ln_likelihood(&self) -> f64 {
        self.ln_likelihood
    }

    /// The number of symbols of the text.
    pub(super) fn symbols(&self) -> usize {
        self.grams.iter().map(|gram| gram.count as usize).sum()
    }

    /// Whether the letter of a symbol is known.
    ///
    /// # Panics
    /// If the symbol is m or more.
    #[track_caller]
    pub fn is_fixed(&self, symbol: usize) -> bool {
        self.fixed[symbol]
    }

    /// Takes another key, and adds up afresh.
    ///
    /// # Panics
    /// If it has another number of letters.
    #[track_caller]
    pub(super) fn set_key(&mut self, key: Key) {
        assert_eq!(key.plain().len(), self.with.len(), "letters of the key");
        self.key = key;
        self.renew();
    }

    /// By how much ln p changes if the letters of two symbols are exchanged.
    ///
    /// # Panics
    /// If a symbol is m or more.
    #[track_caller]
    pub fn gain(&self, a: usize, b: usize) -> f64 {
        let plain = self.key.plain();
        let mut gain = 0.0;
        for index in self.touched(a, b) {
            let gram = &self.grams[index];
            let exchanged = |symbol: usize| match symbol {
                _ if symbol == a => plain[b],
                _ if symbol == b => plain[a],
                _ => plain[symbol],
            };
            gain += gram.count * (self.ln_of(gram, exchanged) - gram.ln);
        }
        gain
    }

    /// Exchanges the letters of two symbols, for which [`gain`](Self::gain) was this.
    ///
    /// # Panics
    /// If a symbol is m or more.
    #[track_caller]
    pub fn exchange(&mut self, a: usize, b: usize, gain: f64) {
        self.key.swap(a, b);
        self.ln_likelihood += gain;
        let touched: Vec<usize> = self.touched(a, b).collect();
        for index in touched {
            let gram = self.grams[index];
            self.grams[index].ln = self.ln_of(&gram, |symbol| self.key.plain()[symbol]);
        }
    }

    /// The n-grams with one of two symbols, each once.
    fn touched(&self, a: usize, b: usize) -> impl Iterator<Item = usize> {
        let first = self.with[a].iter().map(|&index| index as usize);
        let second = self.with[b].iter().map(|&index| index as usize);
        first.chain(second.filter(move |&index| self.grams[index].mask >> a & 1 == 0))
    }

    /// ln p of the last letter of an n-gram given the others.
    fn ln_of(&self, gram: &Gram, letter: impl Fn(usize) -> usize) -> f64 {
        let m = self.with.len();
        let symbols = &self.symbols[gram.start as usize..][..usize::from(gram.length)];
        let index = symbols.iter().fold(0, |index, &symbol| index * m + letter(usize::from(symbol)));
        self.language.table()[gram.offset as usize + index]
    }

    /// Adds up afresh: what exchanges left of rounding is gone.
    pub(super) fn renew(&mut self) {
        for index in 0..self.grams.len() {
            let gram = self.grams[index];
            self.grams[index].ln = self.ln_of(&gram, |symbol| self.key.plain()[symbol]);
        }
        self.ln_likelihood = self.grams.iter().map(|gram| gram.count * gram.ln).sum();
    }
}
