//! What the end and the shape of a word say of its tag.

use std::collections::BTreeMap;

/// The distribution of tags given the end of a word, for words never seen.
///
/// p(tag | ending) is a Dirichlet posterior mean whose prior mean is p(tag | ending without its first
/// letter); above the empty ending is the distribution of the shape (capitals, digits, hyphens), and above
/// that one of all rare words.
#[derive(Debug, Clone, PartialEq)]
pub struct Suffixes {
    tags: usize,
    longest: usize,
    concentration: f64,
    all: Vec<f64>,
    shapes: Vec<Vec<f64>>,
    /// Counts of tags by shape and ending, the last letter first.
    endings: BTreeMap<(Shape, Vec<char>), Vec<f64>>,
}

/// How a word is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Shape {
    Lower,
    /// A capital at the beginning of a sentence.
    First,
    Capital,
    Capitals,
    Digits,
    WithDigit,
    Hyphen,
    /// No letter and no digit.
    Signs,
}

const SHAPES: usize = 8;

impl Shape {
    pub(super) fn of(word: &str, first: bool) -> Self {
        let digits = word.chars().filter(|c| c.is_numeric()).count();
        let letters = word.chars().filter(|c| c.is_alphabetic()).count();
        let capitals = word.chars().filter(|c| c.is_uppercase()).count();
        match () {
            () if letters == 0 && digits > 0 => Self::Digits,
            () if letters == 0 => Self::Signs,
            () if digits > 0 => Self::WithDigit,
            () if capitals > 1 && capitals == letters => Self::Capitals,
            () if word.chars().next().is_some_and(char::is_uppercase) => {
                if first {
                    Self::First
                } else {
                    Self::Capital
                }
            }
            () if word.contains('-') => Self::Hyphen,
            () => Self::Lower,
        }
    }
}

impl Suffixes {
    /// No word yet.
    pub(super) fn new(tags: usize, longest: usize, concentration: f64) -> Self {
        Self {
            tags,
            longest,
            concentration,
            all: vec![0.0; tags],
            shapes: vec![vec![0.0; tags]; SHAPES],
            endings: BTreeMap::new(),
        }
    }

    /// Counts a word.
    pub(super) fn push(&mut self, word: &str, first: bool, tag: usize, weight: f64) {
        let shape = Shape::of(word, first);
        self.all[tag] += weight;
        self.shapes[shape as usize][tag] += weight;
        let letters = ending(word, self.longest);
        for length in 1..=letters.len() {
            let counts = self.endings.entry((shape, letters[..length].to_vec()));
            counts.or_insert_with(|| vec![0.0; self.tags])[tag] += weight;
        }
    }

    /// p(tag | the word's end and shape) of a word, `first` of its sentence or not.
    pub fn distribution(&self, word: &str, first: bool) -> Vec<f64> {
        let shape = Shape::of(word, first);
        let uniform = vec![1.0 / self.tags as f64; self.tags];
        let mut distribution = updated(&self.all, &uniform, self.concentration);
        distribution = updated(&self.shapes[shape as usize], &distribution, self.concentration);
        let letters = ending(word, self.longest);
        for length in 1..=letters.len() {
            let Some(counts) = self.endings.get(&(shape, letters[..length].to_vec())) else { break };
            distribution = updated(counts, &distribution, self.concentration);
        }
        distribution
    }
}

/// The last letters of a word in lower case, the last one first.
fn ending(word: &str, longest: usize) -> Vec<char> {
    let letters: Vec<char> = word.chars().flat_map(char::to_lowercase).collect();
    letters.into_iter().rev().take(longest).collect()
}

/// The mean of the Dirichlet posterior after `counts`, with this mean and concentration before.
pub(super) fn updated(counts: &[f64], mean: &[f64], concentration: f64) -> Vec<f64> {
    let total: f64 = counts.iter().sum();
    let update = |(count, mean): (&f64, &f64)| (count + concentration * mean) / (total + concentration);
    counts.iter().zip(mean).map(update).collect()
}
