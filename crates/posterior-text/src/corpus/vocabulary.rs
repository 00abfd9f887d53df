//! From texts to a corpus: counts of the words that the filters leave.

use super::stop_words::StopWords;
use super::terms::TextTerms;
use super::tokenizer::letters;
use super::vocabulary_options::VocabularyOptions;
use super::vocabulary_report::{Removed, VocabularyReport};
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
        let VocabularyOptions { tokenizer, terms, .. } = self.options;
        let mut ids: Vec<u32> = Vec::new();
        let insert = |term: &str| ids.push(self.words.insert(term) as u32);
        match terms {
            // Those of words that are left out are left out with a reason.
            TextTerms::Words { .. } => terms.of_words(tokenizer.words(text), insert),
            TextTerms::Characters { .. } => terms.each(tokenizer, text, insert),
        }
        ids.sort_unstable();
        self.entries.extend(ids.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u32)));
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
        let (report, kept) = self.filter(&usage);
        if kept.is_empty() {
            return Err(self.nothing_left(&report));
        }
        let mut new_id = vec![None; usage.len()];
        for (id, &word) in (0..).zip(&kept) {
            new_id[word as usize] = Some(id);
        }
        let vocabulary = kept.iter().map(|&word| self.words.known(word as usize).to_owned()).collect();
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

    /// What the filters leave, in alphabetical order, and the report on it.
    fn filter(&self, usage: &[Usage]) -> (VocabularyReport, Vec<u32>) {
        let stop_words = self.options.stop_words.tokenized(self.options.tokenizer);
        let mut report = VocabularyReport::default();
        let mut left = Vec::new();
        for (word, usage) in (0..).zip(usage) {
            report.found.add(usage.tokens);
            match self.removed_by(self.words.known(word as usize), usage, &stop_words) {
                Some(filter) => report.removed[filter as usize].add(usage.tokens),
                None => left.push(word),
            }
        }
        let by_frequency =
            |&word: &u32| (std::cmp::Reverse(usage[word as usize].tokens), self.words.known(word as usize));
        left.sort_by_key(by_frequency);
        let size = self.options.max_words.unwrap_or(left.len()).min(left.len());
        for word in left.drain(size..) {
            report.removed[Removed::BeyondSize as usize].add(usage[word as usize].tokens);
        }
        for &word in &left {
            report.kept.add(usage[word as usize].tokens);
        }
        left.sort_by_key(|&word| self.words.known(word as usize));
        (report, left)
    }

    fn removed_by(&self, word: &str, usage: &Usage, stop_words: &StopWords) -> Option<Removed> {
        let options = &self.options;
        // A quotient, so that 29 of 100 documents are not above the proportion 0.29.
        let proportion = usage.documents as f64 / self.names.len() as f64;
        let is_short = |word: &str| letters(word) < options.tokenizer.min_length;
        // Characters are those of words that are long enough.
        let mut words = word.split(' ').filter(|_| matches!(options.terms, TextTerms::Words { .. }));
        if words.clone().any(is_short) {
            Some(Removed::TooShort)
        } else if words.any(|word| stop_words.contains(word)) {
            Some(Removed::StopWord)
        } else if usage.documents < options.min_documents {
            Some(Removed::TooRare)
        } else if proportion > options.max_document_proportion {
            Some(Removed::TooFrequent)
        } else {
            None
        }
    }

    fn nothing_left(&self, report: &VocabularyReport) -> Error {
        let documents = self.names.len();
        if documents == 0 {
            return Error::Corpus("no documents: there is nothing to count words of".to_owned());
        }
        if report.found.tokens == 0 {
            return Error::Corpus(format!("no words in the {documents} documents"));
        }
        let removed: Vec<String> = Removed::ALL
            .into_iter()
            .map(|filter| (filter, report.removed(filter).words))
            .filter(|&(_, words)| words > 0)
            .map(|(filter, words)| format!("{words} {}", filter.label()))
            .collect();
        let found = report.found.words;
        let message = format!("no words are left of {found} distinct ones: {}", removed.join(", "));
        Error::Corpus(message).with_hint(self.advice(report.strictest()))
    }

    fn advice(&self, filter: Removed) -> String {
        let options = &self.options;
        match filter {
            Removed::TooShort => {
                format!("allow words of fewer than {} letters", options.tokenizer.min_length)
            }
            Removed::StopWord => "use fewer stop words".to_owned(),
            Removed::TooRare => {
                format!("allow words in fewer than {} documents", options.min_documents)
            }
            Removed::TooFrequent => {
                format!("allow words in more than {} of the documents", options.max_document_proportion)
            }
            Removed::BeyondSize => "allow a larger vocabulary".to_owned(),
        }
    }
}

/// How often a word is used.
#[derive(Debug, Clone, Copy, Default)]
struct Usage {
    documents: usize,
    tokens: u64,
}
