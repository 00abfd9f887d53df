//! Counts of words by documents, as SciPy has them.

use posterior_text::corpus::Corpus;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays;
use crate::watched::invalid;

/// Counts by compressed rows.
#[derive(FromPyObject)]
pub(crate) struct Counts<'py> {
    ends: Vec<usize>,
    words: Vec<u32>,
    numbers: Bound<'py, PyAny>,
    columns: usize,
}

impl Counts<'_> {
    /// The rows as documents.
    pub(crate) fn corpus(&self) -> PyResult<Corpus> {
        let counts = arrays::vector(&self.numbers)?;
        let is_count = |own: &&f64| **own >= 0.0 && own.fract() == 0.0 && **own <= f64::from(u32::MAX);
        if let Some(wrong) = counts.iter().find(|own| !is_count(own)) {
            return Err(PyValueError::new_err(format!(
                "expected counts, whole numbers from 0, found {wrong}"
            )));
        }
        let row = |ends: &[usize]| {
            let some = (ends[0]..ends[1]).filter(|&at| counts[at] > 0.0);
            some.map(|at| (self.words[at], counts[at] as u32)).collect::<Vec<_>>()
        };
        let rows: Vec<_> = self.ends.windows(2).map(row).collect();
        let names = |count: usize| (0..count).map(|at| at.to_string()).collect::<Vec<_>>();
        Corpus::from_rows(names(self.columns), names(rows.len()), rows).map_err(invalid)
    }
}
