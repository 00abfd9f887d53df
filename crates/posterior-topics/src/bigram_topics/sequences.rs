//! Documents as words in their order.

use crate::{Corpus, Error};

/// Documents as sequences of word ids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sequences {
    vocabulary: Vec<String>,
    documents: Vec<Vec<u32>>,
}

impl Sequences {
    /// From words, and sequences of their numbers. Documents may be empty.
    ///
    /// # Errors
    /// An empty vocabulary, a word id outside of it, or no word at all.
    pub fn new(vocabulary: Vec<String>, documents: Vec<Vec<u32>>) -> Result<Self, Error> {
        if vocabulary.is_empty() || u32::try_from(vocabulary.len()).is_err() {
            return Err(Error::Corpus(format!("a vocabulary of {} words", vocabulary.len())));
        }
        for (d, document) in documents.iter().enumerate() {
            if let Some(word) = document.iter().find(|&&word| word as usize >= vocabulary.len()) {
                let size = vocabulary.len();
                return Err(Error::Corpus(format!("document {d}: word id {word} in a vocabulary of {size}")));
            }
        }
        if documents.iter().all(Vec::is_empty) {
            return Err(Error::Corpus("no document has a word".to_owned()));
        }
        Ok(Self { vocabulary, documents })
    }

    /// The words, by id.
    pub fn vocabulary(&self) -> &[String] {
        &self.vocabulary
    }

    /// The documents.
    pub fn documents(&self) -> &[Vec<u32>] {
        &self.documents
    }

    /// The number of words in all documents together.
    pub fn tokens(&self) -> u64 {
        self.documents.iter().map(|document| document.len() as u64).sum()
    }

    /// The counts of the words, their order forgotten; documents are named by their numbers.
    ///
    /// # Errors
    /// A count beyond `u32`.
    pub fn to_corpus(&self) -> Result<Corpus, Error> {
        let names = (0..self.documents.len()).map(|d| d.to_string()).collect();
        let rows = self.documents.iter().map(|document| document.iter().map(|&word| (word, 1)).collect());
        Corpus::from_rows(self.vocabulary.clone(), names, rows.collect())
    }
}
