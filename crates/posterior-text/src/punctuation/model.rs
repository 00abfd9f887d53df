//! The model: a distribution of the next class for each context, and what is done without one.

use posterior_math::check;

use super::CLASSES;
use super::context_tree::{ClassProbabilities, ContextTree};
use super::smoothing::ContextSmoothing;
use crate::error::Error;

/// The longest context, in characters.
const LONGEST: usize = 64;

/// p(class of the next character | the last n + 1 characters).
#[derive(Debug, Clone, PartialEq)]
pub struct PunctuationModel {
    smoothing: ContextSmoothing,
    tree: ContextTree,
    distributions: Vec<Vec<ClassProbabilities>>,
    characters: usize,
}

impl PunctuationModel {
    /// Counts texts, in which contexts do not go from one to the next, and smoothes. `n` is how many
    /// characters are looked at before the last one.
    ///
    /// # Errors
    /// If no character has a successor, n is 64 or more, or a number of the smoothing can't be.
    pub fn fit(texts: &[&str], n: usize, smoothing: &ContextSmoothing) -> Result<Self, Error> {
        check::require(n < LONGEST, "PunctuationModel", "n", n as f64, "below 64")?;
        let tree = ContextTree::of(texts, n + 1);
        if tree.levels()[0].counts.is_empty() {
            return Err(Error::TooFew { what: "punctuation", needed: "a character with one after it" });
        }
        let distributions = smoothing.distributions(&tree)?;
        let mut characters: Vec<char> = texts.iter().flat_map(|text| text.chars()).collect();
        characters.sort_unstable();
        characters.dedup();
        Ok(Self { smoothing: *smoothing, tree, distributions, characters: characters.len() })
    }

    /// n: a context has one character more.
    pub fn n(&self) -> usize {
        self.tree.levels().len() - 2
    }

    /// m: how many different characters the texts have.
    pub const fn characters(&self) -> usize {
        self.characters
    }

    /// 6 mⁿ⁺¹: free numbers of the full table.
    pub fn free_parameters(&self) -> f64 {
        (CLASSES - 1) as f64 * (self.characters as f64).powf((self.n() + 1) as f64)
    }

    /// The number of contexts of n + 1 characters that were seen.
    pub fn contexts(&self) -> usize {
        self.tree.levels()[self.n() + 1].counts.len()
    }

    /// The number of times that each class was seen after a context of up to n + 1 characters; none of the
    /// beginning of a text.
    pub fn counts(&self, context: &str) -> [u32; CLASSES] {
        let context: Vec<char> = context.chars().collect();
        let path = self.tree.path(&context);
        match path.get(context.len()) {
            Some(&node) => self.tree.levels()[context.len()].counts[node],
            None => [0; CLASSES],
        }
    }

    /// The distribution of the class after a text, by [`Symbol`](super::Symbol). `None` if the context was
    /// not seen and nothing is done about it.
    pub fn distribution(&self, before: &str) -> Option<ClassProbabilities> {
        // Only the last characters matter.
        let mut context: Vec<char> = before.chars().rev().take(self.n() + 1).collect();
        context.reverse();
        self.distribution_after(&context)
    }

    /// Whether the last n + 1 characters of a text were seen.
    pub fn has_seen(&self, before: &[char]) -> bool {
        self.tree.path(before).len() == self.n() + 2
    }

    /// The same as [`distribution`](Self::distribution) for characters.
    pub fn distribution_after(&self, before: &[char]) -> Option<ClassProbabilities> {
        let path = self.tree.path(before);
        let length = path.len().checked_sub(1)?;
        if self.smoothing == ContextSmoothing::MaximumLikelihood && length < self.n() + 1 {
            return None;
        }
        Some(self.distributions[length][path[length]])
    }
}
