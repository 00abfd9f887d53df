//! The texts of a corpus, read again: for passages, and for their words in order.

use std::path::Path;

use posterior::topics::Corpus;
use posterior::topics::corpus::{CorpusFormat, ReadOptions, Texts, WordSequences, read_texts};

use super::reading::Reading;
use crate::failure::Failure;

/// Where the documents of a corpus were read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'a> {
    /// `None` of the embedded corpus.
    pub(super) path: Option<&'a Path>,
    pub(super) format: Option<CorpusFormat>,
    /// The column of names, where one was given.
    pub(super) name: Option<&'a str>,
}

impl Place<'_> {
    /// The texts in the order of the corpus. `None` where there are counts alone, or what standard input gave
    /// once.
    pub(super) fn texts(&self, reading: &Reading) -> Result<Option<Texts>, Failure> {
        let Some(path) = self.path else { return Ok(None) };
        let options = ReadOptions {
            format: self.format,
            text_column: reading.text.clone(),
            name_column: self.name.map(str::to_owned),
            ..ReadOptions::default()
        };
        Ok(read_texts(path, &options)?)
    }

    /// The words of the documents of a corpus in their order, others left out; `None` as above.
    pub(super) fn sequences(
        &self,
        reading: &Reading,
        corpus: &Corpus,
    ) -> Result<Option<WordSequences>, Failure> {
        let Some(texts) = self.texts(reading)?.filter(|own| own.texts.len() == corpus.documents()) else {
            return Ok(None);
        };
        Ok(Some(texts.sequences_of(reading.tokenizer(), corpus.vocabulary().to_vec())?))
    }
}

/// That the order of the words is not known.
pub(super) fn without_order(who: &str) -> Failure {
    let failure = Failure::data(format!("{who} needs texts with their words in order, and these are counts"));
    failure.with_hint(
        "give a folder of .txt files, JSONL, or CSV with a column of text, and not by standard input",
    )
}
