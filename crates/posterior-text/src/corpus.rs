//! A corpus as a bag of words: documents x vocabulary in compressed rows, and the routes to one.
//!
//! * From a path of any format: [`read`] gives a [`ReadCorpus`]; [`CorpusFormat`] lists the formats. The
//!   readers behind it take a [`Source`] each: [`read_uci`], [`read_lda_c`], [`read_matrix_market`],
//!   [`read_mallet_state`], and [`read_folder`], [`read_json_lines`], [`read_csv_texts`],
//!   [`read_mallet_instances`], which give [`Texts`].
//! * From texts: [`Texts::count`] or, text by text, [`CorpusBuilder`]. [`VocabularyOptions`] say what a word
//!   is ([`Tokenizer`], [`StopWords`]), what is counted of them ([`TextTerms`]: n-grams too) and how rare or
//!   frequent it may be; [`VocabularyReport`] says what
//!   they removed.
//! * From counts: [`Corpus::from_rows`].
//! * With the words in order: [`Texts::sequences`], in which [`WordSequences::phrases`] finds pairs that
//!   belong together.
//! * Larger than memory: [`pack`] reads texts of any size into a file, a [`Packer`] takes texts and a
//!   [`Writer`] counts one by one; a [`StoredCorpus`] gives documents back in blocks.
//!
//! [`split_documents`] and [`split_tokens`] make parts to be judged by, [`Corpus::in_vocabulary`] and, for
//! a single text, [`Tokenizer::count`] make new texts readable for an old model, [`Metadata`] holds
//! what else is known of each document, [`tf_idf`] weighs
//! words. Every error names the file, the line, what was expected, and has a [hint](Error::hint) where there
//! is one.

mod csv_error;
mod folder;
mod format;
mod json_lines;
mod lda_c;
mod lines;
mod mallet_instances;
mod mallet_state;
mod matrix_market;
mod metadata;
mod metered;
mod number;
mod open;
mod other_vocabulary;
mod pack;
mod phrases;
mod read;
mod sequences;
mod split;
mod stop_words;
mod stored;
mod terms;
mod text_counts;
mod text_stream;
mod text_visitor;
mod texts;
mod tf_idf;
mod tokenizer;
mod uci;
mod vocabulary;
mod vocabulary_filter;
mod vocabulary_options;
mod vocabulary_report;
mod word_list;

use crate::Error;
use crate::checks::{index, size};

pub use folder::read_folder;
pub use format::CorpusFormat;
pub use json_lines::read_json_lines;
pub use lda_c::{read_lda_c, write_lda_c};
pub use mallet_instances::read_mallet_instances;
pub use mallet_state::{MalletState, read_mallet_state, write_mallet_state};
pub use matrix_market::{read_matrix_market, write_matrix_market};
pub use metadata::Metadata;
pub use open::Source;
pub use pack::{PackedTexts, Packer, pack};
pub use phrases::{Phrase, PhraseOptions, PhraseScore};
pub use read::{ReadCorpus, ReadOptions, read};
pub use sequences::WordSequences;
pub use split::{CompletionSplit, DocumentSplit, split_documents, split_tokens};
pub use stop_words::StopWords;
pub use stored::{Block, StoredCorpus, Writer, store_lda_c, store_uci};
pub use terms::TextTerms;
pub use text_counts::TextCounts;
pub use text_stream::{read_texts, text_format};
pub use texts::{Text, Texts, read_csv_texts};
pub use tf_idf::tf_idf;
pub use tokenizer::{Accents, Apostrophes, Digits, LetterSet, Tokenizer, Tokens};
pub use uci::{read_uci, write_uci};
pub use vocabulary::CorpusBuilder;
pub use vocabulary_options::VocabularyOptions;
pub use vocabulary_report::{Proportion, Removed, VocabularyReport};
pub use word_list::{read_vocabulary, write_vocabulary};

/// Documents as counts of words.
///
/// The counts are stored in compressed rows: document `d` owns the distinct words
/// `offsets[d]..offsets[d + 1]`, in increasing order of word id, with a count of at least one each.
/// Documents without a word are allowed and keep their place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Corpus {
    vocabulary: Vec<String>,
    names: Vec<String>,
    offsets: Vec<usize>,
    words: Vec<u32>,
    counts: Vec<u32>,
    tokens: u64,
}

/// One document: distinct word ids in increasing order, and how often each occurs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Document<'a> {
    /// Distinct word ids, increasing.
    pub words: &'a [u32],
    /// Occurrences of each word, at least one.
    pub counts: &'a [u32],
}

impl Document<'_> {
    /// The length of the document in words.
    pub fn tokens(&self) -> u64 {
        self.counts.iter().map(|&c| u64::from(c)).sum()
    }
}

impl Corpus {
    /// A corpus from rows of `(word id, count)`, one row a document, named by `names`.
    ///
    /// Entries of a row may come in any order; repeated words are added up and zero counts dropped.
    ///
    /// # Errors
    /// An empty vocabulary, no token at all, a word id outside the vocabulary, another number of names
    /// than rows, or a count beyond `u32`.
    pub fn from_rows(
        vocabulary: Vec<String>,
        names: Vec<String>,
        rows: Vec<Vec<(u32, u32)>>,
    ) -> Result<Self, Error> {
        Self::from_row_iter(vocabulary, names, rows.into_iter())
    }

    /// As [`from_rows`](Self::from_rows), one row in memory at a time.
    fn from_row_iter(
        vocabulary: Vec<String>,
        names: Vec<String>,
        rows: impl ExactSizeIterator<Item = Vec<(u32, u32)>>,
    ) -> Result<Self, Error> {
        if vocabulary.is_empty() {
            return Err(Error::Corpus("the vocabulary is empty: no word is left".to_owned()));
        }
        size("names of documents", rows.len(), names.len())?;
        let mut corpus =
            Self { vocabulary, names, offsets: vec![0], words: Vec::new(), counts: Vec::new(), tokens: 0 };
        for row in rows {
            corpus.push_row(row)?;
        }
        if corpus.tokens == 0 {
            return Err(Error::Corpus("no document has a word of the vocabulary".to_owned()));
        }
        Ok(corpus)
    }

    fn push_row(&mut self, mut row: Vec<(u32, u32)>) -> Result<(), Error> {
        let name = &self.names[self.offsets.len() - 1];
        row.sort_unstable_by_key(|&(word, _)| word);
        let start = self.words.len();
        for (word, count) in row.into_iter().filter(|&(_, count)| count > 0) {
            if word as usize >= self.vocabulary.len() {
                let size = self.vocabulary.len();
                let message = format!("document {name}: word id {word} in a vocabulary of {size}");
                return Err(Error::Corpus(message));
            }
            self.tokens += u64::from(count);
            if self.words.len() > start && self.words.last() == Some(&word) {
                let last = self.counts.len() - 1;
                self.counts[last] = self.counts[last].checked_add(count).ok_or_else(|| {
                    let word = &self.vocabulary[word as usize];
                    Error::Corpus(format!("document {name}: the count of {word:?} exceeds {}", u32::MAX))
                })?;
            } else {
                self.words.push(word);
                self.counts.push(count);
            }
        }
        self.offsets.push(self.words.len());
        Ok(())
    }

    /// The number of documents, empty ones included.
    pub fn documents(&self) -> usize {
        self.names.len()
    }

    /// The words, by id.
    pub fn vocabulary(&self) -> &[String] {
        &self.vocabulary
    }

    /// The names of the documents: file names, titles or numbers.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The number of words in all documents together.
    pub fn tokens(&self) -> u64 {
        self.tokens
    }

    /// The number of distinct (document, word) pairs.
    pub fn entries(&self) -> usize {
        self.words.len()
    }

    /// Document `d`.
    ///
    /// # Panics
    /// When there is no such document.
    #[track_caller]
    pub fn document(&self, d: usize) -> Document<'_> {
        let range = self.offsets[d]..self.offsets[d + 1];
        Document { words: &self.words[range.clone()], counts: &self.counts[range] }
    }

    /// All documents in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Document<'_>> {
        (0..self.documents()).map(|d| self.document(d))
    }

    /// The documents that have no word, in order.
    pub fn empty_documents(&self) -> Vec<usize> {
        (0..self.documents()).filter(|&d| self.offsets[d] == self.offsets[d + 1]).collect()
    }

    /// The number of documents that have each word, by word id.
    pub fn document_frequencies(&self) -> Vec<usize> {
        let mut frequencies = vec![0; self.vocabulary.len()];
        for &word in &self.words {
            frequencies[word as usize] += 1;
        }
        frequencies
    }

    /// The number of tokens of each word in all documents.
    pub fn word_totals(&self) -> Vec<u64> {
        let mut totals = vec![0; self.vocabulary.len()];
        for (&word, &count) in self.words.iter().zip(&self.counts) {
            totals[word as usize] += u64::from(count);
        }
        totals
    }

    /// The proportion of all tokens that each word has.
    pub fn word_proportions(&self) -> Vec<f64> {
        self.word_totals().into_iter().map(|n| n as f64 / self.tokens as f64).collect()
    }

    /// The corpus of these documents, in this order, with the same vocabulary.
    ///
    /// # Errors
    /// There is no such document, or none of them has a word.
    pub fn select(&self, documents: &[usize]) -> Result<Self, Error> {
        for &d in documents {
            index("document", d, self.documents())?;
        }
        let names = documents.iter().map(|&d| self.names[d].clone()).collect();
        let rows = documents.iter().map(|&d| {
            let Document { words, counts } = self.document(d);
            words.iter().copied().zip(counts.iter().copied()).collect()
        });
        Self::from_row_iter(self.vocabulary.clone(), names, rows)
    }

    /// The same documents under other names.
    ///
    /// # Errors
    /// Another number of names than documents.
    pub fn with_names(self, names: Vec<String>) -> Result<Self, Error> {
        size("names of documents", self.documents(), names.len())?;
        Ok(Self { names, ..self })
    }
}
