//! Which words of texts become the vocabulary.

use posterior_math::ParamError;

use super::stop_words::StopWords;
use super::tokenizer::Tokenizer;

/// Which words of the texts are kept. The filters apply in the order of the fields.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct VocabularyOptions {
    /// What a word is, and how short it may be.
    pub tokenizer: Tokenizer,
    /// Words that are left out (default: none).
    pub stop_words: StopWords,
    /// The least number of documents that a word must be in (default: 1).
    pub min_documents: usize,
    /// The largest share of all documents that a word may be in (default: 1, that is any).
    pub max_document_share: f64,
    /// The largest number of distinct words: the most frequent are kept, of equally frequent ones those first in
    /// the alphabet (default: no limit).
    pub max_words: Option<usize>,
}

impl Default for VocabularyOptions {
    fn default() -> Self {
        Self {
            tokenizer: Tokenizer::default(),
            stop_words: StopWords::none(),
            min_documents: 1,
            max_document_share: 1.0,
            max_words: None,
        }
    }
}

impl VocabularyOptions {
    /// The same with another tokenizer.
    #[must_use]
    pub fn with_tokenizer(self, tokenizer: Tokenizer) -> Self {
        Self { tokenizer, ..self }
    }

    /// The same without these words.
    #[must_use]
    pub fn with_stop_words(self, stop_words: StopWords) -> Self {
        Self { stop_words, ..self }
    }

    /// The same with another least number of documents.
    #[must_use]
    pub fn with_min_documents(self, min_documents: usize) -> Self {
        Self { min_documents, ..self }
    }

    /// The same with another largest share of documents.
    #[must_use]
    pub fn with_max_document_share(self, max_document_share: f64) -> Self {
        Self { max_document_share, ..self }
    }

    /// The same with another largest number of distinct words.
    #[must_use]
    pub fn with_max_words(self, max_words: Option<usize>) -> Self {
        Self { max_words, ..self }
    }

    /// # Errors
    /// An option is out of its range.
    pub(super) fn check(&self) -> Result<(), ParamError> {
        let share = self.max_document_share;
        let error = |parameter, value, requirement| {
            Err(ParamError::new("VocabularyOptions", parameter, value, requirement))
        };
        if !(share > 0.0 && share <= 1.0) {
            return error("max_document_share", share, "above 0 and at most 1");
        }
        if self.max_words == Some(0) {
            return error("max_words", 0.0, "at least 1");
        }
        Ok(())
    }
}
