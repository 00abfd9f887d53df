//! Questions to readers: which word does not belong?

use posterior_math::check;
use rand::{Rng, RngExt};

use crate::{Error, Topics, top_words};

/// The top words of a topic and one intruder, in random order.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Intrusion {
    /// The words to show.
    pub words: Vec<usize>,
    /// The place of the intruder among them.
    pub intruder: usize,
}

/// A question about topic `k` (Chang et al. 2009): its `n` most probable words, and one that is among the `n`
/// most probable of another topic and in the less probable half of this one's. Readers find it if the topic
/// makes sense.
///
/// `None` if no word is like that.
///
/// # Errors
/// No such topic, or `n` of zero.
pub fn intrusion<R: Rng + ?Sized>(
    topics: &Topics,
    k: usize,
    n: usize,
    rng: &mut R,
) -> Result<Option<Intrusion>, Error> {
    check::require(k < topics.len(), "intrusion", "topic", k as f64, "the number of a topic")?;
    check::require(n > 0, "intrusion", "n", 0.0, "positive")?;
    let ranked = top_words::by_probability(topics, k, topics.vocabulary().len());
    let mut rank = vec![0; ranked.len()];
    for (place, word) in ranked.iter().enumerate() {
        rank[word.word] = place;
    }
    let others = (0..topics.len()).filter(|&other| other != k);
    let mut candidates: Vec<usize> = others
        .flat_map(|other| top_words::by_probability(topics, other, n))
        .map(|ranked| ranked.word)
        .filter(|&word| rank[word] >= n.max(rank.len() / 2))
        .collect();
    candidates.sort_unstable();
    candidates.dedup();
    if candidates.is_empty() {
        return Ok(None);
    }
    let intruder = candidates[rng.random_range(0..candidates.len())];
    let mut words: Vec<usize> = ranked.iter().take(n).map(|ranked| ranked.word).collect();
    for last in (1..words.len()).rev() {
        words.swap(last, rng.random_range(0..=last));
    }
    let place = rng.random_range(0..=words.len());
    words.insert(place, intruder);
    Ok(Some(Intrusion { words, intruder: place }))
}
