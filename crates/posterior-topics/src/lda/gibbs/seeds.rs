//! Seed words of a topic.

use serde::{Deserialize, Serialize};

/// A word whose prior concentration in one topic is raised, as if the topic had shown it `weight` times
/// already.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Seed {
    /// The topic, from 0.
    pub topic: usize,
    /// The word, by its number in the vocabulary.
    pub word: usize,
    /// The number that is added to `beta`, positive.
    pub weight: f64,
}

/// Word, topic and weight, each pair once, in order.
pub(super) fn merged(seeds: &[Seed]) -> Vec<(usize, usize, f64)> {
    let mut sorted: Vec<_> = seeds.iter().map(|seed| (seed.word, seed.topic, seed.weight)).collect();
    sorted.sort_by_key(|&(word, topic, _)| (word, topic));
    sorted.dedup_by(|next, first| {
        let same = (next.0, next.1) == (first.0, first.1);
        if same {
            first.2 += next.2;
        }
        same
    });
    sorted
}

/// The sum of the weights of each seeded topic.
pub(super) fn by_topic(seeds: &[Seed]) -> Vec<(usize, f64)> {
    let topics = seeds.iter().map(|seed| Seed { word: 0, ..*seed }).collect::<Vec<_>>();
    merged(&topics).into_iter().map(|(_, topic, weight)| (topic, weight)).collect()
}
