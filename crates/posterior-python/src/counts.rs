//! Counts of words by documents, as SciPy has them, or a corpus.

use std::sync::Arc;

use posterior_text::corpus::{Corpus, WordSequences};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::{self, Whole};
use crate::corpora::DocumentCorpus;
use crate::watched::invalid;

/// Counts of documents.
#[derive(FromPyObject)]
pub(crate) enum Counts<'py> {
    /// A corpus that has been made before.
    #[pyo3(transparent)]
    Corpus(PyRef<'py, DocumentCorpus>),
    /// A matrix.
    #[pyo3(transparent)]
    Rows(CountRows<'py>),
}

/// Counts by compressed rows.
#[derive(FromPyObject)]
pub(crate) struct CountRows<'py> {
    ends: Whole<usize>,
    words: Whole<u32>,
    numbers: Bound<'py, PyAny>,
    columns: usize,
}

impl Counts<'_> {
    /// The rows as documents.
    pub(crate) fn corpus(&self) -> PyResult<Arc<Corpus>> {
        match self {
            Self::Corpus(own) => Ok(own.corpus()),
            Self::Rows(own) => {
                let names = |count: usize| (0..count).map(|at| at.to_string()).collect::<Vec<_>>();
                own.corpus(names(own.columns), names(own.ends.0.len() - 1)).map(Arc::new)
            }
        }
    }

    /// The words of the documents in their order, of a corpus that has it.
    pub(crate) fn sequences(&self) -> Option<Arc<WordSequences>> {
        match self {
            Self::Corpus(own) => own.sequences(),
            Self::Rows(_) => None,
        }
    }
}

impl CountRows<'_> {
    /// The rows as documents with these names, and the columns as these words.
    pub(crate) fn corpus(&self, vocabulary: Vec<String>, names: Vec<String>) -> PyResult<Corpus> {
        let counts = arrays::vector(&self.numbers)?;
        let is_count = |own: &&f64| **own >= 0.0 && own.fract() == 0.0 && **own <= f64::from(u32::MAX);
        if let Some(wrong) = counts.iter().find(|own| !is_count(own)) {
            return Err(PyValueError::new_err(format!(
                "expected counts, whole numbers from 0, found {wrong}"
            )));
        }
        let row = |ends: &[usize]| {
            let some = (ends[0]..ends[1]).filter(|&at| counts[at] > 0.0);
            some.map(|at| (self.words.0[at], counts[at] as u32)).collect::<Vec<_>>()
        };
        let rows: Vec<_> = self.ends.0.windows(2).map(row).collect();
        Corpus::from_rows(vocabulary, names, rows).map_err(invalid)
    }
}
