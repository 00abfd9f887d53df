//! The texts of a corpus, read again: for passages, and for their words in order.

use std::collections::BTreeMap;
use std::path::Path;

use posterior::topics::Corpus;
use posterior::topics::corpus::{
    CorpusFormat, Source, Text, Tokenizer, WordSequences, read_csv_texts, read_folder, read_json_lines,
    read_mallet_instances,
};

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
    pub(super) fn texts(&self, reading: &Reading) -> Result<Option<Vec<Text>>, Failure> {
        let Some(path) = self.path.filter(|path| *path != Path::new("-")) else { return Ok(None) };
        let text = reading.text.as_str();
        Ok(match self.format {
            Some(CorpusFormat::Folder) => Some(read_folder(path)?.texts),
            Some(CorpusFormat::JsonLines) => {
                Some(read_json_lines(Source::open(path)?, text, self.name)?.texts)
            }
            Some(CorpusFormat::MalletInstances) => Some(read_mallet_instances(Source::open(path)?)?.texts),
            Some(CorpusFormat::Csv) => Some(read_csv_texts(Source::open(path)?, text, self.name)?.texts),
            _ => None,
        })
    }

    /// The words of the documents of a corpus in their order, others left out; `None` as above.
    pub(super) fn sequences(
        &self,
        reading: &Reading,
        corpus: &Corpus,
    ) -> Result<Option<WordSequences>, Failure> {
        let Some(texts) = self.texts(reading)?.filter(|texts| texts.len() == corpus.documents()) else {
            return Ok(None);
        };
        let ids: BTreeMap<&str, u32> = corpus.vocabulary().iter().map(String::as_str).zip(0..).collect();
        let tokenizer: Tokenizer = reading.tokenizer();
        let document =
            |text: &Text| tokenizer.tokens(&text.text).filter_map(|word| ids.get(&*word).copied()).collect();
        let documents = texts.iter().map(document).collect();
        Ok(Some(WordSequences::new(corpus.vocabulary().to_vec(), corpus.names().to_vec(), documents)?))
    }
}

/// That the order of the words is not known.
pub(super) fn without_order(who: &str) -> Failure {
    let failure = Failure::data(format!("{who} needs texts with their words in order, and these are counts"));
    failure.with_hint(
        "give a folder of .txt files, JSONL, or CSV with a column of text, and not by standard input",
    )
}
