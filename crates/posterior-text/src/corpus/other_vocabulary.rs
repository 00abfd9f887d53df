//! The same documents in the words of another vocabulary: what a model needs to see texts that it has not
//! seen.

use super::vocabulary_report::Proportion;
use crate::{Corpus, Error};

impl Corpus {
    /// The counts by the ids of another vocabulary, and the words that it does not have and that are left
    /// out.
    ///
    /// Documents of which no word is left stay as empty ones.
    ///
    /// ```
    /// use posterior_text::Corpus;
    ///
    /// let words = |words: &str| words.split(' ').map(str::to_owned).collect::<Vec<_>>();
    /// let corpus = Corpus::from_rows(words("land war zebra"), words("first"), vec![vec![(1, 3), (2, 1)]])?;
    /// let (corpus, unknown) = corpus.in_vocabulary(words("war peace"))?;
    /// assert_eq!(corpus.document(0).words, [0]);
    /// assert_eq!((unknown.tokens, unknown.words), (1, 1));
    /// # Ok::<(), posterior_text::Error>(())
    /// ```
    ///
    /// # Errors
    /// No word of the documents is in the vocabulary.
    pub fn in_vocabulary(&self, vocabulary: Vec<String>) -> Result<(Self, Proportion), Error> {
        let mut by_word: Vec<u32> = (0..vocabulary.len() as u32).collect();
        by_word.sort_by_key(|&id| &vocabulary[id as usize]);
        let id_of = |word: &String| {
            let place = by_word.binary_search_by_key(&word, |&id| &vocabulary[id as usize]).ok()?;
            Some(by_word[place])
        };
        let new_ids: Vec<Option<u32>> = self.vocabulary().iter().map(id_of).collect();
        let mut is_unknown = vec![false; new_ids.len()];
        let mut unknown = Proportion::default();
        let mut rows = Vec::with_capacity(self.documents());
        for document in self.iter() {
            let mut row = Vec::with_capacity(document.words.len());
            for (&word, &count) in document.words.iter().zip(document.counts) {
                if let Some(id) = new_ids[word as usize] {
                    row.push((id, count));
                } else {
                    unknown.tokens += u64::from(count);
                    is_unknown[word as usize] = true;
                }
            }
            rows.push(row);
        }
        unknown.words = is_unknown.into_iter().filter(|&unknown| unknown).count();
        let corpus = Self::from_rows(vocabulary, self.names().to_vec(), rows)
            .map_err(|error| error.with_hint("are the texts in the language of the vocabulary?"))?;
        Ok((corpus, unknown))
    }
}
