//! What models of the next symbol can do.

use posterior_dist::choose;
use posterior_math::check;
use rand::{Rng, RngExt};

use super::score::LanguageScore;
use super::vocabulary::NgramVocabulary;
use crate::error::Error;

/// A distribution of the next symbol given those before it.
///
/// A model says what of the past it remembers (`State`), and after each state what comes next. The
/// distributions: after every state the probabilities of all outcomes sum to one, [`predict`](Self::predict)
/// and [`step`](Self::step) agree.
///
/// The other methods follow; contexts are slices of symbols, which may begin with the mark of the beginning.
pub trait LanguageModel {
    /// What is remembered of the past.
    type State: Copy;

    /// The symbols, and how sequences begin and end.
    fn vocabulary(&self) -> NgramVocabulary;

    /// One more than the number of symbols that are remembered.
    fn order(&self) -> usize;

    /// The state when nothing is known of the past.
    fn empty(&self) -> Self::State;

    /// The state before the first symbol of a sequence; with open boundaries the same as
    /// [`empty`](Self::empty).
    fn begin(&self) -> Self::State;

    /// The probability of `symbol`, and the state after it. 0 for what is no outcome.
    fn step(&self, state: Self::State, symbol: usize) -> (f64, Self::State);

    /// The probabilities of all outcomes.
    ///
    /// `out` has one place for each outcome.
    fn predict(&self, state: Self::State, out: &mut [f64]);

    /// The state after `context`.
    ///
    /// # Errors
    /// The first position that holds no symbol; the mark of the beginning may stand first.
    fn after(&self, context: &[usize]) -> Result<Self::State, Error> {
        self.vocabulary().check_context(context)?;
        let begun = !context.is_empty() && context.first().copied() == self.vocabulary().begin();
        let start = if begun { self.begin() } else { self.empty() };
        let symbols = &context[usize::from(begun)..];
        Ok(symbols.iter().fold(start, |state, &symbol| self.step(state, symbol).1))
    }

    /// ln p(`symbol` | `context`), -∞ where it is impossible.
    ///
    /// # Errors
    /// As [`after`](Self::after), and a symbol that is no outcome.
    fn ln_probability(&self, context: &[usize], symbol: usize) -> Result<f64, Error> {
        let outcomes = self.vocabulary().outcomes();
        check::require(symbol < outcomes, "LanguageModel", "symbol", symbol as f64, "one of the outcomes")?;
        Ok(self.step(self.after(context)?, symbol).0.ln())
    }

    /// ln p of each symbol of `sequence` given those before it, and last of its end where that is marked.
    ///
    /// # Errors
    /// The first position that holds no symbol.
    fn ln_probabilities(&self, sequence: &[usize]) -> Result<Vec<f64>, Error> {
        self.vocabulary().check(0, sequence)?;
        let mut state = self.begin();
        let mut all = Vec::with_capacity(sequence.len() + 1);
        for symbol in sequence.iter().copied().chain(self.vocabulary().end()) {
            let (probability, next) = self.step(state, symbol);
            all.push(probability.ln());
            state = next;
        }
        Ok(all)
    }

    /// How probable `sequences` are, and how many symbols that was about.
    ///
    /// # Errors
    /// The first sequence and position that holds no symbol.
    fn score<S: AsRef<[usize]>>(&self, sequences: &[S]) -> Result<LanguageScore, Error> {
        let mut score = LanguageScore::default();
        for (number, sequence) in sequences.iter().enumerate() {
            self.vocabulary().check(number, sequence.as_ref())?;
            add_sequence(self, &mut score, sequence.as_ref().iter().copied().map(Some));
        }
        Ok(score)
    }

    /// The same of sequences with symbols that the model does not have, which are `None`.
    ///
    /// They are the symbol for the unknown. Without one their probability is 0, so that only
    /// [`perplexity_of_known`](LanguageScore::perplexity_of_known) is finite, and what follows is predicted
    /// as if nothing was before it.
    ///
    /// # Errors
    /// As [`score`](Self::score).
    fn score_with_gaps<S: AsRef<[Option<usize>]>>(&self, sequences: &[S]) -> Result<LanguageScore, Error> {
        let symbols = self.vocabulary().symbols();
        let mut score = LanguageScore::default();
        for (number, sequence) in sequences.iter().enumerate() {
            let sequence = sequence.as_ref();
            if let Some(place) = sequence.iter().position(|own| own.is_some_and(|own| own >= symbols)) {
                let symbol = sequence[place].unwrap_or(symbols);
                return Err(self.vocabulary().unknown_symbol(number, place, symbol));
            }
            let unknown = self.vocabulary().unknown();
            add_sequence(self, &mut score, sequence.iter().map(|own| own.or(unknown)));
        }
        Ok(score)
    }

    /// The `number` most probable outcomes after `context`, the most probable first, among equals the smaller
    /// one.
    ///
    /// # Errors
    /// As [`after`](Self::after).
    fn top(&self, context: &[usize], number: usize) -> Result<Vec<(usize, f64)>, Error> {
        let mut distribution = vec![0.0; self.vocabulary().outcomes()];
        self.predict(self.after(context)?, &mut distribution);
        let mut all: Vec<(usize, f64)> = distribution.into_iter().enumerate().collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        all.truncate(number);
        Ok(all)
    }

    /// Draws a sequence from its beginning: up to its end, where that is marked, or to `longest` symbols. The
    /// end is not in it.
    ///
    /// O(V) a symbol.
    fn sample<R: Rng + ?Sized>(&self, longest: usize, rng: &mut R) -> Vec<usize> {
        self.continuation(self.begin(), longest, rng)
    }

    /// Draws what comes after a state, as [`sample`](Self::sample) does.
    fn continuation<R: Rng + ?Sized>(
        &self,
        mut state: Self::State,
        longest: usize,
        rng: &mut R,
    ) -> Vec<usize> {
        let vocabulary = self.vocabulary();
        let mut distribution = vec![0.0; vocabulary.outcomes()];
        let mut sequence = Vec::new();
        while sequence.len() < longest {
            self.predict(state, &mut distribution);
            let symbol = choose(&distribution, rng.random::<f64>() * distribution.iter().sum::<f64>())
                .unwrap_or_default();
            if Some(symbol) == vocabulary.end() {
                break;
            }
            sequence.push(symbol);
            state = self.step(state, symbol).1;
        }
        sequence
    }
}

/// Adds a sequence; what is `None` has probability 0.
fn add_sequence<M: LanguageModel + ?Sized>(
    model: &M,
    score: &mut LanguageScore,
    sequence: impl ExactSizeIterator<Item = Option<usize>>,
) {
    let vocabulary = model.vocabulary();
    score.sequences += 1;
    score.tokens += sequence.len() as u64 + u64::from(vocabulary.end().is_some());
    let mut state = model.begin();
    // Logarithms of products of a few probabilities, which are never below 10^-200.
    let (mut product, mut sum) = (1.0_f64, 0.0);
    for symbol in sequence.chain(vocabulary.end().map(Some)) {
        let Some(symbol) = symbol else {
            score.unknown += 1;
            score.ln_unknown = f64::NEG_INFINITY;
            state = model.empty();
            continue;
        };
        let (probability, next) = model.step(state, symbol);
        state = next;
        if Some(symbol) == vocabulary.unknown() {
            score.unknown += 1;
            score.ln_unknown += probability.ln();
            continue;
        }
        if probability < 1e-100 {
            sum += probability.ln();
            continue;
        }
        product *= probability;
        if product < 1e-100 {
            sum += product.ln();
            product = 1.0;
        }
    }
    score.ln_known += sum + product.ln();
}
