//! The whole route from a cipher text to its key, with what each stage reached.

use posterior_dist::stream::stream;
use posterior_math::linalg::DMatrix;

use super::expectation::{EmissionOptions, fit_emissions};
use super::key::Key;
use super::language::Language;
use super::posterior::{KeyPosterior, PosteriorOptions, posterior};
use super::score::KeyScore;
use super::search::{AnnealingOptions, anneal, climb, random_key};
use super::text::Ciphertext;
use crate::error::Error;

/// Options of [`solve`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolveOptions {
    /// The hidden Markov model.
    pub emissions: EmissionOptions,
    /// Random keys from which annealing starts.
    pub starts: usize,
    /// Options of annealing.
    pub annealing: AnnealingOptions,
    /// Options of the draws of keys at the end.
    pub posterior: PosteriorOptions,
}

impl Default for SolveOptions {
    /// Five starts of annealing.
    fn default() -> Self {
        Self {
            emissions: EmissionOptions::default(),
            starts: 5,
            annealing: AnnealingOptions::default(),
            posterior: PosteriorOptions::default(),
        }
    }
}

/// A step on the way to the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum StageName {
    /// The most frequent symbol is the most frequent letter, and so on.
    Frequencies,
    /// The most probable letter of each position under the hidden Markov model: a symbol need not be the same
    /// letter everywhere.
    HiddenMarkov,
    /// Each letter once, by how often pairs are expected under the hidden Markov model.
    Assignment,
    /// Exchanges of two letters from there.
    Climbing,
    /// The best of annealing from random keys, and of climbing.
    Annealing,
}

/// The result of a stage.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Stage {
    /// The name of the stage.
    pub name: StageName,
    /// Its key; none of the hidden Markov model.
    pub key: Option<Key>,
    /// The letters that it reads.
    pub letters: Vec<usize>,
    /// ln p of these letters in the language.
    pub ln_likelihood: f64,
}

/// A solved cipher.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Solution {
    /// The most probable key that was found.
    pub key: Key,
    /// The text under it.
    pub plaintext: String,
    /// ln p of the text under the key.
    pub ln_likelihood: f64,
    /// The result of each stage, in their order.
    pub stages: Vec<Stage>,
    /// ln p of the text under the key that each start of annealing ended with.
    pub starts: Vec<f64>,
    /// The doubt that is left about the key.
    pub posterior: KeyPosterior,
}

impl Solution {
    /// The probability of the found letter for each of m symbols.
    pub fn certainties(&self) -> Vec<f64> {
        let letters = self.key.plain().iter().enumerate();
        letters.map(|(symbol, &letter)| self.posterior.probabilities[(letter, symbol)]).collect()
    }
}

/// Finds the key of `cipher`: hidden Markov model, assignment, exchanges, annealing; then draws keys around
/// it.
///
/// Deterministic in the seed, for any number of threads. Takes a second or two for two thousand letters;
/// several hundred letters are needed for all letters to be right, see [`Language::unicity_distance`]. A text
/// that is too short gives the key that is most probable, and [`Solution::certainties`] says how little that
/// is worth.
///
/// # Errors
/// Options that can't be; a text that was read for another language.
pub fn solve(
    cipher: &Ciphertext,
    language: &Language,
    options: &SolveOptions,
    seed: u64,
) -> Result<Solution, Error> {
    options.posterior.check()?;
    let order = language.order();
    let stage = |name: StageName, key: Key| -> Result<Stage, Error> {
        let letters = key.apply(cipher.symbols());
        let ln_likelihood = language.ln_likelihood(&letters)?;
        Ok(Stage { name, key: Some(key), letters, ln_likelihood })
    };
    let frequencies = by_frequencies(cipher, language)?;
    let mut stages = vec![stage(StageName::Frequencies, frequencies.clone())?];

    let fit = fit_emissions(cipher, language, &options.emissions, seed)?;
    stages.push(Stage {
        name: StageName::HiddenMarkov,
        key: None,
        ln_likelihood: language.ln_likelihood(&fit.letters)?,
        letters: fit.letters,
    });
    let assigned = Key::of_weights(&fit.expected, cipher.fixed())?;
    stages.push(stage(StageName::Assignment, assigned.clone())?);

    let mut score = KeyScore::new(cipher, language, order, assigned)?;
    climb(&mut score);
    stages.push(stage(StageName::Climbing, score.key().clone())?);
    let mut best = score;
    let mut starts = Vec::with_capacity(options.starts);
    for start in 0..options.starts {
        let mut rng = stream(seed, &[1, start as u64]);
        let mut score = KeyScore::new(cipher, language, order, random_key(cipher.fixed(), &mut rng))?;
        anneal(&mut score, &options.annealing, &mut rng)?;
        starts.push(score.ln_likelihood());
        if score.ln_likelihood() > best.ln_likelihood() {
            best = score;
        }
    }
    let key = best.key().clone();
    stages.push(stage(StageName::Annealing, key.clone())?);
    let ln_likelihood = best.ln_likelihood();
    let posterior = posterior(&mut best, &options.posterior, &mut stream(seed, &[2]))?;
    Ok(Solution { plaintext: cipher.decipher(&key), key, ln_likelihood, stages, starts, posterior })
}

/// The key that gives the letters in the order of their frequency to the symbols in the order of theirs.
fn by_frequencies(cipher: &Ciphertext, language: &Language) -> Result<Key, Error> {
    // Σ count × rank is least, and so Σ count × -rank largest, when both are sorted alike.
    let unigram = language.unigram();
    let rank = |letter: usize| unigram.iter().filter(|&&other| other > unigram[letter]).count();
    let counts = cipher.counts();
    let m = unigram.len();
    Key::of_weights(
        &DMatrix::from_fn(m, m, |letter, symbol| -((counts[symbol] * rank(letter)) as f64)),
        cipher.fixed(),
    )
}
