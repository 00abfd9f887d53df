//! A fitted regression: what `model.json` holds, and what it predicts of new rows.

use posterior::math::linalg::DMatrix;
use serde::{Deserialize, Serialize};

use super::answer::Predicted;
use super::coding::Coding;
use super::new_rows::Wanted;
use super::points::Points;
use super::{classes, generalized, hierarchical, linear, network, ordinal, sparse};
use crate::failure::{Failure, refused};
use crate::outcome::OutcomeKind;

pub(crate) const AREA: &str = "regress";

/// What `regress fit` leaves for `regress predict`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Model {
    pub(super) family: String,
    pub(super) engine: String,
    /// The column of the outcome.
    pub(super) y: String,
    pub(super) outcome: OutcomeKind,
    pub(super) coding: Coding,
    pub(super) known: Known,
}

/// What is known of the outcome, given the columns.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Known {
    Linear(linear::Known),
    Generalized(generalized::Known),
    Softmax(classes::Known),
    Ordinal(ordinal::Known),
    Network(network::Known),
    Sparse(sparse::Known),
    Hierarchical(hierarchical::Known),
}

impl Known {
    /// Equally probable draws of the coefficients, where there are some.
    pub(super) fn points(&self, intercept: bool, count: usize, seed: u64) -> Option<Points> {
        match self {
            Self::Linear(known) => known.points(intercept, count, seed),
            Self::Generalized(known) => known.points(count, seed),
            Self::Sparse(known) => known.points(count, seed),
            Self::Softmax(_) | Self::Ordinal(_) | Self::Network(_) | Self::Hierarchical(_) => None,
        }
    }

    /// The prediction of each row of a design.
    pub(super) fn predict(
        &self,
        outcome: &OutcomeKind,
        design: &DMatrix<f64>,
        wanted: Wanted<'_>,
    ) -> Result<Vec<Predicted>, Failure> {
        let predicted = match self {
            Self::Linear(known) => known.predict(design, wanted),
            Self::Generalized(known) => known.predict(design, wanted),
            Self::Softmax(known) => known.predict(design, wanted),
            Self::Ordinal(known) => known.predict(design, wanted),
            Self::Network(known) => known.predict(outcome, design, wanted),
            Self::Sparse(known) => known.predict(design, wanted),
            Self::Hierarchical(known) => return known.predict(wanted),
        };
        predicted.map_err(refused)
    }
}
