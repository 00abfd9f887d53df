//! Documents with their words in order, for models of order: pruned as the bag of words of the same texts.

use std::collections::BTreeMap;

use super::texts::{Text, Texts};
use super::tokenizer::Tokenizer;
use super::vocabulary_options::VocabularyOptions;
use super::vocabulary_report::VocabularyReport;
use crate::checks::{index, size};
use crate::{Corpus, Error};

/// Documents as word ids in their order. Words that the filters removed are left out, so that their
/// neighbours become adjacent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WordSequences {
    vocabulary: Vec<String>,
    names: Vec<String>,
    documents: Vec<Vec<u32>>,
}

impl WordSequences {
    /// Documents of word ids, named by `names`.
    ///
    /// # Errors
    /// An empty vocabulary, another number of names than documents, or a word id outside the vocabulary.
    pub fn new(vocabulary: Vec<String>, names: Vec<String>, documents: Vec<Vec<u32>>) -> Result<Self, Error> {
        if vocabulary.is_empty() {
            return Err(Error::Corpus("the vocabulary is empty: no word is left".to_owned()));
        }
        size("names of documents", documents.len(), names.len())?;
        for (name, document) in names.iter().zip(&documents) {
            if let Some(word) = document.iter().find(|&&word| word as usize >= vocabulary.len()) {
                let size = vocabulary.len();
                return Err(Error::Corpus(format!(
                    "document {name}: word id {word} in a vocabulary of {size}"
                )));
            }
        }
        Ok(Self { vocabulary, names, documents })
    }

    /// The words, by id.
    pub fn vocabulary(&self) -> &[String] {
        &self.vocabulary
    }

    /// The names of the documents.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The documents, each as its words in order.
    pub fn documents(&self) -> &[Vec<u32>] {
        &self.documents
    }

    /// The number of words in all documents together.
    pub fn tokens(&self) -> u64 {
        self.documents.iter().map(|document| document.len() as u64).sum()
    }

    /// The same documents in the words of another vocabulary; others are left out.
    ///
    /// # Errors
    /// An empty vocabulary.
    pub fn in_vocabulary(&self, vocabulary: Vec<String>) -> Result<Self, Error> {
        let ids: BTreeMap<&str, u32> = vocabulary.iter().map(String::as_str).zip(0..).collect();
        let new: Vec<Option<u32>> =
            self.vocabulary.iter().map(|word| ids.get(word.as_str()).copied()).collect();
        let document = |own: &Vec<u32>| own.iter().filter_map(|&word| new[word as usize]).collect();
        let documents = self.documents.iter().map(document).collect();
        Self::new(vocabulary, self.names.clone(), documents)
    }

    /// The sequences of these documents, in this order, with the same vocabulary.
    ///
    /// # Errors
    /// There is no such document.
    pub fn select(&self, documents: &[usize]) -> Result<Self, Error> {
        documents.iter().try_for_each(|&d| index("document", d, self.documents.len()))?;
        let names = documents.iter().map(|&d| self.names[d].clone()).collect();
        let documents = documents.iter().map(|&d| self.documents[d].clone()).collect();
        Self::new(self.vocabulary.clone(), names, documents)
    }

    /// The first half of each document, of an odd number of words with one more, and the rest: to read, and
    /// to be predicted.
    pub fn halves(&self) -> [Self; 2] {
        let half = |second: bool| {
            let part = |document: &Vec<u32>| {
                let (first, rest) = document.split_at(document.len().div_ceil(2));
                if second { rest.to_vec() } else { first.to_vec() }
            };
            let documents = self.documents.iter().map(part).collect();
            Self { vocabulary: self.vocabulary.clone(), names: self.names.clone(), documents }
        };
        [half(false), half(true)]
    }

    /// The bag of words: the order forgotten.
    ///
    /// # Errors
    /// No document has a word.
    pub fn corpus(&self) -> Result<Corpus, Error> {
        let rows = self.documents.iter().map(|document| {
            let mut sorted = document.clone();
            sorted.sort_unstable();
            sorted.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u32)).collect()
        });
        Corpus::from_row_iter(self.vocabulary.clone(), self.names.clone(), rows)
    }
}

impl Texts {
    /// The words in order, and what each filter of the vocabulary removed: the vocabulary is that of
    /// [`count`](Texts::count).
    ///
    /// ```
    /// use posterior_text::corpus::{Source, VocabularyOptions, read_csv_texts};
    ///
    /// let csv = "text\nwar and peace and war\npeace\n";
    /// let texts = read_csv_texts(Source::from_reader(csv.as_bytes(), "texts.csv")?, "text", None)?;
    /// let (sequences, _) = texts.sequences(VocabularyOptions {
    ///     max_document_proportion: 1.0,
    ///     ..VocabularyOptions::default()
    /// })?;
    /// assert_eq!(sequences.vocabulary(), ["and", "peace", "war"]);
    /// assert_eq!(sequences.documents(), [vec![2, 0, 1, 0, 2], vec![1]]);
    /// # Ok::<(), posterior_text::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`count`](Texts::count); terms that are not words.
    pub fn sequences(&self, options: VocabularyOptions) -> Result<(WordSequences, VocabularyReport), Error> {
        if !options.terms.are_words() {
            return Err(Error::Corpus("words in their order are words: count n-grams instead".to_owned()));
        }
        let tokenizer = options.tokenizer;
        let (corpus, report) = self.count(options)?;
        Ok((self.sequences_of(tokenizer, corpus.vocabulary().to_vec())?, report))
    }

    /// The words of a vocabulary in their order; others are left out.
    ///
    /// # Errors
    /// An empty vocabulary.
    pub fn sequences_of(
        &self,
        tokenizer: Tokenizer,
        vocabulary: Vec<String>,
    ) -> Result<WordSequences, Error> {
        let ids: BTreeMap<&str, u32> = vocabulary.iter().map(String::as_str).zip(0..).collect();
        let document =
            |own: &Text| tokenizer.tokens(&own.text).filter_map(|word| ids.get(&*word).copied()).collect();
        let documents = self.texts.iter().map(document).collect();
        let names = self.texts.iter().map(|own| own.name.clone()).collect();
        WordSequences::new(vocabulary, names, documents)
    }
}
