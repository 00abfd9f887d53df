//! How alike partners are by their most probable words.

use super::Matching;
use crate::semantic_analysis::cosine;
use crate::{Topics, top_words};

/// How much two topics have in common.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Agreement {
    /// Of the most probable words of both, the proportion that is among those of each (Jaccard).
    pub jaccard: f64,
    /// The cosine of their probabilities of these words.
    pub cosine: f64,
}

/// The agreement of each topic of the first fit with its partner, by their `n` most probable words; `None`
/// without a partner.
///
/// # Panics
/// When the matching is of other fits, or their vocabularies differ.
#[track_caller]
pub fn agreement(first: &Topics, second: &Topics, matching: &Matching, n: usize) -> Vec<Option<Agreement>> {
    assert_eq!(first.vocabulary(), second.vocabulary(), "topics over the same words");
    let sorted = |topics: &Topics, k: usize| {
        let mut words: Vec<usize> =
            top_words::by_probability(topics, k, n).into_iter().map(|ranked| ranked.word).collect();
        words.sort_unstable();
        words
    };
    let of = |(k, &partner): (usize, &Option<usize>)| {
        let partner = partner?;
        let (a, b) = (sorted(first, k), sorted(second, partner));
        let common = a.iter().filter(|word| b.binary_search(word).is_ok()).count();
        let mut union = [a, b].concat();
        union.sort_unstable();
        union.dedup();
        let probabilities = |topics: &Topics, k: usize| -> Vec<f64> {
            union.iter().map(|&word| topics.topic_word()[(k, word)]).collect()
        };
        Some(Agreement {
            jaccard: common as f64 / union.len() as f64,
            cosine: cosine(&probabilities(first, k), &probabilities(second, partner)),
        })
    };
    matching.partners.iter().enumerate().map(of).collect()
}
