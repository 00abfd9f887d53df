//! How good a tagger is on sentences that it has not counted.

use posterior_evaluation::{Confusion, Tally};

use super::model::{TaggedSentence, Tagger};
use crate::error::Error;

/// Right tags of known and unknown words, and which tag is taken for which.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TaggerScores {
    /// All words.
    pub all: Tally,
    /// Words that were counted.
    pub known: Tally,
    /// Words that were not.
    pub unknown: Tally,
    /// By numbers of tags; a tag that the tagger does not have is one more than all.
    pub confusion: Confusion,
}

/// Tags sentences and compares.
///
/// # Errors
/// None that a caller can cause; those of the counters are passed on.
pub fn score(tagger: &Tagger, sentences: &[TaggedSentence]) -> Result<TaggerScores, Error> {
    let tags = tagger.tags();
    let mut scores = TaggerScores {
        all: Tally::default(),
        known: Tally::default(),
        unknown: Tally::default(),
        confusion: Confusion::new(tags.len() + 1),
    };
    for sentence in sentences {
        let words: Vec<&str> = sentence.iter().map(|(word, _)| word.as_str()).collect();
        for ((word, tag), found) in sentence.iter().zip(tagger.tag(&words)) {
            let truth = tags.get(tag).unwrap_or(tags.len());
            let kind = if tagger.knows(word) { &mut scores.known } else { &mut scores.unknown };
            kind.push(&truth, &found);
            scores.all.push(&truth, &found);
            scores.confusion.push(truth, found)?;
        }
    }
    Ok(scores)
}
