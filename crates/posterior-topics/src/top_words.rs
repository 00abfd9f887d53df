//! The words that describe a topic.

use crate::Topics;

/// A word and what it was ranked by.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct RankedWord {
    /// The word's id.
    pub word: usize,
    /// Its probability in the topic.
    pub probability: f64,
    /// The value that it was ranked by: the probability itself, the relevance, the lift, or FREX.
    pub score: f64,
}

/// The `n` most probable words of topic `k`, most probable first, ties in the order of ids.
///
/// # Panics
/// When there is no such topic.
#[track_caller]
pub fn by_probability(topics: &Topics, k: usize, n: usize) -> Vec<RankedWord> {
    ranked(topics, k, n, |_, probability| probability)
}

/// The `n` most relevant words of topic `k` (Sievert and Shirley 2014): those with the largest
/// `lambda ln phi_kw + (1 - lambda) ln(phi_kw / p_w)`, where `p_w` is the word's proportion of the corpus.
///
/// `lambda = 1` ranks by probability, `lambda = 0` by lift; 0.6 is what readers preferred in their study.
/// Words that the fitted documents never use have no lift and are left out.
///
/// # Panics
/// When there is no such topic.
#[track_caller]
pub fn by_relevance(topics: &Topics, k: usize, n: usize, lambda: f64) -> Vec<RankedWord> {
    let overall = topics.word_proportions();
    ranked(topics, k, n, |word, probability| {
        if overall[word] > 0.0 {
            lambda * probability.ln() + (1.0 - lambda) * (probability / overall[word]).ln()
        } else {
            f64::NEG_INFINITY
        }
    })
}

/// The `n` words of topic `k` with the largest lift `phi_kw / p_w` (Taddy 2012), where `p_w` is the word's
/// proportion of the corpus.
///
/// Rare words lead this list. Those that the fitted documents never use have no lift and are left out.
///
/// # Panics
/// When there is no such topic.
#[track_caller]
pub fn by_lift(topics: &Topics, k: usize, n: usize) -> Vec<RankedWord> {
    let overall = topics.word_proportions();
    ranked(
        topics,
        k,
        n,
        |word, probability| {
            if overall[word] > 0.0 { probability / overall[word] } else { f64::NEG_INFINITY }
        },
    )
}

/// The `n` words of topic `k` that are both frequent in it and exclusive to it (FREX; Bischof and Airoldi
/// 2012): those with the largest harmonic mean `1 / (omega / E + (1 - omega) / F)`, where F is the proportion
/// of the vocabulary that has no larger probability in the topic, and E the proportion that has no larger
/// exclusivity
/// `phi_kw / sum_j phi_jw`.
///
/// `omega` weighs exclusivity, 0.5 is usual. Words that no topic has are left out.
///
/// # Panics
/// When there is no such topic.
#[track_caller]
pub fn by_frex(topics: &Topics, k: usize, n: usize, omega: f64) -> Vec<RankedWord> {
    let phi = topics.topic_word();
    let frequency: Vec<f64> = phi.row(k).iter().copied().collect();
    let exclusivity: Vec<f64> =
        phi.column_iter().map(|word| if word.sum() > 0.0 { word[k] / word.sum() } else { -1.0 }).collect();
    let (frequent, exclusive) = (proportions_below(&frequency), proportions_below(&exclusivity));
    ranked(topics, k, n, |word, _| {
        if exclusivity[word] < 0.0 {
            f64::NEG_INFINITY
        } else {
            (omega / exclusive[word] + (1.0 - omega) / frequent[word]).recip()
        }
    })
}

/// The ids of the `n` most probable words of each topic, as [`by_probability`] ranks them.
pub fn lists(topics: &Topics, n: usize) -> Vec<Vec<usize>> {
    let list = |k| by_probability(topics, k, n).iter().map(|ranked| ranked.word).collect();
    (0..topics.len()).map(list).collect()
}

/// For each value the proportion of all values that are no larger: the empirical distribution function at its
/// own points.
fn proportions_below(values: &[f64]) -> Vec<f64> {
    let mut ordered = values.to_vec();
    ordered.sort_by(f64::total_cmp);
    let proportion =
        |value: &f64| ordered.partition_point(|other| other <= value) as f64 / values.len() as f64;
    values.iter().map(proportion).collect()
}

fn ranked(topics: &Topics, k: usize, n: usize, score: impl Fn(usize, f64) -> f64) -> Vec<RankedWord> {
    let mut words: Vec<RankedWord> = topics
        .topic_word()
        .row(k)
        .iter()
        .enumerate()
        .map(|(word, &probability)| RankedWord { word, probability, score: score(word, probability) })
        .filter(|ranked| ranked.score > f64::NEG_INFINITY)
        .collect();
    let order = |a: &RankedWord, b: &RankedWord| b.score.total_cmp(&a.score).then(a.word.cmp(&b.word));
    // A vocabulary is long and a list is short: only the list is sorted.
    if n < words.len() {
        words.select_nth_unstable_by(n, order);
        words.truncate(n);
    }
    words.sort_unstable_by(order);
    words
}
