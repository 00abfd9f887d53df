//! Which words of texts become the vocabulary.

use posterior_math::ParamError;

use super::stop_words::StopWords;
use super::terms::TextTerms;
use super::tokenizer::Tokenizer;

/// Filters of the words of the texts. They apply in the order of the fields.
#[derive(Debug, Clone, PartialEq)]
pub struct VocabularyOptions {
    /// The rule that says what a word is, and how short it may be.
    pub tokenizer: Tokenizer,
    /// What is counted of the words (default: themselves).
    pub terms: TextTerms,
    /// Words that are left out (default: none).
    pub stop_words: StopWords,
    /// The least number of documents that a word must be in (default: 1).
    pub min_documents: usize,
    /// The largest proportion of all documents that a word may be in (default: 1, that is any).
    pub max_document_proportion: f64,
    /// The largest number of distinct words: the most frequent are kept, of equally frequent ones those first
    /// in the alphabet (default: no limit).
    pub max_words: Option<usize>,
}

impl Default for VocabularyOptions {
    fn default() -> Self {
        Self {
            tokenizer: Tokenizer::default(),
            terms: TextTerms::default(),
            stop_words: StopWords::none(),
            min_documents: 1,
            max_document_proportion: 1.0,
            max_words: None,
        }
    }
}

impl VocabularyOptions {
    /// # Errors
    /// An option is out of its range, or there are stop words for n-grams of characters.
    pub(super) fn check(&self) -> Result<(), ParamError> {
        self.terms.check()?;
        let proportion = self.max_document_proportion;
        let error = |parameter, value, requirement| {
            Err(ParamError::new("VocabularyOptions", parameter, value, requirement))
        };
        if !(proportion > 0.0 && proportion <= 1.0) {
            return error("max_document_proportion", proportion, "above 0 and at most 1");
        }
        let plain = self.stop_words.is_empty() || !matches!(self.terms, TextTerms::Characters { .. });
        if !plain {
            return error("stop_words", self.stop_words.len() as f64, "none of n-grams of characters");
        }
        if self.max_words == Some(0) {
            return error("max_words", 0.0, "at least 1");
        }
        Ok(())
    }
}
