//! Topics by their words.

use posterior::topics::{Topics, top_words};

/// The weight of probability against lift in what is relevant (Sievert and Shirley 2014).
const RELEVANCE: f64 = 0.6;

/// The `n` most relevant words of topic `k`.
pub(super) fn of_topic(topics: &Topics, k: usize, n: usize) -> String {
    let words = top_words::by_relevance(topics, k, n, RELEVANCE);
    words.iter().map(|word| topics.vocabulary()[word.word].as_str()).collect::<Vec<_>>().join(" ")
}
