//! Two models as one.

use posterior_math::check::{self, DimensionError};

use super::language_model::LanguageModel;
use super::vocabulary::NgramVocabulary;
use crate::error::Error;

/// λ p + (1 - λ) q for two models of the same symbols.
///
/// ```
/// use posterior_text::ngram::{LanguageModel, Mixed, NGramCounts, NGramModel, NGramOptions, Smoothing, NgramVocabulary};
///
/// let counts = NGramCounts::of(&[[0, 1, 0, 1, 0]], NgramVocabulary::new(2)?, 2)?;
/// let likely = NGramModel::fit(&counts, &NGramOptions::new(Smoothing::MaximumLikelihood))?;
/// let flat = NGramModel::fit(&counts, &NGramOptions::new(Smoothing::AddK { k: 10.0 }))?;
/// let mixed = Mixed::best_for(likely, flat, &[[0, 1, 1]])?;
/// assert!(mixed.weight() > 0.0 && mixed.weight() < 1.0);
/// # Ok::<(), posterior_text::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Mixed<A, B> {
    first: A,
    second: B,
    weight: f64,
}

impl<A: LanguageModel, B: LanguageModel> Mixed<A, B> {
    /// The mixture with λ = `weight`.
    ///
    /// # Errors
    /// A weight outside of [0, 1], models of other symbols or boundaries.
    pub fn new(first: A, second: B, weight: f64) -> Result<Self, Error> {
        check::probability("Mixed", "weight", weight)?;
        let [a, b] = [first.vocabulary(), second.vocabulary()];
        if a.boundaries() != b.boundaries() || a.symbols() != b.symbols() {
            let what = "outcomes of the second model";
            return Err(DimensionError::new(what, a.outcomes(), b.outcomes()).into());
        }
        Ok(Self { first, second, weight })
    }

    /// The mixture under which `held_out` is most probable.
    ///
    /// ln p is concave in λ; the root of its derivative is found by halving, to the last digit.
    ///
    /// # Errors
    /// Models of other symbols, a symbol that is none, nothing held out.
    pub fn best_for<S: AsRef<[usize]>>(first: A, second: B, held_out: &[S]) -> Result<Self, Error> {
        let mut mixed = Self::new(first, second, 0.5)?;
        let pairs = mixed.pairs(held_out)?;
        if pairs.is_empty() {
            return Err(Error::TooFew { what: "learning a weight", needed: "a held-out symbol" });
        }
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            let slope: f64 = pairs.iter().map(|(p, q)| (p - q) / (middle * p + (1.0 - middle) * q)).sum();
            *(if slope > 0.0 { &mut low } else { &mut high }) = middle;
        }
        mixed.weight = 0.5 * (low + high);
        Ok(mixed)
    }

    /// The two probabilities of everything that one of the models thinks possible.
    fn pairs<S: AsRef<[usize]>>(&self, held_out: &[S]) -> Result<Vec<(f64, f64)>, Error> {
        let vocabulary = self.vocabulary();
        let mut pairs = Vec::new();
        for (number, sequence) in held_out.iter().enumerate() {
            vocabulary.check(number, sequence.as_ref())?;
            let mut state = self.begin();
            for symbol in sequence.as_ref().iter().copied().chain(vocabulary.end()) {
                let (p, first) = self.first.step(state.0, symbol);
                let (q, second) = self.second.step(state.1, symbol);
                state = (first, second);
                if p + q > 0.0 {
                    pairs.push((p, q));
                }
            }
        }
        Ok(pairs)
    }

    /// Weight λ of the first model.
    pub const fn weight(&self) -> f64 {
        self.weight
    }
}

impl<A: LanguageModel, B: LanguageModel> LanguageModel for Mixed<A, B> {
    type State = (A::State, B::State);

    fn vocabulary(&self) -> NgramVocabulary {
        self.first.vocabulary()
    }

    fn order(&self) -> usize {
        self.first.order().max(self.second.order())
    }

    fn empty(&self) -> Self::State {
        (self.first.empty(), self.second.empty())
    }

    fn begin(&self) -> Self::State {
        (self.first.begin(), self.second.begin())
    }

    fn step(&self, state: Self::State, symbol: usize) -> (f64, Self::State) {
        let (p, first) = self.first.step(state.0, symbol);
        let (q, second) = self.second.step(state.1, symbol);
        (self.weight * p + (1.0 - self.weight) * q, (first, second))
    }

    fn predict(&self, state: Self::State, out: &mut [f64]) {
        let mut other = vec![0.0; out.len()];
        self.first.predict(state.0, out);
        self.second.predict(state.1, &mut other);
        for (out, other) in out.iter_mut().zip(&other) {
            *out = self.weight * *out + (1.0 - self.weight) * other;
        }
    }
}
