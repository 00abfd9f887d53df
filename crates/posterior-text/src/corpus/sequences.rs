//! Documents with their words in order, for models of order: pruned as the bag of words of the same texts.

use super::texts::{Text, Texts};
use super::vocabulary_options::VocabularyOptions;
use super::vocabulary_report::VocabularyReport;
use crate::checks::size;
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
        let vocabulary = corpus.vocabulary().to_vec();
        // The vocabulary is in alphabetical order.
        let id = |word: &str| vocabulary.binary_search_by(|known| known.as_str().cmp(word)).ok();
        let document = |Text { text, .. }: &Text| {
            tokenizer.tokens(text).filter_map(|word| id(&word)).map(|id| id as u32).collect()
        };
        let documents = self.texts.iter().map(document).collect();
        Ok((WordSequences { names: corpus.names().to_vec(), documents, vocabulary }, report))
    }
}
