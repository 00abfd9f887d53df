//! The tag that a word has most often.

use super::model::TaggedSentence;
use crate::error::Error;
use posterior_text::alphabet::Alphabet;

/// Gives each word the tag that it has most often, and unknown words the most frequent tag: what every tagger
/// must beat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MostFrequentTag {
    tags: Alphabet,
    words: Alphabet,
    tag_of: Vec<usize>,
    most_frequent: usize,
}

impl MostFrequentTag {
    /// Counts sentences whose tags are known. Of tags that are equally frequent the one that was met first is
    /// taken.
    ///
    /// # Errors
    /// If there is no word.
    pub fn fit(sentences: &[TaggedSentence]) -> Result<Self, Error> {
        let (mut tags, mut words) = (Alphabet::new(), Alphabet::new());
        let mut counts: Vec<Vec<(usize, usize)>> = Vec::new();
        let mut all: Vec<(usize, usize)> = Vec::new();
        for (word, tag) in sentences.iter().flatten() {
            let (word, tag) = (words.insert(word), tags.insert(tag));
            counts.resize_with(words.len(), Vec::new);
            for counts in [&mut counts[word], &mut all] {
                match counts.iter_mut().find(|(known, _)| *known == tag) {
                    Some((_, count)) => *count += 1,
                    None => counts.push((tag, 1)),
                }
            }
        }
        if words.is_empty() {
            return Err(Error::TooFew { what: "a tagger", needed: "a word with its tag" });
        }
        let tag_of = counts.iter().map(|counts| most_frequent(counts)).collect();
        Ok(Self { tags, words, tag_of, most_frequent: most_frequent(&all) })
    }

    /// The tags, in the order in which they were met.
    pub const fn tags(&self) -> &Alphabet {
        &self.tags
    }

    /// The tags of a sentence, as numbers.
    pub fn tag<W: AsRef<str>>(&self, words: &[W]) -> Vec<usize> {
        let tag =
            |word: &W| self.words.get(word.as_ref()).map_or(self.most_frequent, |word| self.tag_of[word]);
        words.iter().map(tag).collect()
    }
}

/// The first of the tags with the largest count.
fn most_frequent(counts: &[(usize, usize)]) -> usize {
    counts.iter().fold((0, 0), |best, &(tag, count)| if count > best.1 { (tag, count) } else { best }).0
}
