//! What is given of the parameters of a column, and what a fit says of them.

use posterior::kalman::structural::Structural;
use posterior::table::MemoryLimit;
use serde::Serialize;

use super::parameter_points::ParameterPoint;
use crate::args::ParameterKnowledge;
use crate::level::Level;

/// A parameter with its value.
#[derive(Debug, Clone, Serialize)]
pub(super) struct ParameterValue {
    pub(super) name: String,
    pub(super) value: f64,
    pub(super) standard_error: Option<f64>,
    /// `fitted`, `fixed`, or `at its boundary`.
    pub(super) status: &'static str,
}

impl ParameterValue {
    pub(super) fn given(name: &str, value: f64, status: &'static str) -> Self {
        Self { name: name.to_owned(), value, standard_error: None, status }
    }
}

/// What is given of the parameters of a column, and how the others are fitted.
#[derive(Debug, Clone)]
pub(super) struct Recipe<'a> {
    /// `NAME=NUMBER`.
    pub(super) parameters: &'a [String],
    /// Whether the others are fitted even where some are given.
    pub(super) fit: bool,
    pub(super) knowledge: ParameterKnowledge,
    /// Points of the parameters of a fitted model.
    pub(super) points: Vec<ParameterPoint>,
    /// Of binomial values, at each time; those after the last are the last.
    pub(super) trials: Vec<u64>,
    pub(super) seed: u64,
    /// What parameters are that are given: "fixed", if nobody has estimated them.
    pub(super) given: &'static str,
    pub(super) memory: MemoryLimit,
    /// The probability of intervals.
    pub(super) level: Level,
}

/// What a fit says: the model at its estimates, and what is not known of them.
pub(super) struct Fitted {
    pub(super) structure: Structural,
    /// The parameters of the likelihood.
    pub(super) own: Vec<f64>,
    pub(super) parameters: Vec<ParameterValue>,
    pub(super) points: Vec<ParameterPoint>,
    pub(super) warnings: Vec<String>,
}
