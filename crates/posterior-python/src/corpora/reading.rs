//! Texts and files as corpora.

use std::convert::Infallible;
use std::error::Error as _;
use std::io;
use std::path::PathBuf;

use posterior_math::memory::default_limit;
use posterior_text::Error;
use posterior_text::corpus::{
    self, Metadata, ReadCorpus, ReadOptions, Source, StopWords, Text, Texts, Tokenizer, VocabularyOptions,
    VocabularyReport,
};
use pyo3::exceptions::{PyFileNotFoundError, PyMemoryError, PyOSError, PyPermissionError, PyValueError};
use pyo3::prelude::*;

use super::{DocumentCorpus, removed};
use crate::watched::left_behind;

/// How texts become words, and which of them are kept.
#[derive(Debug, FromPyObject)]
pub(crate) struct Reading {
    stop_words: Vec<String>,
    min_letters: usize,
    min_df: usize,
    max_df: f64,
    max_vocabulary: Option<usize>,
    /// The words that are kept, whatever the numbers say: those of a model.
    vocabulary: Option<Vec<String>>,
}

/// Where the parts of documents are in a file.
#[derive(Debug, FromPyObject)]
pub(crate) struct Place {
    format: Option<String>,
    text: String,
    name: Option<String>,
    vocab: Option<PathBuf>,
    meta: Option<PathBuf>,
    memory: Option<u64>,
}

/// A column of what else is known of documents.
#[derive(Debug, FromPyObject, IntoPyObject)]
pub(crate) enum MetadataColumn {
    /// Numbers, NaN where one is missing.
    Numbers(Vec<f64>),
    /// Anything else.
    Texts(Vec<String>),
}

/// A corpus as it is read, and what came with it.
#[derive(IntoPyObject)]
pub(crate) struct ReadDocuments {
    corpus: DocumentCorpus,
    format: Option<&'static str>,
    metadata: Vec<(String, MetadataColumn)>,
    removed: Vec<(&'static str, u64)>,
    /// The words of each document before some were left out that the vocabulary does not have.
    lengths: Option<Vec<u64>>,
}

/// What reading comes to, whatever the language.
struct Found {
    corpus: DocumentCorpus,
    format: Option<corpus::CorpusFormat>,
    metadata: Option<Metadata>,
    report: Option<VocabularyReport>,
    lengths: Option<Vec<u64>>,
}

impl Reading {
    fn options(&self) -> VocabularyOptions {
        let all = VocabularyOptions {
            tokenizer: Tokenizer { min_length: self.min_letters, ..Tokenizer::default() },
            stop_words: StopWords::new(self.stop_words.iter().cloned()),
            ..VocabularyOptions::default()
        };
        if self.vocabulary.is_some() {
            return all;
        }
        VocabularyOptions {
            min_documents: self.min_df,
            max_document_proportion: self.max_df,
            max_words: self.max_vocabulary,
            ..all
        }
    }

    /// A corpus of texts.
    fn corpus(&self, texts: &Texts) -> Result<Found, Error> {
        let (sequences, report) = texts.sequences(self.options())?;
        let (format, metadata, report) = (None, texts.metadata.clone(), Some(report));
        let corpus = DocumentCorpus::in_order(sequences)?;
        Found { corpus, format, metadata, report, lengths: None }.in_vocabulary(self.vocabulary.as_deref())
    }
}

impl Found {
    /// In the words of a vocabulary, if one is given.
    fn in_vocabulary(self, vocabulary: Option<&[String]>) -> Result<Self, Error> {
        let Some(vocabulary) = vocabulary else { return Ok(self) };
        let lengths = Some(self.corpus.corpus.iter().map(|own| own.tokens()).collect());
        let corpus = self.corpus.changed(
            |own| own.in_vocabulary(vocabulary.to_vec()).map(|(corpus, _)| corpus),
            |own| own.in_vocabulary(vocabulary.to_vec()),
        )?;
        Ok(Self { corpus, lengths, ..self })
    }

    fn for_python(self) -> PyResult<ReadDocuments> {
        let metadata = self.metadata.as_ref().map(columns).transpose().map_err(refused)?;
        Ok(ReadDocuments {
            corpus: self.corpus,
            format: self.format.map(corpus::CorpusFormat::name),
            metadata: metadata.unwrap_or_default(),
            removed: self.report.as_ref().map(removed).unwrap_or_default(),
            lengths: self.lengths,
        })
    }
}

/// The columns of a table: numbers where all of them are.
fn columns(table: &Metadata) -> Result<Vec<(String, MetadataColumn)>, Error> {
    let column = |name: &String| {
        let values = match table.optional_numbers(name) {
            Ok(numbers) => {
                MetadataColumn::Numbers(numbers.into_iter().map(|own| own.unwrap_or(f64::NAN)).collect())
            }
            Err(_) => MetadataColumn::Texts(table.text(name)?.into_iter().map(str::to_owned).collect()),
        };
        Ok((name.clone(), values))
    };
    table.columns().iter().map(column).collect()
}

/// A corpus of texts in memory.
#[pyfunction]
pub(crate) fn read_texts(
    py: Python<'_>,
    texts: Vec<String>,
    names: Vec<String>,
    reading: Reading,
) -> PyResult<ReadDocuments> {
    let found = left_behind::<_, Infallible>(py, move |_| {
        let texts = names.into_iter().zip(texts).map(|(name, text)| Text { name, text }).collect();
        Ok(reading.corpus(&Texts::new(texts)))
    })?;
    found.map_err(refused)?.for_python()
}

/// A corpus of a folder or a file, of any format.
#[pyfunction]
pub(crate) fn read_corpus(
    py: Python<'_>,
    path: PathBuf,
    place: Place,
    reading: Reading,
) -> PyResult<ReadDocuments> {
    let found = left_behind::<_, Infallible>(py, move |_| Ok(read(path, place, &reading)))?;
    found.map_err(refused)?.for_python()
}

fn read(path: PathBuf, place: Place, reading: &Reading) -> Result<Found, Error> {
    let options = ReadOptions {
        format: place.format.map(|name| name.parse()).transpose()?,
        text_column: place.text,
        name_column: place.name,
        vocabulary_file: place.vocab,
        vocabulary: reading.options(),
        memory: Some(place.memory.unwrap_or_else(default_limit)),
    };
    let found = if let Some(texts) = corpus::read_texts(&path, &options)? {
        let format = corpus::text_format(&path, &options)?;
        Found { format, ..reading.corpus(&texts)? }
    } else {
        let ReadCorpus { corpus, format, .. } = corpus::read(&path, &options)?;
        let corpus = DocumentCorpus::of_counts_alone(corpus);
        Found { corpus, format: Some(format), metadata: None, report: None, lengths: None }
            .in_vocabulary(reading.vocabulary.as_deref())?
    };
    let Some(meta) = place.meta else { return Ok(found) };
    let (table, _) = Metadata::read_csv(Source::open(meta)?)?.for_documents(found.corpus.corpus.names())?;
    Ok(Found { metadata: Some(table), ..found })
}

/// The words of a list: English, of a language by its code, or of a file.
#[pyfunction]
pub(crate) fn read_words(name: PathBuf) -> PyResult<Vec<String>> {
    let list = if name.as_os_str() == "english" { Ok(StopWords::english()) } else { StopWords::named(&name) };
    Ok(list.map_err(refused)?.iter().map(str::to_owned).collect())
}

/// A refusal, as the exception that Python has for it, with advice where there is any.
pub(crate) fn refused(error: Error) -> PyErr {
    let text = error.hint().map_or_else(|| error.to_string(), |hint| format!("{error}; {hint}"));
    let mut cause = error.source();
    while let Some(own) = cause {
        if let Some(own) = own.downcast_ref::<io::Error>() {
            return match own.kind() {
                io::ErrorKind::NotFound => PyFileNotFoundError::new_err(text),
                io::ErrorKind::PermissionDenied => PyPermissionError::new_err(text),
                io::ErrorKind::OutOfMemory => PyMemoryError::new_err(text),
                io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => PyValueError::new_err(text),
                _ => PyOSError::new_err(text),
            };
        }
        cause = own.source();
    }
    PyValueError::new_err(text)
}
