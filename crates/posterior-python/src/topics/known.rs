//! What is known of documents besides their words.

use posterior_math::linalg::DMatrix;
use posterior_topics::structural_topics::DocumentCovariates;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays;

/// Times, or features and levels; of models that take neither, nothing.
#[derive(Debug, Default, FromPyObject)]
pub(crate) struct Known<'py> {
    times: Option<Vec<f64>>,
    features: Option<Bound<'py, PyAny>>,
    levels: Option<Vec<usize>>,
}

/// The same, of so many documents.
#[derive(Debug, Clone, Default)]
pub(super) struct OfDocuments {
    pub(super) times: Option<Vec<f64>>,
    pub(super) covariates: Option<DocumentCovariates>,
}

impl Known<'_> {
    /// Checked against the number of documents.
    pub(super) fn of(&self, documents: usize) -> PyResult<OfDocuments> {
        let check = |what: &str, found: usize| {
            if found == documents {
                return Ok(());
            }
            Err(PyValueError::new_err(format!(
                "{what}: expected one row for each of {documents} documents, found {found}"
            )))
        };
        let prevalence = match &self.features {
            None => DMatrix::zeros(documents, 0),
            Some(features) => arrays::matrix(features)?,
        };
        check("prevalence or features", prevalence.nrows())?;
        if let Some(times) = &self.times {
            check("times", times.len())?;
        }
        if let Some(levels) = &self.levels {
            check("content", levels.len())?;
        }
        let is_known = self.features.is_some() || self.levels.is_some();
        let covariates = DocumentCovariates { prevalence, content: self.levels.clone() };
        Ok(OfDocuments { times: self.times.clone(), covariates: is_known.then_some(covariates) })
    }
}
