//! Rows to predict, and what is wanted of their predictions.

use posterior::math::linalg::DMatrix;
use posterior::regression::formula::FormulaData;

use crate::level::Level;
use crate::predictions_file::RowKeys;

/// What is wanted of predictions besides means and their intervals.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted<'a> {
    /// The probability of intervals.
    pub(super) level: Level,
    /// The standard deviations and quantiles of new outcomes, and the intervals of several classes.
    pub(super) details: bool,
    /// ln p of these outcomes, one for each row; NaN where one is not known.
    pub(super) outcomes: Option<&'a [f64]>,
    /// What is added to the predictor of each row.
    pub(super) offsets: Option<&'a [f64]>,
    /// The columns of a formula with effects.
    pub(super) effects: Option<&'a FormulaData>,
}

impl Wanted<'_> {
    /// What is added to the predictor of a row.
    pub(super) fn offset(&self, row: usize) -> f64 {
        self.offsets.map_or(0.0, |all| all[row])
    }
}

/// Rows to predict.
#[derive(Debug)]
pub(super) struct NewRows {
    /// How they are called in messages.
    pub(super) source: String,
    /// Their design.
    pub(super) values: DMatrix<f64>,
    /// What is added to their predictors.
    pub(super) offsets: Option<Vec<f64>>,
    /// The columns of a formula with effects, where there is one.
    pub(super) effects: Option<FormulaData>,
    pub(super) keys: RowKeys,
    /// Their outcomes where the table has them, a class by its place among the classes; NaN where one is
    /// missing.
    pub(super) outcomes: Option<Vec<f64>>,
    /// Whether they are other rows than those of the fit.
    pub(super) are_new: bool,
    /// The one numeric input, where there is one and nothing else.
    pub(super) line: Option<Vec<f64>>,
    /// A note about rows that were left out.
    pub(super) left_out: Option<String>,
}

impl NewRows {
    /// What is wanted of their predictions.
    pub(super) fn wanted(&self, details: bool, level: Level) -> Wanted<'_> {
        Wanted {
            level,
            details,
            outcomes: self.outcomes.as_deref(),
            offsets: self.offsets.as_deref(),
            effects: self.effects.as_ref(),
        }
    }
}
