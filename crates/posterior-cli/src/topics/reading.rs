//! How texts become the words of a model.

use posterior::topics::corpus::{StopWords, Tokenizer, VocabularyOptions};
use serde::{Deserialize, Serialize};

use crate::args::{CorpusArgs, VocabularyArgs};
use crate::failure::Failure;

/// The column or key of texts where no other is named.
const TEXT: &str = "text";

/// How texts become the words of a model: what is needed to read new ones as those of the fit were read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Reading {
    /// The length of the shortest word kept, in letters.
    min_letters: usize,
    /// Words that are left out.
    stop_words: Vec<String>,
    /// The column or key that holds the text.
    pub(super) text: String,
}

/// How the embedded addresses were read.
impl Default for Reading {
    fn default() -> Self {
        Self {
            min_letters: Tokenizer::default().min_length,
            stop_words: StopWords::english().iter().map(str::to_owned).collect(),
            text: TEXT.to_owned(),
        }
    }
}

impl Reading {
    /// Every word: for a vocabulary that was made elsewhere, whatever its words are.
    pub(super) fn every_word() -> Self {
        Self { min_letters: 1, stop_words: Vec::new(), text: TEXT.to_owned() }
    }

    /// Words that are left out.
    pub(super) fn stop_words(&self) -> StopWords {
        StopWords::new(self.stop_words.iter().cloned())
    }

    pub(super) fn tokenizer(&self) -> Tokenizer {
        Tokenizer { min_length: self.min_letters, ..Tokenizer::default() }
    }
}

/// Refuses what is wrong with the options on their own.
pub(super) fn check_words(args: &VocabularyArgs) -> Result<(), Failure> {
    if args.max_df > 0.0 && args.max_df <= 1.0 {
        Ok(())
    } else {
        Err(Failure::Usage(format!("--max-df {}: expected a proportion from 0 to 1", args.max_df)))
    }
}

/// How texts become words, and which of them are kept.
pub(super) fn words(
    args: &VocabularyArgs,
    texts: &CorpusArgs,
) -> Result<(Reading, VocabularyOptions), Failure> {
    check_words(args)?;
    let reading = Reading {
        min_letters: args.min_letters,
        stop_words: stop_words(args)?.iter().map(str::to_owned).collect(),
        text: texts.text.clone().unwrap_or_else(|| TEXT.to_owned()),
    };
    let vocabulary = VocabularyOptions {
        min_documents: args.min_df,
        max_document_proportion: args.max_df,
        max_words: Some(args.max_vocabulary),
        ..VocabularyOptions::default()
    };
    Ok((reading, vocabulary))
}

fn stop_words(args: &VocabularyArgs) -> Result<StopWords, Failure> {
    Ok(args.stop_words.as_ref().map_or_else(|| Ok(StopWords::english()), StopWords::named)?)
}
