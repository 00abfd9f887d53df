//! What the topics alone say of themselves.

use crate::{Topics, top_words};

/// The proportion of distinct words among the `n` most probable words of all topics (Dieng, Ruiz and Blei
/// 2020): 1 if no two topics have one in common, 1 / K if all are the same. NaN for no words.
pub fn diversity(topics: &Topics, n: usize) -> f64 {
    let mut words = top_words::lists(topics, n).concat();
    let all = words.len();
    words.sort_unstable();
    words.dedup();
    words.len() as f64 / all as f64
}

/// For each topic the mean over its `n` most probable words of `phi_kw / sum_j phi_jw`: how much of a word's
/// probability under all topics, taken alike, is its own. NaN for no words.
pub fn exclusivity(topics: &Topics, n: usize) -> Vec<f64> {
    let phi = topics.topic_word();
    let proportion = |k: usize, word: usize| phi[(k, word)] / phi.column(word).sum();
    let mean = |(k, words): (usize, Vec<usize>)| {
        words.iter().map(|&word| proportion(k, word)).sum::<f64>() / words.len() as f64
    };
    top_words::lists(topics, n).into_iter().enumerate().map(mean).collect()
}

/// For each topic the exponential of its entropy: as many words of equal probability would be as hard to
/// guess.
pub fn effective_words(topics: &Topics) -> Vec<f64> {
    let entropy = |p: &f64| if *p > 0.0 { -p * p.ln() } else { 0.0 };
    topics.topic_word().row_iter().map(|row| row.iter().map(entropy).sum::<f64>().exp()).collect()
}

/// For each topic the Kullback-Leibler divergence `sum_w phi_kw ln (phi_kw / p_w)` from the words of the
/// corpus, in nats: near zero for a topic that says nothing of its own. Infinite where a topic has a word
/// that the corpus does not.
pub fn divergence(topics: &Topics) -> Vec<f64> {
    let term = |(p, proportion): (&f64, &f64)| if *p > 0.0 { p * (p / proportion).ln() } else { 0.0 };
    let divergence = |row: Vec<f64>| row.iter().zip(topics.word_proportions()).map(term).sum::<f64>();
    topics.topic_word().row_iter().map(|row| divergence(row.iter().copied().collect())).collect()
}
