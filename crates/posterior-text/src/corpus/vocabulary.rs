//! From texts to a corpus: counts of the words that the filters leave.

use super::terms::TextTerms;
use super::vocabulary_filter::{Usage, VocabularyFilter};
use super::vocabulary_options::VocabularyOptions;
use super::vocabulary_report::VocabularyReport;
use crate::alphabet::Alphabet;
use crate::{Corpus, Error};

/// Takes texts one by one and makes a corpus of them.
///
/// ```
/// use posterior_text::corpus::{CorpusBuilder, Removed, StopWords, VocabularyOptions};
///
/// let options = VocabularyOptions {
///     stop_words: StopWords::english(),
///     min_documents: 2,
///     ..VocabularyOptions::default()
/// };
/// let mut builder = CorpusBuilder::new(options)?;
/// builder.push("first", "The war and the peace");
/// builder.push("second", "Peace, war and prosperity");
/// let (corpus, report) = builder.build()?;
/// assert_eq!(corpus.vocabulary(), ["peace", "war"]);
/// assert_eq!(report.removed(Removed::StopWord).tokens, 4);
/// assert_eq!(report.removed(Removed::TooRare).words, 1);
/// # Ok::<(), posterior_text::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct CorpusBuilder {
    options: VocabularyOptions,
    words: Alphabet,
    names: Vec<String>,
    /// Where the entries of each document end.
    ends: Vec<usize>,
    /// Word and count.
    entries: Vec<(u32, u32)>,
}

impl CorpusBuilder {
    /// A builder without a text.
    ///
    /// # Errors
    /// A largest proportion of documents that is not above 0 and at most 1, or a largest number of words of
    /// 0.
    pub fn new(options: VocabularyOptions) -> Result<Self, Error> {
        options.check()?;
        let (words, names, ends, entries) = (Alphabet::new(), Vec::new(), Vec::new(), Vec::new());
        Ok(Self { options, words, names, ends, entries })
    }

    /// Adds a document.
    pub fn push(&mut self, name: impl Into<String>, text: &str) {
        self.names.push(name.into());
        self.entries.extend(count_terms(&self.options, &mut self.words, text));
        self.ends.push(self.entries.len());
    }

    /// The number of documents so far.
    pub fn documents(&self) -> usize {
        self.names.len()
    }

    /// The corpus of all texts so far, words in alphabetical order, and what each filter removed.
    ///
    /// Documents of which no word is left stay as empty ones ([`Corpus::empty_documents`]).
    ///
    /// # Errors
    /// There is no text, or no word is left: the message says which filters removed how many.
    pub fn build(self) -> Result<(Corpus, VocabularyReport), Error> {
        let usage = self.usage();
        let mut filter = VocabularyFilter::new(&self.options, self.names.len());
        for (word, usage) in self.words.iter().zip(&usage) {
            filter.add(word, *usage);
        }
        let (report, vocabulary) = filter.finish()?;
        let mut new_id = vec![None; usage.len()];
        for (id, word) in (0..).zip(&vocabulary) {
            if let Some(old) = self.words.get(word) {
                new_id[old] = Some(id);
            }
        }
        let mut start = 0;
        let rows = self.ends.iter().map(|&end| {
            let row = &self.entries[start..end];
            start = end;
            row.iter().filter_map(|&(word, count)| Some((new_id[word as usize]?, count))).collect()
        });
        let corpus = Corpus::from_row_iter(vocabulary, self.names, rows)?;
        Ok((corpus, report))
    }

    fn usage(&self) -> Vec<Usage> {
        let mut usage = vec![Usage::default(); self.words.len()];
        for &(word, count) in &self.entries {
            let usage = &mut usage[word as usize];
            usage.documents += 1;
            usage.tokens += u64::from(count);
        }
        usage
    }
}

/// The numbers of the words of a text, in increasing order, with their counts; new words get the next
/// numbers.
pub(super) fn count_terms(options: &VocabularyOptions, words: &mut Alphabet, text: &str) -> Vec<(u32, u32)> {
    let (tokenizer, terms) = (options.tokenizer, options.terms);
    let mut ids: Vec<u32> = Vec::new();
    let insert = |term: &str| ids.push(words.insert(term) as u32);
    match terms {
        // Those of words that are left out are left out with a reason.
        TextTerms::Words { .. } => terms.of_words(tokenizer.words(text), insert),
        TextTerms::Characters { .. } => terms.each(tokenizer, text, insert),
    }
    ids.sort_unstable();
    ids.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u32)).collect()
}
