//! What fits are asked for, and what they leave.

use posterior_math::iteration::Report;
use posterior_math::linalg::DMatrix;
use posterior_topics::SweepReport;
use pyo3::prelude::*;

use super::model::{Fit, TopicFit};
use crate::arrays;

/// What all fits are asked for.
#[derive(Debug, FromPyObject)]
pub(crate) struct Settings {
    pub(super) topics: usize,
    /// None is what the command line takes.
    pub(super) alpha: Option<f64>,
    pub(super) beta: f64,
    pub(super) iterations: usize,
    pub(super) seed: u64,
}

/// A model, the proportions of topics in its documents, and what climbed.
#[derive(IntoPyObject)]
pub(crate) struct Learned<'py> {
    model: TopicFit,
    documents: Bound<'py, PyAny>,
    trace: Vec<f64>,
}

impl<'py> Learned<'py> {
    pub(super) fn new(
        py: Python<'py>,
        fit: Fit,
        documents: &DMatrix<f64>,
        trace: impl Into<Trace>,
    ) -> PyResult<Self> {
        let Trace(trace) = trace.into();
        Ok(Self { model: TopicFit::new(fit), documents: arrays::rows(py, documents)?, trace })
    }
}

/// What climbed, step by step.
#[derive(Debug)]
pub(super) struct Trace(pub(super) Vec<f64>);

impl<S> From<SweepReport<S>> for Trace {
    fn from(report: SweepReport<S>) -> Self {
        Self(report.trace.iter().map(|point| point.ln_joint).collect())
    }
}

impl From<Report> for Trace {
    fn from(report: Report) -> Self {
        Self(report.trace)
    }
}
