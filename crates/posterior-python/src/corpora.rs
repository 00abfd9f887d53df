//! Corpora of texts and of counts, from memory and from files: what `python/posterior_rs/_corpus` calls.

mod reading;

use std::convert::Infallible;
use std::sync::Arc;

use numpy::PyArray1;
use posterior_text::Error;
use posterior_text::corpus::{Corpus, Removed, VocabularyReport, WordSequences, split_documents};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::counts::CountRows;
use crate::watched::{direct, invalid};
pub(crate) use reading::{MetadataColumn, read_corpus, read_texts, read_words, refused};

/// Documents as counts of words, and of texts their words in order.
#[pyclass(frozen, module = "posterior_rs._core")]
#[derive(Debug)]
pub(crate) struct DocumentCorpus {
    corpus: Arc<Corpus>,
    sequences: Option<Arc<WordSequences>>,
}

/// Arrays of compressed rows: where they end, their columns, and the numbers there.
type Rows<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<u32>>);

/// Everything that a corpus is made of.
type Parts<'py> = (Vec<String>, Vec<String>, Rows<'py>, Option<OrderParts<'py>>);

/// Where documents end, and their words in order.
type OrderParts<'py> = (Vec<usize>, Bound<'py, PyArray1<u32>>);

impl DocumentCorpus {
    pub(crate) fn corpus(&self) -> Arc<Corpus> {
        Arc::clone(&self.corpus)
    }

    pub(crate) fn sequences(&self) -> Option<Arc<WordSequences>> {
        self.sequences.clone()
    }

    fn of_counts_alone(corpus: Corpus) -> Self {
        Self { corpus: Arc::new(corpus), sequences: None }
    }

    fn in_order(sequences: WordSequences) -> Result<Self, Error> {
        let corpus = Arc::new(sequences.corpus()?);
        Ok(Self { corpus, sequences: Some(Arc::new(sequences)) })
    }

    /// The same change to the counts and to the words in order.
    fn changed(
        &self,
        counts: impl FnOnce(&Corpus) -> Result<Corpus, Error>,
        order: impl FnOnce(&WordSequences) -> Result<WordSequences, Error>,
    ) -> Result<Self, Error> {
        let corpus = Arc::new(counts(&self.corpus)?);
        let sequences = self.sequences.as_deref().map(order).transpose()?.map(Arc::new);
        Ok(Self { corpus, sequences })
    }
}

#[pymethods]
impl DocumentCorpus {
    /// Of counts that are there.
    #[staticmethod]
    fn of_counts(counts: CountRows<'_>, vocabulary: Vec<String>, names: Vec<String>) -> PyResult<Self> {
        counts.corpus(vocabulary, names).map(Self::of_counts_alone)
    }

    /// What a pickle has.
    #[staticmethod]
    fn of_parts(
        vocabulary: Vec<String>,
        names: Vec<String>,
        rows: (Vec<usize>, Vec<u32>, Vec<u32>),
        order: Option<(Vec<usize>, Vec<u32>)>,
    ) -> PyResult<Self> {
        let (ends, words, counts) = rows;
        let cut = |ends: &[usize], count: usize| {
            let sound = ends.first() == Some(&0) && ends.last() == Some(&count) && ends.is_sorted();
            sound
                .then_some(())
                .ok_or_else(|| PyValueError::new_err("rows of a corpus that contradict themselves"))
        };
        cut(&ends, words.len().min(counts.len()))?;
        let row = |ends: &[usize]| (ends[0]..ends[1]).map(|at| (words[at], counts[at])).collect();
        let rows = ends.windows(2).map(row).collect();
        let corpus = Corpus::from_rows(vocabulary.clone(), names.clone(), rows).map_err(invalid)?;
        let Some((ends, words)) = order else { return Ok(Self::of_counts_alone(corpus)) };
        cut(&ends, words.len())?;
        let documents = ends.windows(2).map(|ends| words[ends[0]..ends[1]].to_vec()).collect();
        let sequences = WordSequences::new(vocabulary, names, documents).map_err(invalid)?;
        Ok(Self { corpus: Arc::new(corpus), sequences: Some(Arc::new(sequences)) })
    }

    #[getter]
    fn vocabulary(&self) -> Vec<String> {
        self.corpus.vocabulary().to_vec()
    }

    #[getter]
    fn names(&self) -> Vec<String> {
        self.corpus.names().to_vec()
    }

    /// Whether the words are known in their order.
    #[getter]
    fn is_in_order(&self) -> bool {
        self.sequences.is_some()
    }

    /// The numbers of words of the documents.
    fn lengths<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        PyArray1::from_iter(py, self.corpus.iter().map(|own| own.tokens().cast_signed()))
    }

    /// The counts by compressed rows.
    fn rows<'py>(&self, py: Python<'py>) -> Rows<'py> {
        let mut ends = vec![0];
        let (mut words, mut counts) = (Vec::new(), Vec::new());
        for document in self.corpus.iter() {
            words.extend_from_slice(document.words);
            counts.extend_from_slice(document.counts);
            ends.push(words.len().cast_signed() as i64);
        }
        (PyArray1::from_vec(py, ends), PyArray1::from_vec(py, words), PyArray1::from_vec(py, counts))
    }

    /// These documents in this order.
    fn select(&self, py: Python<'_>, documents: Vec<usize>) -> PyResult<Self> {
        direct(py, || self.changed(|own| own.select(&documents), |own| own.select(&documents)))
    }

    /// The places of documents to learn from, and of those that are held out.
    fn split(&self, py: Python<'_>, held_out: f64, seed: u64) -> PyResult<(Vec<usize>, Vec<usize>)> {
        let split = direct(py, || split_documents(&self.corpus, held_out, seed))?;
        Ok((split.train_documents, split.test_documents))
    }

    /// The same documents in the words of another vocabulary; others are left out.
    fn in_vocabulary(&self, py: Python<'_>, vocabulary: Vec<String>) -> PyResult<Self> {
        let work = || {
            let counts = |own: &Corpus| own.in_vocabulary(vocabulary.clone()).map(|(corpus, _)| corpus);
            self.changed(counts, |own| own.in_vocabulary(vocabulary.clone()))
        };
        direct::<_, Infallible>(py, || Ok(work()))?.map_err(refused)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Parts<'py>)> {
        let order = self.sequences.as_deref().map(|own| {
            let ends = own.documents().iter().scan(0, |end, document| {
                *end += document.len();
                Some(*end)
            });
            (std::iter::once(0).chain(ends).collect(), PyArray1::from_vec(py, own.documents().concat()))
        });
        let parts = (self.vocabulary(), self.names(), self.rows(py), order);
        Ok((py.get_type::<Self>().getattr("of_parts")?, parts))
    }
}

/// How many words of the texts each filter left out.
fn removed(report: &VocabularyReport) -> Vec<(&'static str, u64)> {
    let row = |filter: Removed| (filter.label(), report.removed(filter).tokens);
    Removed::ALL.into_iter().map(row).collect()
}
