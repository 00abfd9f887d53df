//! Measures of coherence.

use super::Occurrences;
use crate::semantic_analysis::cosine;
use crate::{Error, Topics, top_words};

/// Keeps the logarithm of words that never meet finite.
const EPSILON: f64 = 1e-12;

/// A measure of coherence; the larger, the better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Measure {
    /// How often a word's documents have a word that is ranked above it: at most zero.
    UMass,
    /// The pointwise mutual information of two words.
    Uci,
    /// The same, normalised: -1 for words that never meet, 0 for independent ones, 1 for those that never
    /// part.
    Npmi,
    /// Whether words keep the same company, from -1 to 1.
    Cv,
}

/// The coherence of the words of one topic, most probable first.
///
/// Words that occur in no text are passed over. NaN when fewer than two are left. Cost: the square of the
/// number of words times the length of their lists of occurrences.
///
/// # Errors
/// A word that `occurrences` did not look for.
pub fn coherence(measure: Measure, words: &[usize], occurrences: &Occurrences) -> Result<f64, Error> {
    if let Some(word) = words.iter().find(|&&word| !occurrences.covers(word)) {
        return Err(Error::Corpus(format!("the occurrences of word id {word} were not counted")));
    }
    let words: Vec<usize> = words.iter().copied().filter(|&word| occurrences.of(word) > 0).collect();
    if words.len() < 2 {
        return Ok(f64::NAN);
    }
    let pairs = words.len() * (words.len() - 1) / 2;
    let over_pairs = |of: fn(&Probabilities) -> f64| {
        let above = |i: usize| words[..i].iter().map(move |&v| (i, v));
        let pairs_in_order = (1..words.len()).flat_map(above);
        pairs_in_order.map(|(i, v)| of(&Probabilities::new(words[i], v, occurrences))).sum::<f64>()
            / pairs as f64
    };
    Ok(match measure {
        Measure::UMass => over_pairs(Probabilities::ln_conditional),
        Measure::Uci => over_pairs(Probabilities::mutual_information),
        Measure::Npmi => over_pairs(Probabilities::normalised),
        Measure::Cv => context(&words, occurrences),
    })
}

/// The coherence of the `n` most probable words of each topic.
///
/// # Errors
/// As [`coherence`].
pub fn of_topics(
    measure: Measure,
    topics: &Topics,
    n: usize,
    occurrences: &Occurrences,
) -> Result<Vec<f64>, Error> {
    let lists = top_words::lists(topics, n);
    lists.iter().map(|words| coherence(measure, words, occurrences)).collect()
}

/// How often words w and v occur, as proportions of the stretches.
struct Probabilities {
    joint: f64,
    word: f64,
    other: f64,
}

impl Probabilities {
    fn new(word: usize, other: usize, occurrences: &Occurrences) -> Self {
        let proportion = |count: u64| count as f64 / occurrences.stretches() as f64;
        Self {
            joint: proportion(occurrences.of_both(word, other)),
            word: proportion(occurrences.of(word)),
            other: proportion(occurrences.of(other)),
        }
    }

    fn ln_conditional(&self) -> f64 {
        ((self.joint + EPSILON) / self.other).ln()
    }

    fn mutual_information(&self) -> f64 {
        ((self.joint + EPSILON) / (self.word * self.other)).ln()
    }

    /// Zero for words that are everywhere: they say nothing.
    fn normalised(&self) -> f64 {
        if self.joint == 1.0 { 0.0 } else { self.mutual_information() / -(self.joint + EPSILON).ln() }
    }
}

/// The mean cosine of each word's vector of NPMI with all words of the topic, itself included, to the sum of
/// these vectors.
fn context(words: &[usize], occurrences: &Occurrences) -> f64 {
    let count = words.len();
    let mut vectors = vec![0.0; count * count];
    for i in 0..count {
        for j in 0..=i {
            let npmi = Probabilities::new(words[i], words[j], occurrences).normalised();
            vectors[i * count + j] = npmi;
            vectors[j * count + i] = npmi;
        }
    }
    let mut sum = vec![0.0; count];
    for vector in vectors.chunks_exact(count) {
        for (sum, entry) in sum.iter_mut().zip(vector) {
            *sum += entry;
        }
    }
    vectors.chunks_exact(count).map(|vector| cosine(vector, &sum)).sum::<f64>() / count as f64
}
